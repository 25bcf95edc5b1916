// HTML as a tree to ask questions of: htmlparser2's tree and css-select with each selector compiled once.
// What a reader would get wrong: there is no HTML5 tree repair here (no invented tbody, no foster parenting). Select what the
// page says, not what a browser's inspector shows. Reading stops at a depth no honest page has, because the parser's own
// stack costs more with every level.
import { type AnyNode, type Document, DomHandler, type Element, hasChildren, isTag, isText } from 'domhandler';
import { removeSubsets } from 'domutils';
import { Parser } from 'htmlparser2';
import type { Test } from './css.ts';
import { testOf } from './selector.ts';

export type { AnyNode, Document, Element } from 'domhandler';

const MAX_DEPTH = 1_500;
const CHUNK_CHARS = 1 << 16;

export function parse(html: string): Document {
  const tree = new BoundedTree();
  const parser = new Parser(tree);
  for (let at = 0; at < html.length && !tree.isTooDeep; at += CHUNK_CHARS)
    parser.write(html.slice(at, at + CHUNK_CHARS));
  parser.end();
  return tree.root;
}

class BoundedTree extends DomHandler {
  isTooDeep = false;
  #depth = 0;

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.#depth++;
    // The rest of the chunk may hold twenty thousand levels more, and every walk of the tree goes as deep as it does.
    if (this.#depth > MAX_DEPTH) this.isTooDeep = true;
    else super.onopentag(name, attributes);
  }

  override onclosetag(): void {
    if (this.#depth-- <= MAX_DEPTH) super.onclosetag();
  }
}

/** The first in the order of the page, below `scope`; of several scopes these themselves count too. */
export function one(scope: AnyNode | AnyNode[], selector: string): Element | null {
  const roots = rootsOf(scope);
  return firstOf(roots, testOf(selector, roots[0]));
}

export function all(scope: AnyNode | AnyNode[], selector: string): Element[] {
  const found: Element[] = [];
  const roots = rootsOf(scope);
  collect(roots, testOf(selector, roots[0]), found);
  return found;
}

const rootsOf = (scope: AnyNode | AnyNode[]): AnyNode[] =>
  Array.isArray(scope) ? removeSubsets([...scope]) : hasChildren(scope) ? scope.children : [];

// What a template holds is not on the page.
function firstOf(nodes: AnyNode[], test: Test): Element | null {
  for (const node of nodes) {
    if (!isTag(node)) continue;
    if (test(node)) return node;
    const found = node.name === 'template' ? null : firstOf(node.children, test);
    if (found !== null) return found;
  }
  return null;
}

function collect(nodes: AnyNode[], test: Test, found: Element[]): void {
  for (const node of nodes) {
    if (!isTag(node)) continue;
    if (test(node)) found.push(node);
    if (node.name !== 'template') collect(node.children, test, found);
  }
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
  const only = onlyText(node);
  if (only !== null) return cleanText(only);
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

/** Most elements that are read hold one text and nothing else. */
function onlyText(node: AnyNode | AnyNode[]): string | null {
  if (Array.isArray(node) || !isTag(node) || node.children.length !== 1 || NO_TEXT.has(node.name)) return null;
  const child = node.children[0]!;
  return isText(child) ? child.data : null;
}

/** The text of an attribute, trimmed; null when absent or empty. */
export function attr(element: Element | null | undefined, name: string): string | null {
  return element?.attribs[name]?.trim() || null;
}

// Not behind the mark that begins a tag: taken out there, text would turn into markup.
const INVISIBLE = /(?<![</])[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g;
const HAS_INVISIBLE = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/;
// Anything but single spaces, letters and marks that are surely seen. A search for it is many times faster than replacing, and most texts have none.
const MAY_BE_UNEVEN = / {2}|[^ -~\u00a1-\u00ac\u00ae-\u167f\u2010-\u2027\u3001-\ufefe\uff00-\uffff]/;
// A single space, which nearly all of them are, is left where it is.
const UNEVEN_SPACE = /\s{2,}|[^\S ]/g;

/** Folds white space (non-breaking spaces too) and drops soft hyphens and other marks that have no width. */
export function cleanText(raw: string): string {
  const trimmed = raw.trim();
  if (!MAY_BE_UNEVEN.test(trimmed)) return trimmed;
  const visible = HAS_INVISIBLE.test(trimmed) ? trimmed.replace(INVISIBLE, '') : trimmed;
  return visible.replace(UNEVEN_SPACE, ' ').trim();
}
