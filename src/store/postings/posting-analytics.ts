// Counting postings and their pay, by time and group: from the roll-ups where what is asked has cells, else from the rows.
import type { Pool } from 'pg';
import type { AmountSpread } from '../../model/analytics.ts';
import { inTime } from '../postgres/in-time.ts';
import type { Client } from '../postgres/pool.ts';
import { POSTINGS, SKILLS } from '../rollups/cells.ts';
import { coverOf } from '../rollups/cover.ts';
import {
  type Cells,
  type Counted,
  cellsWith,
  fromRows,
  grouped,
  type Keyed,
  type Question,
  type SpanOptions,
} from '../rollups/grouped.ts';
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
  skill: 's.skill',
} as const;
export type Group = keyof typeof GROUPS;

export interface AnalyticsOptions extends SpanOptions<Group> {
  filter: PostingFilter;
  country?: string | undefined;
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
export interface Spread extends AmountSpread {
  currency: string;
}

export interface PayLine extends Keyed, Spread {
  postings: number;
}

/** A year is in cents. */
const cents = (amount: number): number => Math.round(amount * 100) / 100;

const REMOTE = `(count(*) filter (where p.remote_type = 'remote'))::int`;
// A posting that was not compared yet stands for itself.
const JOBS = 'count(distinct coalesce(p.group_id, p.key))::int';

export async function countPostingsOver(pool: Pool, options: AnalyticsOptions): Promise<Counted<PostingCount>> {
  return grouped(pool, options, {
    ...rowsOf(options, 'true'),
    columns: {
      postings: ['count(*)::int', 'c.postings'],
      jobs: [JOBS, 'c.jobs'],
      companies: ['count(distinct lower(p.company))::int', 'c.companies'],
      remote: [REMOTE, 'c.remote'],
      with_salary: ['count(p.pay)::int', 'c.with_salary'],
    },
    cells: options.filter.currency === undefined ? cellsOf(options) : null,
  });
}

/** When a company was last seen changes all the time, so roll-ups only say which are the largest; these are read. */
export async function countCompanies(pool: Pool, options: AnalyticsOptions): Promise<Counted<CompanyCount>> {
  const question: Question<Group> = {
    ...rowsOf(options, 'p.company is not null'),
    columns: {
      postings: ['count(*)::int'],
      jobs: [JOBS],
      sources: ['count(distinct p.source)::int'],
      cities: ['count(distinct p.city)::int'],
      remote: [REMOTE],
      with_salary: ['count(p.pay)::int'],
      first_seen_at: ['min(p.first_seen_at)'],
      last_seen_at: ['max(p.last_seen_at)'],
    },
    cells: null,
  };
  if (cellsOf(options)?.dims !== 'company' || options.filter.currency !== undefined)
    return grouped(pool, options, question);
  return inTime(pool, options.limitMs, async (client) => {
    const { names, ...found } = await largestCompanies(client, options);
    const where: typeof question.where = (bind) => [`p.company = any(${bind(names)}::text[])`];
    return { ...(await fromRows<Group, CompanyCount>(client, options, { ...question, where })), ...found };
  });
}

async function largestCompanies(client: Client, { from, to, limit }: AnalyticsOptions) {
  const { days, weeks, rest, asOf } = await coverOf(client, 'postings', { from, to, bucket: null });
  const { rows } = await client.query<{ company: string }>(
    `select company from (
       select v1 as company, postings from posting_cells where dims = 'company' and v1 is not null
         and (unit = 'day' and at = any($1::timestamptz[]) or unit = 'week' and at = any($2::timestamptz[]))
       union all select p.company, 1 from unnest($3::timestamptz[], $4::timestamptz[]) r(since, until)
         join postings p on p.first_seen_at >= r.since and p.first_seen_at < r.until where p.company is not null
     ) parts group by company order by sum(postings) desc, company limit $5`,
    [days, weeks, rest.map((one) => one.from), rest.map((one) => one.to), limit + 1],
  );
  return { names: rows.slice(0, limit).map(({ company }) => company), isCut: rows.length > limit, asOf };
}

interface PayRow extends Keyed {
  currency: string;
  postings: number;
  spread: number[];
}

export async function payOver(pool: Pool, options: AnalyticsOptions): Promise<Counted<PayLine>> {
  const cells = cellsOf(options);
  const { currency } = options.filter;
  const { rows, ...counted } = await grouped<Group, PayRow>(pool, options, {
    ...rowsOf(options, 'p.pay is not null and p.currency is not null and not p.pay_inferred'),
    columns: { postings: ['count(*)::int', 'c.n'] },
    amount: 'p.pay',
    cells: cells && currency !== undefined ? { ...cells, equal: [...cells.equal, ['c.currency', currency]] } : cells,
  });
  return { ...counted, rows: rows.map((row) => withSpread(row, cents)) };
}

/** The names of the parts of a spread, each amount as it is to be shown. */
export function withSpread<T extends { spread: number[] }>(
  { spread, ...row }: T,
  shown: (amount: number) => number,
): Omit<T, 'spread'> & AmountSpread {
  const [min, p10, p25, p50, p75, p90, max, mean] = spread.map(shown) as Eight;
  return { ...row, min, p10, p25, p50, p75, p90, max, mean };
}
type Eight = [number, number, number, number, number, number, number, number];

function rowsOf(options: AnalyticsOptions, where: string): Pick<Question<Group>, 'table' | 'at' | 'groups' | 'where'> {
  return {
    table: options.groups.includes('skill') ? `postings p ${SKILLS('p.data')}` : 'postings p',
    at: 'p.first_seen_at',
    groups: GROUPS,
    where: (bind) => [
      where,
      ...conditions(options.filter, bind),
      ...(options.country === undefined ? [] : [`p.country = ${bind(options.country)}`]),
    ],
  };
}

/** Those of these groups and values; a currency is no dimension. */
function cellsOf({ groups, filter, country }: AnalyticsOptions): Cells | null {
  const { sources, remoteType, currency: _, ...others } = filter;
  if (Object.keys(others).length > 0 || (sources && sources.length !== 1)) return null;
  return cellsWith(POSTINGS, groups, { source: sources?.[0], remote_type: remoteType, country });
}
