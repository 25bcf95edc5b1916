// Counting postings and their pay, by time and group. Everything is read from columns of the table, never from the documents; the groups that are shown
// are the largest of the whole time, so that a series has no holes where another group was larger for a day.
import type { Pool } from 'pg';
import type { Bucket } from '../../model/analytics.ts';
import { AppError } from '../../model/errors.ts';
import { transaction } from '../postgres/pool.ts';
import { conditions, type PostingFilter } from './posting-list.ts';

/** What postings can be grouped by, and the column. */
export const GROUPS = {
  source: 'p.source',
  company: 'p.company',
  country: 'p.country',
  city: 'p.city',
  remote_type: 'p.remote_type',
  seniority: 'p.seniority',
  job_type: 'p.job_type',
} as const;
export type Group = keyof typeof GROUPS;

export interface SpanOptions<G extends string> {
  from: Date;
  to: Date;
  /** Null: one row for all of the time. */
  bucket: Bucket | null;
  /** At most two. */
  groups: readonly G[];
  limit: number;
  limitMs: number;
}

export interface AnalyticsOptions extends SpanOptions<Group> {
  filter: PostingFilter;
  country?: string | undefined;
}

export interface Keyed {
  bucket: Date | null;
  /** One for each that was asked for, in that order. */
  groups: (string | null)[];
}

export interface PostingCount extends Keyed {
  postings: number;
  /** Of them, counting the same job on several boards once. */
  jobs: number;
  companies: number;
  remote: number;
  with_salary: number;
}

export interface CompanyCount extends Keyed {
  postings: number;
  jobs: number;
  sources: number;
  cities: number;
  remote: number;
  with_salary: number;
  first_seen_at: Date;
  last_seen_at: Date;
}

/** Amounts of one currency. */
export interface Spread {
  currency: string;
  min: number;
  p10: number;
  p25: number;
  p50: number;
  p75: number;
  p90: number;
  max: number;
  mean: number;
}

export interface PayLine extends Keyed, Spread {
  postings: number;
}

export interface Counted<T> {
  rows: T[];
  /** There are more groups than are shown. */
  isCut: boolean;
}

export async function countPostingsOver(pool: Pool, options: AnalyticsOptions): Promise<Counted<PostingCount>> {
  return countedPostings(pool, options, {
    where: 'true',
    keys: [],
    // A posting that was not compared yet stands for itself.
    columns: `count(*)::int as postings, count(distinct coalesce(p.group_id, p.key))::int as jobs, count(distinct lower(p.company))::int as companies,
      count(*) filter (where p.remote_type = 'remote')::int as remote, count(p.pay)::int as with_salary`,
  });
}

export async function countCompanies(pool: Pool, options: AnalyticsOptions): Promise<Counted<CompanyCount>> {
  return countedPostings(pool, options, {
    where: 'p.company is not null',
    keys: [],
    columns: `count(*)::int as postings, count(distinct coalesce(p.group_id, p.key))::int as jobs, count(distinct p.source)::int as sources,
      count(distinct p.city)::int as cities, count(*) filter (where p.remote_type = 'remote')::int as remote, count(p.pay)::int as with_salary,
      min(p.first_seen_at) as first_seen_at, max(p.last_seen_at) as last_seen_at`,
  });
}

export async function payOver(pool: Pool, options: AnalyticsOptions): Promise<Counted<PayLine>> {
  const { rows, isCut } = await countedPostings<PayLine & Shares>(pool, options, {
    where: 'p.pay is not null and p.currency is not null and not p.pay_inferred',
    keys: ['p.currency as currency'],
    columns: `count(*)::int as postings, ${spreadColumns('p.pay')}`,
  });
  const cents = (amount: number): number => Math.round(amount * 100) / 100;
  return { isCut, rows: rows.map((row) => spreadOf(row, cents)) };
}

export const spreadColumns = (
  amount: string,
): string => `min(${amount}) as min, max(${amount}) as max, avg(${amount}) as mean,
      percentile_cont(array[0.1, 0.25, 0.5, 0.75, 0.9]) within group (order by ${amount}) as shares`;

export interface Shares {
  shares: number[];
}

/** What those columns brought, each amount as it is to be shown. */
export function spreadOf<T extends Spread & Shares>(
  { shares, ...row }: T,
  shown: (amount: number) => number,
): Omit<T, 'shares'> {
  const [p10, p25, p50, p75, p90] = shares.map(shown) as [number, number, number, number, number];
  return { ...row, min: shown(row.min), p10, p25, p50, p75, p90, max: shown(row.max), mean: shown(row.mean) };
}

interface Question {
  where: string;
  /** What rows are kept apart by besides bucket and groups. */
  keys: string[];
  columns: string;
}

function countedPostings<T extends Keyed>(
  pool: Pool,
  options: AnalyticsOptions,
  { where, ...question }: Question,
): Promise<Counted<T>> {
  return grouped<Group, T>(pool, options, {
    ...question,
    table: 'postings',
    at: 'p.first_seen_at',
    groups: GROUPS,
    size: 'postings',
    where: (bind) => [
      where,
      ...conditions(options.filter, bind),
      ...(options.country === undefined ? [] : [`p.country = ${bind(options.country)}`]),
    ],
  });
}

export interface GroupedQuestion<G extends string> {
  /** Its rows are called p. */
  table: string;
  /** The column that says when. */
  at: string;
  groups: Record<G, string>;
  /** Which of the columns orders the rows of a bucket. */
  size: string;
  where(bind: (value: unknown) => string): string[];
  /** What rows are kept apart by besides bucket and groups. */
  keys: string[];
  columns: string;
}

export async function grouped<G extends string, T extends Keyed>(
  pool: Pool,
  options: SpanOptions<G>,
  { table, at, groups, size, where, keys, columns }: GroupedQuestion<G>,
): Promise<Counted<T>> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const which = [`${at} >= ${bind(options.from)} and ${at} < ${bind(options.to)}`, ...where(bind)].join(' and ');
  const names = options.groups.map((_, index) => `g${index + 1}`);
  const picked = options.groups.map((group, index) => `${groups[group]} as g${index + 1}`);
  const bucket = options.bucket === null ? 'null::timestamptz' : `date_trunc('${options.bucket}', ${at}, 'UTC')`;
  const isGrouped = names.length > 0;
  // One more than is shown, to know whether there is more.
  const top = isGrouped
    ? `top as (select ${picked.join(', ')}, count(*) as n from ${table} p where ${which} group by ${names.join(', ')}
         order by n desc, ${names.join(', ')} limit ${bind(options.limit + 1)}),
       shown as (select ${names.join(', ')} from top order by n desc, ${names.join(', ')} limit ${bind(options.limit)}),`
    : '';
  // Nothing is a group too; as a text that no page has, so that the groups can be looked up and need not be tried one after the other.
  const same = (name: string): string => `coalesce(${name}, e'\\x01')`;
  const among = isGrouped
    ? `and (${options.groups.map((group) => same(groups[group])).join(', ')}) in (select ${names.map(same).join(', ')} from shown)`
    : '';
  const by = [bucket, ...options.groups.map((group) => groups[group]), ...keys.map((key) => key.split(' as ')[0])];
  const text = `with ${top} rows as (
      select ${[`${bucket} as bucket`, ...picked, ...keys, columns].join(', ')} from ${table} p where ${which} ${among} group by ${by.join(', ')})
    select rows.*, ${isGrouped ? '(select count(*)::int from top)' : '0'} as groups_found from rows order by bucket, ${size} desc`;
  const rows = await inTime<Record<string, unknown>>(pool, text, values, options.limitMs);
  return {
    isCut: Number(rows[0]?.groups_found ?? 0) > options.limit,
    rows: rows.map(({ groups_found, g1, g2, ...row }) => ({
      ...row,
      groups: [g1, g2].slice(0, names.length) as (string | null)[],
    })) as unknown as T[],
  };
}

/** A query that is too large for its time limit is an error of the caller, not an outage of the store. */
async function inTime<R>(pool: Pool, text: string, values: unknown[], limitMs: number): Promise<R[]> {
  return transaction(pool, async (client) => {
    // What is counted apart is sorted: for these few questions in memory, not on the disk.
    await client.query(`set local statement_timeout = ${Math.round(limitMs)}; set local work_mem = '64MB'`);
    try {
      return (await client.query(text, values)).rows as R[];
    } catch (error) {
      if ((error as { code?: string }).code !== '57014') throw error;
      throw new AppError('query_too_slow', undefined, { cause: error });
    }
  });
}
