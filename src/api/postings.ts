// Postings of all runs and sources: filtered, sorted, a page at a time or all of them as lines or rows; each with the group it belongs to, which says who
// else shows the same job and since when.
import { z } from 'zod';
import { REMOTE_TYPES } from '../model/posting.ts';
import { POSTING_COLUMNS } from '../model/posting-columns.ts';
import { within } from '../observe/cached.ts';
import type { ListedPosting, PostingFilter, PostingOrder } from '../store/posting-list.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { CSV, csvLine, type Format, formatOf, NDJSON, startStream } from './export.ts';
import type { ApiParts } from './parts.ts';
import { type Area, type Route, route } from './route.ts';
import { POSTING_EXAMPLE } from './scrape-schemas.ts';
import { invalid } from './validators.ts';

const LIMIT_MS = 10_000;
const PAGE = 50;
const PAGE_MAX = 1_000;
/** Of a stream: as many as are read from the store at a time. */
const CHUNK = 200;

const SORTS = ['-first_seen_at', 'first_seen_at', '-posted_at', 'posted_at', '-salary', 'salary'] as const;
type Sort = (typeof SORTS)[number];

const KEY = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** A place in the list as we gave it: whatever passes is something the store can compare. */
const PLACES: Record<PostingOrder, RegExp> = {
  first_seen_at: new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z ${KEY}$`),
  posted_at: new RegExp(`^[\\d:.TZ+-]{0,40} ${KEY}$`),
  salary: new RegExp(`^-?\\d{1,20}(?:\\.\\d{1,20})? ${KEY}$`),
};

const Name = z.string().min(1).max(200);
const Query = z.strictObject({
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_,-]{0,400}$/)
    .optional()
    .meta({ description: 'One source, or several separated by commas.' }),
  company: Name.optional().meta({ description: "Words of the company's name." }),
  location: Name.optional().meta({ description: 'Words of the location as the source shows it.' }),
  remote_type: z.enum(REMOTE_TYPES).optional(),
  posted_after: z
    .string()
    .max(40)
    .optional()
    .meta({ description: 'A day or a time; postings without a date are left out.' }),
  first_seen_after: z
    .string()
    .max(40)
    .optional()
    .meta({ description: 'What is new since then, whenever it was posted.' }),
  q: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'Full text: words, "phrases", or, -without; in title, company, location and description.' }),
  min_salary: z
    .number()
    .min(0)
    .max(1e12)
    .optional()
    .meta({ description: "A year of pay that is at least this much, in the posting's own currency." }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  group: z
    .string()
    .regex(/^grp_[0-9a-f]{32}$/)
    .optional()
    .meta({ description: 'Only the postings of one group.' }),
  sort: z.enum(SORTS).default('-first_seen_at').meta({ description: 'With `-`, the greatest first.' }),
  format: z.enum(['json', 'ndjson', 'csv']).optional().meta({ description: 'Instead of `Accept`.' }),
  limit: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({ description: `JSON: ${PAGE} unless told, at most ${PAGE_MAX} a page. Lines and rows: all, unless told.` }),
  cursor: z.string().max(400).optional(),
});
type Query = z.output<typeof Query>;

const Listed = z.looseObject({
  title: z.string(),
  job_url: z.string(),
  job_hash: z.string(),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
  group: z.object({
    id: z.string().nullable(),
    sources: z.array(z.object({ source: z.string(), job_url: z.string(), first_seen_at: z.string() })),
  }),
});
const LISTED_EXAMPLE = {
  ...POSTING_EXAMPLE,
  source: 'indeed',
  first_seen_at: '2024-01-01T00:00:10.000Z',
  last_seen_at: '2024-01-02T00:00:11.000Z',
  group: {
    id: 'grp_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
    sources: [
      { source: 'indeed', job_url: 'https://example.com/jobs/1', first_seen_at: '2024-01-01T00:00:10.000Z' },
      { source: 'linkedin', job_url: 'https://example.org/view/7', first_seen_at: '2024-01-01T06:00:00.000Z' },
    ],
  },
};

export const postings: Area = (parts) => [list(parts)];

function list({ store }: ApiParts): Route {
  return route({
    method: 'GET',
    path: '/postings',
    operationId: 'listPostings',
    tag: 'Data',
    summary: 'Postings of all runs, filtered and sorted, each with the group of those that advertise the same job',
    description:
      'Postings that are new have `group.id` null for the seconds until they were compared. `format=ndjson` and `format=csv` stream all that match.',
    query: Query,
    replies: {
      200: {
        description: 'A page of postings.',
        schema: z.object({ postings: z.array(Listed), next_cursor: z.string().nullable() }),
        examples: { 'application/json': { postings: [LISTED_EXAMPLE], next_cursor: null } },
      },
    },
    problems: ['invalid_params'],
    async handle(request, reply) {
      const wanted = wish(request.query);
      const format = request.query.format ?? formatOf(request.headers.accept);
      reply.header('vary', 'accept');
      if (format !== 'json') {
        const lines = postingLines(store, wanted, format, request.query.limit ?? Number.POSITIVE_INFINITY);
        const stream = await within(startStream(lines), LIMIT_MS, 'The store');
        return reply.type(`${format === 'csv' ? CSV : NDJSON}; charset=utf-8`).send(stream);
      }
      const limit = request.query.limit ?? PAGE;
      if (limit > PAGE_MAX)
        throw invalid([{ pointer: '/limit', detail: `at most ${PAGE_MAX} a page; follow next_cursor` }], 'querystring');
      const found = await within(store.listPostings({ ...wanted, limit: limit + 1 }), LIMIT_MS, 'The store');
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1)!.at : null;
      return {
        postings: page.map(view),
        next_cursor: last && encodeCursor(listName(request.query.sort), `${last.value} ${last.key}`),
      };
    },
  });
}

const listName = (sort: Sort): string => `postings ${sort}`;

function wish(query: Query) {
  const { sort } = query;
  const order = sort.replace('-', '') as PostingOrder;
  const place = decodeCursor(listName(sort), query.cursor, PLACES[order]);
  const at = place?.lastIndexOf(' ') ?? 0;
  return {
    ...filterOf(query),
    order,
    descending: sort.startsWith('-'),
    after: place === null ? null : { value: place.slice(0, at), key: place.slice(at + 1) },
  };
}

function filterOf(query: Query) {
  const { source, company, location, remote_type, posted_after, q, min_salary, currency, group } = query;
  const filter: PostingFilter = {
    ...(source === undefined ? {} : { sources: source.split(',').filter((name) => name !== '') }),
    ...(company === undefined ? {} : { company }),
    ...(location === undefined ? {} : { location }),
    ...(remote_type === undefined ? {} : { remoteType: remote_type }),
    ...(posted_after === undefined ? {} : { postedAfter: timeOf('posted_after', posted_after) }),
    ...(query.first_seen_after === undefined ? {} : { seenAfter: timeOf('first_seen_after', query.first_seen_after) }),
    ...(q === undefined ? {} : { q }),
    ...(min_salary === undefined ? {} : { minSalary: min_salary }),
    ...(currency === undefined ? {} : { currency }),
    ...(group === undefined ? {} : { groupId: group.slice(4) }),
  };
  return filter;
}

function timeOf(name: string, text: string): string {
  const ms = /^\d{4}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:?\d\d)?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    const detail = 'is not a day (2026-11-15) or a time (2026-11-15T08:00:00Z)';
    throw invalid([{ pointer: `/${name}`, detail }], 'querystring');
  }
  return new Date(ms).toISOString();
}

const view = ({ posting, firstSeenAt, lastSeenAt, group }: ListedPosting) => ({
  ...posting,
  first_seen_at: firstSeenAt.toISOString(),
  last_seen_at: lastSeenAt.toISOString(),
  group: { id: group.id && `grp_${group.id.replaceAll('-', '')}`, sources: group.sources },
});

async function* postingLines(
  store: ApiParts['store'],
  wanted: ReturnType<typeof wish>,
  format: Exclude<Format, 'json'>,
  limit: number,
): AsyncGenerator<string> {
  let { after } = wanted;
  let left = limit;
  let text = format === 'csv' ? csvLine([...POSTING_COLUMNS, 'first_seen_at', 'group_id', 'group_sources']) : '';
  for (;;) {
    const size = Math.min(CHUNK, left);
    const found = await store.listPostings({ ...wanted, after, limit: size });
    for (const one of found) {
      const shown = view(one);
      text += format === 'csv' ? row(shown) : `${JSON.stringify(shown)}\n`;
    }
    yield text;
    left -= found.length;
    if (found.length < size || left <= 0) return;
    text = '';
    after = found.at(-1)!.at;
  }
}

function row(shown: ReturnType<typeof view>): string {
  return csvLine([
    ...POSTING_COLUMNS.map((column) => shown[column]),
    shown.first_seen_at,
    shown.group.id,
    shown.group.sources.map((one) => one.source).join(' '),
  ]);
}
