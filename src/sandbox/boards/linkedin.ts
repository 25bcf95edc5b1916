// LinkedIn for guests: fragments of ten cards by offset, a fragment for each posting. Some postings are closed, some are gone, some cards have no link
// to the company, no date, or the date under its other name; the card is now a div, now a link.
import type { Replica, SandboxReply, SandboxRequest } from '../replica.ts';
import { findJobs, type Job, type JobType, jobAt, slug } from './catalogue.ts';
import {
  agoText,
  dayText,
  descriptionHtml,
  digitId,
  esc,
  html,
  isBroken,
  misbehave,
  money,
  numberOfDigits,
  placeText,
  quirkOf,
} from './page.ts';

const SHARE = 60;
const CAP = 1_000;
const PAGE_CARDS = 10;
const ID_BASE = 4_000_000_000;
const TYPES: Record<string, JobType> = { F: 'full_time', P: 'part_time', C: 'contract', I: 'internship' };
const TYPE_NAMES: Record<JobType, string> = {
  full_time: 'Full-time',
  part_time: 'Part-time',
  contract: 'Contract',
  internship: 'Internship',
};

export const linkedin: Replica = {
  name: 'linkedin',
  title: 'LinkedIn as guests see it',
  hosts: ['www.linkedin.com', '*.linkedin.com'],
  examples: [
    {
      url: 'https://www.linkedin.com/jobs-guest/jobs/api/seeMoreJobPostings/search?keywords=nurse&start=0',
      note: 'ten cards',
    },
  ],
  handle(request) {
    if (request.path === '/jobs-guest/jobs/api/seeMoreJobPostings/search') return searchFragment(request);
    if (request.path === '/authwall')
      return html(
        '<html><head><title>Sign in</title></head><body><form action="/login"><h1>Join LinkedIn</h1></form></body></html>',
      );
    const id = /^\/jobs(?:-guest\/jobs\/api\/jobPosting\/|\/view\/(?:.*-)?)(\d+)$/.exec(request.path)?.[1];
    return id === undefined ? undefined : detail(request, id);
  },
};

function searchFragment(request: SandboxRequest): SandboxReply {
  const { query } = request;
  const quirk = quirkOf(query.get('keywords'));
  const bad = misbehave(quirk);
  if (bad) return bad;
  if (quirk === 'walled')
    return { ...html('', 302), headers: { location: 'https://www.linkedin.com/authwall?trk=jobs' } };
  const start = Number(query.get('start') ?? 0);
  if (start >= CAP) return html('', 400);
  const seconds = /^r(\d+)$/.exec(query.get('f_TPR') ?? '')?.[1];
  const numbers = findJobs({
    board: 'linkedin',
    share: SHARE,
    term: query.get('keywords') ?? '',
    where: query.get('location'),
    type: TYPES[query.get('f_JT') ?? ''] ?? null,
    isRemote: query.get('f_WT') === '2',
    maxAgeDays: seconds === undefined ? null : Math.floor(Number(seconds) / 86_400),
    seed: request.seed,
    nowMs: request.nowMs,
  });
  const cards = numbers
    .slice(start, start + PAGE_CARDS)
    .map((number, i) => card(jobAt(number, request.nowMs, request.seed), isBroken(quirk, i)));
  return html(cards.length === 0 ? '' : `<!DOCTYPE html>\n${cards.join('\n')}`);
}

const titleSlug = (job: Job) => `${slug(job.title)}-at-${slug(job.company)}`;

function card(job: Job, isUnreadable: boolean): string {
  const id = digitId(ID_BASE, job);
  const link = `https://www.linkedin.com/jobs/view/${isUnreadable ? 'x' : `${titleSlug(job)}-${id}`}?position=1&amp;pageNum=0&amp;refId=abc&amp;trackingId=def`;
  const urn = isUnreadable ? '' : `data-entity-urn="urn:li:jobPosting:${id}"`;
  const isLink = job.dice % 5 === 0;
  const company =
    job.dice % 8 === 0
      ? esc(job.company)
      : `<a class="hidden-nested-link" href="https://www.linkedin.com/company/${slug(job.company)}?trk=public_jobs">${esc(job.company)}</a>`;
  const date =
    job.dice % 11 === 0
      ? ''
      : `<time class="job-search-card__listdate${job.ageDays < 2 ? '--new' : ''}" datetime="${dayText(job.bornMs)}">${agoText(job.ageDays)}</time>`;
  const pay =
    job.pay && job.dice % 2 === 0
      ? `<span class="job-search-card__salary-info">\n ${money(job.pay.min, job.pay.currency)}\n - \n ${money(job.pay.max, job.pay.currency)} </span>`
      : '';
  const inner = `${isLink ? '' : `<a class="base-card__full-link" href="${link}"><span class="sr-only">${esc(job.title)}</span></a>`}
<div class="search-entity-media"><img class="artdeco-entity-image" data-delayed-url="https://logos.example/${job.companyNumber}.png" alt></div>
<div class="base-search-card__info"><h3 class="base-search-card__title">\n  ${esc(job.title)}\n </h3><h4 class="base-search-card__subtitle">${company}</h4>
<div class="base-search-card__metadata"><span class="job-search-card__location">${esc(placeText(job))}</span>${pay}${date}</div></div>`;
  return isLink
    ? `<li><a class="base-card base-card--link base-search-card base-search-card--link job-search-card" href="${link}" ${urn}>${inner}</a></li>`
    : `<li><div class="base-card base-card--link base-search-card job-search-card" ${urn}>${inner}</div></li>`;
}

function detail(request: SandboxRequest, id: string): SandboxReply | undefined {
  const number = numberOfDigits(id, ID_BASE);
  if (!(number >= 0)) return undefined;
  const job = jobAt(number, request.nowMs, request.seed);
  if (job.dice % 97 === 5) return undefined;
  const criteria = [
    [
      'Seniority level',
      /Senior|Lead|Staff|Principal/.test(job.title)
        ? 'Mid-Senior level'
        : job.type === 'internship'
          ? 'Internship'
          : 'Not Applicable',
    ],
    ['Employment type', TYPE_NAMES[job.type]],
    ['Job function', 'Engineering and Information Technology'],
    ['Industries', 'Software Development'],
  ];
  const closed =
    job.dice % 50 === 7
      ? '<figure class="closed-job"><figcaption class="closed-job__flavor--closed">No longer accepting applications</figcaption></figure>'
      : '';
  const apply =
    job.applyUrl && job.dice % 3 === 0
      ? `<code id="applyUrl" style="display: none"><!--"https://www.linkedin.com/jobs/view/externalApply/${id}?url=${encodeURIComponent(job.applyUrl)}&amp;urlHash=x"--></code>`
      : '';
  return html(`<section class="top-card-layout"><h2 class="top-card-layout__title topcard__title">${esc(job.title)}</h2>
<a class="topcard__org-name-link" href="https://www.linkedin.com/company/${slug(job.company)}">${esc(job.company)}</a><span class="topcard__flavor topcard__flavor--bullet">${esc(placeText(job))}</span>
<span class="posted-time-ago__text">${agoText(job.ageDays)}</span>${closed}</section>${apply}
<div class="description__text"><section class="show-more-less-html"><div class="show-more-less-html__markup">${descriptionHtml(job)}</div></section></div>
<ul class="description__job-criteria-list">${criteria.map(([name, value]) => `<li class="description__job-criteria-item"><h3 class="description__job-criteria-subheader">${name}</h3><span class="description__job-criteria-text">${value}</span></li>`).join('')}</ul>`);
}
