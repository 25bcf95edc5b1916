// Analytics: postings, salaries, companies, prices and sources over time. The number of rows is limited before the query, and its time while it runs.
// As JSON or CSV.
import { z } from 'zod';
import { REMOTE_TYPES } from '../../model/posting/posting.ts';
import { type AnalyticsOptions, GROUPS, type Group } from '../../store/postings/posting-analytics.ts';
import type { PostingFilter } from '../../store/postings/posting-list.ts';
import type { PostingStore } from '../../store/postings/posting-store.ts';
import { PRICE_GROUPS, type PriceFilter, type PriceGroup } from '../../store/products/price-analytics.ts';
import type { ProductStore } from '../../store/products/product-store.ts';
import type { Counted, Keyed } from '../../store/rollups/grouped.ts';
import type { SourceStore } from '../../store/sources/source-store.ts';
import type { Needs } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { createSemaphore, type Semaphore } from '../http/semaphore.ts';
import {
  CountryFilter,
  CurrencyFilter,
  given,
  NameFilter,
  namesOf,
  SourcesFilter,
  TextFilter,
} from '../lists/filters.ts';
import { periodView } from '../sources/views.ts';
import { answerOf, answers, BUCKET, COMMON, groupBy, groupsOf, Limit, send, spanOf, wrongGroups } from './over-time.ts';

const LIMIT_MS = 8_000;
const WHICH = {
  source: SourcesFilter,
  company: NameFilter.meta({ description: 'Words in the company name.' }),
  location: NameFilter.meta({ description: 'Words in the location as shown by the source.' }),
  country: CountryFilter,
  remote_type: z.enum(REMOTE_TYPES).optional(),
  currency: CurrencyFilter,
  q: TextFilter.meta({ description: 'Full text, as in `GET /postings`.' }),
};
const Query = z.strictObject({
  ...COMMON,
  bucket: BUCKET.optional().meta({ description: 'One row per bucket. Default: one row for the whole period.' }),
  group_by: groupBy(GROUPS),
  limit: Limit,
  ...WHICH,
});
const PricesQuery = z.strictObject({
  ...COMMON,
  bucket: BUCKET.default('day'),
  group_by: groupBy(PRICE_GROUPS),
  limit: Limit,
  source: SourcesFilter,
  product: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .meta({ description: 'One product: the `product` field of `GET /products`.' }),
  q: NameFilter.meta({ description: 'Part of the title.' }),
  seller: NameFilter.meta({ description: 'Part of the seller name.' }),
  zipcode: z
    .string()
    .regex(/^\d{5}$/)
    .optional(),
  currency: CurrencyFilter,
});
const SourcesQuery = z.strictObject({ ...COMMON, bucket: BUCKET.default('day'), source: SourcesFilter });
type Query = z.output<typeof Query>;

type AnalyticsDeps = Needs<
  PostingStore & Pick<ProductStore, 'pricesOver'> & Pick<SourceStore, 'sourceTallies'>,
  'sources' | 'catalogue'
>;

export const analytics = (deps: AnalyticsDeps): Route[] => {
  const semaphore = createSemaphore({ atOnce: 2, inLine: 20 });
  const { store } = deps;
  return [
    counted(semaphore, {
      name: 'postings',
      operationId: 'countPostings',
      summary: 'Count new postings by time and group',
      description:
        'By the time a posting was first seen. `jobs` counts the same job on several boards once. `groups_cut`: more groups exist than are shown.',
      query: Query.extend({ bucket: BUCKET.default('day') }),
      example: { postings: 120, jobs: 96, companies: 41, remote: 30, with_salary: 55 },
      group: { source: 'indeed' },
      count: store.countPostingsOver,
    }),
    counted(semaphore, {
      name: 'salaries',
      operationId: 'getSalaries',
      summary: 'Yearly pay of postings: percentiles by currency, time and group',
      description:
        'Of a salary range the middle, converted to an annual salary. Currencies are not mixed: each has its own rows.',
      query: Query,
      example: {
        currency: 'USD',
        postings: 55,
        min: 41_600,
        p10: 60_000,
        p25: 85_000,
        p50: 120_000,
        p75: 150_000,
        p90: 190_000,
        max: 310_000,
        mean: 122_450.5,
      },
      group: { seniority: 'senior' },
      count: store.payOver,
    }),
    counted(semaphore, {
      name: 'companies',
      operationId: 'countCompanies',
      summary: 'Companies with the most new postings, by time and one further group',
      description: 'For salaries see `GET /analytics/salaries?group_by=company`.',
      query: Query,
      example: {
        postings: 32,
        jobs: 20,
        sources: 3,
        cities: 4,
        remote: 6,
        with_salary: 12,
        first_seen_at: '2024-01-01T00:00:10.000Z',
        last_seen_at: '2024-01-30T06:00:00.000Z',
      },
      group: { company: 'Example Corp' },
      first: 'company',
      count: store.countCompanies,
    }),
    pricesRoute(deps, semaphore),
    sourcesRoute(deps, semaphore),
  ];
};

interface Counting<T> {
  /** The last part of the path. */
  name: string;
  operationId: string;
  summary: string;
  description: string;
  query: z.ZodType<Query>;
  /** Fields of a row, in the order of the CSV columns. */
  example: Record<string, unknown>;
  group: Record<string, string>;
  /** The group that is always present. */
  first?: Group;
  count(options: AnalyticsOptions): Promise<Counted<T>>;
}

function counted<T extends Keyed>(semaphore: Semaphore, what: Counting<T>): Route {
  const { name, operationId, summary, description, query, first } = what;
  return route({
    method: 'GET',
    path: `/analytics/${name}`,
    operationId,
    scope: 'read',
    tag: 'Analytics',
    summary,
    description,
    query,
    replies: answers(what.example, what.group),
    problems: ['invalid_params', 'query_too_slow'],
    async handle(request, reply) {
      const asked = groupsOf(request.query.group_by, GROUPS).filter((group) => group !== first);
      if (first && asked.length > 1) throw wrongGroups(`may have only one group besides ${first} here`);
      const options = optionsOf(request.query, [...(first ? [first] : []), ...asked]);
      const found = await semaphore(() => what.count(options));
      return send(request, reply, answerOf(options, found, Object.keys(what.example)));
    },
  });
}

const PRICE_EXAMPLE = {
  currency: 'USD',
  prices: 12,
  products: 4,
  min: 2.99,
  p10: 3.09,
  p25: 3.49,
  p50: 4.29,
  p75: 5.19,
  p90: 6.29,
  max: 6.49,
  mean: 4.41,
};

function pricesRoute({ store }: AnalyticsDeps, semaphore: Semaphore): Route {
  return route({
    method: 'GET',
    path: '/analytics/prices',
    operationId: 'getPrices',
    scope: 'read',
    tag: 'Analytics',
    summary: 'Product prices over time: percentiles by currency, time and group',
    description: 'All observed prices, by the time they were seen. Currencies are not mixed: each has its own rows.',
    query: PricesQuery,
    replies: answers(PRICE_EXAMPLE, { seller: 'Corner Grocery' }),
    problems: ['invalid_params', 'query_too_slow'],
    async handle(request, reply) {
      const { source, product, q, seller, zipcode, currency, ...query } = request.query;
      const groups = groupsOf(query.group_by, PRICE_GROUPS);
      const options = {
        ...spanOf({ ...query, limit: groups.length === 0 ? 1 : query.limit }),
        groups: groups as readonly PriceGroup[],
        filter: given<PriceFilter>({ sources: namesOf(source), product, q, seller, zipcode, currency }),
        limitMs: LIMIT_MS,
      };
      const found = await semaphore(() => store.pricesOver(options));
      return send(request, reply, answerOf(options, found, Object.keys(PRICE_EXAMPLE)));
    },
  });
}

function sourcesRoute({ store, sources }: AnalyticsDeps, semaphore: Semaphore): Route {
  return route({
    method: 'GET',
    path: '/analytics/sources',
    operationId: 'countSources',
    scope: 'read',
    tag: 'Analytics',
    summary: 'Source performance over time: attempts, success, latency, blocks and items',
    description: 'Latencies are per attempt, in seconds, with the precision of histogram buckets.',
    query: SourcesQuery,
    replies: answers(
      {
        attempts: 120,
        done: 114,
        retried: 5,
        failed: 1,
        success_rate: 0.95,
        latency_mean: 1.4,
        latency_p50: 1.1,
        latency_p90: 2.9,
        latency_p99: 8.5,
        requests: 640,
        bytes: 52_000_000,
        blocks: 3,
        captchas: 1,
        items: 2_310,
      },
      { source: 'indeed' },
    ),
    problems: ['invalid_params'],
    async handle(request, reply) {
      const { bucket, source } = request.query;
      const wanted = namesOf(source);
      const span = spanOf({ ...request.query, bucket, limit: wanted?.length || Math.max(1, sources.length) });
      const asOf = new Date();
      const tallies = await semaphore(() => store.sourceTallies({ ...span, ...(wanted ? { sources: wanted } : {}) }));
      const rows = tallies.map((tally) => {
        const { latency_seconds: latency, ...period } = periodView(tally);
        const { mean, p50, p90, p99 } = latency;
        const of = { latency_mean: mean, latency_p50: p50, latency_p90: p90, latency_p99: p99 };
        return { bucket: tally.bucket?.toISOString() ?? null, source: tally.source, ...period, ...of };
      });
      const columns = Object.keys(rows[0] ?? { attempts: 0 }).filter((name) => name !== 'bucket' && name !== 'source');
      return send(request, reply, { ...span, groupBy: ['source'], isCut: false, asOf, columns, rows });
    },
  });
}

function optionsOf(query: Query, groups: Group[]): AnalyticsOptions {
  const { source, company, location, remote_type, currency, q, country } = query;
  return {
    ...spanOf({ ...query, limit: groups.length === 0 ? 1 : query.limit }),
    groups,
    filter: given<PostingFilter>({
      sources: namesOf(source),
      company,
      location,
      remoteType: remote_type,
      currency,
      q,
    }),
    country,
    limitMs: LIMIT_MS,
  };
}
