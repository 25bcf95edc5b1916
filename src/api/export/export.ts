// Exports: all rows of a list as NDJSON, CSV, Parquet or XLSX, a chunk at a time, the next one only when the client has read the last. The first part is made before the
// response begins, so that an outage of the store is a 503 and not half a response.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { csvLine } from '../../model/csv.ts';
import { within } from '../../observe/cached.ts';
import { type ExportFormat, TYPES } from './formats.ts';
import { parquetParts } from './parquet.ts';
import { xlsxParts } from './xlsx.ts';

/** The first chunk of a selective filter may have to be looked for. */
const FIRST_MS = 60_000;

export type ColumnType = 'text' | 'number' | 'boolean' | 'time';

/** Rows of a list as people and programs want them in a file. */
export interface ExportTable<T, V> {
  /** Of the file. */
  name: string;
  view(item: T): V;
  columns: readonly string[];
  /** Of the columns that are not text. */
  types?: Readonly<Record<string, ColumnType>>;
  row(view: V): readonly unknown[];
}

type Part = string | Uint8Array;

export async function sendExport<T, V>(
  reply: FastifyReply,
  table: ExportTable<T, V>,
  format: ExportFormat,
  chunks: AsyncIterable<T[]>,
): Promise<unknown> {
  const stream = await within(startStream(partsOf(table, format, chunks)), FIRST_MS, 'The database');
  if (format === 'parquet' || format === 'xlsx')
    reply.header('content-disposition', `attachment; filename="${table.name}.${format}"`);
  return reply.type(TYPES[format]).send(stream);
}

export function partsOf<T, V>(
  table: ExportTable<T, V>,
  format: ExportFormat,
  chunks: AsyncIterable<T[]>,
): AsyncGenerator<Part> {
  if (format === 'parquet') return parquetParts(table, rowsOf(table, chunks));
  if (format === 'xlsx') return xlsxParts(table, rowsOf(table, chunks));
  return lines(table, format, chunks);
}

async function* rowsOf<T, V>(
  table: ExportTable<T, V>,
  chunks: AsyncIterable<T[]>,
): AsyncGenerator<(readonly unknown[])[]> {
  for await (const items of chunks) yield items.map((item) => table.row(table.view(item)));
}

async function* lines<T, V>(
  table: ExportTable<T, V>,
  format: 'ndjson' | 'csv',
  chunks: AsyncIterable<T[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(table.columns);
  for await (const items of chunks) {
    let text = '';
    for (const item of items) {
      const view = table.view(item);
      text += format === 'csv' ? csvLine(table.row(view)) : `${JSON.stringify(view)}\n`;
    }
    yield text;
  }
}

/** Turns parts into a stream that pulls them one by one. */
export async function startStream(parts: AsyncGenerator<Part>): Promise<Readable> {
  const first = await parts.next();
  async function* all(): AsyncGenerator<Part> {
    try {
      if (!first.done) yield first.value;
      yield* parts;
    } finally {
      await parts.return(undefined);
    }
  }
  return Readable.from(all(), { objectMode: false, highWaterMark: 64 * 1024 });
}

/** Chunks of a list that is read from any position. */
export async function* chunksOf<T, P>(
  read: (after: P | null, limit: number) => Promise<T[]>,
  placeOf: (item: T) => P,
  from: { after: P | null; limit: number; chunk: number },
): AsyncGenerator<T[]> {
  let { after, limit: left } = from;
  while (left > 0) {
    const size = Math.min(from.chunk, left);
    const found = await read(after, size);
    if (found.length > 0) yield found;
    if (found.length < size) return;
    left -= found.length;
    after = placeOf(found.at(-1)!);
  }
}
