// SAP SuccessFactors: career sites under the company's own name (Career Site Builder, Recruiting Marketing). The list is a table, tiles or JSON, by the age of the
// site; each posting's page states it as microdata, and has the text.
// What a reader would get wrong: a page has as many rows as the company likes; and the JSON list knows a posting only in the languages it was published in.
import { getOuterHTML } from 'domutils';
import { z } from 'zod';
import { one, parse } from '../../../extract/html/html.ts';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web, WebResponse } from '../../../web/port.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getJson, getPinned, PLAIN_HTTP } from '../../postings/fetch.ts';
import { type Listing, openListing, type RowReader } from '../../postings/listing.ts';
import { refuseUnlessEmpty } from '../../postings/no-postings.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { statedAdvert, withStated } from '../../postings/with-stated.ts';
import { type PagedRows, pagedRows } from '../reading/paged-rows.ts';
import { type Card, cardsOf, jsonCard, localesOf } from './successfactors-cards.ts';

const DETAILS_AT_ONCE = 2;
const MAX_PAGES = 1_000;
const NEWEST_FIRST = 'q=&sortColumn=referencedate&sortDirection=desc&startrow=';

const ORIGINS = prefixed('selector', {
  id: 'a.jobTitle-link@href',
  title: 'a.jobTitle-link',
  url: 'a.jobTitle-link@href',
  places: '.jobLocation | .section-city',
  posted: '.jobDate | .section-date',
  html: '#jobdescription | .jobdescription',
});

export const successfactorsRows = (nowMs: number): RowReader<Card, WebResponse> => ({
  row: z.custom<Card>((card) => (card as Card).title !== null && (card as Card).url !== null, 'row without a title'),
  idOf: (card) => (card as Card).id,
  toAdvert(card, _, page): Advert {
    const listed: Advert = {
      id: card.id!,
      title: card.title,
      url: card.url,
      places: card.places.map((place) => ({ text: place })),
      posted: card.posted,
      raw: null,
      origins: ORIGINS,
    };
    if (page === null) return listed;
    const doc = parse(page.text);
    const shown = one(doc, '#jobdescription, .jobdescription');
    const stated = statedAdvert(page, nowMs, doc);
    return withStated(listed, stated, shown && { ...listed, places: [], posted: null, html: getOuterHTML(shown) });
  },
});

const Page = z.object({ jobSearchResult: z.array(z.unknown()), totalJobs: z.number().nullish().catch(null) });

interface Site {
  base: string;
  board: Listing;
  web: Web;
}

/** Every row of a table or of tiles. */
function shownRows({ base, board, web }: Site, paging: Parameters<typeof pagedRows>[0], isTiles: boolean): PagedRows {
  return pagedRows({ ...paging, board, maxPages: MAX_PAGES }, async ({ offset }) => {
    const page = await getPinned(
      web,
      `${base}/${isTiles ? 'tile-search-results' : 'search'}/?${NEWEST_FIRST}${offset}`,
    );
    return { rows: cardsOf(page).cards };
  });
}

/** Of the newest sites: the list of each language, one after the other. */
async function* jsonRows({ base, board, web }: Site, first: WebResponse): AsyncGenerator<Card> {
  let seen = 0;
  for (const locale of localesOf(first.text)) {
    for (let pageNumber = 0; pageNumber < MAX_PAGES; pageNumber++) {
      const body = { keywords: '', locale, location: '', pageNumber, sortBy: 'recent' };
      const ask = () => getJson(web, `${base}/services/recruiting/v1/jobs`, Page, { method: 'POST', body });
      // A site of an older age has no such list, and says so by 404: what it shows decides.
      const answer = await board.page(ask).catch((error) => {
        if (error instanceof AppError && error.code === 'not_found' && seen === 0) return null;
        throw error;
      });
      if (answer === null) return refuseUnlessEmpty(web, first, 'it has no list of SuccessFactors');
      yield* answer.jobSearchResult.map((raw) => jsonCard(raw, base, locale));
      seen += answer.jobSearchResult.length;
      const isLast = (pageNumber + 1) * answer.jobSearchResult.length >= (answer.totalJobs ?? 0);
      if (answer.jobSearchResult.length === 0 || isLast) break;
    }
  }
}

export const successfactors = defineSource({
  name: 'successfactors',
  title: 'SAP SuccessFactors career sites',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 2, delayMs: 400 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    /** Of the company's career site. */
    host: z.hostname(),
    /** Where several brands share the host: `acme` in `/acme/search/`. */
    brand: z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .optional(),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const host = params.host.toLowerCase();
    const base = `https://${host}${params.brand === undefined ? '' : `/${params.brand}`}`;
    const ref = params.brand === undefined ? host : `${host}/${params.brand}`;
    const board = openListing({ source: 'successfactors', ref, params, web, notes });
    const reader = successfactorsRows(board.nowMs);
    const site = { base, board, web };
    const paging = { board, notes, idOf: reader.idOf, known: params.known, isNewestFirst: true };
    const ask = (_: string, card: Card) => getPinned(web, card.url!);
    const request = params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null;
    const first = await getPinned(web, `${base}/search/?${NEWEST_FIRST}0`);
    const { cards, isTiles } = cardsOf(first);
    const rows = cards.length > 0 ? shownRows(site, paging, isTiles).rows : jsonRows(site, first);
    yield* board.takeDetailed(rows, reader, request);
    board.finish();
  },
});
