// Alerts: saved searches and where their matches go. Matching is in announce.ts; here alerts are written and read.
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { AppError } from '../../model/errors.ts';
import { newTaskId } from '../../model/ids.ts';
import type { Notice } from '../../model/posting/notice.ts';
import { isUniqueViolation, query } from '../postgres/pool.ts';
import { pgJson, pgText, textArray } from '../postgres/text.ts';
import { NOTICE_COLUMNS, type NoticeRow, noticeOf } from '../postings/notices.ts';
import { conditions, type PostingFilter, WORDS } from '../postings/posting-list.ts';
import { anchorsOf } from './query-anchors.ts';

/** As the parameters of GET /postings are written; the generated columns of the table read the same names. */
export interface AlertSearch {
  source?: string | undefined;
  company?: string | undefined;
  location?: string | undefined;
  remote_type?: string | undefined;
  posted_after?: string | undefined;
  q?: string | undefined;
  min_salary?: number | undefined;
  currency?: string | undefined;
}

export interface AlertInput {
  name: string;
  search: AlertSearch;
  active: boolean;
  webhookUrl: string | null;
  /** A name within the folder for such files. */
  file: string | null;
}

export interface Alert extends AlertInput {
  id: string;
  owner: string | null;
  feedToken: string;
  createdAt: Date;
  updatedAt: Date;
  lastMatchedAt: Date | null;
}

interface AlertRow {
  id: string;
  owner: string | null;
  name: string;
  search: AlertSearch;
  active: boolean;
  feed_token: string;
  webhook_url: string | null;
  file: string | null;
  created_at: Date;
  updated_at: Date;
  last_matched_at: Date | null;
}

const PREFIX = 'alr_';
/** As callers know it: `alr_` and 32 hex digits. */
export const alertName = (id: string): string => PREFIX + id.replaceAll('-', '');
/** Null for what is no id of an alert. */
const alertKey = (name: string): string | null => (/^alr_[0-9a-f]{32}$/.test(name) ? name.slice(PREFIX.length) : null);

const COLUMNS = `a.id, a.owner, a.name, a.search, a.active, a.feed_token, a.webhook_url, a.file, a.created_at, a.updated_at,
  (select m.announced_at from alert_matches m where m.alert_id = a.id order by m.seq desc limit 1) as last_matched_at`;

const toAlert = (row: AlertRow): Alert => ({
  id: alertName(row.id),
  owner: row.owner,
  name: row.name,
  search: row.search,
  active: row.active,
  feedToken: row.feed_token,
  webhookUrl: row.webhook_url,
  file: row.file,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  lastMatchedAt: row.last_matched_at,
});

/** 24 random bytes: cannot be guessed, and needs no escaping in a URL. */
const newToken = (): string => randomBytes(24).toString('base64url');

export async function createAlert(
  pool: Pool,
  input: AlertInput,
  options: { max: number; owner: string | null },
): Promise<Alert | null> {
  // Ids sort by time, so lists are in the order alerts were made.
  const values = [newTaskId(), ...(await columnsOf(pool, input)), newToken(), options.max, options.owner];
  const rows = await orFileTaken(
    query<AlertRow>(
      pool,
      `insert into alerts as a (id, name, search, active, webhook_url, file, anchors, feed_token, owner)
       select $1, $2, $3::jsonb, $4, $5, $6, $7::text[], $8, $10 where (select count(*) from alerts) < $9 returning ${COLUMNS}`,
      values,
    ),
  );
  return rows[0] ? toAlert(rows[0]) : null;
}

export async function updateAlert(
  pool: Pool,
  name: string,
  input: AlertInput,
  options: { newToken: boolean },
): Promise<Alert | null> {
  const rows = await orFileTaken(
    query<AlertRow>(
      pool,
      `update alerts a set name = $2, search = $3::jsonb, active = $4, webhook_url = $5, file = $6, anchors = $7::text[],
         feed_token = coalesce($8, a.feed_token), updated_at = now(),
         file_folder = case when a.file is not distinct from $6 then a.file_folder end,
         file_seq = case when a.file is not distinct from $6 then a.file_seq
                         else (select coalesce(max(m.seq), 0) from alert_matches m where m.alert_id = a.id) end
       where a.id = $1 returning ${COLUMNS}`,
      [alertKey(name), ...(await columnsOf(pool, input)), options.newToken ? newToken() : null],
    ),
  );
  return rows[0] ? toAlert(rows[0]) : null;
}

async function columnsOf(pool: Pool, { name, search, active, webhookUrl, file }: AlertInput): Promise<unknown[]> {
  const anchors = textArray(anchorsOf(await wordQueries(pool, search)));
  return [pgText(name), pgJson(search), active, webhookUrl, file, anchors];
}

/** The words of a search as a tsquery. A field without a usable word would never match, and nobody would know why. */
async function wordQueries(pool: Pool, search: AlertSearch): Promise<string[]> {
  const fields = (['company', 'location', 'q'] as const).filter((field) => search[field] !== undefined);
  if (fields.length === 0) return [];
  const texts = fields.map((field) => pgText(search[field]!));
  const parsed = fields.map((field, at) => `${WORDS[field](`$${at + 1}`)}::text as "${field}"`);
  const [row] = await query<Record<string, string>>(pool, `select ${parsed.join(', ')}`, texts);
  const empty = fields.filter((field) => row![field] === '');
  if (empty.length > 0)
    throw new AppError('invalid_params', `The search has no usable word in ${empty.join(', ')}.`, {
      errors: empty.map((field) => ({
        pointer: `/search/${field}`,
        detail: 'has no usable word: words such as "the" and "of" are ignored. Use another word, or leave it out',
      })),
    });
  return fields.map((field) => row![field]!);
}

async function orFileTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('invalid_params', 'Another alert already writes to this file.', {
      errors: [{ pointer: '/file', detail: 'is used by another alert. Choose another name' }],
    });
  }
}

export async function getAlert(pool: Pool, name: string): Promise<Alert | null> {
  const key = alertKey(name);
  if (key === null) return null;
  const rows = await query<AlertRow>(pool, `select ${COLUMNS} from alerts a where a.id = $1`, [key]);
  return rows[0] ? toAlert(rows[0]) : null;
}

export async function listAlerts(
  pool: Pool,
  options: { after: string | null; limit: number; owner: string | null },
): Promise<{ alerts: Alert[]; total: number }> {
  const rows = await query<AlertRow>(
    pool,
    `select ${COLUMNS} from alerts a where ($1::uuid is null or a.id > $1) and ($3::text is null or a.owner = $3) order by a.id limit $2`,
    [options.after === null ? null : alertKey(options.after), options.limit, options.owner],
  );
  const [counted] = await query<{ n: number }>(
    pool,
    'select count(*)::int as n from alerts where ($1::text is null or owner = $1)',
    [options.owner],
  );
  return { alerts: rows.map(toAlert), total: counted!.n };
}

export async function deleteAlert(pool: Pool, name: string): Promise<boolean> {
  return (await query(pool, 'delete from alerts where id = $1 returning 1', [alertKey(name)])).length > 0;
}

export interface Match {
  /** Grows; what is greater came later. */
  seq: string;
  announcedAt: Date;
  notice: Notice;
}

export interface MatchRow extends NoticeRow {
  seq: string;
  announced_at: Date;
}

export const MATCH_COLUMNS = `m.seq, m.announced_at, ${NOTICE_COLUMNS}`;

export const toMatch = (row: MatchRow): Match => ({
  seq: row.seq,
  announcedAt: row.announced_at,
  notice: noticeOf(row),
});

export async function alertMatches(
  pool: Pool,
  name: string,
  options: { before: string | null; limit: number },
): Promise<Match[]> {
  const rows = await query<MatchRow>(
    pool,
    `select ${MATCH_COLUMNS} from alert_matches m join postings p on p.key = m.posting_key
     where m.alert_id = $1 and ($2::bigint is null or m.seq < $2) order by m.seq desc limit $3`,
    [alertKey(name), options.before, options.limit],
  );
  return rows.map(toMatch);
}

export async function countMatches(pool: Pool, name: string): Promise<number> {
  const [counted] = await query<{ n: number }>(
    pool,
    'select count(*)::int as n from alert_matches where alert_id = $1',
    [alertKey(name)],
  );
  return counted!.n;
}

export async function previewSearch(
  pool: Pool,
  search: AlertSearch,
  filter: PostingFilter,
  options: { max: number; shown: number },
): Promise<{ count: number; newest: Notice[] }> {
  await wordQueries(pool, search);
  const values: unknown[] = [];
  const where = conditions(filter, (one) => `$${values.push(one)}`);
  const found = `from postings p ${where.length > 0 ? `where ${where.join(' and ')}` : ''}`;
  const limit = `$${values.length + 1}`;
  const [counted] = await query<{ n: number }>(
    pool,
    `select count(*)::int as n from (select 1 ${found} limit ${limit}) matching`,
    [...values, options.max],
  );
  const rows = await query<NoticeRow & Record<string, unknown>>(
    pool,
    `select ${NOTICE_COLUMNS} ${found} order by p.first_seen_at desc, p.key desc limit ${limit}`,
    [...values, options.shown],
  );
  return { count: counted!.n, newest: rows.map(noticeOf) };
}
