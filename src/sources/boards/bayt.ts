// Bayt (Middle East): pages of HTML, no descriptions, no dates. The id is in the address; where it is not, a hash of the address is as lasting.
import { hash } from 'node:crypto';
import { all, attr, type Element, one, parse, text } from '../../extract/html/html.ts';
import type { Web, WebResponse } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import { BoardParams, warnIgnored } from './params.ts';
import { whyNoRows } from './read.ts';
import { type Found, openSearch } from './search.ts';

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
    for (let page = 1; page <= MAX_PAGES && !search.isFull; page++) {
      const url = `${SITE}/en/international/jobs/${encodeURIComponent(term)}-jobs/?page=${page}`;
      const rows = await search.page(async () => rowsOf(await web.get(url), web), { skippable: true });
      if (rows === null) continue;
      if (rows.length === 0) break;
      for (const row of rows) {
        const link = linkOf(row);
        if (link === null) {
          search.skip(null, 'a row without an address');
          continue;
        }
        const id = idOf(link);
        if (!search.isNew(id)) continue;
        const posting = search.posting(id, () => fromRow(row, id, link));
        if (posting !== null) yield posting;
      }
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

export function linkOf(row: Element): string | null {
  const href = attr(one(row, 'h2 a'), 'href');
  return href !== null && URL.canParse(href, SITE) ? new URL(href, SITE).href : null;
}

export function idOf(link: string): string {
  const { pathname } = new URL(link);
  return /-(\d{5,})\/?$/.exec(pathname)?.[1] ?? hash('sha256', pathname, 'hex').slice(0, 16);
}

export function fromRow(row: Element, id: string, link: string): Found {
  return {
    advert: {
      id,
      title: text(one(row, 'h2 a')) || text(one(row, 'h2')),
      url: link,
      company: text(one(row, 'div.t-nowrap.p10l span')) || text(one(row, 'div.t-nowrap.p10l')),
      places: [{ text: text(one(row, 'div.t-mute.t-small')) }],
      raw: { row: text(row) },
    },
  };
}
