// iCIMS portals: a list as a page inside a frame, and a page per posting that states its JobPosting.
// What a reader would get wrong: without `in_iframe=1` both are empty wrappers; the cell beside the title is the place on some portals and the date on others, so
// only its label says which; and a portal that takes one for a robot answers 405.
import { z } from 'zod';
import { all, attr, type Element, one, parse, text } from '../../../extract/html/html.ts';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web, WebResponse } from '../../../web/port.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getPinned, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { nonEmptyText } from '../../postings/text.ts';
import { statedAdvert, withStated } from '../../postings/with-stated.ts';
import { pagedRows } from '../reading/paged-rows.ts';

const DETAILS_AT_ONCE = 2;

interface Card {
  id: string;
  title: string | null;
  url: string;
  place: string | null;
}

const ORIGINS = prefixed('selector', {
  id: 'a[href]@href',
  title: 'a[href] h3',
  url: 'a[href]@href',
  places: '.field-label',
});

const JOB_PATH = /^\/jobs\/(\d{1,12})(?:\/[^/]{1,300})?\/job$/i;

/** The cards of a page of the list, or the links where a portal shows no cards. */
export function icimsCards(page: Pick<WebResponse, 'text' | 'url'>): Card[] {
  const doc = parse(page.text);
  const cards = all(doc, '.iCIMS_JobCardItem, .iCIMS_JobsTable .row');
  const found = (cards.length > 0 ? cards : all(doc, 'a[href*="/jobs/"]')).flatMap(
    (card) => cardOf(card, page.url) ?? [],
  );
  return [...new Map(found.map((card) => [card.id, card])).values()];
}

function cardOf(card: Element, pageUrl: string): Card | null {
  const link = card.name === 'a' ? card : one(card, 'a[href*="/jobs/"]');
  const url = URL.parse(attr(link, 'href') ?? '', pageUrl);
  const id = url === null ? undefined : JOB_PATH.exec(url.pathname)?.[1];
  if (link === null || id === undefined) return null;
  const label = all(card, '.field-label').find((one) => /location|standort|lieu|ubicaci/i.test(text(one)));
  const where = label === undefined ? '' : text(label.parent as Element).replace(text(label), '');
  const beside = label === undefined || where.trim() !== '' ? where : text(nextOf(label.parent as Element));
  return {
    id,
    title: nonEmptyText(text(one(link, 'h2, h3, h4'))) ?? nonEmptyText(text(link)),
    url: `https://${url!.hostname}/jobs/${id}/job`,
    place: nonEmptyText(beside),
  };
}

function nextOf(element: Element): Element | null {
  for (let next = element.next; next !== null; next = next.next) if ('attribs' in next) return next;
  return null;
}

export const icimsRows = (nowMs: number): RowReader<Card, WebResponse> => ({
  row: z.custom<Card>((card) => (card as Card).title !== null, 'card without a title'),
  idOf: (card) => (card as Card).id,
  toAdvert(card, _, page): Advert {
    const listed: Advert = {
      id: card.id,
      title: card.title,
      url: card.url,
      places: (card.place ?? '').split('|').map((place) => ({ text: nonEmptyText(place) })),
      raw: null,
      origins: ORIGINS,
    };
    return page === null ? listed : withStated(listed, statedAdvert(page, nowMs));
  },
});

async function portalPage(web: Web, url: string): Promise<WebResponse> {
  const page = await getPinned(web, url, { accept: [405] });
  if (page.status === 405)
    throw new AppError(
      'blocked',
      "The portal takes the request for a robot's (405). Scrape it with scraper_type playwright, or set proxies",
    );
  return page;
}

const PAGES = /\bpage\s{1,5}\d{1,5}\s{1,5}of\s{1,5}(\d{1,5})\b/i;

export const icims = defineSource({
  name: 'icims',
  title: 'iCIMS portals',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.icims.com'],
  pace: { concurrency: 1, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    host: z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.icims\.com$/i),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const site = `https://${params.host.toLowerCase()}`;
    const board = openListing({ source: 'icims', ref: params.host.toLowerCase(), params, web, notes });
    const reader = icimsRows(board.nowMs);
    const pages = pagedRows({ board, notes, idOf: reader.idOf }, async ({ page: number }) => {
      const page = await portalPage(web, `${site}/jobs/search?ss=1&in_iframe=1&pr=${number}`);
      const rows = icimsCards(page);
      if (rows.length === 0 && !/iCIMS_/.test(page.text))
        throw new AppError('layout_changed', 'the list is no page of an iCIMS portal');
      return { rows, isLast: number + 1 >= Number(PAGES.exec(text(parse(page.text)))?.[1] ?? 1) };
    });
    const ask = (id: string) => portalPage(web, `${site}/jobs/${id}/job?in_iframe=1`);
    yield* board.takeDetailed(pages.rows, reader, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish();
  },
});
