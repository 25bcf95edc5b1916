// Jobvite: one page lists a whole board, and each posting has a page that mostly states its JobPosting.
// What a reader would get wrong: a board that does not exist sends its visitors to the vendor; a posting in several places shows their number.
import { getOuterHTML } from 'domutils';
import { z } from 'zod';
import { all, attr, type Element, one, parse, text } from '../../../extract/html/html.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { WebResponse } from '../../../web/port.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getPinned, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { refuseUnlessEmpty } from '../../postings/no-postings.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { nonEmptyText } from '../../postings/text.ts';
import { statedAdvert, withStated } from '../../postings/with-stated.ts';

const HOST = 'https://jobs.jobvite.com';
const DETAILS_AT_ONCE = 2;
const MAX_CLIMB = 6;

interface Card {
  id: string | null;
  title: string | null;
  url: string | null;
  place: string | null;
}

const ORIGINS = prefixed('selector', {
  id: 'a[href*="/job/"]@href',
  title: '.jv-job-list-name | .jv-featured-job-title',
  url: 'a[href*="/job/"]@href',
  places: '.jv-job-list-location | .jv-featured-job-location',
  html: '.jv-job-detail-description',
});

/** Three layouts have the same names: the title holds the link, lies in it, or is it. */
export function jobviteCards(page: Pick<WebResponse, 'text'>): Card[] {
  return all(parse(page.text), '.jv-job-list-name, .jv-featured-job-title').map((title) => {
    const link = linkOf(title);
    const id = /\/job\/([\w-]{4,40})/.exec(attr(link, 'href') ?? '')?.[1] ?? null;
    const place = nonEmptyText(text(placeBeside(title)));
    return {
      id,
      title: nonEmptyText(text(one(title, '.title') ?? title)),
      url: URL.parse(attr(link, 'href') ?? '', HOST)?.href ?? null,
      place: /^\d{1,4} (?:locations?|standorte?|lieux)$/i.test(place ?? '') ? null : place,
    };
  });
}

function linkOf(title: Element): Element | null {
  if (title.name === 'a') return title;
  const inside = one(title, 'a[href*="/job/"]');
  if (inside !== null) return inside;
  let at: Element | null = title;
  for (let n = 0; at !== null && n < MAX_CLIMB; n++) {
    if (at.name === 'a') return at;
    at = at.parent as Element | null;
  }
  return null;
}

function placeBeside(title: Element): Element | null {
  let at: Element | null = title;
  for (let n = 0; at !== null && n < MAX_CLIMB && 'attribs' in at; n++) {
    const place = one(at, '.jv-job-list-location, .jv-featured-job-location');
    if (place !== null) return place;
    if (at.name === 'tr' || at.name === 'li') return null;
    at = at.parent as Element | null;
  }
  return null;
}

export const jobviteRows = (nowMs: number): RowReader<Card, WebResponse> => ({
  row: z.custom<Card>((card) => (card as Card).title !== null && (card as Card).url !== null, 'row without a title'),
  idOf: (card) => (card as Card).id,
  toAdvert(card, _, page): Advert {
    const listed: Advert = {
      id: card.id!,
      title: card.title,
      url: card.url,
      places: [{ text: card.place }],
      raw: null,
      origins: ORIGINS,
    };
    if (page === null) return listed;
    const doc = parse(page.text);
    const shown = one(doc, '.jv-job-detail-description');
    return withStated({ ...listed, html: shown && getOuterHTML(shown) }, statedAdvert(page, nowMs, doc));
  },
});

export const jobvite = defineSource({
  name: 'jobvite',
  title: 'Jobvite career sites',
  kind: 'posting',
  lane: 'http',
  hosts: ['jobs.jobvite.com'],
  pace: { concurrency: 2, delayMs: 400 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    company: z.string().regex(/^[\w-]{1,100}$/),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const board = openListing({ source: 'jobvite', ref: params.company, params, web, notes });
    const page = await getPinned(web, `${HOST}/${params.company}/jobs/viewall`);
    const ask = (id: string) => getPinned(web, `${HOST}/${params.company}/job/${id}`);
    const request = params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null;
    yield* board.takeDetailed(jobviteCards(page), jobviteRows(board.nowMs), request);
    if (board.seen === 0 && !/\bjv-/.test(page.text)) refuseUnlessEmpty(web, page, 'it is no list of Jobvite');
    board.finish();
  },
});
