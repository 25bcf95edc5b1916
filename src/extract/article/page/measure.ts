// One walk up and one walk down over the page: how much text, links and prose every element holds, and what its surroundings say.
// What a reader would get wrong: an element that holds most of the page's prose hands nothing down. Themes call the wrapper of
// everything "sidebar-left" or put the whole page into a form.
import type { Block } from './blocks.ts';
import { bitOf, classReader, meaningBits } from './lexicon.ts';
import type { Page, TreeNode } from './tree.ts';

/** Bits of what an element, or one around it, is. */
export const IN = {
  nav: 1 << 0,
  aside: 1 << 1,
  footer: 1 << 2,
  header: 1 << 3,
  figure: 1 << 4,
  caption: 1 << 5,
  form: 1 << 6,
  control: 1 << 7,
  table: 1 << 8,
  list: 1 << 9,
  quote: 1 << 10,
  pre: 1 << 11,
  article: 1 << 12,
  main: 1 << 13,
  details: 1 << 14,
  heading: 1 << 15,
  articleBody: 1 << 17,
  otherProperty: 1 << 18,
  link: 1 << 19,
  dialog: 1 << 20,
  ariaHidden: 1 << 21,
  hidden: 1 << 22,
} as const;

const TAG_BITS: Record<string, number> = {
  nav: IN.nav,
  menu: IN.nav,
  aside: IN.aside,
  footer: IN.footer,
  header: IN.header,
  hgroup: IN.header,
  figure: IN.figure,
  figcaption: IN.caption,
  caption: IN.caption,
  form: IN.form,
  fieldset: IN.form,
  button: IN.control,
  label: IN.control,
  legend: IN.control,
  table: IN.table,
  li: IN.list,
  dd: IN.list,
  dt: IN.list,
  blockquote: IN.quote,
  q: IN.quote,
  pre: IN.pre,
  article: IN.article,
  main: IN.main,
  details: IN.details,
  h1: IN.heading,
  h2: IN.heading,
  h3: IN.heading,
  h4: IN.heading,
  h5: IN.heading,
  h6: IN.heading,
  a: IN.link,
  dialog: IN.dialog,
};
const ROLE_BITS: Record<string, number> = {
  navigation: IN.nav,
  menu: IN.nav,
  menubar: IN.nav,
  tablist: IN.nav,
  search: IN.form,
  complementary: IN.aside,
  banner: IN.header,
  contentinfo: IN.footer,
  dialog: IN.dialog,
  alertdialog: IN.dialog,
  alert: IN.dialog,
  button: IN.control,
  article: IN.article,
  main: IN.main,
  heading: IN.heading,
};
// Signs that hold whatever the size of the element.
const ALWAYS = IN.article | IN.main | IN.articleBody | IN.quote | IN.pre | IN.table | IN.list;
const CONTENT = bitOf('content');
const EMBED = bitOf('embed');
const BODY_PROPERTY = /\b(?:articleBody|reviewBody|text)\b/i;
const SIDE_PROPERTY =
  /\b(?:author|datePublished|dateModified|headline|alternativeHeadline|caption|publisher|image|keywords|comment|name|description)\b/i;
const MOST_OF_PROSE = 0.6;
// No sidebar or menu holds this much; comments and other stories can.
const MUCH_OF_PROSE = 0.3;
const OTHER_TEXTS = meaningBits('comment', 'related');
const LEAST_SHOWN = 0.1;
export const PROSE_CHARS = 40;

export interface Measures {
  /** By node index. */
  chars: Int32Array;
  linkChars: Int32Array;
  prose: Int32Array;
  blocks: Int32Array;
  place: Int32Array;
  strong: Int32Array;
  weak: Int32Array;
  totalProse: number;
}

export const isProse = (b: Block): boolean => b.text.length >= PROSE_CHARS && b.linkChars < 0.5 * b.text.length;

export function measure(page: Page, blocks: Block[]): Measures {
  const size = page.nodes.length;
  // In one piece: getting memory for each of them takes longer than filling it.
  const all = new ArrayBuffer(7 * size * Int32Array.BYTES_PER_ELEMENT);
  let used = 0;
  const room = () => new Int32Array(all, size * Int32Array.BYTES_PER_ELEMENT * used++, size);
  const m: Measures = {
    chars: room(),
    linkChars: room(),
    prose: room(),
    blocks: room(),
    place: room(),
    strong: room(),
    weak: room(),
    totalProse: 0,
  };
  for (const block of blocks) {
    const i = block.node.index;
    m.chars[i]! += block.text.length;
    m.linkChars[i]! += block.linkChars;
    m.blocks[i]!++;
    if (isProse(block)) m.prose[i]! += block.text.length;
  }
  for (let i = size - 1; i > 0; i--) {
    const up = page.nodes[i]!.parent!.index;
    m.chars[up]! += m.chars[i]!;
    m.linkChars[up]! += m.linkChars[i]!;
    m.prose[up]! += m.prose[i]!;
    m.blocks[up]! += m.blocks[i]!;
  }
  m.totalProse = Math.max(1, m.prose[0]!);
  readSurroundings(page, m);
  return m;
}

/**
 * The blocks a reader sees, and those that one click inside the text shows: panels that are folded up among it. A page that hides nearly all
 * its text until a script runs is taken as if that had happened.
 */
export function shownBlocks(page: Page, blocks: Block[]): Block[] {
  if (!page.hides) return blocks;
  const hidden = new Uint8Array(page.nodes.length);
  for (let i = 1; i < page.nodes.length; i++) {
    const node = page.nodes[i]!;
    hidden[i] = hidden[node.parent!.index]! || (node.hiding !== 'no' && !isStreamed(node)) ? 1 : 0;
  }
  const shown = blocks.filter((block) => hidden[block.node.index] === 0);
  if (shown.length === blocks.length) return blocks;
  if (plainChars(shown) < LEAST_SHOWN * plainChars(blocks)) return blocks;
  return withFolded(page, blocks, shown, hidden);
}

/** What frameworks send later they put in a hidden element first, and a script moves it to its place. */
const isStreamed = ({ attrs }: TreeNode): boolean => attrs.id !== undefined && /^S:[0-9a-f]{1,4}$/.test(attrs.id);

const MOST_SHOWN = 0.7;
const OPENING_CHARS = 50;

function withFolded(page: Page, blocks: Block[], shown: Block[], hidden: Uint8Array): Block[] {
  const text = innermostOf(page, shown);
  if (text === null) return shown;
  // A second copy of the text for another layout, or its beginning as a teaser, is hidden too.
  const openings = new Set(shown.map((block) => block.text.slice(0, OPENING_CHARS)));
  const isFolded = (block: Block): boolean => {
    if (block.from < text.index || block.from >= text.end || !isProse(block)) return false;
    const opening = block.text.slice(0, OPENING_CHARS);
    if (openings.has(opening)) return false;
    openings.add(opening);
    return true;
  };
  const folded = new Set<TreeNode>();
  for (const block of blocks)
    if (hidden[block.node.index] === 1 && isFolded(block)) folded.add(panelOf(block.node, hidden));
  if (folded.size === 0) return shown;
  return blocks.filter((block) => hidden[block.node.index] === 0 || folded.has(panelOf(block.node, hidden)));
}

/** The hidden element a hidden one is in. */
function panelOf(node: TreeNode, hidden: Uint8Array): TreeNode {
  let panel = node;
  while (panel.parent && hidden[panel.parent.index] === 1) panel = panel.parent;
  return panel;
}

/** The innermost element with most of the prose, unless that is the page itself. */
function innermostOf(page: Page, blocks: Block[]): TreeNode | null {
  const prose = new Int32Array(page.nodes.length);
  let total = 0;
  for (const block of blocks) {
    if (!isProse(block)) continue;
    prose[block.node.index]! += block.text.length;
    total += block.text.length;
  }
  for (let i = page.nodes.length - 1; i > 0; i--) prose[page.nodes[i]!.parent!.index]! += prose[i]!;
  let best: TreeNode | null = null;
  for (const node of page.nodes) if (prose[node.index]! > MOST_SHOWN * total) best = node;
  return best === null || /^(?:#root|html|body)$/.test(best.tag) ? null : best;
}

const plainChars = (blocks: Block[]): number => blocks.reduce((sum, b) => sum + b.text.length - b.linkChars, 0);

function readSurroundings(page: Page, m: Measures): void {
  const senseOf = classReader();
  for (let i = 1; i < page.nodes.length; i++) {
    const node = page.nodes[i]!;
    const up = node.parent!.index;
    let place = 0;
    let strong = 0;
    let weak = 0;
    if (node.tag !== '#text' && m.blocks[i] !== 0) {
      place = placeOf(node);
      if (node.tag !== 'body' && node.tag !== 'html') {
        const sense = senseOf(node.attrs);
        strong = sense.strong;
        weak = sense.weak;
        if (m.prose[i]! > MUCH_OF_PROSE * m.totalProse) {
          const isMost = m.prose[i]! > MOST_OF_PROSE * m.totalProse;
          place &= ALWAYS;
          strong &= isMost ? CONTENT : CONTENT | OTHER_TEXTS;
          weak &= isMost ? CONTENT : CONTENT | OTHER_TEXTS;
        }
      }
    }
    m.place[i] = m.place[up]! | place;
    if (node.tag === 'blockquote' && (strong & EMBED) !== 0) {
      // A quoted post is part of the text, though all around it is named for the network it comes from.
      m.strong[i] = EMBED | (m.strong[up]! & CONTENT);
      m.weak[i] = m.weak[up]! & CONTENT;
    } else {
      m.strong[i] = m.strong[up]! | strong;
      m.weak[i] = m.weak[up]! | weak;
    }
  }
}

function placeOf(node: TreeNode): number {
  const { attrs } = node;
  let bits = TAG_BITS[node.tag] ?? 0;
  if (node.hiding !== 'no') bits |= IN.hidden;
  if (attrs.role) bits |= ROLE_BITS[attrs.role.toLowerCase()] ?? 0;
  if (attrs['aria-hidden'] === 'true') bits |= IN.ariaHidden;
  if (attrs.itemprop) {
    if (BODY_PROPERTY.test(attrs.itemprop)) bits |= IN.articleBody;
    else if (SIDE_PROPERTY.test(attrs.itemprop)) bits |= IN.otherProperty;
  }
  return bits;
}
