// Bayt (Middle East): pages of HTML, no descriptions, no dates. The id is in the address; where it is not, a hash of the address is as lasting.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { all, attr, type Element, one, parse, text } from '../../extract/html/html.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web, WebResponse } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import type { Advert } from '../postings/advert.ts';
import type { RowReader } from '../postings/listing.ts';
import { BoardParams, warnIgnored } from './params.ts';
import { whyNoRows } from './read.ts';
import { openSearch } from './search.ts';

const SITE = 'https://www.bayt.com';
const MAX_PAGES = 100;

export const bayt = defineSource({
  name: 'bayt',
  title: 'Bayt',
  kind: 'posting',
  lane: 'http',
  hosts: ['www.bayt.com'],
  pace: { concurrency: 1, delayMs: 2_000 },
  policy: { identity: 'browser' },
  params: BoardParams,
  async *scrape(params, web, notes) {
    const ignored = [
      'location',
      'is_remote',
      'distance',
      'job_type',
      'hours_old',
      'country',
      'easy_apply',
      'company_ids',
      'fetch_description',
    ] as const;
    warnIgnored(params, 'Bayt', ignored, web);
    const search = openSearch({ source: 'bayt', params, web, notes, skip: params.offset });
    const term = params.search_term
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '');
    for (let page = search.resumeAt(z.int()) ?? 1; page <= MAX_PAGES && !search.isFull; page++) {
      search.reached(page);
      const url = `${SITE}/en/international/jobs/${encodeURIComponent(term)}-jobs/?page=${page}`;
      const rows = await search.pageOrNull(async () => rowsOf(await web.get(url), web));
      if (rows === null) continue;
      if (rows.length === 0) break;
      yield* search.take(rows, baytRows);
    }
    search.finish();
  },
});

export function rowsOf(page: WebResponse, web: Web): Element[] {
  const rows = all(parse(page.text), 'li[data-js-job]');
  const problem = rows.length > 0 ? null : whyNoRows(page, web);
  if (problem !== null) throw problem;
  return rows;
}

const baytRows: RowReader<Element> = {
  row: z.custom<Element>(),
  idOf: (row) => idOf(linkOf(row as Element)),
  toAdvert: fromRow,
};

function linkOf(row: Element): string | null {
  const href = attr(one(row, 'h2 a'), 'href');
  return href !== null && URL.canParse(href, SITE) ? new URL(href, SITE).href : null;
}

function idOf(link: string | null): string | null {
  if (link === null) return null;
  const { pathname } = new URL(link);
  return /-(\d{5,})\/?$/.exec(pathname)?.[1] ?? hash('sha256', pathname, 'hex').slice(0, 16);
}

const ORIGINS = prefixed('selector', {
  id: 'h2 a@href',
  title: 'h2 a | h2',
  url: 'h2 a@href',
  company: 'div.t-nowrap.p10l span | div.t-nowrap.p10l',
  places: 'div.t-mute.t-small',
});

function fromRow(row: Element): Advert {
  const link = linkOf(row);
  return {
    id: idOf(link) as string,
    title: text(one(row, 'h2 a')) || text(one(row, 'h2')),
    url: link,
    company: text(one(row, 'div.t-nowrap.p10l span')) || text(one(row, 'div.t-nowrap.p10l')),
    places: [{ text: text(one(row, 'div.t-mute.t-small')) }],
    raw: { row: text(row) },
    origins: ORIGINS,
  };
}
