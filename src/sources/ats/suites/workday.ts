// Workday (CXS): a list in pages of 20 by POST and a call per posting. Many tenants show at most 2,000 postings of a query; see workday-facets.ts.
// Rows without a title occur: they are counted by the requisition they name. Pay is in the text only.
import { z } from 'zod';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web, WebRequest } from '../../../web/port.ts';
import { defineSource, type Notes } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getPinned, PLAIN_HTTP, readJson } from '../../postings/fetch.ts';
import { type Listing, openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { idIn, nonEmptyText, statedRemote } from '../../postings/text.ts';
import { type AppliedFacets, flatFacets, splitQuery, WORKDAY_CAP } from './workday-facets.ts';

const PAGE_ROWS = 20;
const DETAILS_AT_ONCE = 4;
const MAX_TRIES = 3;
const MAX_SPLITS = 3;
/** Newest come first, though not strictly: after this many pages of known postings an incremental scrape has seen what is new. */
const KNOWN_PAGES = 3;

const Row = z.object({
  title: z.string().min(1),
  externalPath: z.string().regex(/^\/job\//),
  locationsText: z.string().nullish(),
  postedOn: z.string().nullish(),
  bulletFields: z.array(z.string().nullable()).nullish(),
  remoteType: z.string().nullish(),
  timeType: z.string().nullish(),
});
type Row = z.infer<typeof Row>;

const Country = z.object({ descriptor: z.string().nullish(), alpha2Code: z.string().nullish() }).nullish();
const Info = z.object({
  title: z.string().nullish(),
  jobDescription: z.string().nullish(),
  externalUrl: z.string().nullish(),
  jobReqId: z.string().nullish(),
  location: z.string().nullish(),
  additionalLocations: z.array(z.string().nullable()).nullish(),
  country: Country,
  jobRequisitionLocation: z.object({ descriptor: z.string().nullish(), country: Country }).nullish(),
  postedOn: z.string().nullish(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  timeType: z.string().nullish(),
  remoteType: z.string().nullish(),
});
export const WorkdayDetail = z.object({
  jobPostingInfo: Info,
  hiringOrganization: z.object({ name: z.string().nullish() }).nullish(),
});
type Detail = z.infer<typeof WorkdayDetail>;

/** The requisition a row is about, from its address (`…_JR-7309`) or, where it has none, from its first bullet. */
export function requisitionOf(raw: unknown): string | null {
  const path = idIn(raw, 'externalPath');
  if (path !== null)
    return (
      path
        .slice(path.lastIndexOf('/') + 1)
        .split('_')
        .at(-1) || null
    );
  const bullets = (raw as { bulletFields?: unknown } | null)?.bulletFields;
  return Array.isArray(bullets) ? nonEmptyText(bullets[0]) : null;
}

export const workdayRows: RowReader<Row> = {
  row: Row,
  idOf: requisitionOf,
  toAdvert: (row, raw) => advertOf({ row, detail: null, raw, site: null }),
};

interface Reading {
  row: Row;
  detail: Detail | null;
  raw: unknown;
  /** Where the site is, `https://host/site`. */
  site: string | null;
}

const ORIGINS = prefixed('api', {
  id: 'jobPostings[].externalPath',
  title: 'jobPostingInfo.title | jobPostings[].title',
  url: 'jobPostingInfo.externalUrl | =computed',
  company: 'hiringOrganization.name',
  places: 'jobPostingInfo.location | jobPostingInfo.additionalLocations[] | jobPostings[].locationsText',
  remote: 'jobPostingInfo.remoteType | jobPostings[].remoteType',
  types: 'jobPostingInfo.timeType | jobPostings[].timeType',
  html: 'jobPostingInfo.jobDescription',
  posted: 'jobPostingInfo.startDate | jobPostingInfo.postedOn | jobPostings[].postedOn',
  validThrough: 'jobPostingInfo.endDate',
});

export function advertOf({ row, detail, raw, site }: Reading): Advert {
  const info = detail?.jobPostingInfo;
  const names = [info?.location, ...(info?.additionalLocations ?? [])].flatMap((name) => nonEmptyText(name) ?? []);
  // "2 Locations" is a count; the places are on the posting's own page.
  const listed = /^\d+ (?:locations?|standorte?|lieux|ubicaciones)$/i.test(row.locationsText?.trim() ?? '')
    ? null
    : nonEmptyText(row.locationsText);
  const country = countryOf(info);
  return {
    id: requisitionOf(row) as string,
    title: nonEmptyText(info?.title) ?? row.title,
    url: nonEmptyText(info?.externalUrl) ?? (site === null ? null : site + row.externalPath),
    // A legal entity, not the brand: `company_name` wins over it.
    company: detail?.hiringOrganization?.name,
    places:
      names.length > 0 ? names.map((text, i) => (i === 0 ? { text, country } : { text })) : [{ text: listed, country }],
    remote: statedRemote(nonEmptyText(info?.remoteType) ?? nonEmptyText(row.remoteType)),
    types: [nonEmptyText(info?.timeType) ?? nonEmptyText(row.timeType)],
    html: info?.jobDescription,
    posted: nonEmptyText(info?.startDate) ?? nonEmptyText(info?.postedOn) ?? nonEmptyText(row.postedOn),
    validThrough: info?.endDate,
    raw,
    origins: ORIGINS,
  };
}

/** The posting's country first: the requisition's home can be another one, and is believed only where the posting names none. */
function countryOf(info: z.infer<typeof Info> | undefined): string | null {
  const home = info?.jobRequisitionLocation?.country;
  const own = nonEmptyText(info?.country?.descriptor);
  return own ?? nonEmptyText(home?.alpha2Code) ?? nonEmptyText(home?.descriptor);
}

/** One host for many tenants. */
const isShared = (host: string): boolean => host.toLowerCase().endsWith('.myworkdaysite.com');

export const workday = defineSource({
  name: 'workday',
  title: 'Workday career sites',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.myworkdayjobs.com', '*.myworkdaysite.com'],
  pace: { concurrency: 3, delayMs: 200 },
  policy: PLAIN_HTTP,
  params: z
    .object({
      ...COMMON_PARAMS,
      host: z
        .string()
        .regex(/^(?:[a-z0-9-]+(?:\.wd\d{1,3})?\.myworkdayjobs|(?:[a-z0-9-]+\.)?wd\d{1,3}\.myworkdaysite)\.com$/i),
      /** Where it is not the first part of the host: on myworkdaysite.com it stands in the path. */
      tenant: z
        .string()
        .regex(/^[\w-]{1,100}$/)
        .optional(),
      site: z.string().regex(/^[\w-]{1,100}$/),
      details: z.boolean().default(true),
    })
    .refine((params) => params.tenant !== undefined || !isShared(params.host), {
      path: ['tenant'],
      message: 'is needed on myworkdaysite.com: it stands in the path, /recruiting/<tenant>/<site>',
    }),
  async *scrape(params, web, notes) {
    const host = params.host.toLowerCase();
    const tenant = params.tenant ?? host.split('.')[0]!;
    const api = `https://${host}/wday/cxs/${tenant}/${params.site}`;
    const site = `https://${host}/${isShared(host) ? `recruiting/${tenant}/` : ''}${params.site}`;
    const board = openListing({
      source: 'workday',
      ref: isShared(host) ? `${host}/${tenant}/${params.site}` : `${host}/${params.site}`,
      params,
      web,
      notes,
    });
    const from = board.resumeAt(Place);
    const query: Query = {
      api,
      board,
      web,
      notes,
      total: 0,
      known: params.known === undefined ? null : new Set(params.known),
      from,
      done: new Set(from?.done),
      ids: new Set(from?.ids),
    };
    const reader: RowReader<Row, Detail> = {
      ...workdayRows,
      toAdvert: (row, raw, detail) => advertOf({ row, detail, raw: detail ?? raw, site }),
    };
    const ask = (_: string, row: Row) => detailOf(web, query.api + row.externalPath);
    const request = params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null;
    yield* board.takeDetailed(rowsOf(query), reader, request);
    board.finish(params.known === undefined ? query.total : null);
  },
});

/** A page of one query. `done` are the queries that were read to their end, where the site has to be asked in parts, and `ids` what they brought. */
const Place = z.object({
  query: z.string(),
  offset: z.int(),
  done: z.array(z.string()),
  ids: z.array(z.string()),
  total: z.number(),
});
type Place = z.infer<typeof Place>;

interface Query {
  api: string;
  board: Listing;
  web: Web;
  notes: Notes | undefined;
  /** What the vendor said there is of everything; capped itself where the site is. */
  total: number;
  /** For incremental scrapes. */
  known: ReadonlySet<string> | null;
  /** Where an earlier attempt stopped. */
  from: Place | null;
  done: Set<string>;
  /** Of the parts, where there are any. */
  ids: Set<string>;
}

const Page = z.object({ total: z.number().nullish(), jobPostings: z.array(z.unknown()), facets: z.unknown() });
type Page = z.infer<typeof Page>;

async function* rowsOf(query: Query): AsyncGenerator<unknown> {
  const first = await firstPage(query);
  query.total = first.total ?? first.jobPostings.length;
  if ((query.from?.total ?? 0) - query.total > PAGE_ROWS)
    query.notes?.incomplete('many postings were removed between two attempts');
  if (query.total < WORKDAY_CAP || query.known !== null) {
    yield* queryRows(query, {}, first);
    return;
  }
  const { ids } = query;
  for await (const raw of parts(query, {}, first, 0)) {
    const id = requisitionOf(raw);
    if (id !== null) ids.add(id);
    yield raw;
  }
  // The first page of the whole is a sample: what is there and in no part has no value for the facet that split it.
  if (first.jobPostings.every((raw) => ids.has(requisitionOf(raw) ?? ''))) return;
  query.notes?.incomplete(
    `the site shows at most ${WORKDAY_CAP} postings per query, and its filters do not cover all of them`,
  );
  yield* queryRows(query, {}, first);
}

/** A tenant may have an underscore, which no host can: `vhr_acme` is served from `vhr-acme`, and only asking tells the two apart. */
async function firstPage(query: Query): Promise<Page> {
  try {
    return await pageOf(query, {}, 0);
  } catch (error) {
    const other = query.api.replace(/\/cxs\/[^/]+/, (tenant) => tenant.replaceAll('-', '_'));
    if (!(error instanceof AppError) || error.code !== 'not_found' || other === query.api) throw error;
    query.api = other;
    return await pageOf(query, {}, 0);
  }
}

async function* parts(query: Query, applied: AppliedFacets, first: Page, depth: number): AsyncGenerator<unknown> {
  const queries = depth < MAX_SPLITS ? splitQuery(flatFacets(first.facets), applied) : [];
  if (queries.length === 0) {
    query.notes?.incomplete(
      `the site shows at most ${WORKDAY_CAP} postings per query, and this query cannot be split further`,
    );
    yield* queryRows(query, applied, first);
  }
  for (const facets of queries) {
    if (query.done.has(JSON.stringify(facets))) continue;
    const page = await pageOf(query, facets, 0);
    if ((page.total ?? 0) >= WORKDAY_CAP) yield* parts(query, facets, page, depth + 1);
    else yield* queryRows(query, facets, page);
    query.done.add(JSON.stringify(facets));
  }
}

/** All pages of one query. Only the first page's total is believed: later ones say 0. */
async function* queryRows(query: Query, applied: AppliedFacets, first: Page): AsyncGenerator<unknown> {
  const total = Math.min(first.total ?? first.jobPostings.length, WORKDAY_CAP);
  const name = JSON.stringify(applied);
  let knownPages = 0;
  let offset = query.from?.query === name ? query.from.offset : 0;
  let page = offset === 0 ? first : await pageOf(query, applied, offset);
  for (;;) {
    const [done, ids] = [[...query.done], [...query.ids]];
    query.board.reached({ query: name, offset, done, ids, total: query.total } satisfies Place);
    yield* page.jobPostings;
    const { known } = query;
    const isKnown = known !== null && page.jobPostings.every((raw) => known.has(requisitionOf(raw) ?? ''));
    knownPages = isKnown ? knownPages + 1 : 0;
    offset += PAGE_ROWS;
    if (page.jobPostings.length === 0 || offset >= total || knownPages >= KNOWN_PAGES) return;
    page = await pageOf(query, applied, offset);
  }
}

async function pageOf({ api, board, web }: Query, appliedFacets: AppliedFacets, offset: number): Promise<Page> {
  const request: WebRequest = {
    method: 'POST',
    body: { appliedFacets, limit: PAGE_ROWS, offset, searchText: '' },
    headers: { accept: 'application/json' },
    accept: [303, 404, 422],
  };
  for (let tries = 1; ; tries++) {
    const page = await board.page(() => getPinned(web, `${api}/jobs`, request));
    if (page.status === 404 || page.status === 422) throw new AppError('not_found', 'this tenant has no such site');
    // A passing trouble of this vendor: it redirects the POST to nowhere, or to a page that is no list.
    const isList = page.status !== 303 && page.url === `${api}/jobs`;
    if (isList) return readJson(page.text, Page);
    if (tries === MAX_TRIES) throw new AppError('http_5xx', 'the list redirects instead of returning postings');
  }
}

const Refusal = z.object({ errorCode: z.string() });

async function detailOf(web: Web, url: string): Promise<Detail> {
  const page = await getPinned(web, url, { headers: { accept: 'application/json' }, accept: [403] });
  if (page.status !== 403) return readJson(page.text, WorkdayDetail);
  const isGone = page.text.trimStart().startsWith('{') && readJson(page.text, Refusal.partial()).errorCode === 'S22';
  throw isGone ? new AppError('not_found', 'no longer posted') : new AppError('blocked', '403 Forbidden');
}
