// Analytics: postings, salaries, companies, prices and sources over time. The number of rows is limited before the query, and its time while it runs.
// As JSON or CSV.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BUCKETS, type Bucket, spanErrors } from '../../model/analytics.ts';
import { csvLine } from '../../model/csv.ts';
import { REMOTE_TYPES } from '../../model/posting/posting.ts';
import {
  type AnalyticsOptions,
  type Counted,
  GROUPS,
  type Group,
  type Keyed,
} from '../../store/postings/posting-analytics.ts';
import type { PostingFilter } from '../../store/postings/posting-list.ts';
import type { PostingStore } from '../../store/postings/posting-store.ts';
import { PRICE_GROUPS, type PriceFilter, type PriceGroup } from '../../store/products/price-analytics.ts';
import type { ProductStore } from '../../store/products/product-store.ts';
import type { SourceStore } from '../../store/sources/source-store.ts';
import type { Needs } from '../deps.ts';
import { type Reply, type Route, route } from '../http/route.ts';
import { createTurns, type Turns } from '../http/semaphore.ts';
import { CSV, formatOf } from '../lists/export.ts';
import {
  CurrencyFilter,
  given,
  NameFilter,
  namesOf,
  SourcesFilter,
  TextFilter,
  TimeFilter,
} from '../lists/item-list.ts';
import { periodView } from '../sources/views.ts';
import { timeOf } from '../validation/times.ts';
import { invalid } from '../validation/validators.ts';

const LIMIT_MS = 8_000;
/** Default length of the period, without `from`. */
const DAYS = 30;
const DAYS_OF_HOURS = 7;
const GROUPS_SHOWN = 20;
const GROUPS_MAX = 200;
const SHOWN_TOGETHER = 2;

const COMMON = {
  from: TimeFilter.meta({
    description: `A day or a time. Default: ${DAYS} days before \`to\`, ${DAYS_OF_HOURS} with \`bucket=hour\`.`,
  }),
  to: TimeFilter.meta({ description: 'End of the period, not included. Default: now.' }),
  format: z.enum(['json', 'csv']).optional().meta({ description: 'Instead of `Accept`.' }),
};
const BUCKET = z.enum(Object.keys(BUCKETS) as [Bucket, ...Bucket[]]);
const groupBy = (groups: object) =>
  z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: `One or two of ${Object.keys(groups).join(', ')}, separated by a comma.` });
const Limit = z
  .int()
  .min(1)
  .max(GROUPS_MAX)
  .default(GROUPS_SHOWN)
  .meta({ description: 'Maximum number of groups (the largest ones).' });
const WHICH = {
  source: SourcesFilter,
  company: NameFilter.meta({ description: 'Words in the company name.' }),
  location: NameFilter.meta({ description: 'Words in the location as shown by the source.' }),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
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

interface Answer {
  from: Date;
  to: Date;
  bucket: Bucket | null;
  groupBy: readonly string[];
  isCut: boolean;
  columns: readonly string[];
  rows: Record<string, unknown>[];
}

type AnalyticsDeps = Needs<
  PostingStore & Pick<ProductStore, 'pricesOver'> & Pick<SourceStore, 'sourceTallies'>,
  'sources' | 'catalogue'
>;

export const analytics = (deps: AnalyticsDeps): Route[] => {
  const turns = createTurns({ atOnce: 2, inLine: 20 });
  const { store } = deps;
  return [
    counted(turns, {
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
    counted(turns, {
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
    counted(turns, {
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
    pricesRoute(deps, turns),
    sourcesRoute(deps, turns),
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

function counted<T extends Keyed>(turns: Turns, what: Counting<T>): Route {
  const { name, operationId, summary, description, query, first } = what;
  return route({
    method: 'GET',
    path: `/analytics/${name}`,
    operationId,
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
      const found = await turns(() => what.count(options));
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

function pricesRoute({ store }: AnalyticsDeps, turns: Turns): Route {
  return route({
    method: 'GET',
    path: '/analytics/prices',
    operationId: 'getPrices',
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
      const found = await turns(() => store.pricesOver(options));
      return send(request, reply, answerOf(options, found, Object.keys(PRICE_EXAMPLE)));
    },
  });
}

function sourcesRoute({ store, sources }: AnalyticsDeps, turns: Turns): Route {
  return route({
    method: 'GET',
    path: '/analytics/sources',
    operationId: 'countSources',
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
      const tallies = await turns(() => store.sourceTallies({ ...span, ...(wanted ? { sources: wanted } : {}) }));
      const rows = tallies.map((tally) => {
        const { latency_seconds: latency, ...period } = periodView(tally);
        const { mean, p50, p90, p99 } = latency;
        const of = { latency_mean: mean, latency_p50: p50, latency_p90: p90, latency_p99: p99 };
        return { bucket: tally.bucket?.toISOString() ?? null, source: tally.source, ...period, ...of };
      });
      const columns = Object.keys(rows[0] ?? { attempts: 0 }).filter((name) => name !== 'bucket' && name !== 'source');
      return send(request, reply, { ...span, groupBy: ['source'], isCut: false, columns, rows });
    },
  });
}

function answers(row: Record<string, unknown>, group: Record<string, string>): Record<number, Reply> {
  const example = { bucket: '2024-01-01T00:00:00.000Z', ...group, ...row };
  return {
    200: {
      description: 'Rows by time, the largest group first.',
      schema: z.object({
        from: z.string(),
        to: z.string(),
        bucket: z.string().nullable(),
        group_by: z.array(z.string()),
        groups_cut: z.boolean(),
        rows: z.array(z.record(z.string(), z.unknown())),
      }),
      examples: {
        'application/json': {
          from: '2024-01-01T00:00:00.000Z',
          to: '2024-01-31T00:00:00.000Z',
          bucket: 'day',
          group_by: Object.keys(group),
          groups_cut: false,
          rows: [example],
        },
        'text/csv': `${Object.keys(example).join(',')}\r\n`,
      },
    },
  };
}

const wrongGroups = (detail: string) => invalid([{ pointer: '/group_by', detail }], 'querystring');

function groupsOf<G extends string>(text: string | undefined, groups: Record<G, string>): G[] {
  const names = [...new Set(namesOf(text) ?? [])];
  const unknown = names.find((name) => !Object.hasOwn(groups, name));
  if (unknown !== undefined)
    throw wrongGroups(`has an unknown group "${unknown}". Known groups: ${Object.keys(groups).join(', ')}`);
  if (names.length > SHOWN_TOGETHER) throw wrongGroups(`may have at most two groups, not ${names.length}`);
  return names as G[];
}

function spanOf(query: {
  from?: string | undefined;
  to?: string | undefined;
  bucket?: Bucket | undefined;
  limit: number;
}) {
  const to = query.to === undefined ? new Date() : timeOf('to', query.to);
  const days = query.bucket === 'hour' ? DAYS_OF_HOURS : DAYS;
  const from = query.from === undefined ? new Date(to.getTime() - days * BUCKETS.day) : timeOf('from', query.from);
  const span = { from, to, bucket: query.bucket ?? null, limit: query.limit };
  const errors = spanErrors(span);
  if (errors.length > 0) throw invalid(errors, 'querystring');
  return span;
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

function answerOf<T extends Keyed>(
  { from, to, bucket, groups }: Pick<Answer, 'from' | 'to' | 'bucket'> & { groups: readonly string[] },
  { rows, isCut }: Counted<T>,
  columns: readonly string[],
): Answer {
  return {
    from,
    to,
    bucket,
    groupBy: groups,
    isCut,
    columns,
    rows: rows.map(({ bucket: at, groups: values, ...row }) => ({
      bucket: at?.toISOString() ?? null,
      ...Object.fromEntries(groups.map((group, index) => [group, values[index] ?? null])),
      ...row,
    })),
  };
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): unknown {
  const { from, to, bucket, groupBy, isCut, rows } = answer;
  const { format } = request.query as { format?: 'json' | 'csv' };
  reply.header('vary', 'accept');
  if ((format ?? formatOf(request.headers.accept)) === 'csv') {
    const columns = [...(bucket === null ? [] : ['bucket']), ...groupBy, ...answer.columns];
    const lines = rows.map((row) => csvLine(columns.map((column) => cellOf(row[column]))));
    return reply.type(`${CSV}; charset=utf-8`).send(csvLine(columns) + lines.join(''));
  }
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ from, to, bucket, group_by: groupBy, groups_cut: isCut, rows }));
}

const cellOf = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);
