// Where Google puts its job records: arrays under one numeric key, in the scripts of the page or in strings inside the arrays of a fragment.
import { balancedJson } from '../read.ts';

const KEY = '520084652';
/** What the page itself sends along; the answer does not depend on the versions in it. */
const ASYNC = '_basejs:/xjs/_/js/,_basecss:/xjs/_/ss/,_fmt:prog,_id:fc_jobs';
const MAX_DEPTH = 40;

export interface GoogleJob {
  id: string;
  title: string;
  url: string | null;
  company: string | null;
  location: string | null;
  age: string | null;
  description: string | null;
  pay: string | null;
  schedule: string | null;
}

export const asyncUrl = (cursor: string) =>
  `https://www.google.com/async/callback:550?fc=${encodeURIComponent(cursor)}&fcv=3&async=${encodeURIComponent(ASYNC)}`;

/** Records in the scripts of a page; scripts write quotes and brackets as \x22, \x5b, \x5d. */
export function jobsOfPage(html: string): unknown[] {
  if (!html.includes(KEY)) return [];
  const text = html.replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const found: unknown[] = [];
  for (let at = text.indexOf(KEY); at >= 0; at = text.indexOf(KEY, at + 1)) {
    const start = /^"?\s*:\s*(?=\[)/.exec(text.slice(at + KEY.length, at + KEY.length + 10));
    if (!start) continue;
    const record = balancedJson(text, at + KEY.length + start[0].length);
    if (Array.isArray(record)) found.push(record);
  }
  return found;
}

export function cursorOf(text: string): string | null {
  return /data-async-fc=\\?["']([^"'\\]+)/.exec(text)?.[1] ?? null;
}

/** Null for an answer that is no fragment at all. */
export function jobsOfFragment(body: string): unknown[] | null {
  const start = body.indexOf('[[[');
  const outer = start < 0 ? undefined : balancedJson(body, start);
  if (!Array.isArray(outer)) return null;
  const found: unknown[] = [];
  for (const entry of outer.flat(1)) {
    const text = Array.isArray(entry) ? entry[1] : null;
    if (typeof text !== 'string' || !text.includes(KEY)) continue;
    try {
      collect(JSON.parse(text), found, 0);
    } catch {
      // Markup that mentions the key: the entry is not data.
    }
  }
  return found;
}

function collect(value: unknown, found: unknown[], depth: number): void {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === KEY && Array.isArray(inner)) found.push(inner);
    else collect(inner, found, depth + 1);
  }
}
