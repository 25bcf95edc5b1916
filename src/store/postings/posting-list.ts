// Lists of postings: filters, orders and pages, each posting with the group it belongs to.
import type { Pool } from 'pg';
import type { Posting, RemoteType } from '../../model/posting/posting.ts';
import {
  type Bind,
  byAmount,
  byTime,
  byWrittenDate,
  hasWords,
  type ItemList,
  instantOf,
  itemPage,
  type ListPlace,
  type ListQuery,
  phrase,
  search,
} from '../items/item-list.ts';
import { query } from '../postgres/pool.ts';
import { pgText } from '../postgres/text.ts';

export const POSTING_ORDERS = {
  first_seen_at: byTime('p.first_seen_at'),
  posted_at: byWrittenDate('p.posted_at'),
  salary: byAmount('p.salary_annual'),
};
export type PostingOrder = keyof typeof POSTING_ORDERS;

const POSTINGS: ItemList<PostingOrder> = {
  table: 'postings',
  columns: 'p.data, p.first_seen_at, p.last_seen_at, p.group_id',
  orders: POSTING_ORDERS,
};

export interface PostingFilter {
  sources?: string[];
  /** Words in the company's name, in their order. */
  company?: string;
  location?: string;
  remoteType?: RemoteType;
  /** ISO 8601; postings without a date are left out. */
  postedAfter?: string;
  seenAfter?: string;
  /** As people write in a search box: words, "phrases", or, -without. */
  q?: string;
  /** A year, in the posting's own currency. */
  minSalary?: number;
  currency?: string;
  /** Only the postings of one group. */
  groupId?: string;
}

export type PostingListOptions = PostingFilter & ListQuery<PostingOrder>;

export interface ListedPosting {
  /** Where it is in the list. */
  at: ListPlace;
  posting: Posting;
  firstSeenAt: Date;
  lastSeenAt: Date;
  group: { id: string | null; sources: { source: string; job_url: string; first_seen_at: string }[] };
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
  const rows = await itemPage<Row, PostingOrder>(pool, POSTINGS, options, (bind) => conditions(options, bind));
  const members = await membersOf(pool, [...new Set(rows.flatMap((row) => row.group_id ?? []))]);
  return rows.map((row) => ({
    at: { value: row.place, key: row.key },
    posting: row.data,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    group: {
      id: row.group_id,
      sources: members.get(row.group_id ?? '') ?? [
        { source: row.data.source, job_url: row.data.job_url, first_seen_at: row.first_seen_at.toISOString() },
      ],
    },
  }));
}

/**
 * How each part of a filter is asked, of a row `p` and a value that stands in the statement: a parameter for a list, a column for saved searches.
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

export function conditions(filter: PostingFilter, value: Bind): string[] {
  const where: string[] = [];
  const { sources, company, location, remoteType, postedAfter, seenAfter, q, minSalary, currency, groupId } = filter;
  if (sources) where.push(CONDITIONS.sources(`${value(sources)}::text[]`));
  if (company !== undefined) where.push(CONDITIONS.company(WORDS.company(value(pgText(company)))));
  if (location !== undefined) where.push(CONDITIONS.location(WORDS.location(value(pgText(location)))));
  if (remoteType) where.push(CONDITIONS.remoteType(value(remoteType)));
  if (postedAfter !== undefined) where.push(CONDITIONS.postedAfter(value(postedAfter)));
  if (seenAfter !== undefined) where.push(`p.first_seen_at >= ${value(seenAfter)}::timestamptz`);
  if (q !== undefined) where.push(CONDITIONS.q(WORDS.q(value(pgText(q)))));
  if (minSalary !== undefined) where.push(CONDITIONS.minSalary(value(minSalary)));
  if (currency !== undefined) where.push(CONDITIONS.currency(value(currency)));
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
