// Streams of long lists: read from the store a page at a time, the next one only when the client has read the last. The first page is read before the
// response begins, so that an outage of the store is a 503 and not half a response.
import { Readable } from 'node:stream';
import { z } from 'zod';
import { csvLine } from '../../model/csv.ts';

export const NDJSON = 'application/x-ndjson';
export const CSV = 'text/csv';

export type Format = 'json' | 'ndjson' | 'csv';

const FORMATS: Record<string, Format> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
};

/** Query parameters of a list that comes in pages or as one stream. */
export const pagesOrLines = (page: number, most: number) => ({
  format: z.enum(['json', 'ndjson', 'csv']).optional().meta({ description: 'Instead of `Accept`.' }),
  limit: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({ description: `JSON: default ${page}, at most ${most} per page. NDJSON and CSV: default all.` }),
});

/** The format that `Accept` prefers; JSON for everything else. */
export function formatOf(accept: string | undefined): Format {
  if (accept === undefined) return 'json';
  let best: { format: Format; quality: number } = { format: 'json', quality: 0 };
  for (const part of accept.split(',', 20)) {
    const [type = '', ...options] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const format = FORMATS[type];
    const quality = Number(options.find((option) => option.startsWith('q='))?.slice(2) ?? 1);
    if (format && quality > best.quality) best = { format, quality };
  }
  return best.format;
}

/** Turns chunks into a stream that pulls them one by one. */
export async function startStream(chunks: AsyncGenerator<string>): Promise<Readable> {
  const first = await chunks.next();
  async function* all(): AsyncGenerator<string> {
    if (!first.done) yield first.value;
    yield* chunks;
  }
  return Readable.from(all(), { objectMode: false, highWaterMark: 64 * 1024 });
}

/** A list that can be read from any position. */
export interface Exported<T, P, V> {
  /** Rows read from the store at a time. */
  chunk: number;
  read(after: P | null, limit: number): Promise<T[]>;
  placeOf(item: T): P;
  view(item: T): V;
  /** CSV: names and values of the columns. */
  columns: readonly string[];
  row(view: V): readonly unknown[];
}

/** Rows of a list as NDJSON or CSV, a chunk at a time. */
export async function* exportLines<T, P, V>(
  list: Exported<T, P, V>,
  format: Exclude<Format, 'json'>,
  from: { after: P | null; limit: number },
): AsyncGenerator<string> {
  let { after, limit: left } = from;
  let text = format === 'csv' ? csvLine(list.columns) : '';
  for (;;) {
    const size = Math.min(list.chunk, left);
    const found = await list.read(after, size);
    for (const one of found) {
      const view = list.view(one);
      text += format === 'csv' ? csvLine(list.row(view)) : `${JSON.stringify(view)}\n`;
    }
    yield text;
    left -= found.length;
    if (found.length < size || left <= 0) return;
    text = '';
    after = list.placeOf(found.at(-1)!);
  }
}

export const typeOf = (format: Exclude<Format, 'json'>): string => `${format === 'csv' ? CSV : NDJSON}; charset=utf-8`;
