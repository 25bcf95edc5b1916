// Indeed. With a key of its app (setting `app_key`) through the app's API, which gives descriptions and both dates; without one through the
// public pages, which Cloudflare guards.
import { defineSource } from '../../define.ts';
import { INDEED_COUNTRIES } from '../market.ts';
import { BoardParams, warnIgnored } from '../params.ts';
import { scrapeIndeedApi } from './indeed-api.ts';
import { scrapeIndeedPages } from './indeed-pages.ts';

export const indeed = defineSource({
  name: 'indeed',
  title: 'Indeed',
  kind: 'posting',
  lane: 'http',
  hosts: ['apis.indeed.com', 'www.indeed.com'],
  countries: INDEED_COUNTRIES,
  pace: { concurrency: 2, delayMs: 500 },
  policy: { identity: 'browser' },
  params: BoardParams,
  async *scrape(params, web, notes) {
    warnIgnored(params, 'Indeed', ['company_ids'], web);
    const key = web.setting('app_key');
    if (key === null) {
      web.warn('Indeed is read from its public pages, since no indeed.app_key is set (SOURCE_SETTINGS)');
      yield* scrapeIndeedPages(params, web, notes);
    } else yield* scrapeIndeedApi(params, key, web, notes);
  },
});
