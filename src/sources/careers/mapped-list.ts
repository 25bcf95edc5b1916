// A list of records that a company's settings describe: where the rows are, which field is where, how to get the next page. The source `api` reads it from
// JSON endpoints, and `embedded` from the scripts of pages.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import type { Posting } from '../../model/posting/posting.ts';
import type { Web } from '../../web/port.ts';
import type { Notes } from '../define.ts';
import { nextPage } from '../postings/fetch.ts';
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

export const MAPPED_PARAMS = {
  ...COMMON_PARAMS,
  url: z
    .string()
    .regex(/^https?:\/\//)
    .max(4_000),
  /** Values may hold secrets; they are sent and never kept with a result. */
  headers: RequestHeaders.default({}),
  /** Path of the list of rows; empty for an answer that is the list. */
  items: z.string().max(300).default(''),
  fields: Mapping,
  values: FixedValues.default({}),
  /** Path of the number of all rows, so that an answer cut short is noticed. */
  total: z.string().max(300).optional(),
  paging: Paging.default({ kind: 'none' }),
  /** Rows without a title that are no postings (legal notices and the like) are left out instead of counted as unreadable. */
  skip_untitled: z.boolean().default(false),
};
const MappedParams = z.object(MAPPED_PARAMS);
type MappedParams = z.infer<typeof MappedParams>;

/** Without these two nothing can be told apart. */
export const hasTitle = ({ fields }: Pick<MappedParams, 'fields'>): boolean => fields.title !== undefined;
export const hasId = ({ fields }: Pick<MappedParams, 'fields'>): boolean =>
  fields.id !== undefined || fields.url !== undefined;

export function mappedReader(reading: Reading, skipUntitled = false): RowReader<unknown> {
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

export interface PagePosition {
  page: number;
  offset: number;
  cursor: string;
}
const FIRST: PagePosition = { page: 0, offset: 0, cursor: '' };

export interface MappedList {
  source: string;
  params: MappedParams;
  web: Web;
  notes: Notes | undefined;
  /** The records of one page, as one value in which paths lead to them. */
  ask(address: string, position: PagePosition): Promise<unknown>;
  /** What is said where no list is at `items`. */
  noList(answer: unknown): string;
}

export async function* mappedPostings(list: MappedList): AsyncGenerator<Posting> {
  const { source, params, web, notes } = list;
  const where = new URL(fill(params.url, FIRST));
  const board = openListing({ source, ref: where.origin + where.pathname, params, web, notes });
  const reading: Reading = { fields: params.fields, values: params.values, baseUrl: where.href };
  const reader = mappedReader(reading, params.skip_untitled);
  let total: number | null = null;
  for await (const answer of pages(list, board)) {
    const rows = valuesAt(answer, params.items)[0];
    if (!Array.isArray(rows)) throw new AppError('layout_changed', list.noList(answer));
    const before = board.seen;
    notes?.matched?.(yieldsOf(rows, reading));
    yield* board.take(rows, reader);
    total = Math.max(total ?? 0, Number(params.total === undefined ? 0 : valuesAt(answer, params.total)[0])) || null;
    // An endpoint that ignores its page number gives the same rows forever.
    if (rows.length === 0 || board.seen === before) break;
  }
  board.finish(total);
}

async function* pages({ params, notes, ask }: MappedList, board: Listing): AsyncGenerator<unknown> {
  const { paging } = params;
  const size = 'size' in paging ? paging.size : 0;
  const start = paging.kind === 'page' ? paging.start : 0;
  let cursor = '';
  let url: string | null = null;
  for (let n = 0; n < MAX_PAGES; n++) {
    const position: PagePosition = { page: start + n, offset: n * size, cursor };
    const address: string = url ?? fill(params.url, position);
    const answer = await board.page(() => ask(address, position));
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

/** `{page}`, `{offset}` and `{cursor}`; inside JSON a number in quotes becomes a number. */
export function fill(
  template: string,
  position: PagePosition,
  quote: (text: string) => string = encodeURIComponent,
): string {
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
