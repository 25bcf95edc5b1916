// ZipRecruiter's app API: a session by an event, then pages of twenty chained by a token.
import { z } from 'zod';
import { one, parse } from '../../../extract/html/html.ts';
import { markup } from '../../../extract/posting/markup.ts';
import type { Posting } from '../../../model/posting/posting.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web } from '../../../web/port.ts';
import type { Notes } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import type { RowReader } from '../../postings/listing.ts';
import { idIn } from '../../postings/text.ts';
import type { BoardParams } from '../params.ts';
import { readJsonPage } from '../read.ts';
import { openSearch } from '../search.ts';

const API = 'https://api.ziprecruiter.com/jobs-app';
const TYPES = { fulltime: 'full_time', parttime: 'part_time', internship: 'internship', contract: 'contract' } as const;

const text = z.string().nullish();
const amount = z.union([z.number(), z.string()]).nullish();
const Job = z.object({
  name: z.string().min(1),
  listing_key: z.string().min(1),
  job_description: text,
  hiring_company: z.object({ name: text }).nullish(),
  job_city: text,
  job_state: text,
  job_country: text,
  employment_type: text,
  posted_time: text,
  compensation_interval: text,
  compensation_min: amount,
  compensation_max: amount,
  compensation_currency: text,
  buyer_type: text,
});
type Job = z.infer<typeof Job>;
const Answer = z.object({ jobs: z.array(z.unknown()), continue: text });

export async function* scrapeZipApi(
  params: BoardParams,
  auth: string,
  web: Web,
  notes: Notes | undefined,
): AsyncGenerator<Posting> {
  const search = openSearch({ source: 'ziprecruiter', params, web, notes, skip: params.offset });
  const headers = { accept: 'application/json', authorization: `Basic ${auth}` };
  await web.get(`${API}/event`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'event_type=session&logged_in=false&number_of_retry=1&property=model%3AiPhone&property=os%3AiOS',
  });
  const ask = (id: string) => readJob(id, web);
  let token: string | null = search.resumeAt(z.string());
  do {
    search.reached(token);
    const url = searchUrl(params, token);
    const answer = await search.page(async () => readJsonPage(await web.get(url, { headers }), Answer, web));
    const rows = answer?.jobs ?? [];
    yield* search.takeDetailed(rows, jobRows, params.fetch_description ? { ask } : null);
    token = rows.length === 0 ? null : (answer?.continue ?? null);
  } while (token !== null && !search.isFull);
  search.finish();
}

const jobRows: RowReader<Job, ZipDetail> = { row: Job, idOf: (raw) => idIn(raw, 'listing_key'), toAdvert: fromJob };

export const jobUrl = (key: string) => `https://www.ziprecruiter.com/jobs//j?lvk=${key}`;

function searchUrl(params: BoardParams, token: string | null): string {
  const url = new URL(`${API}/jobs`);
  const set = (name: string, value: string | number | undefined) =>
    value !== undefined && url.searchParams.set(name, String(value));
  set('search', params.search_term);
  set('location', params.location);
  set('days', params.hours_old === undefined ? undefined : Math.max(1, Math.ceil(params.hours_old / 24)));
  set('employment_type', params.job_type && TYPES[params.job_type]);
  set('zipapply', params.easy_apply ? 1 : undefined);
  set('remote', params.is_remote ? 1 : undefined);
  set('radius', params.distance);
  set('continue_from', token ?? undefined);
  return url.href;
}

export interface ZipDetail {
  html: string | null;
  applyUrl: string | null;
}

/** The page of one job: the full text, and where to apply when the employer takes applications elsewhere. */
export async function readJob(id: string, web: Web): Promise<ZipDetail> {
  const doc = parse((await web.get(jobUrl(id))).text);
  const box = one(doc, 'div.job_description');
  const company = one(doc, 'section.company_description');
  const script = one(doc, 'script[type="application/json"]');
  const said = script?.children.map((child) => ('data' in child ? child.data : '')).join('') ?? '';
  const found = /job_url=([^"&\\]+)/.exec(said)?.[1];
  const parts = [box, company].filter((part) => part !== null).map(markup);
  return {
    html: parts.length === 0 ? null : parts.join('\n'),
    applyUrl: found === undefined ? null : decodeURIComponent(found),
  };
}

const ORIGINS = prefixed('api', {
  id: 'jobs[].listing_key',
  title: 'jobs[].name',
  url: '=computed',
  applyUrl: '=selector:script[type="application/json"]',
  company: 'jobs[].hiring_company.name',
  places: 'jobs[].job_city | jobs[].job_state | jobs[].job_country',
  types: 'jobs[].employment_type',
  pay: 'jobs[].compensation_min | jobs[].compensation_max',
  html: '=selector:div.job_description, section.company_description | jobs[].job_description',
  posted: 'jobs[].posted_time',
  listing_type: 'jobs[].buyer_type',
});

function fromJob(job: Job, raw: unknown, detail: ZipDetail | null): Advert {
  return {
    id: job.listing_key,
    title: job.name,
    url: jobUrl(job.listing_key),
    applyUrl: detail?.applyUrl ?? null,
    company: job.hiring_company?.name,
    places: [{ city: job.job_city, region: job.job_state, country: job.job_country }],
    types: [job.employment_type],
    pay: {
      min: job.compensation_min,
      max: job.compensation_max,
      currency: job.compensation_currency,
      interval: job.compensation_interval,
    },
    html: detail?.html ?? job.job_description,
    posted: job.posted_time,
    raw,
    origins: ORIGINS,
    more: { listing_type: job.buyer_type === 'sponsored' ? 'sponsored' : 'organic' },
  };
}
