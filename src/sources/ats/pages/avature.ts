// Avature: portals of the company's own making that list a few postings a page. A posting's page has its text.
// What a reader would get wrong: how many stand on a page cannot be chosen, and some portals count by `offset` in place of `jobOffset`: they give the first page
// again until they are asked so.
import { getOuterHTML } from 'domutils';
import { z } from 'zod';
import { all, attr, type Element, one, parse, text } from '../../../extract/html/html.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import { canonicalUrl } from '../../../model/url.ts';
import type { WebResponse } from '../../../web/port.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getPinned, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { refuseUnlessEmpty } from '../../postings/no-postings.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { nonEmptyText } from '../../postings/text.ts';
import { statedAdvert, withStated } from '../../postings/with-stated.ts';
import { pagedRows } from '../reading/paged-rows.ts';

const DETAILS_AT_ONCE = 2;
const MAX_PAGES = 2_000;

interface Card {
  id: string | null;
  title: string | null;
  url: string | null;
  place: string | null;
  posted: string | null;
}

const ORIGINS = prefixed('selector', {
  id: 'a[href*="/JobDetail/"]@href',
  title: 'a[href*="/JobDetail/"]',
  url: 'a[href*="/JobDetail/"]@href',
  places: '.list-item-location',
  posted: '.list-item-posted',
  html: '.article__content',
});

export function avatureCards(page: Pick<WebResponse, 'text' | 'url'>): Card[] {
  return all(parse(page.text), 'article.article--result').map((article) => {
    const links = all(article, 'a[href*="/JobDetail/"]');
    const link = links.find((one) => nonEmptyText(text(one)) !== null) ?? links[0] ?? null;
    const url = URL.parse(attr(link, 'href') ?? '', page.url);
    return {
      id: /\/JobDetail\/(?:[^/]{1,300}\/)?(\d{1,12})/.exec(url?.pathname ?? '')?.[1] ?? null,
      title: nonEmptyText(text(link)),
      url: url?.href ?? null,
      place: nonEmptyText(text(one(article, '.list-item-location, .location'))),
      posted: dateOf(article),
    };
  });
}

function dateOf(article: Element): string | null {
  const shown = text(one(article, '.list-item-posted')) || text(article);
  return /\b\d{1,2}-[A-Za-z]{3}-\d{4}\b/.exec(shown)?.[0].replaceAll('-', ' ') ?? null;
}

export const avatureRows = (nowMs: number): RowReader<Card, WebResponse> => ({
  row: z.custom<Card>((card) => (card as Card).title !== null && (card as Card).url !== null, 'row without a title'),
  idOf: (card) => (card as Card).id,
  toAdvert(card, _, page): Advert {
    const listed: Advert = {
      id: card.id!,
      title: card.title,
      url: card.url,
      places: [{ text: card.place }],
      posted: card.posted,
      raw: null,
      origins: ORIGINS,
    };
    if (page === null) return listed;
    const doc = parse(page.text);
    const html = all(doc, '.article__content')
      .map((part) => getOuterHTML(part))
      .join('\n');
    return withStated({ ...listed, html: html || null }, statedAdvert(page, nowMs, doc));
  },
});

export const avature = defineSource({
  name: 'avature',
  title: 'Avature career portals',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.avature.net'],
  pace: { concurrency: 1, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    /** Of the list: `https://acme.avature.net/careers/SearchJobs`. */
    url: z.url({ protocol: /^https?$/ }),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const board = openListing({ source: 'avature', ref: canonicalUrl(params.url), params, web, notes });
    const reader = avatureRows(board.nowMs);
    const list = (name: string, offset: number) => {
      const url = new URL(params.url);
      if (offset > 0) url.searchParams.set(name, String(offset));
      return getPinned(web, url.href);
    };
    let [counter, firstIds] = ['jobOffset', ''];
    const pages = pagedRows({ board, notes, idOf: reader.idOf, maxPages: MAX_PAGES }, async ({ offset }) => {
      let page = await list(counter, offset);
      let rows = avatureCards(page);
      const ids = () => rows.map(({ id }) => id).join();
      if (offset === 0) firstIds = ids();
      else if (counter === 'jobOffset' && ids() === firstIds) {
        counter = 'offset';
        page = await list(counter, offset);
        rows = avatureCards(page);
      }
      if (offset === 0 && rows.length === 0) refuseUnlessEmpty(web, page, 'it has no results of an Avature portal');
      return { rows };
    });
    const ask = (_: string, card: Card) => getPinned(web, card.url!);
    yield* board.takeDetailed(pages.rows, reader, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish();
  },
});
