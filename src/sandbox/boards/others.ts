// Naukri, Bayt and BDJobs: three smaller boards, each of its own part of the world.
import type { Replica, SandboxReply, SandboxRequest } from '../replica.ts';
import { findJobs, type Job, type JobQuery, jobAt, slug } from './catalogue.ts';
import {
  agoText,
  dayText,
  descriptionHtml,
  digitId,
  esc,
  html,
  isBroken,
  json,
  misbehave,
  numberOfDigits,
  placeText,
  quirkOf,
} from './page.ts';

const world = (request: SandboxRequest): Pick<JobQuery, 'seed' | 'nowMs'> => ({
  seed: request.seed,
  nowMs: request.nowMs,
});

const NAUKRI_ROWS = 20;
export const naukri: Replica = {
  name: 'naukri',
  title: 'Naukri: search as JSON, jobs in India',
  hosts: ['www.naukri.com'],
  examples: [
    {
      url: 'https://www.naukri.com/jobapi/v3/search?keyword=nurse&pageNo=1',
      note: 'needs the headers appid and systemid',
    },
  ],
  handle(request) {
    if (request.path !== '/jobapi/v3/search') return undefined;
    if (request.headers.appid !== '109' || request.headers.systemid !== 'Naukri')
      return json({ message: 'recaptcha required' }, 406);
    const { query } = request;
    const quirk = quirkOf(query.get('keyword'));
    if (quirk === 'blocked') return json({ message: 'recaptcha required', statusCode: 406 }, 406);
    const bad = misbehave(quirk);
    if (bad) return bad;
    const numbers = findJobs({
      board: 'naukri',
      share: 90,
      term: query.get('keyword') ?? '',
      where: query.get('location'),
      countries: ['IN'],
      isRemote: query.get('remote') === 'true',
      maxAgeDays: query.has('days') ? Number(query.get('days')) : null,
      ...world(request),
    });
    const from = (Number(query.get('pageNo') ?? 1) - 1) * NAUKRI_ROWS;
    const rows = numbers
      .slice(from, from + NAUKRI_ROWS)
      .map((number, i) => naukriRow(jobAt(number, request.nowMs, request.seed), isBroken(quirk, i)));
    return json({ noOfJobs: numbers.length, ...(rows.length > 0 ? { jobDetails: rows } : {}) });
  },
};

function naukriRow(job: Job, isUnreadable: boolean) {
  const id = digitId(100_000_000_000, job);
  const lacs = (amount: number) => Math.round(amount / 50_000) / 2;
  return {
    jobId: id,
    title: isUnreadable ? undefined : job.title,
    companyName: job.company,
    staticUrl: `/${slug(job.company)}-jobs-careers-${job.companyNumber}`,
    jdURL: `/job-listings-${slug(job.title)}-${slug(job.company)}-${id}`,
    placeholders: [
      { type: 'experience', label: `${job.years}-${job.years + 3} Yrs` },
      { type: 'salary', label: job.pay ? `${lacs(job.pay.min)}-${lacs(job.pay.max)} Lacs P.A.` : 'Not disclosed' },
      { type: 'location', label: job.dice % 7 === 0 ? `${job.place.city}, Kolkata (All Areas)` : job.place.city },
    ],
    footerPlaceholderLabel: agoText(job.ageDays),
    createdDate: job.dice % 3 === 0 ? undefined : job.bornMs,
    experienceText: `${job.years}-${job.years + 3} Yrs`,
    tagsAndSkills: job.skills.join(','),
    vacancy: 1 + (job.dice % 5),
    ambitionBoxData: { AggregateRating: '3.9', ReviewsCount: String(job.companyNumber) },
    logoPathV3: `https://logos.example/${job.companyNumber}.png`,
    jobDescription: descriptionHtml(job),
  };
}

const BAYT_ROWS = 20;
export const bayt: Replica = {
  name: 'bayt',
  title: 'Bayt: pages of jobs in the Gulf',
  hosts: ['www.bayt.com'],
  examples: [{ url: 'https://www.bayt.com/en/international/jobs/accountant-jobs/?page=1', note: 'a page of rows' }],
  handle(request) {
    const term = /^\/en\/international\/jobs\/(.+)-jobs\/$/.exec(request.path)?.[1];
    if (term === undefined) return undefined;
    const words = decodeURIComponent(term)
      .replace(/-/g, ' ')
      .replace(/ (blocked|throttled|broken|changed|challenge)$/, ' #$1');
    const quirk = quirkOf(words);
    const bad = misbehave(quirk);
    if (bad) return bad;
    const numbers = findJobs({
      board: 'bayt',
      share: 90,
      term: words,
      countries: ['AE', 'SA', 'QA'],
      ...world(request),
    });
    const from = (Number(request.query.get('page') ?? 1) - 1) * BAYT_ROWS;
    const rows = numbers
      .slice(from, from + BAYT_ROWS)
      .map((number, i) => baytRow(jobAt(number, request.nowMs, request.seed), isBroken(quirk, i)));
    return html(
      `<!DOCTYPE html><html><head><title>Jobs</title></head><body>${rows.length > 0 ? `<ul id="results">${rows.join('')}</ul>` : '<p>No results found.</p>'}</body></html>`,
    );
  },
};

function baytRow(job: Job, isUnreadable: boolean): string {
  const link = `/en/${slug(job.place.countryName)}/jobs/${slug(job.title)}-${digitId(5_000_000, job)}/`;
  return `<li data-js-job><h2 class="m0"><a${isUnreadable ? '' : ` href="${link}"`}>${esc(job.title)}</a></h2><div class="t-nowrap p10l"><span>${esc(job.company)}</span></div><div class="t-mute t-small">${esc(placeText(job))}</div></li>`;
}

const BD_ROWS = 50;
export const bdjobs: Replica = {
  name: 'bdjobs',
  title: 'BDJobs: search as JSON, jobs in Bangladesh',
  hosts: ['api.bdjobs.com', 'bdjobs.com'],
  examples: [
    {
      url: 'https://api.bdjobs.com/Jobs/api/JobSearch/GetJobSearch?txtsearch=accountant&pg=1',
      note: 'rows and premium rows',
    },
  ],
  handle(request) {
    const id = /^\/h\/details\/(\d+)$/.exec(request.path)?.[1];
    if (id !== undefined) return bdDetail(request, id);
    if (request.path !== '/Jobs/api/JobSearch/GetJobSearch') return undefined;
    const quirk = quirkOf(request.query.get('txtsearch'));
    const bad = misbehave(quirk);
    if (bad) return bad;
    if (quirk === 'refused') return json({ statuscode: '0', message: 'error' });
    const numbers = findJobs({
      board: 'bdjobs',
      share: 90,
      term: request.query.get('txtsearch') ?? '',
      countries: ['BD'],
      ...world(request),
    });
    const row = (number: number, i: number) => bdRow(jobAt(number, request.nowMs, request.seed), isBroken(quirk, i));
    const from = (Number(request.query.get('pg') ?? 1) - 1) * BD_ROWS;
    return json({
      statuscode: '1',
      premiumData: numbers.slice(0, 2).map(row),
      data: numbers.slice(from, from + BD_ROWS).map(row),
    });
  },
};

function bdRow(job: Job, isUnreadable: boolean) {
  return {
    Jobid: digitId(1_000_000, job),
    jobTitle: isUnreadable ? null : job.title,
    companyName: job.company,
    location: `${job.place.city}, Bangladesh`,
    publishDate: dayText(job.bornMs),
    deadline: dayText(job.bornMs + 30 * 86_400_000),
    experience: `At least ${job.years} year(s)`,
    logo: `https://logos.example/${job.companyNumber}.png`,
  };
}

function bdDetail(request: SandboxRequest, id: string): SandboxReply {
  const job = jobAt(numberOfDigits(id, 1_000_000), request.nowMs, request.seed);
  return html(
    `<html><body><main class="jobcontent"><h1>${esc(job.title)}</h1>${descriptionHtml(job)}</main></body></html>`,
  );
}
