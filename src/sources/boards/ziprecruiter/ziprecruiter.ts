// ZipRecruiter (US and Canada). With the app's authorization (setting `app_auth`) through the app's API, else through the public pages.
import { AppError } from '../../../model/errors.ts';
import { defineSource } from '../../define.ts';
import { marketOf } from '../market.ts';
import { BoardParams, warnIgnored } from '../params.ts';
import { scrapeZipApi } from './ziprecruiter-api.ts';
import { scrapeZipPages } from './ziprecruiter-pages.ts';

export const ziprecruiter = defineSource({
  name: 'ziprecruiter',
  title: 'ZipRecruiter',
  kind: 'posting',
  lane: 'http',
  hosts: ['api.ziprecruiter.com', 'www.ziprecruiter.com'],
  countries: ['US', 'CA'],
  pace: { concurrency: 1, delayMs: 4_000 },
  policy: { identity: 'browser' },
  params: BoardParams,
  async *scrape(params, web, notes) {
    warnIgnored(params, 'ZipRecruiter', ['company_ids'], web);
    const { country } = marketOf(params.country);
    if (country !== 'US' && country !== 'CA')
      throw new AppError('invalid_params', 'ZipRecruiter has jobs in the US and Canada only');
    const auth = web.setting('app_auth');
    if (auth === null) {
      web.warn('ZipRecruiter is read from its public pages, since no ziprecruiter.app_auth is set (SOURCE_SETTINGS)');
      yield* scrapeZipPages(params, web, notes);
    } else yield* scrapeZipApi(params, auth, web, notes);
  },
});
