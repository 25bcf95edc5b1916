// Groups of postings of the same job: new and changed postings are compared with all candidates, and every affected group is written again. The rules are
// in model/posting/same-posting.ts; this file selects the postings for them.
// What a reader would get wrong: a group is decided over a whole neighbourhood (everything that shares a name, and what shares one with that), since
// "nothing else fits as well" is part of the rules. Comparing a new posting with single others would join what the rules keep apart.
import { setImmediate as others } from 'node:timers/promises';
import type { Pool } from 'pg';
import { keyOf } from '../../model/ids.ts';
import type { Posting } from '../../model/posting/posting.ts';
import { noteNames } from '../names/names.ts';
import { type Client, transaction } from '../postgres/pool.ts';
import { plainArray, textArray } from '../postgres/text.ts';

export interface GroupRules {
  /** Keys by which candidates for the same job are found. */
  meetingKeys(posting: Posting): string[];
  /** Postings in the order they were first seen → groups; every posting is in one. The id is hex. */
  groupPostings(postings: Posting[]): { id: string; members: Posting[] }[];
}

export interface RegroupOptions {
  /** New or changed postings in one go. */
  batch: number;
  /** Most postings compared in one go: an agency with thousands in one city must not take the memory of the process. */
  maxCompared: number;
}

export interface Regrouped {
  looked: number;
  /** Postings that were compared with them. */
  compared: number;
  /** Postings that are in another group than before. */
  moved: number;
  /** New ones that now wait to be announced. */
  news: number;
}

const NOTHING: Regrouped = { looked: 0, compared: 0, moved: 0, news: 0 };

/** One instance groups at a time, and the others find nothing to do. */
const LOCK_KEY = 7_246_306;
/** Neighbours of neighbours of neighbours: further than this nothing was ever seen to matter. */
const ROUNDS_MAX = 5;
/** A group is as large as there are sources; this is only to be safe. */
const EARLIER_MAX = 50;

interface Row {
  key: string;
  version: string;
  first_seen: string;
  group_id: string | null;
  is_new: boolean;
  keys: string[] | null;
  data: Posting;
}

// Only what the rules read: pages of markup stay where they are.
const COLUMNS = `key, xmin::text as version, to_char(first_seen_at at time zone 'utc', 'YYYYMMDDHH24MISSUS') as first_seen, group_id, is_new,
  meeting_keys::text[] as keys, data - 'description_html' - 'raw' - 'company_description' as data`;

export async function regroupPostings(pool: Pool, rules: GroupRules, options: RegroupOptions): Promise<Regrouped> {
  return transaction(pool, async (client) => {
    const { rows: lock } = await client.query<{ ours: boolean }>('select pg_try_advisory_xact_lock($1) as ours', [
      LOCK_KEY,
    ]);
    if (!lock[0]?.ours) return NOTHING;
    const { rows: due } = await client.query<Row>(
      `select ${COLUMNS} from postings p where group_due order by first_seen_at, key limit $1`,
      [options.batch],
    );
    if (due.length === 0) return NOTHING;
    for (const row of due) row.keys = rules.meetingKeys(row.data).map(keyOf);
    const near = await neighbourhood(client, due, options.maxCompared);
    const rowOf = new Map(near.map((row) => [row.data, row]));
    const changes: Change[] = [];
    const news: News[] = [];
    const isDue = new Set(due.map((row) => row.key));
    const isCut = near.length >= options.maxCompared;
    for (const block of apart(near)) {
      for (const { id, members } of rules.groupPostings(block.map((row) => row.data))) {
        const rows = members.map((member) => rowOf.get(member)!);
        // Where not all neighbours could be looked at, what is there stays, and only what is due finds its place in it.
        const kept = isCut ? rows.find((row) => !isDue.has(row.key))?.group_id : null;
        const groupId = kept ?? asUuid(id);
        const isNews = (row: Row): boolean => row.is_new && isDue.has(row.key);
        const known = rows.filter((row) => !isNews(row));
        for (const row of rows) {
          if (isNews(row)) {
            news.push({ row, earlier: known.slice(0, EARLIER_MAX).map((one) => one.key) });
            known.push(row);
          }
          if (isDue.has(row.key)) changes.push({ row, groupId, isDue: true });
          else if (!isCut && row.group_id !== groupId) changes.push({ row, groupId, isDue: false });
        }
      }
      // Comparing texts is the work of this process alone, and the same process may be serving requests.
      await others();
    }
    await write(client, changes);
    await queueNews(client, news);
    await noteNames(
      client,
      'company',
      due.map((row) => row.data.company),
    );
    const moved = changes.filter(({ row, groupId }) => row.group_id !== null && row.group_id !== groupId).length;
    return { looked: due.length, compared: near.length - due.length, moved, news: news.length };
  });
}

/** The postings that are due and everything they may meet, in the order they were first seen. */
async function neighbourhood(client: Client, due: Row[], max: number): Promise<Row[]> {
  const found = new Map(due.map((row) => [row.key, row]));
  const asked = new Set<string>();
  let next = due.flatMap((row) => row.keys ?? []);
  // A posting whose names have changed is still in the group it is about to leave; the others of it have to be seen as well.
  let groups = due.flatMap((row) => row.group_id ?? []);
  for (let round = 0; round < ROUNDS_MAX && next.length + groups.length > 0 && found.size < max; round++) {
    for (const key of next) asked.add(key);
    const { rows } = await client.query<Row>(
      `select ${COLUMNS} from postings p
       where (meeting_keys && $1::uuid[] or group_id = any($2::uuid[])) and not key = any($3::uuid[])
       order by first_seen_at, key limit $4`,
      [plainArray(next), plainArray(groups), plainArray([...found.keys()]), max - found.size],
    );
    for (const row of rows) found.set(row.key, row);
    next = [...new Set(rows.flatMap((row) => row.keys ?? []))].filter((key) => !asked.has(key));
    groups = [];
  }
  return [...found.values()].sort(bySeen);
}

const bySeen = (a: Row, b: Row): number =>
  a.first_seen === b.first_seen ? (a.key < b.key ? -1 : 1) : a.first_seen < b.first_seen ? -1 : 1;

/** Parts that share no name: nothing of one can be in a group with anything of another. The order stays. */
function apart(rows: Row[]): Row[][] {
  const root = new Map<string, string>();
  const find = (name: string): string => {
    let at = name;
    for (let up = root.get(at); up !== undefined && up !== at; up = root.get(at)) at = up;
    root.set(name, at);
    return at;
  };
  // Every name leads to the first one it was met with; a posting without a name is a part of its own.
  for (const { keys } of rows) for (const key of keys ?? []) root.set(find(key), find(keys![0]!));
  return [...Map.groupBy(rows, ({ key, keys }) => (keys?.[0] === undefined ? key : find(keys[0]))).values()];
}

interface Change {
  row: Row;
  groupId: string;
  isDue: boolean;
}

async function write(client: Client, changes: Change[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.toSorted((a, b) => (a.row.key < b.row.key ? -1 : 1));
  const keys = plainArray(rows.map(({ row }) => row.key));
  // In the order in which recorders write them, so that neither waits for the other crosswise.
  await client.query('select 1 from postings where key = any($1::uuid[]) order by key for update', [keys]);
  await client.query(
    // One that was scraped again since it was read has another version: it stays due.
    `update postings p set group_id = u.group_id, meeting_keys = coalesce(u.keys::uuid[], p.meeting_keys),
       group_due = case when u.version is null then p.group_due else p.xmin::text <> u.version end,
       is_new = p.is_new and u.version is null
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as u(key, group_id, keys, version) where p.key = u.key`,
    [
      keys,
      plainArray(rows.map(({ groupId }) => groupId)),
      textArray(rows.map(({ row, isDue }) => (isDue ? plainArray(row.keys ?? []) : null))),
      textArray(rows.map(({ row, isDue }) => (isDue ? row.version : null))),
    ],
  );
}

interface News {
  row: Row;
  /** Who shows the same job already. */
  earlier: string[];
}

/** In the order they were first seen. Only one transaction groups at a time, so of two postings of one group one is always the earlier. */
async function queueNews(client: Client, news: News[]): Promise<void> {
  if (news.length === 0) return;
  const rows = news.toSorted((a, b) => bySeen(a.row, b.row));
  await client.query(
    'insert into announcements (key, earlier) select key, earlier::uuid[] from unnest($1::uuid[], $2::text[]) as n(key, earlier)',
    [plainArray(rows.map(({ row }) => row.key)), textArray(rows.map(({ earlier }) => plainArray(earlier)))],
  );
}

const asUuid = (hex: string): string => hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
