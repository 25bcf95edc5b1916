// Glassdoor: a place is looked up, a token is read from a page, then GraphQL by page number and cursor; descriptions are a call each.
// What a reader would get wrong: the order of the first two matters (the token belongs to the cookie that the lookup sets), the cursor of a page is
// found by its number, and a location of type S is a state, not "remote".
import { z } from 'zod';
import { dayOf } from '../../../extract/posting/posted-date.ts';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web } from '../../../web/port.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import type { RowReader } from '../../postings/listing.ts';
import { idIn } from '../../postings/text.ts';
import { GLASSDOOR_COUNTRIES, marketOf } from '../market.ts';
import { BoardParams, warnIgnored } from '../params.ts';
import { GraphErrors, readJsonPage, refuseErrors } from '../read.ts';
import { openSearch } from '../search.ts';
import { DETAIL_QUERY, SEARCH_QUERY } from './glassdoor-queries.ts';

const PAGE_ROWS = 30;
const MAX_PAGES = 30;
const DAY_MS = 86_400_000;
const REMOTE_PLACE = { id: 11_047, type: 'STATE' };
const PLACE_TYPES: Record<string, string> = { C: 'CITY', S: 'STATE', N: 'COUNTRY' };
const JOB_TYPES = {
  fulltime: 'fulltime',
  parttime: 'parttime',
  internship: 'internship',
  contract: 'contract',
} as const;

const text = z.string().nullish();
const Places = z.array(z.object({ locationId: z.number(), locationType: z.string() }));
const id = z.union([z.string(), z.number()]);
const Listing = z.object({
  jobview: z.object({
    header: z.object({
      ageInDays: z.number().nullish(),
      easyApply: z.boolean().nullish(),
      employer: z.object({ id: id.nullish(), name: text, shortName: text, __ref: text }).nullish(),
      employerNameFromSearch: text,
      expired: z.boolean().nullish(),
      jobTitleText: text,
      locationName: text,
      locationType: text,
      payCurrency: text,
      payPeriod: text,
      payPeriodAdjustedPay: z
        .object({ p10: z.number().nullish(), p50: z.number().nullish(), p90: z.number().nullish() })
        .nullish(),
      rating: z.number().nullish(),
      salarySource: text,
      seoJobLink: text,
      isSponsoredJob: z.boolean().nullish(),
      sponsored: z.boolean().nullish(),
      goc: text,
    }),
    job: z.object({ listingId: id, jobTitleText: text }),
    overview: z.object({ shortName: text, squareLogoUrl: text }).nullish(),
  }),
});
type Listing = z.infer<typeof Listing>;

const Listings = z.object({
  jobListings: z.array(z.unknown()),
  totalJobsCount: z.number().nullish(),
  paginationCursors: z.array(z.object({ pageNumber: z.number(), cursor: z.string() })).nullish(),
});
type Listings = z.infer<typeof Listings>;
const Answer = z.array(z.object({ errors: GraphErrors, data: z.object({ jobListings: Listings }).nullish() }));
const Detail = z.array(
  z.object({
    errors: GraphErrors,
    data: z.object({ jobview: z.object({ job: z.object({ description: text }) }).nullish() }).nullish(),
  }),
);

export const glassdoor = defineSource({
  name: 'glassdoor',
  title: 'Glassdoor',
  kind: 'posting',
  lane: 'http',
  hosts: ['www.glassdoor.com'],
  countries: GLASSDOOR_COUNTRIES,
  pace: { concurrency: 1, delayMs: 1_500 },
  policy: { identity: 'browser' },
  params: BoardParams,
  async *scrape(params, web, notes) {
    warnIgnored(params, 'Glassdoor', ['distance', 'company_ids'], web);
    const { country, glassdoor: host } = marketOf(params.country);
    if (host === null) throw new AppError('invalid_params', `Glassdoor has no site for ${country}`);
    const base = `https://${host}`;
    const search = openSearch({
      source: 'glassdoor',
      params,
      web,
      notes,
      skip: params.offset % PAGE_ROWS,
      cap: PAGE_ROWS * MAX_PAGES,
    });
    const place = await placeFor(params, base, web);
    if (place === null) {
      web.warn(`Glassdoor knows no place called "${params.location}" in ${country}`);
      return;
    }
    const headers = await headersFor(base, web);
    const ask = async <T>(body: object, schema: z.ZodType<T>) =>
      readJsonPage(await web.get(`${base}/graph`, { method: 'POST', headers, body: [body] }), schema, web);
    const descriptionOf = async (_: string, row: Listing) => {
      const variables = { jl: row.jobview.job.listingId, queryString: 'q', pageTypeEnum: 'SERP' };
      const [answer] = await ask({ operationName: 'JobDetailQuery', variables, query: DETAIL_QUERY }, Detail);
      refuseErrors(answer?.errors);
      return answer?.data?.jobview?.job.description ?? null;
    };
    const reader = glassdoorRows({ base, country, nowMs: search.nowMs });
    const first = 1 + Math.floor(params.offset / PAGE_ROWS);
    let at: Place | null = search.resumeAt(Place) ?? { page: 1, cursor: null };
    while (at !== null && at.page <= MAX_PAGES && !search.isFull) {
      const { page, cursor }: Place = at;
      search.reached(at);
      const listings: Listings = await search.page(async () => {
        const [answer] = await ask(
          {
            operationName: 'JobSearchResultsQuery',
            variables: variablesFor(params, place, page, cursor),
            query: SEARCH_QUERY,
          },
          Answer,
        );
        refuseErrors(answer?.errors);
        if (!answer?.data) throw new AppError('layout_changed', 'an answer without listings');
        return answer.data.jobListings;
      });
      const rows = listings.jobListings;
      if (page >= first)
        yield* search.takeDetailed(rows, reader, params.fetch_description ? { ask: descriptionOf } : null);
      else for (const row of rows) search.read(row, reader);
      at = rows.length === 0 ? null : pageAfter(page, Math.max(page + 1, first - 1), listings.paginationCursors ?? []);
    }
    search.finish();
  },
});

const Place = z.object({ page: z.int(), cursor: z.string().nullable() });
type Place = z.infer<typeof Place>;

/** A page shows the cursors of those around it only: the way to a far one leads over the farthest of them, and over the one before it, whose rows it repeats. */
function pageAfter(page: number, wanted: number, cursors: { pageNumber: number; cursor: string }[]): Place | null {
  const next = cursors
    .filter(({ pageNumber }) => pageNumber > page && pageNumber <= wanted)
    .sort((a, b) => b.pageNumber - a.pageNumber)[0];
  return next ? { page: next.pageNumber, cursor: next.cursor } : null;
}

interface Market {
  base: string;
  country: string;
  nowMs: number;
}

export function glassdoorRows(market: Market): RowReader<Listing, string | null> {
  return {
    row: Listing,
    idOf: (raw) => idIn((raw as { jobview?: { job?: unknown } } | null)?.jobview?.job, 'listingId'),
    toAdvert: (listing, raw, html) => fromListing(listing, raw, html, market),
  };
}

interface PlaceId {
  id: number;
  type: string;
}

/** Null when the board knows no such place. Always the first request: it settles the session. */
async function placeFor(params: BoardParams, base: string, web: Web): Promise<PlaceId | null> {
  if (params.is_remote || params.location === undefined) {
    if (params.location !== undefined) web.warn('Glassdoor searches remote jobs everywhere: location was not used');
    return REMOTE_PLACE;
  }
  const url = `${base}/findPopularLocationAjax.htm?maxLocationsToReturn=10&term=${encodeURIComponent(params.location)}`;
  const [first] = readJsonPage(await web.get(url, { headers: { accept: 'application/json' } }), Places, web);
  return first ? { id: first.locationId, type: PLACE_TYPES[first.locationType] ?? 'CITY' } : null;
}

async function headersFor(base: string, web: Web): Promise<Record<string, string>> {
  const page = await web.get(`${base}/Job/computer-science-jobs.htm`);
  const token = /"token"\s*:\s*"([^"]+)"/.exec(page.text)?.[1];
  if (token === undefined) throw new AppError('layout_changed', 'no token on the page that used to have one');
  return {
    accept: '*/*',
    'gd-csrf-token': token,
    'apollographql-client-name': 'job-search-next',
    'apollographql-client-version': '4.65.5',
    origin: base,
    referer: `${base}/`,
  };
}

function variablesFor(params: BoardParams, place: PlaceId, pageNumber: number, pageCursor: string | null): object {
  const days = params.hours_old === undefined ? null : Math.max(1, Math.ceil(params.hours_old / 24));
  return {
    excludeJobListingIds: [],
    filterParams: [
      ...(params.easy_apply ? [{ filterKey: 'applicationType', values: '1' }] : []),
      ...(days === null ? [] : [{ filterKey: 'fromAge', values: String(days) }]),
      ...(params.job_type ? [{ filterKey: 'jobType', values: JOB_TYPES[params.job_type] }] : []),
    ],
    keyword: params.search_term,
    numJobsToShow: PAGE_ROWS,
    locationType: place.type,
    locationId: place.id,
    parameterUrlInput: `IL.0,12_I${place.type}${place.id}`,
    pageNumber,
    pageCursor,
    fromage: days,
    sort: 'date',
  };
}

const ORIGINS = prefixed('api', {
  id: 'jobListings[].jobview.job.listingId',
  title: 'jobListings[].jobview.job.jobTitleText | jobListings[].jobview.header.jobTitleText',
  url: '=computed',
  company:
    'jobListings[].jobview.header.employerNameFromSearch | jobListings[].jobview.header.employer.name | jobListings[].jobview.overview.shortName',
  companyUrl: 'jobListings[].jobview.header.employer.id',
  companyLogo: 'jobListings[].jobview.overview.squareLogoUrl',
  places: 'jobListings[].jobview.header.locationName',
  pay: 'jobListings[].jobview.header.payPeriodAdjustedPay',
  estimate: 'jobListings[].jobview.header.payPeriodAdjustedPay',
  html: 'jobview.job.description',
  isClosed: 'jobListings[].jobview.header.expired',
  posted: 'jobListings[].jobview.header.ageInDays',
  company_rating: 'jobListings[].jobview.header.rating',
  listing_type:
    'jobListings[].jobview.header.isSponsoredJob | jobListings[].jobview.header.sponsored | jobListings[].jobview.header.easyApply',
});

function fromListing(
  { jobview: { header, job, overview } }: Listing,
  raw: unknown,
  html: string | null,
  { base, country, nowMs }: Market,
): Advert {
  const pay = header.payPeriodAdjustedPay;
  const stated = pay && { min: pay.p10, max: pay.p90, currency: header.payCurrency, interval: header.payPeriod };
  const isEmployer = header.salarySource === 'EMPLOYER_PROVIDED';
  // In pages the employer is a reference, `Employer:150`.
  const employerId = header.employer?.id ?? /^Employer:(\d+)$/.exec(header.employer?.__ref ?? '')?.[1];
  const age = header.ageInDays;
  return {
    id: String(job.listingId),
    title: job.jobTitleText ?? header.jobTitleText,
    url: `${base}/job-listing/j?jl=${job.listingId}`,
    company: header.employerNameFromSearch ?? header.employer?.name ?? overview?.shortName,
    companyUrl: employerId == null || employerId === 0 ? null : `${base}/Overview/W-EI_IE${employerId}.htm`,
    companyLogo: overview?.squareLogoUrl,
    places: [{ text: header.locationName, country: header.locationName ? country : null }],
    pay: isEmployer ? stated : null,
    html,
    isClosed: header.expired ?? false,
    raw,
    origins: ORIGINS,
    estimate: stated && !isEmployer ? { ...stated, country } : null,
    posted: age == null || age < 0 ? null : dayOf(nowMs - age * DAY_MS),
    more: {
      company_rating: header.rating || null,
      listing_type:
        header.isSponsoredJob || header.sponsored ? 'sponsored' : header.easyApply ? 'easy_apply' : 'organic',
    },
  };
}
