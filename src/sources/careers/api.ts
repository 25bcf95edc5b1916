// Any JSON endpoint, by a mapping that the company's settings declare: where the rows are, which field is where, how to get the next page.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import type { Web } from '../../web/port.ts';
import { defineSource, type Notes } from '../define.ts';
import { getJson, nextPage, PLAIN_HTTP } from '../postings/fetch.ts';
import { type Listing, openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { FixedValues, Mapping, mappedAdvert, type Reading, textsOf, valuesAt, yieldsOf } from './mapping.ts';
import { RequestHeaders } from './request-headers.ts';

const MAX_PAGES = 500;
const MAX_SHOWN = 100;

const Paging = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  /** `{page}` in address or body counts up from `start`. */
  z.strictObject({ kind: z.literal('page'), start: z.int().min(0).default(1), size: z.int().min(1).max(10_000) }),
  /** `{offset}` counts up by `size`. */
  z.strictObject({ kind: z.literal('offset'), size: z.int().min(1).max(10_000) }),
  /** `{cursor}` is what the last answer has at `path`; empty on the first page. */
  z.strictObject({ kind: z.literal('cursor'), path: z.string().min(1) }),
  /** The address of the next page is in the answer at `path`. */
  z.strictObject({ kind: z.literal('next'), path: z.string().min(1) }),
]);

const Params = z.object({
  ...COMMON_PARAMS,
  url: z
    .string()
    .regex(/^https?:\/\//)
    .max(4_000),
  method: z.enum(['GET', 'POST']).default('GET'),
  /** Values may hold secrets; they are sent and never kept with a result. */
  headers: RequestHeaders.default({}),
  body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  /** Path of the list of rows; empty for an answer that is the list. */
  items: z.string().max(300).default(''),
  fields: Mapping,
  values: FixedValues.default({}),
  /** Path of the number of all rows, so that an answer cut short is noticed. */
  total: z.string().max(300).optional(),
  paging: Paging.default({ kind: 'none' }),
  /** Rows without a title that are no postings (legal notices and the like) are left out instead of counted as unreadable. */
  skip_untitled: z.boolean().default(false),
});
type Params = z.infer<typeof Params>;

export function apiReader(reading: Reading, skipUntitled = false): RowReader<unknown> {
  const titled = (raw: unknown) => textsOf(raw, 'title', reading).length > 0;
  return {
    row: z.unknown().refine((raw) => skipUntitled || titled(raw), 'row without a title'),
    idOf: (raw) =>
      textsOf(raw, 'id', reading)[0] ??
      textsOf(raw, 'url', reading)[0] ??
      (skipUntitled && !titled(raw) ? 'untitled' : null),
    toAdvert: (raw) => (titled(raw) ? mappedAdvert(raw, reading) : null),
  };
}

export const api = defineSource({
  name: 'api',
  title: 'Any JSON endpoint, by a declared mapping',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: Params.refine((params) => params.fields.title !== undefined, {
    path: ['fields', 'title'],
    message: 'needs a title',
  }).refine((params) => params.fields.id !== undefined || params.fields.url !== undefined, {
    path: ['fields'],
    message: 'needs an id or a url',
  }),
  async *scrape(params, web, notes) {
    const where = new URL(fill(params.url, FIRST));
    const board = openListing({ source: 'api', ref: where.origin + where.pathname, params, web, notes });
    const reading: Reading = { fields: params.fields, values: params.values, baseUrl: where.href };
    const reader = apiReader(reading, params.skip_untitled);
    let total: number | null = null;
    for await (const answer of pages(params, board, web, notes)) {
      const rows = valuesAt(answer, params.items)[0];
      if (!Array.isArray(rows)) throw new AppError('layout_changed', `no array at "${params.items}"`);
      const before = board.seen;
      notes?.matched?.(yieldsOf(rows, reading));
      yield* board.take(rows, reader);
      total = Math.max(total ?? 0, Number(params.total === undefined ? 0 : valuesAt(answer, params.total)[0])) || null;
      // An endpoint that ignores its page number gives the same rows forever.
      if (rows.length === 0 || board.seen === before) break;
    }
    board.finish(total);
  },
});

interface PagePosition {
  page: number;
  offset: number;
  cursor: string;
}
const FIRST: PagePosition = { page: 0, offset: 0, cursor: '' };

async function* pages(params: Params, board: Listing, web: Web, notes: Notes | undefined): AsyncGenerator<unknown> {
  const { paging } = params;
  const size = 'size' in paging ? paging.size : 0;
  const start = paging.kind === 'page' ? paging.start : 0;
  let cursor = '';
  let url: string | null = null;
  for (let n = 0; n < MAX_PAGES; n++) {
    const position: PagePosition = { page: start + n, offset: n * size, cursor };
    const address: string = url ?? fill(params.url, position);
    const answer = await board.page(() => getJson(web, address, z.unknown(), requestOf(params, position)));
    yield answer;
    if (paging.kind === 'none') return;
    const rows = valuesAt(answer, params.items)[0];
    if (size > 0 && Array.isArray(rows) && rows.length < size) return;
    if (paging.kind === 'cursor' || paging.kind === 'next') {
      const next = valuesAt(answer, paging.path)[0];
      if (next === null || next === undefined || next === '' || next === false) return;
      cursor = String(next);
      if (paging.kind === 'next') url = nextPage(cursor, params.url);
      if (paging.kind === 'next' && url === null)
        throw new AppError(
          'layout_changed',
          `the next page is no address on the same host: ${cursor.slice(0, MAX_SHOWN)}`,
        );
    }
  }
  notes?.incomplete(`more than ${MAX_PAGES} pages`);
}

function requestOf(params: Params, position: PagePosition) {
  const headers = params.headers;
  if (params.body === undefined) return { method: params.method, headers };
  const text = typeof params.body === 'string' ? params.body : JSON.stringify(params.body);
  const filled = fill(text, position, JSON.stringify);
  return typeof params.body === 'string'
    ? { method: params.method, headers, body: filled }
    : { method: params.method, headers, body: JSON.parse(filled) as object };
}

/** `{page}`, `{offset}` and `{cursor}`; inside JSON a number in quotes becomes a number. */
function fill(template: string, position: PagePosition, quote: (text: string) => string = encodeURIComponent): string {
  const isJson = quote === JSON.stringify;
  return template.replace(
    /"\{(page|offset)\}"|\{(page|offset|cursor)\}/g,
    (match, bare: 'page' | 'offset' | undefined, name: keyof PagePosition) => {
      if (bare !== undefined) return isJson ? String(position[bare]) : `"${position[bare]}"`;
      const text = quote(String(position[name]));
      return isJson ? text.slice(1, -1) : match === '' ? '' : text;
    },
  );
}
