// Career pages read as pages: by selectors that the company's settings declare, or by the JobPostings they state for machines. The same for
// plain and for rendered pages; only how a page is fetched differs.
// What a reader would get wrong: a page without postings is an empty board only when it says so. Anything else is a changed layout.
import { getOuterHTML } from 'domutils';
import { z } from 'zod';
import { selectorProblem } from '../../extract/html/css.ts';
import { all, attr, type Document, type Element, one, parse, text } from '../../extract/html/html.ts';
import type { Posting } from '../../model/posting/posting.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { countYield, type Yield, type Yields, yieldName } from '../../model/quality/yields.ts';
import { canonicalUrl } from '../../model/url.ts';
import type { Web, WebResponse } from '../../web/port.ts';
import type { Notes } from '../define.ts';
import type { Advert, AdvertOrigins } from '../postings/advert.ts';
import { ahead } from '../postings/ahead.ts';
import { jobPostingAdvert, jobPostingId, jobPostingsIn, postingLinks } from '../postings/job-posting.ts';
import { type Listing, openListing, type RowReader } from '../postings/listing.ts';
import { refuseUnlessEmpty } from '../postings/no-postings.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { nonEmptyText, statedRemote } from '../postings/text.ts';
import { statedAdvert, withStated } from '../postings/with-stated.ts';

const FIELDS = [
  'id',
  'title',
  'url',
  'location',
  'department',
  'team',
  'job_type',
  'remote',
  'salary',
  'posted',
  'description',
  'company',
] as const;
type Field = (typeof FIELDS)[number];

/** `h2 a`, or `a@href` for an attribute; `@href` alone is the row's own. For `url`, `.` is the page itself. */
const Selector = z
  .string()
  .min(1)
  .max(500)
  .superRefine((selector, context) => {
    const path = pathOf(selector);
    const problem = path === '' || path === '.' ? null : selectorProblem(path);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

export const PAGE_PARAMS = {
  ...COMMON_PARAMS,
  url: z.url({ protocol: /^https?$/ }),
  /** Selector of one posting in the list; without it the page's JobPostings are read. */
  item: Selector.optional(),
  fields: z.partialRecord(z.enum(FIELDS), Selector).default({}),
  /** Selector of the link to the next page of the list. */
  next: Selector.optional(),
  /** Selector of links to postings, if their URLs do not show it. */
  links: Selector.optional(),
  /** Whether each posting's own page is read as well. Without `item` only where the list itself states no postings. */
  details: z.boolean().optional(),
  /** Selectors on a posting's own page, for pages that state no JobPosting. */
  detail_fields: z.partialRecord(z.enum(FIELDS), Selector).default({}),
  max_pages: z.int().min(1).max(1_000).default(100),
  max_details: z.int().min(1).max(5_000).default(500),
};
const PageParams = z.object(PAGE_PARAMS);
type PageParams = z.infer<typeof PageParams>;

export type Fetch = (url: string) => Promise<WebResponse>;

const DETAILS_AT_ONCE = 2;

export interface PageScrape {
  source: 'static' | 'playwright';
  params: PageParams;
  web: Web;
  notes: Notes | undefined;
  fetch: Fetch;
  nowMs?: number;
}

export async function* scrapePages(scrape: PageScrape): AsyncGenerator<Posting> {
  const { source, params, notes } = scrape;
  const nowMs = scrape.nowMs ?? Date.now();
  const board = openListing({ source, ref: canonicalUrl(params.url), params, web: scrape.web, notes, nowMs });
  if (params.item === undefined) yield* stated(scrape, board);
  else yield* selected(scrape, board, params.item);
  board.finish();
}

/** Every page of the list. */
async function* listPages(
  { params, fetch, notes }: PageScrape,
  board: Listing,
): AsyncGenerator<{ page: WebResponse; doc: Document }> {
  const visited = new Set<string>();
  let rows: number | null = null;
  let url: string | null = params.url;
  while (url !== null && visited.size < params.max_pages) {
    visited.add(url);
    const address: string = url;
    const page: WebResponse = await board.page(() => fetch(address));
    const doc = parse(page.text);
    yield { page, doc };
    const next = params.next === undefined ? null : attr(one(doc, params.next), 'href');
    // Only the first page of a list has to have a next one, and only while it is as full as it was: the number of its rows is part of the name.
    if (rows === null && params.next !== undefined) {
      rows = params.item === undefined ? jobPostingsIn(doc).length : all(doc, params.item).length;
      notes?.matched?.({ [yieldName(`next after ${rows} rows`, params.next)]: ofPage(rows, next !== null) });
    }
    url = next !== null && URL.canParse(next, page.url) ? new URL(next, page.url).href : null;
    if (url !== null && visited.has(url)) url = null;
  }
  if (url !== null) notes?.incomplete(`more than ${params.max_pages} pages`);
}

// By JobPosting

async function* stated(scrape: PageScrape, board: Listing): AsyncGenerator<Posting> {
  const { params, notes } = scrape;
  const links = new Set<string>();
  let last: WebResponse | null = null;
  for await (const { page, doc } of listPages(scrape, board)) {
    last = page;
    yield* nodesOf(board, doc, page.url);
    const found = params.links === undefined ? postingLinks(doc, page.url) : linksBy(doc, params.links, page.url);
    if (params.links !== undefined)
      notes?.matched?.({ [yieldName('links', params.links)]: ofPage(all(doc, 'a[href]').length, found.length > 0) });
    for (const link of found) links.add(link);
  }
  const wantsDetails = params.details ?? board.seen === 0;
  const chosen = wantsDetails ? [...links].slice(0, params.max_details) : [];
  if (chosen.length < links.size && wantsDetails)
    notes?.incomplete(`${links.size} links to postings, of which ${chosen.length} were read`);
  const pages = ahead(chosen, DETAILS_AT_ONCE, (link) => board.detail(link, () => scrape.fetch(link)));
  for await (const page of pages)
    if (page !== null && page !== 'gone') yield* nodesOf(board, parse(page.text), page.url);
  if (board.seen === 0 && last !== null)
    refuseUnlessEmpty(
      scrape.web,
      last,
      'no JobPosting on it or on the pages it links to. Set item and fields to say where the postings are',
    );
}

function nodesOf(board: Listing, doc: Document, url: string): AsyncGenerator<Posting> {
  return board.take(jobPostingsIn(doc), {
    row: z.unknown(),
    idOf: (raw) => jobPostingId(raw, canonicalUrl(url)),
    toAdvert: (raw) => jobPostingAdvert(raw, { url, nowMs: board.nowMs }),
  });
}

function linksBy(doc: Document, selector: string, pageUrl: string): string[] {
  return all(doc, selector).flatMap((link) => {
    const href = attr(link, 'href');
    return href !== null && URL.canParse(href, pageUrl) ? new URL(href, pageUrl).href : [];
  });
}

// By selectors

async function* selected(scrape: PageScrape, board: Listing, item: string): AsyncGenerator<Posting> {
  const { params } = scrape;
  const ask = async (_: string, row: Advert) => (row.url == null ? null : await scrape.fetch(row.url));
  const request = params.details === true ? { ask, atOnce: DETAILS_AT_ONCE } : null;
  for await (const { page, doc } of listPages(scrape, board)) {
    const rows = all(doc, item);
    if (rows.length === 0 && board.seen === 0) refuseUnlessEmpty(scrape.web, page, `nothing matches "${item}"`);
    const adverts = rows.map((row) => rowAdvert(row, params.fields, page.url));
    scrape.notes?.matched?.(yieldsOf(rows, params.fields));
    yield* board.takeDetailed(adverts, selectedRows(scrape, board.nowMs), request);
  }
}

function selectedRows(scrape: PageScrape, nowMs: number): RowReader<Advert, WebResponse | null> {
  return {
    row: z.custom<Advert>(
      (row) => nonEmptyText((row as Advert).title) !== null && nonEmptyText((row as Advert).url) !== null,
      'row without a title or a URL',
    ),
    idOf: (row) => nonEmptyText((row as Advert).id),
    toAdvert: (row, _, page) => (page === null ? row : withDetail(row, page, scrape, nowMs)),
  };
}

function rowAdvert(row: Element | Document, fields: PageParams['fields'], pageUrl: string): Advert {
  const first = (field: Field) => valuesBy(row, fields[field])[0] ?? null;
  const href =
    fields.url === '.'
      ? pageUrl
      : fields.url === undefined
        ? attr(one(row, 'a[href]') ?? ('attribs' in row ? row : null), 'href')
        : first('url');
  const url = href !== null && URL.canParse(href, pageUrl) ? new URL(href, pageUrl).href : null;
  return {
    id: first('id') ?? (url === null ? '' : canonicalUrl(url)),
    title: first('title') ?? (fields.title === undefined ? nonEmptyText(text(one(row, 'a[href]') ?? row)) : null),
    url,
    company: first('company'),
    places: valuesBy(row, fields.location).map((place) => ({ text: place })),
    remote: statedRemote(first('remote')),
    types: valuesBy(row, fields.job_type),
    payText: first('salary'),
    html: fields.description === undefined ? null : htmlBy(row, fields.description),
    posted: first('posted'),
    department: first('department'),
    team: first('team'),
    raw: null,
    origins: originsOf(fields),
  };
}

const OF_FIELD = {
  id: 'id',
  title: 'title',
  url: 'url',
  company: 'company',
  places: 'location',
  remote: 'remote',
  types: 'job_type',
  payText: 'salary',
  html: 'description',
  posted: 'posted',
  department: 'department',
  team: 'team',
} as const satisfies Partial<Record<keyof Advert, Field>>;

/** One object for all rows that are read by the same selectors. */
const bySelectors = new WeakMap<object, AdvertOrigins>();

function originsOf(fields: PageParams['fields']): AdvertOrigins {
  const known = bySelectors.get(fields);
  if (known) return known;
  const usual: Partial<Record<Field, string>> = {
    url: 'a[href]@href',
    title: 'a[href]',
    id: fields.url ?? 'a[href]@href',
  };
  const said = Object.entries(OF_FIELD).map(([name, field]) => [name, fields[field] ?? usual[field]]);
  const origins = prefixed('selector', Object.fromEntries(said.filter(([, place]) => place !== undefined)));
  bySelectors.set(fields, origins);
  return origins;
}

/** What a page has or has not counts as often as it has rows, or links: of few nothing is concluded. */
const ofPage = (rows: number, isFound: boolean): Yield => ({ rows, found: isFound ? rows : 0 });

/** In how many of these rows each selector found something. */
function yieldsOf(rows: readonly (Element | Document)[], fields: PageParams['fields'], of = ''): Yields {
  const yields: Yields = {};
  for (const [field, selector] of Object.entries(fields)) {
    if (selector === '.') continue;
    for (const row of rows)
      countYield(yields, yieldName(`${of}${field}`, selector), valuesBy(row, selector).length > 0);
  }
  return yields;
}

function valuesBy(row: Element | Document, selector: string | undefined): string[] {
  if (selector === undefined) return [];
  const at = ATTRIBUTE.exec(selector)?.[1];
  const path = pathOf(selector);
  const found = path === '' ? ('attribs' in row ? [row] : []) : all(row, path);
  return found.flatMap((element) => nonEmptyText(at === undefined ? text(element) : attr(element, at)) ?? []);
}

const ATTRIBUTE = /@([\w-]+)$/;
/** A selector without the name of an attribute. */
const pathOf = (selector: string): string => selector.replace(ATTRIBUTE, '').trim();

/** A description keeps its markup. */
function htmlBy(row: Element | Document, selector: string): string | null {
  if (ATTRIBUTE.test(selector)) return valuesBy(row, selector)[0] ?? null;
  return (
    all(row, selector)
      .map((element) => getOuterHTML(element))
      .join('\n') || null
  );
}

/** What a posting's own page states, then what the settings point at there, over what its list said. */
function withDetail(row: Advert, page: WebResponse, { params, notes }: PageScrape, nowMs: number): Advert {
  const doc = parse(page.text);
  notes?.matched?.(yieldsOf([doc], params.detail_fields, 'detail '));
  const pointed = rowAdvert(doc, { title: 'html@data-none', url: 'html@data-none', ...params.detail_fields }, page.url);
  return withStated(row, statedAdvert(page, nowMs, doc), pointed);
}
