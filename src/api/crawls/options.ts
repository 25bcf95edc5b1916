// What a request for a crawl or a map means, checked beyond what a schema can say.
import type { z } from 'zod';
import type { CrawlOptions } from '../../model/crawl/crawl.ts';
import { patternError } from '../../model/crawl/glob.ts';
import type { FieldError } from '../../model/errors.ts';
import { invalid } from '../validation/validators.ts';
import type { CrawlRequest, MapRequest } from './schemas.ts';

type Asked = z.output<typeof CrawlRequest> | z.output<typeof MapRequest>;

export function crawlOptions(request: z.output<typeof CrawlRequest>, maxPages: number): CrawlOptions {
  const errors = patternErrors(request);
  if (request.limit > maxPages)
    errors.push({ pointer: '/limit', detail: `is more than ${maxPages}, which CRAWL_MAX_PAGES allows` });
  if (request.sitemap === 'only' && request.max_depth === 0)
    errors.push({
      pointer: '/max_depth',
      detail: 'has to be at least 1 with sitemap=only: pages of sitemaps have depth 1',
    });
  if (errors.length > 0) throw invalid(errors);
  return {
    ...common(request),
    mode: 'crawl',
    followsNofollow: request.follow_nofollow,
    maxDepth: request.max_depth,
    delayMs: request.delay_ms,
    maxSeconds: request.max_duration_seconds,
    maxBytes: request.max_bytes,
  };
}

export function mapOptions(request: z.output<typeof MapRequest>): CrawlOptions {
  const errors = patternErrors(request);
  if (errors.length > 0) throw invalid(errors);
  const read = { followsNofollow: true, maxDepth: 1, delayMs: null, maxSeconds: null, maxBytes: null };
  return { ...common(request), mode: 'map', ...read };
}

const common = (request: Asked) => ({
  url: request.url.trim(),
  subdomains: request.allow_subdomains,
  prefix: request.path_prefix,
  include: request.include_paths,
  exclude: request.exclude_paths,
  ignoresQuery: request.ignore_query_parameters,
  limit: request.limit,
  sitemap: request.sitemap,
  engine: request.engine,
});

function patternErrors(request: Asked): FieldError[] {
  return (['include_paths', 'exclude_paths'] as const).flatMap((field) =>
    request[field].flatMap((pattern, index) => {
      const detail = patternError(pattern);
      return detail === null ? [] : [{ pointer: `/${field}/${index}`, detail }];
    }),
  );
}
