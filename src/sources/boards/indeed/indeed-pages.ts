// Indeed's public pages: cards as JSON inside a script, descriptions on a page each.
// What a reader would get wrong: the name of the script variable occurs several times; only the assignment holds the cards.

import { z } from 'zod';
import { one, parse } from '../../../extract/html/html.ts';
import { jsonLd, ofType } from '../../../extract/html/structured.ts';
import { markup } from '../../../extract/posting/markup.ts';
import type { Posting, RemoteType } from '../../../model/posting/posting.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import { absoluteUrl } from '../../../model/url.ts';
import type { Web, WebResponse } from '../../../web/port.ts';
import type { Notes } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import type { RowReader } from '../../postings/listing.ts';
import { idIn } from '../../postings/text.ts';
import { type Market, marketOf } from '../market.ts';
import type { BoardParams } from '../params.ts';
import { balancedJson, whyNoRows } from '../read.ts';
import { openSearch } from '../search.ts';

const CARDS = 'window.mosaic.providerData["mosaic-provider-jobcards"]';
const CAP = 1_000;
/** The usual number; a page that could not be read is passed over by it. */
const PAGE_ROWS = 10;
const JOB_TYPES = {
  fulltime: 'CF3CP',
  parttime: '75GKK',
  contract: 'NJXCK',
  internship: 'VDTG7',
} as const;

const text = z.string().nullish();
const Card = z.object({
  jobkey: z.string().min(1),
  title: z.string().nullish(),
  displayTitle: text,
  company: text,
  companyRating: z.number().nullish(),
  companyReviewCount: z.number().nullish(),
  companyOverviewLink: text,
  formattedLocation: text,
  jobLocationCity: text,
  jobLocationState: text,
  pubDate: z.number().nullish(),
  createDate: z.number().nullish(),
  formattedRelativeTime: text,
  snippet: text,
  jobTypes: z.array(z.string()).nullish(),
  taxonomyAttributes: z
    .array(z.object({ label: z.string(), attributes: z.array(z.object({ label: z.string() })) }))
    .nullish(),
  remoteLocation: z.boolean().nullish(),
  remoteWorkModel: z.object({ type: text, text }).nullish(),
  thirdPartyApplyUrl: text,
  indeedApplyEnabled: z.boolean().nullish(),
  sponsored: z.boolean().nullish(),
  expired: z.boolean().nullish(),
  hiringMultipleCandidatesModel: z.object({ hiresNeededExact: text }).nullish(),
  extractedSalary: z.object({ min: z.number().nullish(), max: z.number().nullish(), type: text }).nullish(),
  salarySnippet: z.object({ text, currency: text, source: text }).nullish(),
});
type Card = z.infer<typeof Card>;

const Payload = z.object({
  metaData: z.object({ mosaicProviderJobCardsModel: z.object({ results: z.array(z.unknown()) }) }),
});

export async function* scrapeIndeedPages(
  params: BoardParams,
  web: Web,
  notes: Notes | undefined,
): AsyncGenerator<Posting> {
  const market = marketOf(params.country);
  const search = openSearch({ source: 'indeed', params, web, notes, cap: CAP });
  const reader = indeedCards(market);
  const ask = async (id: string) => jobPage((await web.get(jobUrl(market, id))).text);
  for (let start = search.resumeAt(z.int()) ?? params.offset; start < CAP && !search.isFull; ) {
    search.reached(start);
    const cards = await search.pageOrNull(async () => cardsOf(await web.get(searchUrl(params, market, start)), web));
    if (cards === null) {
      start += PAGE_ROWS;
      continue;
    }
    if (cards.length === 0) break;
    start += cards.length;
    yield* search.takeDetailed(cards, reader, params.fetch_description ? { ask } : null);
  }
  search.finish();
}

const jobUrl = (market: Market, key: string) => `https://${market.indeed}.indeed.com/viewjob?jk=${key}`;

function searchUrl(params: BoardParams, market: Market, start: number): string {
  const url = new URL(`https://${market.indeed}.indeed.com/jobs`);
  url.searchParams.set('q', params.search_term);
  if (params.location !== undefined) url.searchParams.set('l', params.location);
  if (params.distance !== undefined) url.searchParams.set('radius', String(params.distance));
  if (params.hours_old !== undefined)
    url.searchParams.set('fromage', String(Math.max(1, Math.ceil(params.hours_old / 24))));
  const attributes = [...(params.job_type ? [JOB_TYPES[params.job_type]] : []), ...(params.is_remote ? ['DSQF7'] : [])];
  if (attributes.length > 0) url.searchParams.set('sc', `0kf:${attributes.map((key) => `attr(${key})`).join('')};`);
  if (params.easy_apply) url.searchParams.set('iafilter', '1');
  if (start > 0) url.searchParams.set('start', String(start));
  return url.href;
}

/** The cards of a search page; none only where the page says itself that there are none. */
export function cardsOf(page: WebResponse, web: Web): unknown[] {
  for (let at = page.text.indexOf(CARDS); at >= 0; at = page.text.indexOf(CARDS, at + 1)) {
    const brace = /^\s*=\s*(?=\{)/.exec(page.text.slice(at + CARDS.length, at + CARDS.length + 20));
    if (!brace) continue;
    const payload = Payload.safeParse(balancedJson(page.text, at + CARDS.length + brace[0].length));
    if (payload.success) return payload.data.metaData.mosaicProviderJobCardsModel.results;
  }
  const problem = whyNoRows(page, web);
  if (problem !== null) throw problem;
  return [];
}

/** The description of a job page, from its JSON-LD or from the page itself. */
export function jobPage(html: string): string | null {
  const doc = parse(html);
  const [posting] = ofType(jsonLd(doc), 'JobPosting');
  if (typeof posting?.description === 'string' && posting.description !== '') return posting.description;
  const box = one(doc, '#jobDescriptionText');
  return box && markup(box);
}

export function indeedCards(market: Market): RowReader<Card, string | null> {
  return {
    row: Card,
    idOf: (raw) => idIn(raw, 'jobkey'),
    toAdvert: (card, raw, html) => fromCard(card, raw, html, market),
  };
}

const ORIGINS = prefixed('api', {
  id: 'results[].jobkey',
  title: 'results[].displayTitle | results[].title',
  url: '=computed',
  applyUrl: 'results[].thirdPartyApplyUrl',
  company: 'results[].company',
  companyUrl: 'results[].companyOverviewLink',
  places: 'results[].formattedLocation | results[].jobLocationCity',
  remote: 'results[].remoteWorkModel.type | results[].remoteLocation',
  types: 'results[].jobTypes | results[].taxonomyAttributes[]',
  pay: 'results[].extractedSalary',
  payText: 'results[].salarySnippet.text',
  html: '=json-ld:description | =selector:#jobDescriptionText | results[].snippet',
  posted: 'results[].pubDate | results[].formattedRelativeTime',
  isClosed: 'results[].expired',
  vacancies: 'results[].hiringMultipleCandidatesModel.hiresNeededExact',
  listed: 'results[].createDate',
  company_rating: 'results[].companyRating',
  company_reviews_count: 'results[].companyReviewCount',
  listing_type: 'results[].sponsored | results[].indeedApplyEnabled',
});

function fromCard(card: Card, raw: unknown, html: string | null, market: Market): Advert {
  const labels = (name: string) =>
    card.taxonomyAttributes
      ?.filter(({ label }) => label === name)
      .flatMap(({ attributes }) => attributes.map(({ label }) => label)) ?? [];
  const pay = card.extractedSalary;
  return {
    id: card.jobkey,
    title: card.displayTitle ?? card.title,
    url: jobUrl(market, card.jobkey),
    applyUrl: directUrl(card),
    company: card.company,
    companyUrl: absoluteUrl(card.companyOverviewLink, `https://${market.indeed}.indeed.com`),
    places: [
      {
        text: card.formattedLocation,
        city: card.jobLocationCity,
        region: card.jobLocationState,
        country: market.country,
      },
    ],
    remote: remoteOf(card),
    types: [...new Set([...(card.jobTypes ?? []), ...labels('job-types'), ...labels('job-types-cc')])],
    pay: pay
      ? {
          min: pay.min,
          max: pay.max,
          currency: card.salarySnippet?.currency,
          interval: pay.type,
          raw: card.salarySnippet?.text,
        }
      : null,
    payText: card.salarySnippet?.text,
    html: html ?? card.snippet,
    posted: card.pubDate ?? card.formattedRelativeTime,
    isClosed: card.expired ?? false,
    vacancies: card.hiringMultipleCandidatesModel?.hiresNeededExact
      ? Number(card.hiringMultipleCandidatesModel.hiresNeededExact) || null
      : null,
    raw,
    origins: ORIGINS,
    listed: card.createDate,
    more: {
      company_rating: card.companyRating || null,
      company_reviews_count: card.companyReviewCount || null,
      listing_type: card.sponsored ? 'sponsored' : card.indeedApplyEnabled ? 'easy_apply' : 'organic',
    },
  };
}

/** Indeed's own redirect says nothing about the employer. */
function directUrl({ thirdPartyApplyUrl: url }: Card): string | null {
  return url && URL.canParse(url) && !/(?:^|\.)indeed\.com$/.test(new URL(url).hostname) ? url : null;
}

function remoteOf(card: Card): RemoteType | null {
  const type = card.remoteWorkModel?.type;
  if (type === 'REMOTE_HYBRID') return 'hybrid';
  return type === 'REMOTE_ALWAYS' || card.remoteLocation === true ? 'remote' : null;
}
