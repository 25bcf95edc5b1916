// What a list of SAP SuccessFactors shows of a posting, in its three generations: rows of a table, tiles, and JSON. Pure.
import { z } from 'zod';
import { all, attr, type Element, one, parse, text } from '../../../extract/html/html.ts';
import type { WebResponse } from '../../../web/port.ts';
import { nonEmptyText } from '../../postings/text.ts';
import { lenient, rowId } from '../reading/lenient.ts';

export interface Card {
  id: string | null;
  title: string | null;
  url: string | null;
  places: string[];
  posted: string | null;
}

export interface Cards {
  cards: Card[];
  isTiles: boolean;
}

/** A posting's address ends in its number, with the language behind it on newer sites. */
const NUMBER = /\/(\d{5,12})(?:-[a-z]{2}_[A-Z]{2})?\/?$/;

export function cardsOf(page: Pick<WebResponse, 'text' | 'url'>): Cards {
  const doc = parse(page.text);
  const tiles = all(doc, 'li.job-tile');
  const rows = tiles.length > 0 ? tiles : all(doc, 'tr.data-row');
  return { cards: rows.map((row) => cardOf(row, page.url)), isTiles: tiles.length > 0 };
}

function cardOf(row: Element, pageUrl: string): Card {
  const link = one(row, 'a.jobTitle-link');
  const url = URL.parse(attr(row, 'data-url') ?? attr(link, 'href') ?? '', pageUrl);
  const at = (...selectors: string[]) =>
    selectors.map((one_) => nonEmptyText(text(one(row, one_)))).find((found) => found !== null);
  const place = at('[id$="-section-city-value"]', '[id$="-section-location-value"]', '.jobLocation');
  return {
    id: NUMBER.exec(url?.pathname ?? '')?.[1] ?? null,
    title: nonEmptyText(text(link)),
    url: url?.href ?? null,
    places: place === undefined ? [] : [place],
    posted: at('[id$="-section-date-value"]', '.jobDate') ?? null,
  };
}

const Response = z.object({
  id: rowId,
  unifiedStandardTitle: lenient.text,
  jobTitle: lenient.text,
  unifiedUrlTitle: lenient.text,
  urlTitle: lenient.text,
  jobLocationShort: lenient.list(z.string()),
  unifiedStandardStart: lenient.text,
});

/** The same of an answer in JSON; texts hold markup. */
export function jsonCard(raw: unknown, base: string, locale: string): Card {
  const response = Response.safeParse((raw as { response?: unknown } | null)?.response);
  if (!response.success) return { id: null, title: null, url: null, places: [], posted: null };
  const { id, unifiedStandardTitle, jobTitle, unifiedUrlTitle, urlTitle, jobLocationShort, unifiedStandardStart } =
    response.data;
  const plain = (html: string | null | undefined) => nonEmptyText(text(parse(html ?? '')));
  const slug = (plain(unifiedUrlTitle) ?? plain(urlTitle) ?? 'job').replace(/[?#&/]+/g, '-');
  return {
    id: String(id),
    title: plain(unifiedStandardTitle) ?? plain(jobTitle),
    url: `${base}/job/${slug}/${encodeURIComponent(id)}-${locale}`,
    places: (jobLocationShort ?? []).flatMap((place) => plain(place) ?? []),
    posted: nonEmptyText(unifiedStandardStart),
  };
}

const MAX_LOCALES = 16;

/** The languages of a site, from its switcher: a posting is listed only in those it was published in. */
export function localesOf(page: string): string[] {
  const found = new Set<string>();
  for (const [, locale] of page.matchAll(/[?&;]locale=([a-z]{2}_[A-Z]{2})\b/g)) {
    found.add(locale!);
    if (found.size >= MAX_LOCALES) break;
  }
  return found.size > 0 ? [...found] : ['en_US'];
}
