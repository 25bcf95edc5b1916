// The query bar of the runs: words and `name:value` filters become parameters of `GET /runs`. Pure.
import type { Query } from '../../api/call.ts';

type RunQuery = NonNullable<Query<'GET /runs'>>;

export const FILTERS: Record<string, { values: readonly string[]; meaning: string }> = {
  status: { values: ['running', 'completed', 'partial', 'failed', 'cancelled'], meaning: 'how it stands' },
  kind: { values: ['article', 'posting', 'company', 'cart', 'crawl', 'map'], meaning: 'what was asked for' },
  source: { values: [], meaning: 'a source of its tasks' },
  owner: { values: [], meaning: 'the owner of the API key that asked' },
  age: { values: ['<1h', '<1d', '<7d'], meaning: 'how long ago it was asked for' },
};

const AGE = /^<?(\d{1,4})(m|h|d)$/;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export interface ParsedQuery {
  query: RunQuery;
  /** Sentences for people. */
  problems: string[];
}

export function parseRunQuery(text: string, nowMs: number): ParsedQuery {
  const query: Record<string, string> = {};
  const problems: string[] = [];
  const words: string[] = [];
  for (const part of text.trim().split(/\s+/)) {
    const at = part.indexOf(':');
    const name = part.slice(0, Math.max(0, at));
    const filter = FILTERS[name];
    if (at < 1 || /^https?$/.test(name)) words.push(part);
    else if (!filter) problems.push(`There is no filter ${name}. Filters are ${Object.keys(FILTERS).join(', ')}.`);
    else if (name === 'age') {
      const found = AGE.exec(part.slice(at + 1));
      if (!found) problems.push('age is written like age:<1d, with m, h or d.');
      else {
        const ms = Number(found[1]) * UNIT_MS[found[2] as keyof typeof UNIT_MS];
        // Of whole minutes, so that the same text is the same question for a while.
        query.created_after = new Date(Math.floor((nowMs - ms) / 60_000) * 60_000).toISOString();
      }
    } else {
      const value = part.slice(at + 1);
      if (filter.values.length > 0 && !filter.values.includes(value))
        problems.push(`${name} is one of ${filter.values.join(', ')}.`);
      else if (value !== '') query[name] = value;
    }
  }
  const q = words.join(' ');
  if (q !== '') query.q = q.slice(0, 200);
  return { query: query as RunQuery, problems };
}

/** The text with this filter set, or without it. */
export function withFilter(text: string, name: string, value: string | null): string {
  const others = text
    .trim()
    .split(/\s+/)
    .filter((part) => part !== '' && !part.startsWith(`${name}:`));
  return (value === null ? others : [`${name}:${value}`, ...others]).join(' ');
}

export const filterValue = (text: string, name: string): string | null =>
  text
    .trim()
    .split(/\s+/)
    .find((part) => part.startsWith(`${name}:`))
    ?.slice(name.length + 1) ?? null;
