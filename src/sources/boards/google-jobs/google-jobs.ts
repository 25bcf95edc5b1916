// Google Jobs: a search page with arrays inside its scripts, then fragments chained by a cursor. The query carries every filter in words.
// What a reader would get wrong: a page without jobs is hardly ever "no jobs". Plain HTTP mostly gets a shell that needs JavaScript, a consent page or a
// check of robots, and those are blocks.
import { z } from 'zod';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { WebResponse } from '../../../web/port.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import type { RowReader } from '../../postings/listing.ts';
import { BoardParams, warnIgnored } from '../params.ts';
import { whyNoRows } from '../read.ts';
import { openSearch } from '../search.ts';
import { asyncUrl, cursorOf, type GoogleJob, jobsOfFragment, jobsOfPage } from './google-jobs-arrays.ts';

const CAP = 900;
const JOB_TYPES = {
  fulltime: 'Full time',
  parttime: 'Part time',
  internship: 'Internship',
  contract: 'Contract',
} as const;

export const googleJobs = defineSource({
  name: 'google-jobs',
  title: 'Google Jobs',
  kind: 'posting',
  lane: 'http',
  hosts: ['www.google.com'],
  pace: { concurrency: 1, delayMs: 2_000 },
  policy: { identity: 'browser', engine: 'http-then-browser' },
  params: BoardParams,
  async *scrape(params, web, notes) {
    warnIgnored(params, 'Google Jobs', ['distance', 'country', 'easy_apply', 'company_ids'], web);
    const search = openSearch({ source: 'google-jobs', params, web, notes, skip: params.offset, cap: CAP });
    const address = `https://www.google.com/search?q=${encodeURIComponent(queryOf(params))}&udm=8`;
    const reader = googleJobRows(address);
    let page: { jobs: unknown[]; cursor: string | null } | null = await search.page(async () => {
      const first = await web.get(address);
      const jobs = jobsOfPage(first.text);
      if (jobs.length === 0) refuse(first, whyNoRows(first, web));
      return { jobs, cursor: cursorOf(first.text) };
    });
    while (page !== null) {
      yield* search.take(page.jobs, reader);
      const { cursor } = page;
      if (cursor === null || page.jobs.length === 0 || search.isFull) break;
      page = await search.page(async () => {
        const next = await web.get(asyncUrl(cursor));
        const found = jobsOfFragment(next.text);
        if (found === null) refuse(next, whyNoRows(next, web));
        return { jobs: found ?? [], cursor: cursorOf(next.text) };
      });
    }
    search.finish();
  },
});

function refuse(page: WebResponse, problem: AppError | null): void {
  if (problem === null) return;
  // A page with scripts and no records is the shell for browsers.
  if (problem.code === 'layout_changed' && /<script|<noscript/i.test(page.text))
    throw new AppError('blocked', 'Google sent a page that only a browser can fill', { cause: problem });
  throw problem;
}

export function queryOf({ search_term, location, job_type, is_remote, hours_old }: BoardParams): string {
  const age =
    hours_old === undefined
      ? ''
      : hours_old <= 24
        ? ' since yesterday'
        : hours_old <= 72
          ? ' in the last 3 days'
          : hours_old <= 168
            ? ' in the last week'
            : ' in the last month';
  return `${search_term} jobs${job_type ? ` ${JOB_TYPES[job_type]}` : ''}${location ? ` near ${location}` : ''}${age}${is_remote ? ' remote' : ''}`;
}

export function googleJobRows(address: string): RowReader<unknown> {
  return {
    row: z.unknown(),
    idOf: (raw) => readJob(raw)?.id ?? null,
    toAdvert: (raw) => fromJob(readJob(raw) as GoogleJob, raw, address),
  };
}

/** Positions in the array are the only names there are. */
export function readJob(raw: unknown): GoogleJob | null {
  if (!Array.isArray(raw)) return null;
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);
  const title = text(raw[0]);
  const url = text(raw[3]?.[0]?.[0]);
  const id = text(raw[28]) ?? url;
  if (title === null || id === null) return null;
  const labels = raw.filter((value): value is string => typeof value === 'string' && value.length < 60);
  return {
    id,
    title,
    url,
    company: text(raw[1]),
    location: text(raw[2]),
    age: text(raw[12]),
    description: text(raw[19]),
    pay: labels.find((label) => /\d/.test(label) && /\ban? (?:hour|day|week|month|year)\b/i.test(label)) ?? null,
    schedule: labels.find((label) => /^(?:full|part)[- ]time$|^contractor$|^internship$|^temp/i.test(label)) ?? null,
  };
}

const ORIGINS = prefixed('api', {
  id: 'job[28] | job[3][0][0]',
  title: 'job[0]',
  url: 'job[3][0][0] | =computed',
  applyUrl: 'job[3][0][0]',
  company: 'job[1]',
  places: 'job[2]',
  types: 'job[]',
  payText: 'job[]',
  html: 'job[19]',
  posted: 'job[12]',
});

export function fromJob(job: GoogleJob, raw: unknown, address: string): Advert {
  return {
    id: job.id,
    title: job.title,
    url: job.url ?? `${address}&htidocid=${encodeURIComponent(job.id)}`,
    applyUrl: job.url,
    company: job.company,
    places: [{ text: job.location }],
    types: [job.schedule],
    payText: job.pay,
    html: job.description === null ? null : asHtml(job.description),
    posted: job.age,
    raw,
    origins: ORIGINS,
  };
}

function asHtml(text: string): string {
  const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return escaped
    .split(/\n{2,}/)
    .map((part) => `<p>${part.replace(/\n/g, '<br>')}</p>`)
    .join('');
}
