// What a page's scripts hold: JSON in a script of its own (`__NEXT_DATA__`), and values that a script assigns (`window.__STATE__ = {…}`).
import { all, attr, type Document, type text } from '../../../extract/html/html.ts';
import { literalAt } from './js-literal.ts';

/** The value that begins right after the first match; null where there is none, or where it is no literal. */
export function valueAfter(page: string, marker: RegExp | string): unknown {
  if (typeof marker === 'string') {
    const at = page.indexOf(marker);
    return at < 0 ? null : valueAt(page, at + marker.length);
  }
  const start = marker.exec(page);
  return start === null ? null : valueAt(page, start.index + start[0].length);
}

/** Also of `JSON.parse("…")`, as pages write it that must not break their own script. */
function valueAt(page: string, from: number): unknown {
  const parse = /\s{0,20}=?\s{0,20}(?:JSON\.parse\(\s{0,20})?/y;
  parse.lastIndex = from;
  const lead = parse.exec(page)![0];
  const found = literalAt(page, from + lead.length)?.value ?? null;
  return lead.includes('JSON.parse') && typeof found === 'string' ? jsonIn(found) : found;
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body.trim());
  } catch {
    // A script and not JSON: it states nothing to us.
    return null;
  }
}

const ASSIGNMENT = /[\w$\])]\s{0,5}=\s{0,5}(?=[[{]|JSON\.parse\()/g;
const MAX_ASSIGNMENTS = 200;

/** Every value, in the order of the page: of the scripts of JSON first. */
export function* scriptValues(doc: Document): Generator<unknown> {
  const scripts = all(doc, 'script:not([src])');
  const isData = (type: string | null) => type !== null && /json/i.test(type);
  for (const script of scripts) if (isData(attr(script, 'type'))) yield jsonIn(rawText(script));
  let tried = 0;
  for (const script of scripts) {
    if (isData(attr(script, 'type'))) continue;
    const body = rawText(script);
    let end = 0;
    for (const match of body.matchAll(ASSIGNMENT)) {
      // Inside a value that was read.
      if (match.index < end) continue;
      if (++tried > MAX_ASSIGNMENTS) return;
      const at = match.index + match[0].length;
      const literal = body.startsWith('JSON.parse(', at) ? null : literalAt(body, at);
      end = literal?.end ?? end;
      yield literal === null ? valueAt(body, at) : literal.value;
    }
  }
}

/** The JSON of the first script that a selector finds. */
export function valueBy(doc: Document, selector: string): unknown {
  const [script] = all(doc, selector);
  return script === undefined ? null : jsonIn(rawText(script));
}

const rawText = (script: Parameters<typeof text>[0]): string =>
  script !== null && script !== undefined && 'children' in script
    ? script.children.map((child) => ('data' in child ? String(child.data) : '')).join('')
    : '';
