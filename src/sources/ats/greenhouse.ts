// Greenhouse: one call gives a whole board, texts included (HTML escaped once more). Pay is only on the job's own endpoint, in cents.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import type { Advert, PaySaid } from '../postings/advert.ts';
import { DOCUMENTED_API, getJson } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { idIn, idText, nonEmptyText, statedRemote as stated, unescapeHtml } from '../postings/text.ts';

const HOST = 'https://boards-api.greenhouse.io';
const DETAILS_AT_ONCE = 4;

const JobsPage = z.object({ jobs: z.array(z.unknown()), meta: z.object({ total: z.number() }).nullish() });

export const PayRange = z.object({
  min_cents: z.number().nullish(),
  max_cents: z.number().nullish(),
  currency_type: z.string().nullish(),
  title: z.string().nullish(),
  blurb: z.string().nullish(),
});

const Job = z.object({
  id: z.union([z.number(), z.string()]),
  internal_job_id: z.number().nullish(),
  title: z.string(),
  absolute_url: z.string().nullish(),
  location: z.object({ name: z.string().nullish() }).nullish(),
  offices: z.array(z.object({ name: z.string().nullish(), location: z.string().nullish() })).nullish(),
  departments: z.array(z.object({ name: z.string().nullish() })).nullish(),
  metadata: z.array(z.object({ name: z.string().nullish(), value: z.unknown() })).nullish(),
  first_published: z.string().nullish(),
  updated_at: z.string().nullish(),
  application_deadline: z.string().nullish(),
  content: z.string().nullish(),
  company_name: z.string().nullish(),
  language: z.string().nullish(),
  pay_input_ranges: z.array(PayRange).nullish(),
});
type Job = z.infer<typeof Job>;

const ORIGINS = prefixed('api', {
  id: 'jobs[].id',
  title: 'jobs[].title',
  url: 'jobs[].absolute_url | =computed',
  applyUrl: '=computed',
  company: 'jobs[].company_name',
  places: 'jobs[].location.name | jobs[].offices[]',
  types: 'jobs[].metadata[]',
  remote: 'jobs[].metadata[]',
  level: 'jobs[].metadata[]',
  pay: 'job.pay_input_ranges[]',
  html: 'jobs[].content',
  posted: 'jobs[].first_published',
  updated: 'jobs[].updated_at',
  validThrough: 'jobs[].application_deadline',
  department: 'jobs[].departments[0].name',
  language: 'jobs[].language',
});

export const greenhouseRows: RowReader<Job> = {
  row: Job,
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert: (job, raw) => jobAdvert(job, raw),
};

function jobAdvert(job: Job, raw: unknown, board?: string): Advert {
  const id = idText(job.id) as string;
  const url =
    nonEmptyText(job.absolute_url) ??
    (board === undefined ? null : `https://job-boards.greenhouse.io/${board}/jobs/${id}`);
  const shown = nonEmptyText(job.location?.name);
  const offices = (job.offices ?? []).map((office) => nonEmptyText(office.location) ?? nonEmptyText(office.name));
  return {
    id,
    title: job.title,
    url,
    applyUrl: url === null ? null : `${url}#app`,
    company: job.company_name,
    // Offices are where a team sits; they count where the posting itself names no place.
    places: shown === null ? offices.map((text) => ({ text })) : [{ text: shown }],
    types: metadata(job, /^(?:employment|job|time|contract|position) ?type$|^employment$/i),
    remote: stated(
      metadata(job, /^(?:location|workplace|work|remote) ?(?:type|status|model)$|^workplace$|^remote\??$/i)[0],
    ),
    level: metadata(job, /^(?:job )?level$|^seniority$/i)[0] ?? null,
    pay: payOfRanges(job.pay_input_ranges ?? []),
    html: job.content == null ? null : unescapeHtml(job.content),
    posted: job.first_published,
    updated: job.updated_at,
    validThrough: job.application_deadline,
    department: nonEmptyText(job.departments?.[0]?.name),
    language: job.language,
    raw,
    origins: ORIGINS,
  };
}

/** Names of these fields are the company's own choice; only the usual ones are understood. */
function metadata(job: Job, name: RegExp): string[] {
  const values = (job.metadata ?? [])
    .filter((field) => name.test(nonEmptyText(field.name) ?? ''))
    .map((field) => field.value);
  return values.flat().flatMap((value) => nonEmptyText(value) ?? []);
}

/** Several rows are zones. The title of a row often has the interval; otherwise the size of the amount decides. */
export function payOfRanges(ranges: z.infer<typeof PayRange>[]): PaySaid | null {
  const zones = ranges.map((range) => ({
    label: nonEmptyText(range.title),
    min: range.min_cents == null ? null : range.min_cents / 100,
    max: range.max_cents == null ? null : range.max_cents / 100,
  }));
  const first = ranges[0];
  if (first === undefined) return null;
  const ends = (end: 'min' | 'max') => zones.flatMap((zone) => zone[end] ?? []);
  const words = ranges.map((range) => `${range.title ?? ''} ${range.blurb ?? ''}`).join(' ');
  return {
    min: ends('min').length > 0 ? Math.min(...ends('min')) : null,
    max: ends('max').length > 0 ? Math.max(...ends('max')) : null,
    currency: first.currency_type,
    interval: /hour/i.test(words)
      ? 'hour'
      : /month/i.test(words)
        ? 'month'
        : /year|annual|salary/i.test(words)
          ? 'year'
          : null,
    raw: nonEmptyText(words),
    isOte: /\bOTE\b|on-target/i.test(words),
    ...(zones.length > 1 ? { zones } : {}),
  };
}

export const greenhouse = defineSource({
  name: 'greenhouse',
  title: 'Greenhouse job boards',
  kind: 'posting',
  lane: 'http',
  hosts: ['boards-api.greenhouse.io'],
  pace: { concurrency: 4, delayMs: 250 },
  policy: DOCUMENTED_API,
  params: z.object({
    ...COMMON_PARAMS,
    board: z.string().regex(/^[\w-]{1,100}$/),
    /** One more call per posting, for pay that the employer keeps out of the text. */
    pay: z.boolean().default(false),
  }),
  async *scrape(params, web, notes) {
    const base = `${HOST}/v1/boards/${params.board}/jobs`;
    const board = openListing({ source: 'greenhouse', ref: params.board, params, web, notes });
    let page: z.infer<typeof JobsPage>;
    let withDetails = params.pay;
    try {
      page = await getJson(web, params.pay ? base : `${base}?content=true`, JobsPage);
    } catch (error) {
      // The texts of a very large board do not fit into one answer: the list alone does, and each text is fetched by itself.
      if (!(error instanceof AppError) || error.code !== 'too_large') throw error;
      page = await getJson(web, base, JobsPage);
      withDetails = true;
    }
    const reader: RowReader<Job, unknown> = {
      ...greenhouseRows,
      toAdvert: (job, raw, detail) => jobAdvert(detail === null ? job : Job.parse(detail), detail ?? raw, params.board),
    };
    const ask = (id: string) => getJson(web, `${base}/${id}?pay_transparency=true`, z.unknown());
    yield* board.takeDetailed(page.jobs, reader, withDetails ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish(page.meta?.total);
  },
});
