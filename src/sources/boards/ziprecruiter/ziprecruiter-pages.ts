// ZipRecruiter's public pages: an empty shell with everything in one JSON script. Numbers stand for words there.
import { z } from 'zod';
import { one, parse } from '../../../extract/html/html.ts';
import type { Posting } from '../../../model/posting/posting.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web, WebResponse } from '../../../web/port.ts';
import type { Notes } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import type { RowReader } from '../../postings/listing.ts';
import { idIn } from '../../postings/text.ts';
import type { BoardParams } from '../params.ts';
import { readJsonPage, whyNoRows } from '../read.ts';
import { openSearch } from '../search.ts';
import { jobUrl, readJob, type ZipDetail } from './ziprecruiter-api.ts';

const SITE = 'https://www.ziprecruiter.com';
const PAGE_ROWS = 20;
const TYPES = ['', 'full_time', 'part_time', 'contract', 'internship', 'temporary'];
const INTERVALS = ['', 'hour', 'day', 'week', 'month', 'year'];

const text = z.string().nullish();
const Pay = z
  .object({ min: z.number().nullish(), max: z.number().nullish(), interval: z.number().nullish(), currency: text })
  .nullish();
const Card = z.object({
  listingKey: z.string().min(1),
  title: z.string().min(1),
  company: z.object({ name: text }).nullish(),
  location: z.object({ city: text, state: text, stateCode: text, countryCode: text }).nullish(),
  employmentTypes: z.array(z.object({ name: z.union([z.number(), z.string()]) })).nullish(),
  pay: Pay,
  shortDescription: text,
  rawCanonicalZipJobPageUrl: text,
  applyButtonConfig: z.object({ rawCanonicalZipJobPageUrl: text, externalApplyUrl: text }).nullish(),
  postedAt: text,
});
type Card = z.infer<typeof Card>;
const Payload = z.object({
  hydrateJobCardsResponse: z.object({ jobCards: z.array(z.unknown()) }),
  page: z.number().nullish(),
  maxPages: z.number().nullish(),
  getJobDetailsResponse: z
    .object({
      jobDetails: z.object({ listingKey: z.string(), htmlFullDescription: text, externalApplyUrl: text }).nullish(),
    })
    .nullish(),
});
type Payload = z.infer<typeof Payload>;

export async function* scrapeZipPages(
  params: BoardParams,
  web: Web,
  notes: Notes | undefined,
): AsyncGenerator<Posting> {
  const search = openSearch({ source: 'ziprecruiter', params, web, notes, skip: params.offset % PAGE_ROWS });
  if (params.job_type || params.easy_apply)
    web.warn('the public pages of ZipRecruiter have no use for job_type and easy_apply');
  let maxPages = 1_000;
  const first = search.resumeAt(z.int()) ?? 1 + Math.floor(params.offset / PAGE_ROWS);
  for (let page = first; page <= maxPages && !search.isFull; page++) {
    search.reached(page);
    const payload = await search.pageOrNull(async () => payloadOf(await web.get(searchUrl(params, page)), web));
    if (payload === null) continue;
    maxPages = payload.maxPages ?? maxPages;
    const cards = payload.hydrateJobCardsResponse.jobCards;
    if (cards.length === 0) break;
    const ask = async (id: string) =>
      selected(payload, id) ?? (params.fetch_description ? await readJob(id, web) : null);
    yield* search.takeDetailed(cards, cardRows, { ask });
  }
  search.finish();
}

const cardRows: RowReader<Card, ZipDetail | null> = {
  row: Card,
  idOf: (raw) => idIn(raw, 'listingKey'),
  toAdvert: fromCard,
};

function searchUrl(params: BoardParams, page: number): string {
  const url = new URL(page === 1 ? `${SITE}/candidate/search` : `${SITE}/jobs-search`);
  const set = (name: string, value: string | number | undefined) =>
    value !== undefined && url.searchParams.set(name, String(value));
  set('search', params.search_term);
  set('location', params.location);
  set('days_ago', params.hours_old === undefined ? undefined : Math.max(1, Math.ceil(params.hours_old / 24)));
  set('remote', params.is_remote ? 'full' : undefined);
  set('radius', params.distance);
  set('page', page === 1 ? undefined : page);
  return url.href;
}

function payloadOf(page: WebResponse, web: Web): Payload {
  const script = one(parse(page.text), 'script#js_variables');
  const said = script?.children.map((child) => ('data' in child ? child.data : '')).join('') ?? '';
  if (said.trim() === '') {
    const problem = whyNoRows(page, web);
    if (problem !== null) throw problem;
    return { hydrateJobCardsResponse: { jobCards: [] } };
  }
  return readJsonPage({ ...page, text: said }, Payload, web);
}

/** Each page carries the full text of one of its cards. */
function selected(payload: Payload, key: string): ZipDetail | null {
  const detail = payload.getJobDetailsResponse?.jobDetails;
  return detail?.listingKey === key
    ? { html: detail.htmlFullDescription ?? null, applyUrl: detail.externalApplyUrl ?? null }
    : null;
}

const ORIGINS = prefixed('api', {
  id: 'jobCards[].listingKey',
  title: 'jobCards[].title',
  url: '=computed',
  applyUrl: 'jobDetails.externalApplyUrl | jobCards[].applyButtonConfig.externalApplyUrl',
  company: 'jobCards[].company.name',
  places: 'jobCards[].location',
  types: 'jobCards[].employmentTypes[].name',
  pay: 'jobCards[].pay',
  html: 'jobDetails.htmlFullDescription | jobCards[].shortDescription',
  posted: 'jobCards[].postedAt',
});

function fromCard(card: Card, raw: unknown, detail: ZipDetail | null): Advert {
  const named = (codes: string[], code: number | string | null | undefined) =>
    typeof code === 'number' ? codes[code] : code;
  return {
    id: card.listingKey,
    title: card.title,
    url: jobUrl(card.listingKey),
    applyUrl: detail?.applyUrl ?? card.applyButtonConfig?.externalApplyUrl,
    company: card.company?.name,
    places: [
      {
        city: card.location?.city,
        region: card.location?.stateCode ?? card.location?.state,
        country: card.location?.countryCode,
      },
    ],
    types: (card.employmentTypes ?? []).map(({ name }) => named(TYPES, name)),
    pay: card.pay
      ? {
          min: card.pay.min,
          max: card.pay.max,
          currency: card.pay.currency,
          interval: named(INTERVALS, card.pay.interval),
        }
      : null,
    html: detail?.html ?? card.shortDescription,
    posted: card.postedAt,
    raw,
    origins: ORIGINS,
  };
}
