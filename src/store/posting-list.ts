// Lists of postings: filters, orders and pages, each posting with the group it belongs to.
import type { Pool } from 'pg';
import type { Posting, RemoteType } from '../model/posting.ts';
import { query } from './pool.ts';
import { pgText } from './text.ts';

/** What a list can be sorted by: the expression, and the type its place in a cursor has. Nulls are the least of their kind. */
const ORDERS = {
  first_seen_at: { by: 'p.first_seen_at', type: 'timestamptz', text: toMicroseconds('p.first_seen_at') },
  posted_at: { by: `coalesce(p.posted_at, '') collate "C"`, type: 'text', text: `coalesce(p.posted_at, '')` },
  salary: { by: 'coalesce(p.salary_annual, -1)', type: 'numeric', text: 'coalesce(p.salary_annual, -1)::text' },
} as const;
export type PostingOrder = keyof typeof ORDERS;

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

export interface PostingListOptions extends PostingFilter {
  order: PostingOrder;
  descending: boolean;
  after: { value: string; key: string } | null;
  limit: number;
}

export interface ListedPosting {
  /** Where it is in the list. */
  at: { value: string; key: string };
  posting: Posting;
  firstSeenAt: Date;
  lastSeenAt: Date;
  group: { id: string | null; sources: { source: string; job_url: string; first_seen_at: string }[] };
}

/** A group is as large as there are sources; this is only to be safe. */
const GROUP_SHOWN_MAX = 50;

interface Row {
  key: string;
  place: string;
  data: Posting;
  first_seen_at: Date;
  last_seen_at: Date;
  group_id: string | null;
}

export async function listPostings(pool: Pool, options: PostingListOptions): Promise<ListedPosting[]> {
  const { by, type, text } = ORDERS[options.order];
  const values: unknown[] = [];
  const value = (one: unknown): string => `$${values.push(one)}`;
  const where = conditions(options, value);
  const direction = options.descending ? 'desc' : 'asc';
  if (options.after) {
    const { value: place, key } = options.after;
    where.push(`(${by}, p.key) ${options.descending ? '<' : '>'} (${value(place)}::${type}, ${value(key)}::uuid)`);
  }
  const rows = await query<Row>(
    pool,
    `select p.key, ${text} as place, p.data, p.first_seen_at, p.last_seen_at, p.group_id from postings p
     ${where.length > 0 ? `where ${where.join(' and ')}` : ''}
     order by ${by} ${direction}, p.key ${direction} limit ${value(options.limit)}`,
    values,
  );
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

function conditions(filter: PostingFilter, value: (one: unknown) => string): string[] {
  const where: string[] = [];
  const { sources, company, location, remoteType, postedAfter, seenAfter, q, minSalary, currency, groupId } = filter;
  if (sources) where.push(`p.source = any(${value(sources)}::text[])`);
  if (company !== undefined) where.push(hasWords('b', value(pgText(company))));
  if (location !== undefined) where.push(hasWords('c', value(pgText(location))));
  if (remoteType) where.push(`p.remote_type = ${value(remoteType)}`);
  if (postedAfter !== undefined) where.push(`coalesce(p.posted_at, '') collate "C" >= ${value(postedAfter)}`);
  if (seenAfter !== undefined) where.push(`p.first_seen_at >= ${value(seenAfter)}::timestamptz`);
  if (q !== undefined) where.push(`p.words @@ websearch_to_tsquery('english', ${value(pgText(q))})`);
  // The same expression as the index.
  if (minSalary !== undefined) where.push(`coalesce(p.salary_annual, -1) >= ${value(minSalary)}`);
  if (currency !== undefined) where.push(`p.data ->> 'currency' = ${value(currency)}`);
  if (groupId !== undefined) where.push(`p.group_id = ${value(groupId)}::uuid`);
  return where;
}

/** The first condition is what the index answers; the second leaves only those that have the words in the right field. */
const hasWords = (weight: 'b' | 'c', given: string): string =>
  `(p.words @@ phraseto_tsquery('simple', ${given}) and ts_filter(p.words, '{${weight}}') @@ phraseto_tsquery('simple', ${given}))`;

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

/** A cursor must tell apart what one transaction wrote in one millisecond. */
function toMicroseconds(column: string): string {
  return `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
