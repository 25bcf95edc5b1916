// Indeed, both ways in: the app's GraphQL (a hundred rows a page, a cursor, a key in a header) and the public pages with cards in a script.
// Page two repeats the last row of page one; a market shows only jobs of its country; a thousand rows is the end.
import type { Replica, SandboxReply, SandboxRequest } from '../replica.ts';
import { findJobs, type Job, type JobType, jobAt, slug } from './catalogue.ts';
import { agoText, descriptionHtml, hexId, html, isBroken, json, misbehave, money, placeText, quirkOf } from './page.ts';

const SHARE = 80;
const CAP = 1_000;
const PAGE_CARDS = 15;
const TYPE_OF_KEY: Record<string, JobType> = {
  CF3CP: 'full_time',
  '75GKK': 'part_time',
  NJXCK: 'contract',
  VDTG7: 'internship',
};
const LABELS: Record<JobType, string> = {
  full_time: 'Full-time',
  part_time: 'Part-time',
  contract: 'Contract',
  internship: 'Internship',
};
const UNITS = { year: 'YEAR', hour: 'HOUR' } as const;
const MARKETS: Record<string, string> = { www: 'US', uk: 'GB' };

export const indeed: Replica = {
  name: 'indeed',
  title: 'Indeed: the app API and the public pages',
  hosts: ['apis.indeed.com', '*.indeed.com'],
  examples: [{ url: 'https://www.indeed.com/jobs?q=software+engineer&l=Austin%2C+TX', note: 'a search page' }],
  async handle(request) {
    if (request.host === 'apis.indeed.com') return request.path === '/graphql' ? graph(request) : undefined;
    if (request.path === '/jobs') return searchPage(request);
    return request.path === '/viewjob' ? jobPage(request) : undefined;
  },
};

const stringIn = (query: string, name: string): string | null => {
  const found = new RegExp(`\\b${name}:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(query)?.[1];
  return found === undefined ? null : JSON.parse(found);
};

async function graph(request: SandboxRequest): Promise<SandboxReply> {
  if (!/^[0-9a-f]{64}$/.test(String(request.headers['indeed-api-key'] ?? '')))
    return json({ errors: [{ message: 'Unauthorized: API key missing or unknown' }] }, 403);
  const { query } = JSON.parse(await request.readBody()) as { query: string };
  const term = stringIn(query, 'what') ?? '';
  const quirk = quirkOf(term);
  const bad = misbehave(quirk);
  if (bad) return bad;
  if (quirk === 'refused')
    return json({ errors: [{ message: 'Validation error of type FieldUndefined' }], data: null });
  const hours = /start:\s*"(\d+)h"/.exec(query)?.[1];
  const keys = [
    ...(/field:\s{0,9}"attributes",\s{0,9}keys:\s{0,9}\[([^[\]]*)\]/.exec(query)?.[1] ?? '').matchAll(/"(\w+)"/g),
  ].map((match) => match[1]!);
  const numbers = findJobs({
    board: 'indeed',
    share: SHARE,
    term,
    where: stringIn(query, 'where'),
    countries: [String(request.headers['indeed-co'] ?? 'US')],
    type: keys.map((key) => TYPE_OF_KEY[key]).find((type) => type !== undefined) ?? null,
    isRemote: keys.includes('DSQF7'),
    maxAgeDays: hours === undefined ? null : Math.floor(Number(hours) / 24),
    seed: request.seed,
    nowMs: request.nowMs,
  }).slice(0, CAP);
  const limit = Math.min(100, Number(/limit:\s*(\d+)/.exec(query)?.[1] ?? 10));
  const from = Number(Buffer.from(stringIn(query, 'cursor') ?? '', 'base64url').toString() || 0);
  const shown = numbers.slice(Math.max(0, from - (from > 0 ? 1 : 0)), from + limit - (from > 0 ? 1 : 0));
  const next = from + limit - (from > 0 ? 1 : 0);
  const results = shown.map((number, i) => ({
    trackingKey: `tk${number}`,
    job: isBroken(quirk, i)
      ? { key: hexId('indeed', { number, round: 0 }), title: null }
      : apiJob(jobAt(number, request.nowMs, request.seed)),
  }));
  return json({
    data: {
      jobSearch: {
        pageInfo: { nextCursor: next < numbers.length ? Buffer.from(String(next)).toString('base64url') : null },
        results,
      },
    },
  });
}

function apiJob(job: Job) {
  const { place, pay } = job;
  const range = (amounts: { min: number; max: number }, unit: string) => ({
    unitOfWork: unit,
    range: { min: amounts.min, max: amounts.max },
  });
  return {
    key: hexId('indeed', job),
    title: job.title,
    source: { name: job.applyUrl ? job.company : 'Indeed' },
    datePublished: job.bornMs - (job.dice % 4) * 86_400_000,
    dateOnIndeed: job.bornMs,
    description: { html: descriptionHtml(job) },
    location: {
      countryCode: place.country,
      countryName: place.countryName,
      admin1Code: place.regionCode,
      city: job.isRemote ? null : place.city,
      formatted: { short: job.isRemote ? 'Remote' : placeText(job), long: job.isRemote ? 'Remote' : placeText(job) },
    },
    compensation:
      job.dice % 9 === 0
        ? null
        : {
            currencyCode: pay?.currency ?? null,
            baseSalary: pay ? range(pay, UNITS[pay.unit]) : null,
            estimated: pay ? null : { currencyCode: job.guess.currency, baseSalary: range(job.guess, 'YEAR') },
          },
    attributes: attributesOf(job),
    employer:
      job.dice % 13 === 0
        ? null
        : {
            name: job.company,
            relativeCompanyPageUrl: `/cmp/${slug(job.company)}`,
            dossier:
              job.dice % 7 === 0
                ? null
                : {
                    employerDetails: {
                      addresses: [`1 Mill Lane, ${place.city}`],
                      industry: 'Iv1SOFTWARE_DEVELOPMENT',
                      employeesLocalizedLabel: '51 to 200',
                      revenueLocalizedLabel: '$5M to $25M (USD)',
                      briefDescription: job.opening,
                      ceoName: null,
                      ceoPhotoUrl: null,
                    },
                    images: { headerImageUrl: null, squareLogoUrl: `https://logos.example/${job.companyNumber}.png` },
                    links: { corporateWebsite: `https://${slug(job.company)}.example` },
                  },
          },
    recruit: job.applyUrl ? { viewJobUrl: job.applyUrl, detailedSalary: null, workSchedule: null } : null,
  };
}

function attributesOf(job: Job): { key: string; label: string }[] {
  const type = Object.entries(TYPE_OF_KEY).find(([, name]) => name === job.type)![0];
  return [
    { key: type, label: LABELS[job.type] },
    ...(job.isRemote ? [{ key: 'DSQF7', label: 'Remote' }] : []),
    ...(job.isHybrid ? [{ key: 'PAXZC', label: 'Hybrid work' }] : []),
    { key: 'HW4J4', label: '401(k)' },
  ];
}

const marketOf = (host: string): string => {
  const name = host.split('.')[0]!;
  return MARKETS[name] ?? name.toUpperCase();
};

function searchPage(request: SandboxRequest): SandboxReply {
  const { query } = request;
  const term = query.get('q') ?? '';
  const quirk = quirkOf(term);
  const bad = misbehave(quirk);
  if (bad) return bad;
  const keys = [...(query.get('sc') ?? '').matchAll(/attr\((\w+)\)/g)].map((match) => match[1]!);
  const numbers = findJobs({
    board: 'indeed',
    share: SHARE,
    term,
    where: query.get('l'),
    countries: [marketOf(request.host)],
    type: keys.map((key) => TYPE_OF_KEY[key]).find((type) => type !== undefined) ?? null,
    isRemote: keys.includes('DSQF7'),
    maxAgeDays: query.get('fromage') === null ? null : Number(query.get('fromage')),
    seed: request.seed,
    nowMs: request.nowMs,
  }).slice(0, CAP);
  const start = Number(query.get('start') ?? 0);
  const cards = numbers
    .slice(start, start + PAGE_CARDS)
    .map((number, i) => card(jobAt(number, request.nowMs, request.seed), isBroken(quirk, i)));
  if (cards.length === 0)
    return html(
      `<html><head><title>Jobs</title></head><body><p>The search ${'did not match any jobs'}. No results found.</p></body></html>`,
    );
  const payload = { metaData: { mosaicProviderJobCardsModel: { results: cards } } };
  return html(`<!DOCTYPE html><html><head><title>${term} jobs</title></head><body><div id="mosaic-provider-jobcards"></div>
<script>if (window.mosaic.providerData["mosaic-provider-jobcards"]) { log(); }</script>
<script>window.mosaic.providerData["mosaic-provider-jobcards"]=${JSON.stringify(payload).replace(/</g, '\\u003c')};window.mosaic.ready();</script></body></html>`);
}

function card(job: Job, isUnreadable: boolean) {
  const { pay, place } = job;
  const text = pay
    ? `${money(pay.min, pay.currency)} - ${money(pay.max, pay.currency)} ${pay.unit === 'hour' ? 'an hour' : 'a year'}`
    : undefined;
  return {
    jobkey: isUnreadable ? null : hexId('indeed', job),
    title: job.title,
    displayTitle: job.title,
    company: job.company,
    companyRating: (job.companyNumber % 20) / 4,
    companyReviewCount: job.companyNumber,
    formattedLocation: job.isRemote ? 'Remote' : placeText(job),
    jobLocationCity: job.isRemote ? undefined : place.city,
    jobLocationState: place.regionCode,
    pubDate: job.bornMs,
    createDate: job.bornMs,
    formattedRelativeTime: agoText(job.ageDays),
    snippet: `<ul><li>${job.duties[0]}</li></ul>`,
    jobTypes: [LABELS[job.type]],
    taxonomyAttributes: [{ label: 'job-types', attributes: [{ label: LABELS[job.type], suid: 'CF3CP' }] }],
    remoteLocation: job.isRemote,
    ...(job.isHybrid ? { remoteWorkModel: { type: 'REMOTE_HYBRID', text: 'Hybrid work' } } : {}),
    thirdPartyApplyUrl: job.applyUrl ?? undefined,
    indeedApplyEnabled: job.applyUrl === null,
    sponsored: job.dice % 6 === 0,
    expired: false,
    extractedSalary: pay ? { min: pay.min, max: pay.max, type: pay.unit === 'hour' ? 'hourly' : 'yearly' } : null,
    salarySnippet: { currency: pay?.currency ?? '', source: pay ? 'EXTRACTION' : undefined, text },
  };
}

/** The number is not in the key, so the page is about some job of the day: the text is what is asked for. */
function jobPage(request: SandboxRequest): SandboxReply | undefined {
  const key = request.query.get('jk');
  if (!key || !/^[0-9a-f]{16}$/.test(key)) return undefined;
  const job = jobAt(Number.parseInt(key.slice(0, 6), 16) % 100_000, request.nowMs, request.seed);
  const ld = {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: job.title,
    description: descriptionHtml(job),
  };
  const script =
    job.dice % 3 === 0
      ? ''
      : `<script type="application/ld+json">${JSON.stringify(ld).replace(/</g, '\\u003c')}</script>`;
  return html(
    `<html><head><title>${job.title}</title>${script}</head><body><div id="jobDescriptionText">${descriptionHtml(job)}</div></body></html>`,
  );
}
