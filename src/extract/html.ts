// HTML as a tree to ask questions of: htmlparser2's tree and css-select with each selector compiled once.
// What a reader would get wrong: there is no HTML5 tree repair here (no invented tbody, no foster parenting). Select what the
// page says, not what a browser's inspector shows. Reading stops at a depth no honest page has, because the parser's own
// stack costs more with every level.
import { compile as compileSelector, selectAll, selectOne } from 'css-select';
import { type AnyNode, type Document, DomHandler, type Element, isTag, isText } from 'domhandler';
import { Parser } from 'htmlparser2';

export type { AnyNode, Document, Element } from 'domhandler';

const MAX_DEPTH = 1_500;
const CHUNK_CHARS = 1 << 16;
const MAX_CACHED_SELECTORS = 2_000;

export function parse(html: string): Document {
  const dom = new DomHandler(undefined, {});
  let depth = 0;
  let tooDeep = false;
  const parser = new Parser({
    onparserinit: (p) => dom.onparserinit(p),
    onopentag: (name, attributes) => {
      depth++;
      if (depth > MAX_DEPTH) tooDeep = true;
      dom.onopentag(name, attributes);
    },
    onclosetag: () => {
      depth--;
      dom.onclosetag();
    },
    ontext: (text) => dom.ontext(text),
    oncomment: (text) => dom.oncomment(text),
    oncommentend: () => dom.oncommentend(),
    oncdatastart: () => dom.oncdatastart(),
    oncdataend: () => dom.oncdataend(),
    onprocessinginstruction: (name, data) => dom.onprocessinginstruction(name, data),
    onend: () => dom.onend(),
  });
  for (let at = 0; at < html.length && !tooDeep; at += CHUNK_CHARS) parser.write(html.slice(at, at + CHUNK_CHARS));
  parser.end();
  return dom.root;
}

type Query = ReturnType<typeof compileSelector<AnyNode, Element>>;

// A memo of a pure function: same selector, same query. Emptied when full, so that made-up selectors cannot fill the memory.
const compiled = new Map<string, Query>();

function query(selector: string): Query {
  let found = compiled.get(selector);
  if (!found) {
    if (compiled.size >= MAX_CACHED_SELECTORS) compiled.clear();
    found = compileSelector<AnyNode, Element>(selector);
    compiled.set(selector, found);
  }
  return found;
}

export function one(scope: AnyNode | AnyNode[], selector: string): Element | null {
  return selectOne<AnyNode, Element>(query(selector), scope);
}

export function all(scope: AnyNode | AnyNode[], selector: string): Element[] {
  return selectAll<AnyNode, Element>(query(selector), scope);
}

const NO_TEXT = new Set(['script', 'style', 'template', 'noscript']);
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Text as a reader sees it: white space folded, a space where a block or a line ends. Empty string for null. */
export function text(node: AnyNode | AnyNode[] | null | undefined): string {
  if (!node) return '';
  let out = '';
  const stack: (AnyNode | string)[] = Array.isArray(node) ? [...node].reverse() : [node];
  while (stack.length > 0) {
    const next = stack.pop()!;
    if (typeof next === 'string') out += next;
    else if (isText(next)) out += next.data;
    else if ('children' in next) {
      if (isTag(next)) {
        if (NO_TEXT.has(next.name)) continue;
        if (!INLINE.has(next.name)) {
          out += ' ';
          stack.push(' ');
        }
      }
      for (let i = next.children.length - 1; i >= 0; i--) stack.push(next.children[i]!);
    }
  }
  return cleanText(out);
}

/** The text of an attribute, trimmed; null when absent or empty. */
export function attr(element: Element | null | undefined, name: string): string | null {
  return element?.attribs[name]?.trim() || null;
}

// Not behind the mark that begins a tag: taken out there, text would turn into markup.
const INVISIBLE = /(?<![</])[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g;

/** Folds white space (non-breaking spaces too) and drops soft hyphens and other marks that have no width. */
export function cleanText(raw: string): string {
  return raw.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}
