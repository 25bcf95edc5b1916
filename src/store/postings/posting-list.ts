// Lists of postings: filters, orders and pages, each posting with the group it belongs to.
import type { Pool } from 'pg';
import type {
  ContractKind,
  Degree,
  Interval,
  JobType,
  Posting,
  RemoteType,
  Seniority,
} from '../../model/posting/posting.ts';
import { countFacets, type FacetList, type FacetOptions, type Facets } from '../items/facets.ts';
import type { Marks } from '../items/highlights.ts';
import {
  type Bind,
  byAmount,
  byTime,
  byWrittenDate,
  type Filter,
  hasWords,
  type ItemList,
  type ItemRow,
  instantOf,
  type ListPlace,
  type ListQuery,
  labelsOf,
  phrase,
  search,
} from '../items/item-list.ts';
import { listPage } from '../items/ranked.ts';
import { type StreamQuery, streamItems } from '../items/stream.ts';
import { query } from '../postgres/pool.ts';
import { pgText } from '../postgres/text.ts';

export const POSTING_ORDERS = {
  first_seen_at: byTime('first_seen_at'),
  posted_at: byWrittenDate('p.posted_at'),
  salary: byAmount('p.salary_annual'),
};
export type PostingOrder = keyof typeof POSTING_ORDERS;

const POSTINGS: ItemList<PostingOrder> & FacetList = {
  table: 'postings',
  labels: 'p.labels',
  texts: { title: 'p.title', company: 'p.company', location: 'p.location', description: `p.data ->> 'description'` },
  columns: 'p.data, p.first_seen_at, p.last_seen_at, p.group_id',
  orders: POSTING_ORDERS,
};

export interface PostingFilter {
  sources?: string[];
  /** Words in the company's name, in their order. */
  company?: string;
  location?: string;
  /** Exactly one of these names. */
  companies?: string[];
  remoteType?: RemoteType;
  /** Of any of its places. */
  country?: string;
  seniority?: Seniority;
  jobType?: JobType;
  degree?: Degree;
  visaSponsorship?: boolean;
  contractKind?: ContractKind;
  /** Asks for so many years of experience at most, or for none. */
  maxExperience?: number;
  /** All of these; case does not matter. */
  skills?: string[];
  /** ISO 8601; postings without a date are left out. */
  postedAfter?: string;
  postedBefore?: string;
  seenAfter?: string;
  seenBefore?: string;
  /** As people write in a search box: words, "phrases", or, -without. */
  q?: string;
  /** A year, in the posting's own currency. */
  minSalary?: number;
  maxSalary?: number;
  /** In which its pay is said. */
  salaryInterval?: Interval;
  currency?: string;
  /** Only the postings of one group. */
  groupId?: string;
}

export type PostingListOptions = PostingFilter & ListQuery<PostingOrder | 'relevance'>;

export interface ListedPosting {
  /** Where it is in the list. */
  at: ListPlace;
  posting: Posting;
  firstSeenAt: Date;
  lastSeenAt: Date;
  group: { id: string | null; sources: { source: string; job_url: string; first_seen_at: string }[] };
  marks?: Marks;
}

/** A group is as large as there are sources; this is only to be safe. */
const GROUP_SHOWN_MAX = 50;

interface Row {
  data: Posting;
  first_seen_at: Date;
  last_seen_at: Date;
  group_id: string | null;
}

export async function listPostings(pool: Pool, options: PostingListOptions): Promise<ListedPosting[]> {
  const rows = await listPage<Row, PostingOrder>(pool, POSTINGS, 'first_seen_at', options, filterOf(options));
  return listed(pool, rows);
}

async function listed(pool: Pool, rows: ItemRow<Row>[]): Promise<ListedPosting[]> {
  const members = await membersOf(pool, [...new Set(rows.flatMap((row) => row.group_id ?? []))]);
  return rows.map((row) => ({
    at: { value: row.place, key: row.key },
    posting: { ...ABSENT, ...row.data },
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    group: {
      id: row.group_id,
      sources: members.get(row.group_id ?? '') ?? [
        { source: row.data.source, job_url: row.data.job_url, first_seen_at: row.first_seen_at.toISOString() },
      ],
    },
    ...(row.marks ? { marks: row.marks } : {}),
  }));
}

/** What postings did not have when older ones were stored. */
const ABSENT = { degree: null, visa_sponsorship: null, contract_kinds: [] } satisfies Partial<Posting>;

/** All that match, a chunk at a time. */
export async function* streamPostings(
  pool: Pool,
  filter: PostingFilter,
  query: StreamQuery<PostingOrder>,
): AsyncGenerator<ListedPosting[]> {
  for await (const rows of streamItems<Row, PostingOrder>(pool, POSTINGS, query, filterOf(filter)))
    yield await listed(pool, rows);
}

export const postingFacets = (pool: Pool, filter: PostingFilter, options: FacetOptions): Promise<Facets> =>
  countFacets(pool, POSTINGS, filterOf(filter), options);

const filterOf = (filter: PostingFilter): Filter => ({ q: filter.q, conditions: (bind) => conditions(filter, bind) });

/**
 * How each part of a saved search is asked, of a row `p` and a value that stands in the statement: a parameter for a list, a column for saved searches.
 * Words come as a tsquery.
 */
export const CONDITIONS = {
  sources: (value: string) => `p.source = any(${value})`,
  company: (tsquery: string) => hasWords('b', tsquery),
  location: (tsquery: string) => hasWords('c', tsquery),
  remoteType: (value: string) => `p.remote_type = ${value}`,
  postedAfter: (value: string) => `${instantOf('p.posted_at')} >= ${value}::timestamptz`,
  q: (tsquery: string) => `p.search_vector @@ ${tsquery}`,
  // The same expression as the index.
  minSalary: (value: string) => `coalesce(p.salary_annual, -1) >= ${value}`,
  currency: (value: string) => `p.currency = ${value}`,
};

/** How the words of a filter become a tsquery. The saved searches of alerts are parsed the same way, by generated columns. */
export const WORDS = {
  company: phrase,
  location: phrase,
  q: search,
};

/** As the label says them: no more than thirty. */
const experienceUpTo = (years: number): string[] =>
  Array.from({ length: Math.min(30, Math.floor(years)) + 1 }, (_, n) => `experience:${n}`);

export function conditions(filter: PostingFilter, value: Bind): string[] {
  const where: string[] = [];
  const { sources, company, companies, location, postedAfter, postedBefore, seenAfter, seenBefore, q } = filter;
  const { minSalary, maxSalary, groupId } = filter;
  const labels = labelsOf({
    remote_type: filter.remoteType,
    country: filter.country,
    seniority: filter.seniority,
    job_type: filter.jobType,
    degree: filter.degree,
    visa_sponsorship: filter.visaSponsorship === undefined ? undefined : String(filter.visaSponsorship),
    contract_kind: filter.contractKind,
    currency: filter.currency,
    salary_interval: filter.salaryInterval,
  }).concat((filter.skills ?? []).map((skill) => `skill:${pgText(skill).toLowerCase()}`));
  if (labels.length > 0) where.push(`p.labels @> ${value(labels)}::text[]`);
  if (sources) where.push(`p.labels && ${value(sources.map((name) => `source:${name}`))}::text[]`);
  if (companies) where.push(`p.labels && ${value(companies.map((name) => `company:${name}`))}::text[]`);
  if (company !== undefined) where.push(CONDITIONS.company(WORDS.company(value(pgText(company)))));
  if (location !== undefined) where.push(CONDITIONS.location(WORDS.location(value(pgText(location)))));
  if (postedAfter !== undefined) where.push(CONDITIONS.postedAfter(value(postedAfter)));
  if (postedBefore !== undefined)
    where.push(
      `instant_of(p.posted_at) is not null and ${instantOf('p.posted_at')} < ${value(postedBefore)}::timestamptz`,
    );
  if (seenAfter !== undefined) where.push(`p.first_seen_at >= ${value(seenAfter)}::timestamptz`);
  if (seenBefore !== undefined) where.push(`p.first_seen_at < ${value(seenBefore)}::timestamptz`);
  if (q !== undefined) where.push(CONDITIONS.q(WORDS.q(value(pgText(q)))));
  if (minSalary !== undefined) where.push(CONDITIONS.minSalary(value(minSalary)));
  if (maxSalary !== undefined) where.push(`coalesce(p.salary_annual, -1) between 0 and ${value(maxSalary)}`);
  if (filter.maxExperience !== undefined)
    where.push(`p.labels && ${value(experienceUpTo(filter.maxExperience))}::text[]`);
  if (groupId !== undefined) where.push(`p.group_id = ${value(groupId)}::uuid`);
  return where;
}

async function membersOf(pool: Pool, groupIds: string[]): Promise<Map<string, ListedPosting['group']['sources']>> {
  if (groupIds.length === 0) return new Map();
  const rows = await query<{ group_id: string; source: string; job_url: string; first_seen_at: Date }>(
    pool,
    `select g.id as group_id, m.source, m.job_url, m.first_seen_at
     from unnest($1::uuid[]) as g(id) cross join lateral (
       select source, data ->> 'job_url' as job_url, first_seen_at, key from postings where group_id = g.id
       order by first_seen_at, key limit ${GROUP_SHOWN_MAX}) m
     order by g.id, m.first_seen_at, m.key`,
    [groupIds],
  );
  const members = new Map<string, ListedPosting['group']['sources']>();
  for (const { group_id, source, job_url, first_seen_at } of rows) {
    const one = { source, job_url, first_seen_at: first_seen_at.toISOString() };
    const known = members.get(group_id);
    if (known) known.push(one);
    else members.set(group_id, [one]);
  }
  return members;
}
