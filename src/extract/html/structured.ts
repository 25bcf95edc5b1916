// Facts a page states for machines: JSON-LD, microdata, OpenGraph and other meta tags.
// What a reader would get wrong: JSON-LD in the wild is often not JSON (comments, raw line breaks, trailing commas, HTML entities).
// It is mended where that is safe and otherwise ignored; a broken block is not an error of the page.
import { bounded, MAX_CHARS } from '../limits.ts';
import { type AnyNode, all, attr, cleanText, type Document, type Element, text } from './html.ts';

export interface JsonLdNode {
  [key: string]: unknown;
}

const MAX_NODES = 5_000;
const MAX_DEPTH = 12;

/** Every object in the given JSON-LD texts, nested ones too, outer before inner. */
export function jsonLdNodes(texts: Iterable<string>): JsonLdNode[] {
  const found: JsonLdNode[] = [];
  for (const source of texts) {
    const stack: { value: unknown; depth: number }[] = [{ value: parseLoosely(source), depth: 0 }];
    while (stack.length > 0 && found.length < MAX_NODES) {
      const { value, depth } = stack.pop()!;
      if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) continue;
      if (!Array.isArray(value)) found.push(value as JsonLdNode);
      const inner = Object.values(value);
      for (let i = inner.length - 1; i >= 0; i--) stack.push({ value: inner[i], depth: depth + 1 });
    }
  }
  return found;
}

export function typesOf(node: JsonLdNode): string[] {
  const types = Array.isArray(node['@type']) ? node['@type'] : [node['@type']];
  return types.filter((t) => typeof t === 'string').map((t) => t.replace(/^.*[/#:]/, ''));
}

/** Objects of one of the given schema.org types. */
export function ofType(nodes: JsonLdNode[], ...types: string[]): JsonLdNode[] {
  return nodes.filter((node) => typesOf(node).some((type) => types.includes(type)));
}

/** First plain string in a value that may be a string, a number, a list, or an object with @value or name. */
export function firstString(value: unknown): string | null {
  for (let v = value, i = 0; i < 5; i++) {
    if (typeof v === 'string') return v.trim() || null;
    if (typeof v === 'number') return String(v);
    if (Array.isArray(v)) v = v[0];
    else if (v !== null && typeof v === 'object')
      v = (v as JsonLdNode)['@value'] ?? (v as JsonLdNode).name ?? (v as JsonLdNode).url;
    else return null;
  }
  return null;
}

function parseLoosely(source: string): unknown {
  if (source.length > MAX_CHARS.jsonLd) return null;
  const trimmed = source.trim();
  const bare = isBare(trimmed) ? trimmed : unwrapped(trimmed);
  for (const mend of [asIs, withoutRawBreaks, withoutComments]) {
    try {
      return JSON.parse(mend(bare));
    } catch {
      // Not JSON in this reading; the next one may be. A text that is none of them states nothing.
    }
  }
  return null;
}

// Nearly all of them; looking for what may be around the others goes through all of the text.
const isBare = (s: string) => /^[{[]/.test(s) && (s.endsWith('}') || s.endsWith(']'));
const unwrapped = (s: string) =>
  s
    .replace(/^(?:<!--|\/\*<!\[CDATA\[\*\/|(?:\/\/)?\s{0,9}<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\*\]\]>\*\/|(?:\/\/)?\s{0,9}\]\]>)$/, '')
    .trimEnd()
    .replace(/;$/, '');
const asIs = (s: string) => s;
// biome-ignore lint/suspicious/noControlCharactersInRegex: raw control characters inside strings are exactly what breaks these texts
const withoutRawBreaks = (s: string) => s.replace(/[\u0000-\u001f]+/g, ' ').replace(/, {0,9}([}\]])/g, '$1');
const withoutComments = (s: string) =>
  withoutRawBreaks(s.replace(/^[ \t]{0,99}\/\/.*$/gm, '').replace(/\/\*[^*]{0,2000}\*\//g, ''));

/** JSON-LD objects of a parsed document. */
export function jsonLd(doc: Document): JsonLdNode[] {
  return jsonLdNodes(
    all(doc, 'script[type*="ld+json" i]').map((script) =>
      script.children.map((c) => ('data' in c ? c.data : '')).join(''),
    ),
  );
}

/** Meta tags by name, property or itemprop in lower case; the first of each name wins. */
export function metaTags(doc: Document): Map<string, string> {
  const tags = new Map<string, string>();
  for (const meta of all(doc, 'meta[content]')) {
    const name = (attr(meta, 'property') ?? attr(meta, 'name') ?? attr(meta, 'itemprop'))?.toLowerCase();
    const content = attr(meta, 'content');
    if (name && content && !tags.has(name)) tags.set(name, cleanText(bounded(content, 'meta')));
  }
  return tags;
}

export interface MicrodataItem {
  type: string;
  properties: Record<string, (string | MicrodataItem)[]>;
}

/** Top-level microdata items, with items inside items as values. */
export function microdata(doc: Document): MicrodataItem[] {
  const items: MicrodataItem[] = [];
  const byElement = new Map<AnyNode, MicrodataItem>();
  for (const element of all(doc, '[itemscope],[itemprop]')) {
    const scope = attr(element, 'itemscope') !== null || 'itemscope' in element.attribs;
    const item: MicrodataItem | null = scope
      ? { type: (attr(element, 'itemtype') ?? '').replace(/^.*[/#]/, ''), properties: {} }
      : null;
    if (item) byElement.set(element, item);
    const owner = ownerOf(element, byElement);
    const names = attr(element, 'itemprop')?.split(/\s+/) ?? [];
    if (owner) for (const name of names) push(owner.properties, name, item ?? propertyValue(element));
    else if (item) items.push(item);
  }
  return items;
}

function push(properties: MicrodataItem['properties'], name: string, value: string | MicrodataItem): void {
  const list = Object.hasOwn(properties, name) ? properties[name]! : [];
  list.push(value);
  Object.defineProperty(properties, name, { value: list, enumerable: true, configurable: true, writable: true });
}

function ownerOf(element: Element, byElement: Map<AnyNode, MicrodataItem>): MicrodataItem | null {
  for (let up = element.parent; up; up = up.parent) {
    const owner = byElement.get(up);
    if (owner) return owner;
  }
  return null;
}

function propertyValue(element: Element): string {
  const stated = attr(element, 'content') ?? attr(element, 'datetime');
  if (stated !== null) return stated;
  return attr(element, 'href') ?? attr(element, 'src') ?? text(element);
}
