// A page as a flat list of nodes in document order: the subtree of a node is the slice from its `index` to its `end`.
// What a reader would get wrong: nothing here or downstream may recurse on depth. Walking is a loop over the list, summing up is
// a loop backwards, so a page of a million levels costs what a page of a million tags costs.
import { Parser } from 'htmlparser2';

export interface TreeNode {
  /** Lower-case tag name, or '#text'. */
  tag: string;
  attrs: Record<string, string>;
  parent: TreeNode | null;
  index: number;
  /** One past the last node of its subtree. */
  end: number;
  depth: number;
  /** Whether its attributes remove it from the page, or only hide it. Computed here, since every element needs it. */
  hiding: Hiding;
  /** Only for '#text'. */
  text: string;
}

export type Hiding = 'no' | 'gone' | 'invisible';

export interface Meta {
  name: string;
  content: string;
}

export interface Page {
  nodes: TreeNode[];
  title: string;
  metas: Meta[];
  /** Link elements of the head: rel in lower case. */
  links: { rel: string; href: string; type: string; hreflang: string }[];
  jsonLd: string[];
  /** Elements that are asked for by kind, in document order: h1, links, those with itemprop or property. */
  headings: TreeNode[];
  anchors: TreeNode[];
  properties: TreeNode[];
  hasPassword: boolean;
  /** Whether anything on it is not shown. */
  hides: boolean;
  htmlLang: string;
  /** Reading stopped at a limit; what follows in the document was not seen. */
  truncated: boolean;
}

const MAX_CHARS = 12_000_000;
const MAX_NODES = 600_000;
// The parser searches its stack of open tags on every closing tag: past this depth a page is hostile, not deep.
const MAX_DEPTH = 1_500;
const MAX_JSON_LD_CHARS = 2_000_000;
const NO_ATTRS: Record<string, string> = Object.freeze({}) as Record<string, string>;

// Never text of a page. noscript is left out whole: it repeats lazy images and says "turn on JavaScript".
const SKIPPED = new Set(
  'script style noscript template svg iframe object embed canvas math audio video map select textarea option datalist xmp noembed noframes plaintext'.split(
    ' ',
  ),
);

// The parser cuts every name out of the page anew. Those that occur are exchanged for one string each: comparing and looking up what is
// the same string is many times faster, and the page does not stay in memory for its names.
const TAG_NAMES =
  names(`a abbr address article aside b blockquote body br button caption center cite code dd details dialog div dl dt em fieldset
  figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i img input label legend li link main mark menu meta nav ol p
  picture pre q s section small source span strong sub summary sup table tbody td tfoot th thead time title tr u ul`);

// All others (tracking, styling, data for scripts) are most of the size of a page's tags, and say nothing about its text.
const KEPT_ATTRS =
  names(`class id style role hidden aria-hidden itemprop itemtype itemscope lang xml:lang dir href src srcset data-src alt title datetime content colspan rowspan
  property name http-equiv rel type hreflang start data-time data-date data-timestamp data-lang data-language`);

function names(list: string): Map<string, string> {
  return new Map(list.split(/\s+/).map((name) => [name, name]));
}

/** `noscript`: what is for readers without scripts is text of the page too. */
export function readPage(html: string, { noscript = false } = {}): Page {
  const root: TreeNode = {
    tag: '#root',
    attrs: NO_ATTRS,
    parent: null,
    index: 0,
    end: 0,
    depth: 0,
    hiding: 'no',
    text: '',
  };
  const page: Page = {
    nodes: [root],
    title: '',
    metas: [],
    links: [],
    jsonLd: [],
    headings: [],
    anchors: [],
    properties: [],
    hasPassword: false,
    hides: false,
    htmlLang: '',
    truncated: false,
  };
  const { nodes } = page;
  let current = root;
  let skipped = 0;
  /** Open elements whose white space counts. */
  let pres = 0;
  let skippedScript = false;
  /** Where the last text ended: what does not go on from there (a tag was ignored between) is another text. */
  let textEnd = -1;
  let depth = 0;
  let capture: 'title' | 'json-ld' | null = null;
  let captured = '';
  let stopped = false;

  const stop = () => {
    stopped = true;
    parser.pause();
  };
  const add = (tag: string, attrs: Record<string, string>, text: string): TreeNode => {
    const node: TreeNode = {
      tag,
      attrs,
      parent: current,
      index: nodes.length,
      end: 0,
      depth: current.depth + 1,
      hiding: 'no',
      text,
    };
    node.end = node.index + 1;
    nodes.push(node);
    if (nodes.length > MAX_NODES) stop();
    return node;
  };

  const close = (node: TreeNode) => {
    node.end = nodes.length;
    if (node.tag === 'html') page.htmlLang ||= node.attrs.lang ?? node.attrs['xml:lang'] ?? '';
  };

  const parser = new Parser({
    onopentagname(name) {
      depth++;
      if (depth > MAX_DEPTH) stop();
      if (skipped > 0) {
        skipped++;
        return;
      }
      const tag = TAG_NAMES.get(name) ?? name;
      if (SKIPPED.has(tag) && !(noscript && tag === 'noscript')) {
        skipped = 1;
        skippedScript = tag === 'script';
        return;
      }
      // Of a title only the text is wanted, and of a second one (in a drawing, in the body) nothing: it is read as text, tags and all.
      if (tag === 'title') capture = 'title';
      current = add(tag, NO_ATTRS, '');
      if (tag === 'pre') pres++;
      else if (tag === 'h1') page.headings.push(current);
      else if (tag === 'a') page.anchors.push(current);
    },
    onattribute(given, value) {
      if (skipped > 0) {
        if (skipped === 1 && skippedScript && given === 'type' && /ld\+json/i.test(value)) capture = 'json-ld';
        return;
      }
      const name = KEPT_ATTRS.get(given);
      if (name === undefined) return;
      if (name === 'itemprop' || name === 'property') page.properties.push(current);
      else if (name === 'type' && value === 'password') page.hasPassword = true;
      // The first of two attributes of one name counts, as in browsers.
      if (current.attrs !== NO_ATTRS && name in current.attrs) return;
      if (current.attrs === NO_ATTRS) current.attrs = only(name, value);
      else current.attrs[name] = value;
      if (name === 'hidden') current.hiding = 'gone';
      else if (name === 'style' && current.hiding !== 'gone') current.hiding = hidingOf(value);
      if (current.hiding !== 'no') page.hides = true;
    },
    ontext(text) {
      if (capture !== null) {
        if (captured.length < MAX_JSON_LD_CHARS) captured += text;
        return;
      }
      if (skipped > 0) return;
      const last = nodes[nodes.length - 1]!;
      if (pres === 0 && isBlank(text)) {
        // Space between elements, near half of all texts, is only kept as the end of the text before it.
        if (last.tag === '#text') last.text += text;
        return;
      }
      if (last.tag === '#text' && last.parent === current && parser.startIndex === textEnd) last.text += text;
      else add('#text', NO_ATTRS, text);
      textEnd = parser.endIndex + 1;
    },
    onclosetag(tag) {
      depth--;
      if (capture === 'json-ld' && tag === 'script') {
        page.jsonLd.push(captured);
        capture = null;
        captured = '';
      } else if (capture === 'title' && tag === 'title') {
        page.title ||= captured.replace(/\s+/g, ' ').trim();
        capture = null;
        captured = '';
      }
      if (skipped > 0) {
        skipped--;
        return;
      }
      if (tag === 'pre') pres--;
      else if (tag === 'meta') addMeta(page, current.attrs);
      else if (tag === 'link') addLink(page, current.attrs);
      close(current);
      current = current.parent ?? root;
    },
  });
  // In one piece: piece by piece takes a fifth longer.
  parser.write(html.length > MAX_CHARS ? html.slice(0, MAX_CHARS) : html);
  if (!stopped) parser.end();
  // What a limit left open ends here.
  for (let open: TreeNode | null = current; open; open = open.parent) close(open);
  page.truncated = stopped || html.length > MAX_CHARS;
  return page;
}

/** Nearly every element has one of these or nothing; an object made for a name that is written out takes a fraction of the time. */
function only(name: string, value: string): Record<string, string> {
  if (name === 'class') return { class: value };
  if (name === 'href') return { href: value };
  if (name === 'id') return { id: value };
  return { [name]: value };
}

function hidingOf(style: string): Hiding {
  if (/display\s*:\s*none/i.test(style)) return 'gone';
  return /visibility\s*:\s*hidden/i.test(style) ? 'invisible' : 'no';
}

function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9 && code !== 0xa0) return false;
  }
  return true;
}

function addMeta(page: Page, attrs: Record<string, string>): void {
  const name = (attrs.property ?? attrs.name ?? attrs.itemprop ?? attrs['http-equiv'] ?? '').trim().toLowerCase();
  const content = attrs.content?.trim();
  if (name && content && page.metas.length < 1_000) page.metas.push({ name, content });
}

function addLink(page: Page, attrs: Record<string, string>): void {
  if (!attrs.rel || !attrs.href || page.links.length >= 1_000) return;
  page.links.push({
    rel: attrs.rel.toLowerCase(),
    href: attrs.href.trim(),
    type: attrs.type ?? '',
    hreflang: attrs.hreflang ?? '',
  });
}
