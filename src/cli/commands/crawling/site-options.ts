// Options that say which pages of a site are meant: the same for `windrow crawl` and `windrow map`.
import { type Command, Option } from 'commander';
import { SITEMAP_USES } from '../../../model/crawl/crawl.ts';
import { wholeNumber } from '../../terminal/options.ts';

export interface SiteOptions extends Record<string, unknown> {
  include: string[];
  exclude: string[];
  prefix?: string;
  subdomains?: boolean;
  ignoreQuery?: boolean;
  sitemap?: string;
  browser?: boolean;
  priority?: number;
  idempotencyKey?: string;
}

const several = (pattern: string, before: string[]): string[] => [...before, pattern];

export const takesSite = (made: Command): Command =>
  made
    .argument('<url>', 'where to begin')
    .option('-i, --include <pattern>', 'only pages that match, such as /blog/**. May be repeated', several, [])
    .option('-e, --exclude <pattern>', 'not pages that match. May be repeated', several, [])
    .option('--prefix <path>', 'only pages whose path begins with this, such as /docs/')
    .option('--subdomains', 'also pages of subdomains')
    .option('--ignore-query', 'URLs that differ in their query only are one page')
    .addOption(
      new Option('--sitemap <use>', 'links and sitemaps, links only, or sitemaps only').choices([...SITEMAP_USES]),
    )
    .option('--browser', 'render every page in a browser (workers of the lane browser)')
    .option('--priority <1-10>', '1 is the highest priority', wholeNumber(1, 10))
    .option('--idempotency-key <key>', 'requests with the same key create only one run');

/** Fields of the request; the server checks them. */
export const siteBody = (url: string, options: SiteOptions): Record<string, unknown> => ({
  url: /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`,
  include_paths: options.include,
  exclude_paths: options.exclude,
  ...(options.prefix === undefined ? {} : { path_prefix: options.prefix }),
  ...(options.subdomains ? { allow_subdomains: true } : {}),
  ...(options.ignoreQuery ? { ignore_query_parameters: true } : {}),
  ...(options.sitemap === undefined ? {} : { sitemap: options.sitemap }),
  ...(options.browser ? { engine: 'browser' } : {}),
  ...(options.priority === undefined ? {} : { priority: options.priority }),
});
