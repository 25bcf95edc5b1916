// Glassdoor: a place by name, a token that belongs to the visitor's cookie, GraphQL in pages of thirty with a cursor each, descriptions one by one.
import { hash32 } from '../random.ts';
import type { Replica, SandboxReply, SandboxRequest } from '../replica.ts';
import { findJobs, headOf, type Job, type JobType, jobAt } from './catalogue.ts';
import { descriptionHtml, digitId, html, isBroken, json, misbehave, numberOfDigits, quirkOf } from './page.ts';
import words from './words.json' with { type: 'json' };

const SHARE = 50;
const ID_BASE = 1_009_000_000_000;
const COUNTRIES: Record<string, string> = {
  'www.glassdoor.com': 'US',
  'www.glassdoor.ca': 'CA',
  'www.glassdoor.co.uk': 'GB',
  'www.glassdoor.de': 'DE',
  'www.glassdoor.fr': 'FR',
  'www.glassdoor.nl': 'NL',
  'www.glassdoor.co.in': 'IN',
  'www.glassdoor.com.au': 'AU',
};
const TYPES: Record<string, JobType> = {
  fulltime: 'full_time',
  parttime: 'part_time',
  contract: 'contract',
  internship: 'internship',
};
const REMOTE_ID = 11_047;

export const glassdoor: Replica = {
  name: 'glassdoor',
  title: 'Glassdoor: places, token, listings, descriptions',
  hosts: [
    '*.glassdoor.com',
    '*.glassdoor.ca',
    '*.glassdoor.co.uk',
    '*.glassdoor.de',
    '*.glassdoor.fr',
    '*.glassdoor.nl',
    '*.glassdoor.co.in',
    '*.glassdoor.com.au',
  ],
  examples: [
    {
      url: 'https://www.glassdoor.com/findPopularLocationAjax.htm?maxLocationsToReturn=10&term=Austin',
      note: 'a place by name',
    },
  ],
  async handle(request) {
    if (request.path === '/findPopularLocationAjax.htm') return places(request);
    if (request.path === '/Job/computer-science-jobs.htm')
      return withSession(
        request,
        html(
          `<html><body><script>window.appCache={"apollo":{"token":"${tokenOf(sessionOf(request))}"}}</script></body></html>`,
        ),
      );
    return request.path === '/graph' && request.method === 'POST' ? graph(request) : undefined;
  },
};

const sessionOf = (request: SandboxRequest): string =>
  /gdId=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? hash32(`${request.host} visitor`).toString(36);
const tokenOf = (session: string): string => `t${hash32(`token ${session}`).toString(36)}:${session}`;
const withSession = (request: SandboxRequest, reply: SandboxReply): SandboxReply => ({
  ...reply,
  headers: { 'set-cookie': [`gdId=${sessionOf(request)}; Path=/; HttpOnly`] },
});

function places(request: SandboxRequest): SandboxReply {
  const term = request.query.get('term')?.toLowerCase() ?? '';
  const country = COUNTRIES[request.host];
  const found = words.places.flatMap(([city, code, , home], i) =>
    home === country && (term === city!.toLowerCase() || term.startsWith(`${city!.toLowerCase()},`))
      ? [{ locationId: 1_000 + i, locationType: 'C', longName: `${city}, ${code}` }]
      : [],
  );
  return withSession(request, json(found));
}

interface Operation {
  operationName: string;
  variables: {
    keyword?: string;
    locationId?: number;
    pageNumber?: number;
    pageCursor?: string | null;
    numJobsToShow?: number;
    filterParams?: { filterKey: string; values: string }[];
    jl?: number;
  };
}

async function graph(request: SandboxRequest): Promise<SandboxReply> {
  const session = /gdId=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
  if (session === undefined || request.headers['gd-csrf-token'] !== tokenOf(session))
    return json({ error: 'forbidden' }, 403);
  const [operation] = JSON.parse(await request.readBody()) as Operation[];
  if (!operation) return json([{ errors: [{ message: 'no operation' }] }]);
  if (operation.operationName === 'JobDetailQuery') {
    const job = jobAt(numberOfDigits(String(operation.variables.jl), ID_BASE), request.nowMs, request.seed);
    return json([{ data: { jobview: { job: { description: descriptionHtml(job) } } } }]);
  }
  const { variables } = operation;
  const quirk = quirkOf(variables.keyword ?? null);
  const bad = misbehave(quirk);
  if (bad) return bad;
  if (quirk === 'refused')
    return json([{ errors: [{ message: 'Something went wrong while fetching listings' }], data: null }]);
  const filter = (key: string) => variables.filterParams?.find((one) => one.filterKey === key)?.values;
  const isRemote = variables.locationId === REMOTE_ID;
  const place = isRemote ? null : words.places[(variables.locationId ?? 0) - 1_000]?.[0];
  const days = filter('fromAge');
  const numbers = findJobs({
    board: 'glassdoor',
    share: SHARE,
    term: variables.keyword ?? '',
    where: place ?? null,
    countries: [COUNTRIES[request.host] ?? 'US'],
    isRemote,
    type: TYPES[filter('jobType') ?? ''] ?? null,
    maxAgeDays: days === undefined ? null : Number(days),
    seed: request.seed,
    nowMs: request.nowMs,
  }).slice(0, 900);
  const size = variables.numJobsToShow ?? 30;
  const page = variables.pageNumber ?? 1;
  if (page > 1 && variables.pageCursor !== cursorOf(page, variables.keyword ?? ''))
    return json([{ errors: [{ message: 'cursor does not belong to this page' }], data: null }]);
  const from = (page - 1) * size;
  const rows = numbers
    .slice(from > 0 ? from - 1 : 0, from + size)
    .map((number, i) =>
      isBroken(quirk, i)
        ? { jobview: { job: { listingId: Number(digitId(ID_BASE, headOf(number, request.nowMs, request.seed))) } } }
        : listing(jobAt(number, request.nowMs, request.seed)),
    );
  const pages = Math.ceil(numbers.length / size);
  const cursors = Array.from({ length: Math.min(pages, 30) }, (_, i) => ({
    pageNumber: i + 1,
    cursor: cursorOf(i + 1, variables.keyword ?? ''),
  })).filter(({ pageNumber }) => Math.abs(pageNumber - page) <= 4);
  return json([
    { data: { jobListings: { totalJobsCount: numbers.length, paginationCursors: cursors, jobListings: rows } } },
  ]);
}

const cursorOf = (page: number, term: string): string => `AB4A-${page}-${hash32(term).toString(36)}`;

function listing(job: Job) {
  const pay = job.pay ?? job.guess;
  const hasPay = job.dice % 6 !== 0;
  const middle = (pay.min + pay.max) / 2;
  return {
    jobview: {
      header: {
        ageInDays: job.dice % 17 === 0 ? null : job.ageDays,
        easyApply: job.applyUrl === null,
        employer: { id: job.companyNumber + 1, name: job.company, shortName: job.company },
        employerNameFromSearch: job.company,
        expired: false,
        jobTitleText: job.title,
        locationName: job.isRemote ? 'Remote' : `${job.place.city}, ${job.place.regionCode}`,
        locationType: job.isRemote ? 'S' : 'C',
        payCurrency: hasPay ? pay.currency : null,
        payPeriod: hasPay ? (job.pay?.unit === 'hour' ? 'HOURLY' : 'ANNUAL') : null,
        payPeriodAdjustedPay: hasPay ? { p10: pay.min, p50: middle, p90: pay.max } : null,
        rating: 3.7,
        salarySource: hasPay ? (job.pay ? 'EMPLOYER_PROVIDED' : 'ESTIMATED') : null,
        isSponsoredJob: job.dice % 10 === 0,
        goc: job.title.toLowerCase(),
      },
      job: { jobTitleText: job.title, listingId: Number(digitId(ID_BASE, job)) },
      overview: { shortName: job.company, squareLogoUrl: `https://logos.example/${job.companyNumber}.png` },
    },
  };
}
