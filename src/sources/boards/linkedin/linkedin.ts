// LinkedIn as guests see it: fragments of ten cards, and one more request for each description.
// What a reader would get wrong: a page has ten cards, not twenty-five, and the next begins after as many as came. The date stands under one of two
// class names. Status 400 and an empty fragment are the end; a redirect to the login page is a block.
import { z } from 'zod';
import { all, attr, type Element, one, parse, text } from '../../../extract/html/html.ts';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web, WebResponse } from '../../../web/port.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import type { RowReader } from '../../postings/listing.ts';
import { BoardParams, warnIgnored } from '../params.ts';
import { whyNoRows } from '../read.ts';
import { openSearch } from '../search.ts';
import { type JobDetail, readDetail } from './linkedin-detail.ts';

const SEARCH = 'https://www.linkedin.com/jobs-guest/jobs/api/seeMoreJobPostings/search';
const DETAIL = 'https://www.linkedin.com/jobs-guest/jobs/api/jobPosting/';
const CAP = 1_000;
const JOB_TYPES = { fulltime: 'F', parttime: 'P', internship: 'I', contract: 'C' } as const;

export const linkedin = defineSource({
  name: 'linkedin',
  title: 'LinkedIn',
  kind: 'posting',
  lane: 'http',
  hosts: ['www.linkedin.com'],
  pace: { concurrency: 1, delayMs: 3_000 },
  policy: { identity: 'browser' },
  params: BoardParams,
  async *scrape(params, web, notes) {
    warnIgnored(params, 'LinkedIn', ['country'], web);
    if (params.easy_apply) web.warn('LinkedIn ignores easy_apply for visitors without an account');
    const search = openSearch({ source: 'linkedin', params, web, notes, cap: CAP });
    const reader = linkedinCards(params.is_remote);
    const ask = (id: string) => detailOf(id, web);
    for (let start = search.resumeAt(z.int()) ?? params.offset; start < CAP && !search.isFull; ) {
      search.reached(start);
      const cards = await search.pageOrNull(() => cardsAt(params, start, web));
      if (cards === null) {
        start += 10;
        continue;
      }
      if (cards.length === 0) break;
      start += cards.length;
      yield* search.takeDetailed(cards, reader, params.fetch_description ? { ask } : null);
    }
    search.finish();
  },
});

function searchUrl(params: BoardParams, start: number): string {
  const url = new URL(SEARCH);
  const set = (name: string, value: string | number | undefined) =>
    value !== undefined && url.searchParams.set(name, String(value));
  set('keywords', params.search_term);
  set('location', params.location);
  set('distance', params.distance);
  set('f_TPR', params.hours_old === undefined ? undefined : `r${params.hours_old * 3_600}`);
  set('f_JT', params.job_type && JOB_TYPES[params.job_type]);
  set('f_WT', params.is_remote ? 2 : undefined);
  set('f_C', params.company_ids?.join(','));
  set('f_AL', params.easy_apply ? 'true' : undefined);
  set('pageNum', 0);
  set('start', start);
  return url.href;
}

async function cardsAt(params: BoardParams, start: number, web: Web): Promise<Element[]> {
  const page = await web.get(searchUrl(params, start), { accept: [400] });
  return page.status === 400 ? [] : cardsOf(page, web);
}

export function cardsOf(page: WebResponse, web: Web): Element[] {
  refuseWall(page);
  const cards = all(parse(page.text), '.base-search-card');
  if (cards.length > 0) return cards;
  // The end of a search is a fragment without cards and without words.
  const problem = text(parse(page.text)) === '' ? null : whyNoRows(page, web);
  if (problem !== null) throw problem;
  return [];
}

function refuseWall(page: WebResponse): void {
  if (/\/(?:authwall|signup|login|checkpoint)\b/.test(new URL(page.url).pathname))
    throw new AppError('blocked', 'LinkedIn asks visitors to log in');
}

async function detailOf(id: string, web: Web): Promise<JobDetail> {
  const page = await web.get(`${DETAIL}${id}`);
  refuseWall(page);
  const detail = readDetail(page.text);
  if (detail === null) throw new AppError('blocked', 'the page of the posting shows nothing to visitors');
  return detail;
}

export function linkedinCards(isRemoteSearch: boolean): RowReader<Element, JobDetail> {
  return {
    row: z.custom<Element>(),
    idOf: (card) => idOf(card as Element),
    toAdvert: (card, _, detail) => fromCard(card, detail, isRemoteSearch),
  };
}

function idOf(card: Element): string | null {
  const urn = /urn:li:jobPosting:(\d+)/.exec(attr(card, 'data-entity-urn') ?? '')?.[1];
  return urn ?? /-(\d{6,})\/?$/.exec(pathOf(linkOf(card)))?.[1] ?? null;
}

const linkOf = (card: Element): string | null =>
  attr(card.name === 'a' ? card : one(card, 'a.base-card__full-link'), 'href');
const pathOf = (url: string | null): string => (url !== null && URL.canParse(url) ? new URL(url).pathname : '');

const ORIGINS = prefixed('selector', {
  id: '.base-search-card@data-entity-urn | a.base-card__full-link@href',
  title: 'h3.base-search-card__title | span.sr-only | .top-card-layout__title',
  url: 'a.base-card__full-link@href | =computed',
  applyUrl: 'code#applyUrl',
  company: 'h4.base-search-card__subtitle | a.topcard__org-name-link | .topcard__flavor',
  companyUrl: 'h4.base-search-card__subtitle a@href',
  companyLogo: 'img.artdeco-entity-image@data-delayed-url | img.artdeco-entity-image@src',
  industry: '.description__job-criteria-item',
  places: '.job-search-card__location | .topcard__flavor--bullet',
  remote: '=request:is_remote',
  types: '.description__job-criteria-item',
  payText: '.job-search-card__salary-info | .compensation__salary, .salary',
  html: '.show-more-less-html__markup, .description__text',
  posted: 'time.job-search-card__listdate@datetime | time.job-search-card__listdate | .posted-time-ago__text',
  isClosed: '.closed-job__flavor--closed',
  jobFunction: '.description__job-criteria-item',
  level: '.description__job-criteria-item',
  listing_type: '.job-search-card__promoted',
});

function fromCard(card: Element, detail: JobDetail | null, isRemoteSearch: boolean): Advert {
  const id = idOf(card) as string;
  const at = (selector: string) => one(card, selector);
  const subtitle = at('h4.base-search-card__subtitle');
  const companyLink = one(subtitle ?? [], 'a');
  const date = at('time.job-search-card__listdate, time.job-search-card__listdate--new');
  const shown = text(at('h3.base-search-card__title')) || text(at('span.sr-only')) || detail?.title;
  return {
    id,
    title: shown,
    url: withoutQuery(linkOf(card)) ?? `https://www.linkedin.com/jobs/view/${id}`,
    applyUrl: detail?.applyUrl ?? null,
    company: text(companyLink) || text(subtitle) || detail?.company,
    companyUrl: withoutQuery(attr(companyLink, 'href')),
    companyLogo:
      attr(at('img.artdeco-entity-image'), 'data-delayed-url') ?? attr(at('img.artdeco-entity-image'), 'src'),
    industry: detail?.industries ?? null,
    places: [{ text: text(at('.job-search-card__location')) || detail?.location }],
    remote: isRemoteSearch ? 'remote' : null,
    types: [detail?.employmentType],
    payText: text(at('.job-search-card__salary-info')) || detail?.salary,
    html: detail?.html ?? null,
    posted: attr(date, 'datetime') ?? (text(date) || detail?.posted),
    isClosed: detail?.isClosed ?? false,
    jobFunction: detail?.jobFunction ?? null,
    level: detail?.seniority ?? null,
    // Read only where it is asked for: it is the whole card once more.
    get raw() {
      return { id, card: text(card) };
    },
    origins: ORIGINS,
    more: { listing_type: /promoted/i.test(text(at('.job-search-card__promoted'))) ? 'sponsored' : 'organic' },
  };
}

function withoutQuery(url: string | null): string | null {
  const at = url?.indexOf('?') ?? -1;
  return at < 0 ? url : url!.slice(0, at);
}
