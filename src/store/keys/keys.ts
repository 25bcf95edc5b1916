// API keys. What is stored of a key is its hash and its first characters; nothing here can be turned back into one.
import type { Pool } from 'pg';
import type { ApiKey, NewKey, Scope } from '../../model/key/key.ts';
import { query, transaction } from '../postgres/pool.ts';
import { plainArray, textArray } from '../postgres/text.ts';

export interface KeyInput {
  name: string;
  owner: string;
  scope: Scope;
  requestsPerMinute: number | null;
  maxOpenTasks: number | null;
  maxTasksPerDay: number | null;
  expiresAt: Date | null;
}

/** A key as API processes know it. */
export interface KnownKey extends ApiKey {
  /** In hexadecimal digits. */
  hash: string;
}

interface KeyRow {
  seq: string;
  id: string;
  prefix: string;
  name: string;
  owner: string;
  scope: Scope;
  requests_per_minute: number | null;
  max_open_tasks: number | null;
  max_tasks_per_day: number | null;
  replaces: string | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

const COLUMNS =
  'seq, id, prefix, name, owner, scope, requests_per_minute, max_open_tasks, max_tasks_per_day, replaces, created_at, expires_at, revoked_at, last_used_at';

const toKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  prefix: row.prefix,
  name: row.name,
  owner: row.owner,
  scope: row.scope,
  requestsPerMinute: row.requests_per_minute,
  maxOpenTasks: row.max_open_tasks,
  maxTasksPerDay: row.max_tasks_per_day,
  replaces: row.replaces,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
});

/** Keys that are not revoked. */
export const KEYS_MAX = 10_000;
const KEPT_DAYS = 90;

const INSERT = `
  insert into api_keys (id, hash, prefix, name, owner, scope, requests_per_minute, max_open_tasks, expires_at, replaces, max_tasks_per_day)`;

/** Each new one takes along what ended long ago. */
export async function addKey(pool: Pool, made: NewKey, input: KeyInput): Promise<ApiKey | null> {
  const [row] = await query<KeyRow & Record<string, unknown>>(
    pool,
    `with gone as (delete from api_keys where coalesce(revoked_at, expires_at) < now() - interval '${KEPT_DAYS} days')
     ${INSERT} select $1, $2, $3, $4, $5, $6, $7, $8, $9, null, $10::int
     where (select count(*) from api_keys where revoked_at is null) < ${KEYS_MAX} returning ${COLUMNS}`,
    [
      made.id,
      made.hash,
      made.prefix,
      input.name,
      input.owner,
      input.scope,
      input.requestsPerMinute,
      input.maxOpenTasks,
      input.expiresAt,
      input.maxTasksPerDay,
    ],
  );
  return row ? toKey(row) : null;
}

export interface KeyPage {
  owner: string | null;
  cursor: string | null;
  limit: number;
}

export async function listKeys(pool: Pool, page: KeyPage): Promise<{ keys: ApiKey[]; nextCursor: string | null }> {
  const rows = await query<KeyRow & Record<string, unknown>>(
    pool,
    `select ${COLUMNS} from api_keys where ($1::text is null or owner = $1) and ($2::bigint is null or seq < $2) order by seq desc limit $3`,
    [page.owner, page.cursor, page.limit + 1],
  );
  const found = rows.slice(0, page.limit);
  return { keys: found.map(toKey), nextCursor: rows.length > page.limit ? found.at(-1)!.seq : null };
}

export async function getKey(pool: Pool, id: string): Promise<ApiKey | null> {
  const [row] = await query<KeyRow & Record<string, unknown>>(pool, `select ${COLUMNS} from api_keys where id = $1`, [
    id,
  ]);
  return row ? toKey(row) : null;
}

export type KeyChange = Pick<KeyInput, 'name' | 'requestsPerMinute' | 'maxOpenTasks' | 'maxTasksPerDay' | 'expiresAt'>;

export async function changeKey(pool: Pool, id: string, change: KeyChange): Promise<ApiKey | null> {
  const [row] = await query<KeyRow & Record<string, unknown>>(
    pool,
    `update api_keys set name = $2, requests_per_minute = $3, max_open_tasks = $4, expires_at = $5, max_tasks_per_day = $6, changed_at = now() where id = $1
     returning ${COLUMNS}`,
    [id, change.name, change.requestsPerMinute, change.maxOpenTasks, change.expiresAt, change.maxTasksPerDay],
  );
  return row ? toKey(row) : null;
}

/** Revoked once more it stays as it is. */
export async function revokeKey(pool: Pool, id: string): Promise<ApiKey | null> {
  const [row] = await query<KeyRow & Record<string, unknown>>(
    pool,
    `update api_keys set revoked_at = coalesce(revoked_at, now()), changed_at = now() where id = $1 returning ${COLUMNS}`,
    [id],
  );
  return row ? toKey(row) : null;
}

export interface RotatedKey {
  made: ApiKey;
  /** Works until `expiresAt`. */
  old: ApiKey;
}

/** A second key like it; the old one expires after the grace time, or when it would have anyway. */
export async function rotateKey(
  pool: Pool,
  id: string,
  { made, graceSeconds }: { made: NewKey; graceSeconds: number },
): Promise<RotatedKey | null> {
  return transaction(pool, async (client) => {
    const { rows: added } = await client.query<KeyRow>(
      `${INSERT} select $2, $3, $4, name, owner, scope, requests_per_minute, max_open_tasks, expires_at, id, max_tasks_per_day from api_keys
       where id = $1 and revoked_at is null and (expires_at is null or expires_at > now()) returning ${COLUMNS}`,
      [id, made.id, made.hash, made.prefix],
    );
    if (!added[0]) return null;
    const { rows: old } = await client.query<KeyRow>(
      `update api_keys set expires_at = least(expires_at, now() + make_interval(secs => $2)), changed_at = now() where id = $1
       returning ${COLUMNS}`,
      [id, graceSeconds],
    );
    return { made: toKey(added[0]), old: toKey(old[0]!) };
  });
}

export async function readKeys(pool: Pool, withinSeconds: number | null): Promise<KnownKey[]> {
  const rows = await query<KeyRow & { hash: string } & Record<string, unknown>>(
    pool,
    `select ${COLUMNS}, encode(hash, 'hex') as hash from api_keys where $1::float8 is null or changed_at > now() - make_interval(secs => $1)`,
    [withinSeconds],
  );
  return rows.map((row) => ({ ...toKey(row), hash: row.hash }));
}

export async function noteKeyUses(pool: Pool, uses: { id: string; at: Date }[]): Promise<void> {
  await query(
    pool,
    `update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
     from unnest($1::text[], $2::timestamptz[]) as u(id, at) where k.id = u.id`,
    [textArray(uses.map(({ id }) => id)), plainArray(uses.map(({ at }) => at.toISOString()))],
  );
}
