// Indeed's app API: one GraphQL query, a hundred rows a page, a cursor to the next.
// What a reader would get wrong: only one kind of filter works in a query (date, else easy apply, else attributes). The others are applied here, to
// what came back. And a location outside the market's country gives an empty list with status 200.

import { z } from 'zod';
import { remoteOfLabel } from '../../../extract/posting/remote.ts';
import type { Posting, RemoteType } from '../../../model/posting/posting.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import { absoluteUrl } from '../../../model/url.ts';
import type { Web } from '../../../web/port.ts';
import type { Notes } from '../../define.ts';
import type { Advert, PaySaid } from '../../postings/advert.ts';
import type { RowReader } from '../../postings/listing.ts';
import { idIn } from '../../postings/text.ts';
import { type Market, marketOf } from '../market.ts';
import type { BoardParams } from '../params.ts';
import { GraphErrors, readJsonPage, refuseErrors } from '../read.ts';
import { openSearch } from '../search.ts';

const URL_API = 'https://apis.indeed.com/graphql';
const PAGE_ROWS = 100;
const CAP = 1_000;
const ATTRIBUTES = {
  fulltime: 'CF3CP',
  parttime: '75GKK',
  contract: 'NJXCK',
  internship: 'VDTG7',
} as const;
const REMOTE_ATTRIBUTE = 'DSQF7';

const text = z.string().nullish();
const Range = z.object({ min: z.number().nullish(), max: z.number().nullish() }).nullish();
const BaseSalary = z.object({ unitOfWork: text, range: Range }).nullish();
const Job = z.object({
  key: z.string().min(1),
  title: z.string().min(1),
  source: z.object({ name: text }).nullish(),
  datePublished: z.number().nullish(),
  dateOnIndeed: z.number().nullish(),
  description: z.object({ html: text }).nullish(),
  location: z
    .object({
      countryCode: text,
      admin1Code: text,
      city: text,
      formatted: z.object({ short: text, long: text }).nullish(),
    })
    .nullish(),
  compensation: z
    .object({
      currencyCode: text,
      baseSalary: BaseSalary,
      estimated: z.object({ currencyCode: text, baseSalary: BaseSalary }).nullish(),
    })
    .nullish(),
  attributes: z.array(z.object({ key: z.string(), label: z.string() })).nullish(),
  employer: z
    .object({
      name: text,
      relativeCompanyPageUrl: text,
      dossier: z
        .object({
          employerDetails: z
            .object({
              addresses: z.array(z.string()).nullish(),
              industry: text,
              employeesLocalizedLabel: text,
              revenueLocalizedLabel: text,
              briefDescription: text,
            })
            .nullish(),
          images: z.object({ squareLogoUrl: text, headerImageUrl: text }).nullish(),
          links: z.object({ corporateWebsite: text }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  recruit: z.object({ viewJobUrl: text }).nullish(),
});
type Job = z.infer<typeof Job>;

const JobPage = z.object({
  pageInfo: z.object({ nextCursor: text }).nullish(),
  results: z.array(z.object({ job: z.unknown() })),
});
type JobPage = z.infer<typeof JobPage>;
const Answer = z.object({ errors: GraphErrors, data: z.object({ jobSearch: JobPage }).nullish() });

export async function* scrapeIndeedApi(
  params: BoardParams,
  key: string,
  web: Web,
  notes: Notes | undefined,
): AsyncGenerator<Posting> {
  const market = marketOf(params.country);
  const search = openSearch({ source: 'indeed', params, web, notes, skip: params.offset, cap: CAP });
  const filter = filterOf(params);
  for (const name of filter.afterwards)
    web.warn(`Indeed filters by one thing at a time: ${name} was applied to what came back`);
  const ask = async (cursor: string | null): Promise<JobPage | null> => {
    const body = { query: queryText(params, filter.text, cursor) };
    const page = await web.get(URL_API, { method: 'POST', headers: headersFor(market, key), body });
    const answer = readJsonPage(page, Answer, web);
    refuseErrors(answer.errors);
    return answer.data?.jobSearch ?? null;
  };
  const reader: RowReader<Job> = {
    row: Job,
    idOf: (raw) => idIn(raw, 'key'),
    toAdvert: (job, raw) => (passes(job, params, filter.afterwards) ? fromJob(job, raw, market) : null),
  };
  let cursor: string | null = search.resumeAt(z.string());
  do {
    search.reached(cursor);
    const from: string | null = cursor;
    const page: JobPage | null = await search.page<JobPage | null>(() => ask(from));
    const results: JobPage['results'] = page?.results ?? [];
    const rows = results.map(({ job }) => job);
    yield* search.take(rows, reader);
    cursor = results.length === 0 ? null : (page?.pageInfo?.nextCursor ?? null);
  } while (cursor !== null && !search.isFull);
  search.finish();
}

function headersFor(market: Market, key: string): Record<string, string> {
  return {
    accept: 'application/json',
    'indeed-api-key': key,
    'indeed-locale': 'en-US',
    'indeed-co': market.indeedCode,
    'indeed-app-info': 'appv=193.1; appid=com.indeed.jobsearch; osv=16.6.1; os=ios; dtype=phone',
  };
}

/** GraphQL strings are JSON strings. */
const quoted = (value: string) => JSON.stringify(value);

const FIELDS = `key title source { name } datePublished dateOnIndeed description { html }
location { countryCode admin1Code city formatted { short long } }
compensation { currencyCode baseSalary { unitOfWork range { ... on Range { min max } } }
  estimated { currencyCode baseSalary { unitOfWork range { ... on Range { min max } } } } }
attributes { key label }
employer { name relativeCompanyPageUrl dossier {
  employerDetails { addresses industry employeesLocalizedLabel revenueLocalizedLabel briefDescription }
  images { squareLogoUrl headerImageUrl } links { corporateWebsite } } }
recruit { viewJobUrl }`;

function queryText(params: BoardParams, filter: string, cursor: string | null): string {
  const where =
    params.location === undefined
      ? ''
      : `location: { where: ${quoted(params.location)}, radius: ${params.distance ?? 50}, radiusUnit: MILES }`;
  const after = cursor === null ? '' : `cursor: ${quoted(cursor)}`;
  return `query GetJobData { jobSearch(what: ${quoted(params.search_term)} ${where} limit: ${PAGE_ROWS} ${after} sort: RELEVANCE ${filter}) {
pageInfo { nextCursor } results { job { ${FIELDS} } } } }`;
}

interface Filter {
  text: string;
  afterwards: ('easy_apply' | 'job_type' | 'is_remote')[];
}

function filterOf({ hours_old, easy_apply, job_type, is_remote }: BoardParams): Filter {
  const attributes = [...(job_type ? (['job_type'] as const) : []), ...(is_remote ? (['is_remote'] as const) : [])];
  if (hours_old !== undefined)
    return {
      text: `filters: { date: { field: "dateOnIndeed", start: "${hours_old}h" } }`,
      afterwards: [...(easy_apply ? (['easy_apply'] as const) : []), ...attributes],
    };
  if (easy_apply)
    return { text: 'filters: { keyword: { field: "indeedApplyScope", keys: ["DESKTOP"] } }', afterwards: attributes };
  const keys = [...(job_type ? [ATTRIBUTES[job_type]] : []), ...(is_remote ? [REMOTE_ATTRIBUTE] : [])];
  if (keys.length === 0) return { text: '', afterwards: [] };
  return {
    text: `filters: { composite: { filters: [{ keyword: { field: "attributes", keys: ${JSON.stringify(keys)} } }] } }`,
    afterwards: [],
  };
}

/** What the query could not ask for. Whether a posting can be applied to on Indeed itself shows only in that it has no address of its own. */
function passes(job: Job, params: BoardParams, names: Filter['afterwards']): boolean {
  const has = (key: string) => job.attributes?.some((attribute) => attribute.key === key) ?? false;
  if (names.includes('job_type') && !has(ATTRIBUTES[params.job_type!])) return false;
  if (names.includes('is_remote') && remoteOf(job) !== 'remote') return false;
  return !(names.includes('easy_apply') && job.recruit?.viewJobUrl);
}

function remoteOf(job: Job): RemoteType | null {
  if (job.attributes?.some(({ key }) => key === REMOTE_ATTRIBUTE)) return 'remote';
  for (const { label } of job.attributes ?? []) if (/hybrid|remote/i.test(label)) return remoteOfLabel(label);
  return null;
}

const ORIGINS = prefixed('api', {
  id: 'results[].job.key',
  title: 'results[].job.title',
  url: '=computed',
  applyUrl: 'results[].job.recruit.viewJobUrl',
  company: 'results[].job.employer.name',
  companyUrl: 'results[].job.employer.relativeCompanyPageUrl',
  companyLogo: 'results[].job.employer.dossier.images.squareLogoUrl',
  industry: 'results[].job.employer.dossier.employerDetails.industry',
  places: 'results[].job.location',
  remote: 'results[].job.attributes[]',
  types: 'results[].job.attributes[].label',
  pay: 'results[].job.compensation.baseSalary',
  estimate: 'results[].job.compensation.estimated',
  html: 'results[].job.description.html',
  posted: 'results[].job.datePublished',
  listed: 'results[].job.dateOnIndeed',
  company_size: 'results[].job.employer.dossier.employerDetails.employeesLocalizedLabel',
  company_revenue: 'results[].job.employer.dossier.employerDetails.revenueLocalizedLabel',
  company_description: 'results[].job.employer.dossier.employerDetails.briefDescription',
  company_addresses: 'results[].job.employer.dossier.employerDetails.addresses',
});

function fromJob(job: Job, raw: unknown, market: Market): Advert {
  const { location, compensation, employer, recruit } = job;
  const dossier = employer?.dossier;
  const details = dossier?.employerDetails;
  const site = `https://${market.indeed}.indeed.com`;
  const base = compensation?.baseSalary;
  const labels = (job.attributes ?? []).map(({ label }) => label);
  return {
    id: job.key,
    title: job.title,
    url: `${site}/viewjob?jk=${job.key}`,
    applyUrl: recruit?.viewJobUrl,
    company: employer?.name,
    companyUrl: absoluteUrl(employer?.relativeCompanyPageUrl, site),
    companyLogo: dossier?.images?.squareLogoUrl,
    industry: industryOf(details?.industry),
    places: [
      {
        text: location?.formatted?.long ?? location?.formatted?.short,
        city: location?.city,
        region: location?.admin1Code,
        country: location?.countryCode,
      },
    ],
    remote: remoteOf(job),
    types: labels.filter((label) =>
      /^(?:full|part)[ -]?time$|^contract$|^internship$|^temporary$|^permanent$|^volunteer$|^per diem$/i.test(label),
    ),
    pay: base?.range
      ? { min: base.range.min, max: base.range.max, currency: compensation?.currencyCode, interval: base.unitOfWork }
      : null,
    html: job.description?.html,
    posted: job.datePublished,
    raw,
    origins: ORIGINS,
    estimate: estimateOf(compensation?.estimated, market),
    listed: job.dateOnIndeed,
    more: {
      company_size: details?.employeesLocalizedLabel ?? null,
      company_revenue: details?.revenueLocalizedLabel ?? null,
      company_description: details?.briefDescription ?? null,
      company_addresses: details?.addresses ?? [],
    },
  };
}

function estimateOf(estimated: NonNullable<Job['compensation']>['estimated'], market: Market): PaySaid | null {
  const range = estimated?.baseSalary?.range;
  if (!range) return null;
  return {
    min: range.min,
    max: range.max,
    currency: estimated?.currencyCode,
    interval: estimated?.baseSalary?.unitOfWork,
    country: market.country,
  };
}

/** `Iv1SOFTWARE_DEVELOPMENT` is "Software Development". */
function industryOf(code: string | null | undefined): string | null {
  const words = code?.replace(/^Iv1/, '').replaceAll('_', ' ').trim().toLowerCase();
  return words ? words.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()) : null;
}
