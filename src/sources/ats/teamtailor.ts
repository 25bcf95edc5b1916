// Teamtailor: an RSS feed in pages of 100 with elements of its own for places, departments and remote work, and a JSON Feed where there is no
// RSS. `remoteStatus` none is what most postings have and means that nobody said anything.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import type { Posting } from '../../model/posting/posting.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web } from '../../web/port.ts';
import { defineSource, type Notes } from '../define.ts';
import type { Advert } from '../postings/advert.ts';
import { getPinned, nextPage, PLAIN_HTTP, readJson } from '../postings/fetch.ts';
import { jobPostingAdvert } from '../postings/job-posting.ts';
import { type Listing, openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { idIn, nonEmptyText, unescapeHtml } from '../postings/text.ts';
import { child, childText, elements, parseXml, type XmlElement } from '../postings/xml.ts';

const PAGE_ROWS = 100;
const MAX_PAGES = 100;
const MAX_TRIES = 3;

const REMOTE: Record<string, Advert['remote']> = { fully: 'remote', hybrid: 'hybrid', onsite: 'onsite' };

/** The number in `/jobs/7793185-title`: the same in every feed of the site. */
function numberIn(url: string | null): string | null {
  return /\/jobs\/(\d+)/.exec(url ?? '')?.[1] ?? null;
}

const ORIGINS = prefixed('api', {
  id: 'item/link | item/guid',
  title: 'item/title',
  url: 'item/link',
  places: 'item/tt:locations/tt:location',
  remote: 'item/remoteStatus',
  html: 'item/description',
  posted: 'item/pubDate',
  department: 'item/tt:department | item/tt:division',
  team: 'item/tt:role',
});
const JSON_ORIGINS = prefixed('api', {
  id: 'items[].url | items[].id',
  title: 'items[].title',
  url: 'items[].url',
  html: 'items[].content_html',
  posted: 'items[].date_published',
});

export const teamtailorItems: RowReader<XmlElement> = {
  row: z.custom<XmlElement>((item) => childText(item as XmlElement, 'title') !== null, 'item without a title'),
  idOf: (raw) => numberIn(childText(raw as XmlElement, 'link')) ?? childText(raw as XmlElement, 'guid'),
  toAdvert(item) {
    const places = elements(child(item, 'tt:locations') ?? item, 'tt:location').map((place) => ({
      text: nonEmptyText(childText(place, 'tt:name')),
      city: nonEmptyText(childText(place, 'tt:city')),
      country: nonEmptyText(childText(place, 'tt:country')),
    }));
    return {
      id: teamtailorItems.idOf(item) as string,
      title: childText(item, 'title'),
      url: childText(item, 'link'),
      // An office's own name ("Capio Vårdcentral Båstad") is no place to compare by.
      places: places.map((place) => (place.city === null ? place : { ...place, text: null })),
      remote: REMOTE[childText(item, 'remoteStatus') ?? ''] ?? null,
      html: unescapeHtml(childText(item, 'description') ?? ''),
      posted: childText(item, 'pubDate'),
      department: nonEmptyText(childText(item, 'tt:department')) ?? nonEmptyText(childText(item, 'tt:division')),
      team: nonEmptyText(childText(item, 'tt:role')),
      raw: null,
      origins: ORIGINS,
    };
  },
};

const FeedItem = z.object({
  id: z.string().nullish(),
  title: z.string(),
  url: z.string(),
  date_published: z.string().nullish(),
  content_html: z.string().nullish(),
  _jobposting: z.looseObject({}).nullish(),
});
type FeedItem = z.infer<typeof FeedItem>;

export const teamtailorJson: RowReader<FeedItem> = {
  row: FeedItem,
  idOf: (raw) => numberIn(idIn(raw, 'url')) ?? idIn(raw, 'id'),
  toAdvert(item, raw) {
    const stated = jobPostingAdvert(item._jobposting ?? {}, { url: item.url, nowMs: Date.now() });
    return {
      ...stated,
      id: teamtailorJson.idOf(item) as string,
      title: item.title,
      url: item.url,
      html: nonEmptyText(item.content_html) ?? stated.html,
      posted: nonEmptyText(item.date_published) ?? stated.posted,
      raw,
      origins: { ...stated.origins, ...JSON_ORIGINS },
    };
  },
};

/** The items of a feed; pages that are no feed answer 200 as well. */
export function rssItems(xml: string): XmlElement[] {
  const channel = /^\ufeff?\s*<(?:\?xml|rss)/.test(xml) ? child(child(parseXml(xml), 'rss'), 'channel') : undefined;
  if (channel === undefined) throw new AppError('layout_changed', 'Not an RSS feed');
  return channel.children.filter((element) => element.name === 'item');
}

export const teamtailor = defineSource({
  name: 'teamtailor',
  title: 'Teamtailor career sites',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.teamtailor.com'],
  pace: { concurrency: 2, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: z
    .object({
      ...COMMON_PARAMS,
      /** `acme`, or `acme.na` for customers served from North America. */
      company: z
        .string()
        .regex(/^[a-z0-9-]+(?:\.na)?$/i)
        .optional(),
      host: z.hostname().optional(),
    })
    .refine((params) => (params.company === undefined) !== (params.host === undefined), 'needs either company or host'),
  async *scrape(params, web, notes) {
    const host = params.host ?? `${params.company}.teamtailor.com`;
    const board = openListing({ source: 'teamtailor', ref: params.company ?? host, params, web, notes });
    try {
      yield* fromRss(`https://${host}/jobs.rss`, board, web, notes);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found' || board.seen > 0) throw error;
      yield* fromJson(`https://${host}/jobs.json`, board, web, notes);
    }
    board.finish();
  },
});

async function* fromRss(feed: string, board: Listing, web: Web, notes: Notes | undefined): AsyncGenerator<Posting> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const before = board.seen;
    const rows = rssItems(await patientText(web, `${feed}?per_page=${PAGE_ROWS}&offset=${page * PAGE_ROWS}`));
    yield* board.take(rows, teamtailorItems);
    // A site that does not know the offset gives the first page again.
    if (rows.length < PAGE_ROWS || board.seen === before) return;
  }
  notes?.incomplete(`more than ${MAX_PAGES * PAGE_ROWS} postings`);
}

const JsonFeed = z.object({ items: z.array(z.unknown()), next_url: z.string().nullish() });

async function* fromJson(feed: string, board: Listing, web: Web, notes: Notes | undefined): AsyncGenerator<Posting> {
  let url: string | null = feed;
  for (let page = 0; page < MAX_PAGES && url !== null; page++) {
    const answer: z.infer<typeof JsonFeed> = readJson(await patientText(web, url), JsonFeed);
    yield* board.take(answer.items, teamtailorJson);
    const next = nonEmptyText(answer.next_url);
    url = next === null ? null : nextPage(next, feed);
    if (next !== null && url === null) notes?.incomplete('the next page is no address on the same host');
  }
  if (url !== null) notes?.incomplete(`more than ${MAX_PAGES} pages`);
}

/** This vendor answers 400 now and then to what it answers the next moment. */
async function patientText(web: Web, url: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    const page = await getPinned(web, url, { accept: [400] });
    if (page.status !== 400) return page.text;
    if (tries === MAX_TRIES) throw new AppError('http_4xx', '400 Bad Request');
  }
}
