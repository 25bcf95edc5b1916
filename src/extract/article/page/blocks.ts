// The text of a page as blocks: what a reader sees as a paragraph, a heading, a list item, a table cell.
// What a reader would get wrong: a block is not an element. Text lying directly in a div between two paragraphs is a block of its
// own, and two line breaks in a row end one.
import { flatText } from '../../html/flat-text.ts';
import { cleanText } from '../../html/html.ts';
import type { Page, TreeNode } from './tree.ts';

export interface Block {
  text: string;
  /** Nearest element that starts a line. */
  node: TreeNode;
  /** Range of nodes the text came from. */
  from: number;
  to: number;
  linkChars: number;
  /** Characters in bold, italics or the like. */
  emphasisChars: number;
  links: number;
  /** Line breaks inside. */
  breaks: number;
  /** Preformatted: its white space is as it came. */
  isCode: boolean;
}

const BLOCK_TAGS = new Set(
  `address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup p pre search section summary table tbody td tfoot th thead
  title tr ul #root`.split(/\s+/),
);
const EMPHASIS = new Set(['b', 'strong', 'i', 'em', 'small', 'u']);
const NOT_BLANK = /\S/;
/** Most texts begin with a letter; the others are searched. */
function isBlankText(text: string): boolean {
  const first = text.charCodeAt(0);
  return first > 32 && first < 127 ? false : !NOT_BLANK.test(text);
}

interface Open {
  node: TreeNode;
  link: boolean;
  emphasis: boolean;
  code: boolean;
  pre: boolean;
  block: TreeNode;
  /** What the running block had when the element began. */
  rawBefore: number;
  linkCharsBefore: number;
  linksBefore: number;
}

// Links shown when the pointer rests on a word are inside the paragraph in the markup and not part of it for a reader.
const ROLLOVER_CHARS = 50;
const ROLLOVER_LINK_SHARE = 0.85;

// A page of more blocks is a dump of data; the model looks at each of them.
const MAX_BLOCKS = 15_000;

/** The blocks of the body in document order; a page with too many is cut and says so. */
export function blocksOf(page: Page): Block[] {
  const { nodes } = page;
  const blocks: Block[] = [];
  const open: Open[] = [
    {
      node: nodes[0]!,
      link: false,
      emphasis: false,
      code: false,
      pre: false,
      block: nodes[0]!,
      rawBefore: 0,
      linkCharsBefore: 0,
      linksBefore: 0,
    },
  ];
  let pending: Block | null = null;
  let raw = '';
  let breaksInRow = 0;

  const flush = () => {
    if (pending) {
      const text = pending.isCode ? cleanCode(raw) : cleanFlat(raw);
      if (text !== '') {
        pending.text = text;
        blocks.push(pending);
      }
    }
    pending = null;
    raw = '';
    breaksInRow = 0;
  };

  for (let i = 1; i < nodes.length; i++) {
    if (blocks.length >= MAX_BLOCKS) {
      page.truncated = true;
      break;
    }
    const node = nodes[i]!;
    while (i >= open[open.length - 1]!.node.end) {
      const closed = open.pop()!;
      if (closed.node === closed.block) flush();
      else if (pending !== null && isRollover(closed, pending, raw)) {
        raw = raw.slice(0, closed.rawBefore);
        (pending as Block).linkChars = closed.linkCharsBefore;
        (pending as Block).links = closed.linksBefore;
      }
    }
    const top = open[open.length - 1]!;
    if (node.tag === '#text') {
      const isBlank = isBlankText(node.text);
      if (isBlank && pending === null) continue;
      // Only links and emphasis are measured; most text is neither.
      const length = top.link || top.emphasis ? visibleLength(node.text) : 0;
      pending ??= {
        text: '',
        node: top.block,
        from: i,
        to: i,
        linkChars: 0,
        emphasisChars: 0,
        links: 0,
        breaks: 0,
        isCode: top.pre,
      };
      pending.to = i + 1;
      if (top.link) pending.linkChars += length;
      if (top.emphasis) pending.emphasisChars += length;
      if (!isBlank) breaksInRow = 0;
      // A stray mark before an element must not make a tag of the text behind it; in code it is meant.
      if (raw.endsWith('<') && !top.code && node.text !== '') raw += ' ';
      raw += node.text;
      continue;
    }
    if (node.tag === 'head') {
      i = node.end - 1;
      continue;
    }
    if (node.tag === 'br') {
      breaksInRow++;
      raw += '\n';
      if (pending !== null) (pending as Block).breaks++;
      if (breaksInRow >= 2 && !top.pre) flush();
      continue;
    }
    const starts = BLOCK_TAGS.has(node.tag);
    if (starts) flush();
    else if (node.hiding === 'gone') {
      i = node.end - 1;
      continue;
    }
    if (node.tag === 'a' && pending !== null) (pending as Block).links++;
    if (node.end > i + 1) {
      open.push({
        node,
        link: top.link || node.tag === 'a',
        emphasis: top.emphasis || EMPHASIS.has(node.tag),
        code: top.code || node.tag === 'code' || node.tag === 'pre',
        pre: top.pre || node.tag === 'pre',
        block: starts ? node : top.block,
        rawBefore: raw.length,
        linkCharsBefore: pending?.linkChars ?? 0,
        linksBefore: pending?.links ?? 0,
      });
    }
  }
  flush();
  return blocks;
}

/** Flat before it is cleaned, which for letters of one byte is faster, and again where cleaning made another text of it. */
function cleanFlat(raw: string): string {
  const flat = flatText(raw.trim());
  const clean = cleanText(flat);
  return clean === flat ? flat : flatText(clean);
}

/** Line breaks and indents stay; blank lines around the code, and white space at the ends of its lines, say nothing. */
const cleanCode = (raw: string): string =>
  flatText(
    raw
      .replace(/\r\n?/g, '\n')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/^\n+/, '')
      .trimEnd(),
  );

function isRollover(closed: Open, pending: Block, raw: string): boolean {
  if (closed.node.tag === 'a' || closed.rawBefore === 0) return false;
  const chars = raw.length - closed.rawBefore;
  if (chars < ROLLOVER_CHARS || pending.links - closed.linksBefore < 2) return false;
  return pending.linkChars - closed.linkCharsBefore > ROLLOVER_LINK_SHARE * visibleLength(raw.slice(closed.rawBefore));
}

function visibleLength(text: string): number {
  let length = 0;
  let space = true;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isSpace = code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
    if (!isSpace || !space) length++;
    space = isSpace;
  }
  return space && length > 0 ? length - 1 : length;
}
