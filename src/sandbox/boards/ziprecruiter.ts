// ZipRecruiter: the app's API wants a session and an authorization and gives twenty rows and a token; the pages carry JSON with numbers for words.
import type { Replica, SandboxReply, SandboxRequest } from '../replica.ts';
import { findJobs, type Job, type JobType, jobAt } from './catalogue.ts';
import { descriptionHtml, esc, hexId, html, isBroken, json, misbehave, type Quirk, quirkOf } from './page.ts';

const SHARE = 50;
const PAGE_ROWS = 20;
const TYPE_NUMBERS: Record<JobType, number> = { full_time: 1, part_time: 2, contract: 3, internship: 4 };

export const ziprecruiter: Replica = {
  name: 'ziprecruiter',
  title: 'ZipRecruiter: the app API and the public pages',
  hosts: ['api.ziprecruiter.com', 'www.ziprecruiter.com'],
  examples: [
    { url: 'https://www.ziprecruiter.com/candidate/search?search=nurse&location=Austin%2C+TX', note: 'a search page' },
  ],
  handle(request) {
    if (request.path === '/jobs-app/event')
      return { ...json({ ok: true }), headers: { 'set-cookie': ['zva=1; Path=/'] } };
    if (request.path === '/jobs-app/jobs') return api(request);
    if (request.path === '/candidate/search' || request.path === '/jobs-search') return page(request);
    return request.path === '/jobs//j' ? jobPage(request) : undefined;
  },
};

function numbersFor(request: SandboxRequest, days: string | null): number[] {
  const { query } = request;
  return findJobs({
    board: 'ziprecruiter',
    share: SHARE,
    term: query.get('search') ?? '',
    where: query.get('location'),
    countries: ['US', 'CA'],
    type: query.get('employment_type') as JobType | null,
    isRemote: query.has('remote'),
    maxAgeDays: days === null ? null : Number(days),
    seed: request.seed,
    nowMs: request.nowMs,
  });
}

function api(request: SandboxRequest): SandboxReply {
  const isKnown = /^Basic .+/.test(request.headers.authorization ?? '') && /zva=1/.test(request.headers.cookie ?? '');
  if (!isKnown)
    return json(
      { status_code: 403, error_code: 'forbidden aa', error_message: 'Forbidden', request_id: 'CFRAY:0' },
      403,
    );
  const quirk = quirkOf(request.query.get('search'));
  const bad =
    quirk === 'blocked'
      ? json({ status_code: 403, error_code: 'forbidden cf-waf', error_message: 'Forbidden' }, 403)
      : misbehave(quirk);
  if (bad) return bad;
  const numbers = numbersFor(request, request.query.get('days'));
  const from = Number(Buffer.from(request.query.get('continue_from') ?? '', 'base64url').toString() || 0);
  const shown = numbers.slice(from > 0 ? from - 1 : 0, from + PAGE_ROWS);
  const next = from + PAGE_ROWS;
  return json({
    jobs: shown.map((number, i) => row(jobAt(number, request.nowMs, request.seed), isBroken(quirk, i))),
    ...(next < numbers.length ? { continue: Buffer.from(String(next)).toString('base64url') } : {}),
  });
}

/** The key begins with the number, so that the page of a job finds it again. */
const keyOf = (job: Job): string => `${job.number.toString(36).padStart(4, '0')}${hexId('zip', job, 12)}`;

function row(job: Job, isUnreadable: boolean) {
  return {
    name: isUnreadable ? '' : job.title,
    listing_key: keyOf(job),
    job_description: `<p>${esc(job.opening)}</p>`,
    hiring_company: job.dice % 15 === 0 ? null : { name: job.company },
    job_city: job.place.city,
    job_state: job.place.regionCode,
    job_country: job.place.country,
    employment_type: job.type,
    posted_time: new Date(job.bornMs).toISOString(),
    ...(job.pay
      ? {
          compensation_interval: job.pay.unit === 'hour' ? 'hourly' : 'annual',
          compensation_min: job.pay.min,
          compensation_max: job.pay.max,
          compensation_currency: job.pay.currency,
        }
      : {}),
    buyer_type: job.dice % 9 === 0 ? 'sponsored' : 'organic',
  };
}

function page(request: SandboxRequest): SandboxReply {
  const quirk: Quirk | null = quirkOf(request.query.get('search'));
  const bad = misbehave(quirk);
  if (bad) return bad;
  const numbers = numbersFor(request, request.query.get('days_ago'));
  const at = Number(request.query.get('page') ?? 1);
  const jobs = numbers
    .slice((at - 1) * PAGE_ROWS, at * PAGE_ROWS)
    .map((number) => jobAt(number, request.nowMs, request.seed));
  const [first] = jobs;
  const variables = {
    hydrateJobCardsResponse: { jobCards: jobs.map((job, i) => card(job, isBroken(quirk, i))) },
    page: at,
    maxPages: Math.max(1, Math.ceil(numbers.length / PAGE_ROWS)),
    getJobDetailsResponse: {
      jobDetails: first
        ? {
            listingKey: keyOf(first),
            title: first.title,
            hiringCompany: { name: first.company },
            htmlFullDescription: descriptionHtml(first),
            externalApplyUrl: first.applyUrl,
          }
        : null,
    },
  };
  return html(
    `<!DOCTYPE html><html><head><title>Jobs</title></head><body><div id="react_job_results_page_root"></div><script id="js_variables" type="application/json">${JSON.stringify(variables).replace(/</g, '\\u003c')}</script></body></html>`,
  );
}

function card(job: Job, isUnreadable: boolean) {
  return {
    listingKey: keyOf(job),
    title: isUnreadable ? null : job.title,
    company: { name: job.company },
    location: {
      city: job.place.city,
      state: job.place.region,
      stateCode: job.place.regionCode,
      countryCode: job.place.country,
    },
    employmentTypes: [{ name: TYPE_NUMBERS[job.type] }],
    ...(job.pay
      ? {
          pay: {
            min: job.pay.min,
            max: job.pay.max,
            interval: job.pay.unit === 'hour' ? 1 : 5,
            currency: job.pay.currency,
          },
        }
      : {}),
    shortDescription: job.opening,
    rawCanonicalZipJobPageUrl: `https://www.ziprecruiter.com/c/x/Job/y?jid=${keyOf(job)}`,
    postedAt: new Date(job.bornMs).toISOString(),
  };
}

function jobPage(request: SandboxRequest): SandboxReply | undefined {
  const number = Number.parseInt(request.query.get('lvk')?.slice(0, 4) ?? '', 36);
  if (!(number >= 0 && number < 100_000)) return undefined;
  const job = jobAt(number, request.nowMs, request.seed);
  const model = { model: { saveJobURL: `/save?x=1&job_url=${encodeURIComponent(job.applyUrl ?? '')}` } };
  return html(`<html><body><div class="job_description">${descriptionHtml(job)}</div><section class="company_description"><p>${esc(job.opening)}</p></section>
<script type="application/json">${job.applyUrl ? JSON.stringify(model).replace(/</g, '\\u003c') : '{}'}</script></body></html>`);
}
