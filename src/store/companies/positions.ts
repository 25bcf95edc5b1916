// Positions of companies: stored state, changes of a scrape, and lists. The rules are in model/company/position.ts; here they are only written.
import type { Pool } from 'pg';
import { type KnownPosition, type PositionChange, staleChanges } from '../../model/company/position.ts';
import { keyOf } from '../../model/ids.ts';
import type { Posting } from '../../model/posting/posting.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { pgJson, pgText, plainArray, textArray } from '../postgres/text.ts';

const positionKey = (companyId: string, jobHash: string): string => keyOf(`position:${companyId}:${jobHash}`);

/** `jobHashes`: only of these. */
export async function knownPositions(
  client: Client,
  companyId: string,
  jobHashes: string[] | null = null,
): Promise<KnownPosition[]> {
  const { rows } = await client.query<KnownPositionRow>(
    `select job_hash, external_id, active, last_seen_at, content from positions
     where company_id = $1 and ($2::text[] is null or job_hash = any($2))`,
    [companyId, jobHashes],
  );
  return rows.map(readPosition);
}

export interface KnownPositionRow {
  job_hash: string;
  external_id: string;
  active: boolean;
  last_seen_at: Date;
  content: KnownPosition['content'];
}

export const readPosition = (row: KnownPositionRow): KnownPosition => ({
  key: row.job_hash,
  external_id: row.external_id,
  active: row.active,
  lastSeenMs: row.last_seen_at.getTime(),
  content: row.content,
});

export async function openExternalIds(pool: Pool, companyIds: string[]): Promise<Map<string, string[]>> {
  const rows = await query<{ company_id: string; ids: string[] }>(
    pool,
    'select company_id, array_agg(external_id) as ids from positions where active and company_id = any($1::uuid[]) group by 1',
    [plainArray(companyIds)],
  );
  return new Map(rows.map((row) => [row.company_id, row.ids]));
}

export async function applyChanges(client: Client, companyId: string, changes: PositionChange[]): Promise<void> {
  const keyFor = (change: PositionChange): string => positionKey(companyId, change.key);
  const seen = changes.filter((change) => change.kind === 'unchanged');
  const written = changes.filter((change) => 'posting' in change);
  const closed = changes.filter((change) => change.kind === 'closed');
  if (seen.length > 0)
    await client.query('update positions set last_seen_at = now() where key = any($1::uuid[])', [
      plainArray(seen.map(keyFor)),
    ]);
  if (written.length > 0) await writePositions(client, companyId, written);
  await closePositions(
    client,
    closed.map((change) => ({ key: keyFor(change), reason: change.reason })),
  );
  const kept = [...written, ...closed];
  if (kept.length === 0) return;
  await client.query(
    'insert into position_changes (key, kind, changes) select * from unnest($1::uuid[], $2::text[], $3::jsonb[])',
    [
      plainArray(kept.map(keyFor)),
      textArray(kept.map((change) => change.kind)),
      textArray(kept.map((change) => pgJson('changes' in change ? change.changes : []))),
    ],
  );
}

type Written = Extract<PositionChange, { posting: Posting }>;

async function writePositions(client: Client, companyId: string, written: Written[]): Promise<void> {
  const column = (pick: (change: Written) => string | null): string =>
    textArray(written.map((change) => pgText(pick(change))));
  await client.query(
    `insert into positions (key, company_id, job_hash, external_id, content, title, location, department, remote_type, data)
     select key, $2, job_hash, external_id, content, title, location, department, remote_type, data
     from unnest($1::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::text[], $7::text[], $8::text[], $9::text[], $10::jsonb[])
       as p(key, job_hash, external_id, content, title, location, department, remote_type, data)
     on conflict (key) do update set content = excluded.content, title = excluded.title, location = excluded.location,
       department = excluded.department, remote_type = excluded.remote_type,
       -- One without its text was read from a list only: what it does not say stays as it was.
       data = case when coalesce(excluded.data->>'description', excluded.data->>'description_html') is null
                   then positions.data || (select jsonb_object_agg(key, value) from jsonb_each(excluded.data) where value not in ('null', '[]', '"unknown"'))
                   else excluded.data end, last_seen_at = now(),
       reopened_at = case when positions.active then positions.reopened_at else now() end, active = true, closed_at = null, close_reason = null`,
    [
      plainArray(written.map((change) => positionKey(companyId, change.key))),
      companyId,
      column((change) => change.key),
      column((change) => change.posting.external_id),
      textArray(written.map((change) => pgJson(change.content))),
      column((change) => change.posting.title),
      column((change) => change.posting.location ?? change.content.location),
      column((change) => change.content.department),
      column((change) => change.content.remote_type),
      textArray(written.map((change) => pgJson(change.posting))),
    ],
  );
}

async function closePositions(client: Client, closed: { key: string; reason: string }[]): Promise<void> {
  if (closed.length === 0) return;
  await client.query(
    `update positions set active = false, closed_at = now(), close_reason = c.reason from unnest($1::uuid[], $2::text[]) as c(key, reason)
     where positions.key = c.key and positions.active`,
    [plainArray(closed.map((one) => one.key)), textArray(closed.map((one) => one.reason))],
  );
}

export async function closeStale(pool: Pool, options: { days: number; limit: number }): Promise<number> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ key: string; last_seen_at: Date; now: Date }>(
      `select key, last_seen_at, now() as now from positions where active and last_seen_at < now() - make_interval(days => $1)
       order by last_seen_at limit $2 for update skip locked`,
      [options.days, options.limit],
    );
    const known = rows.map(({ key, last_seen_at }) => ({ key, active: true, lastSeenMs: last_seen_at.getTime() }));
    const closed = staleChanges(known, rows[0]?.now.getTime() ?? 0, options.days * 86_400_000);
    await closePositions(client, closed);
    if (closed.length > 0)
      await client.query(
        `insert into position_changes (key, kind) select key, 'closed' from unnest($1::uuid[]) as c(key)`,
        [plainArray(closed.map((one) => one.key))],
      );
    return closed.length;
  });
}

export interface Position {
  id: string;
  company: string;
  companyId: string;
  active: boolean;
  firstSeenAt: Date;
  lastSeenAt: Date;
  closedAt: Date | null;
  closeReason: string | null;
  reopenedAt: Date | null;
  posting: Posting;
  /** Microseconds of `first_seen_at`, for a cursor: a Date would lose some. */
  place: string;
}

export interface PositionFilter {
  companyId: string | null;
  active: boolean | null;
  /** In the title, department, location or company, whatever the case. */
  q: string | null;
  remoteType: string | null;
  location: string | null;
  department: string | null;
  newSince: Date | null;
}

interface PositionRow {
  id: string;
  company: string;
  company_id: string;
  active: boolean;
  first_seen_at: Date;
  last_seen_at: Date;
  closed_at: Date | null;
  close_reason: string | null;
  reopened_at: Date | null;
  data: Posting;
  place: string;
}

const COLUMNS = `p.key as id, c.name as company, p.company_id, p.active, p.first_seen_at, p.last_seen_at, p.closed_at, p.close_reason,
  p.reopened_at, p.data, (extract(epoch from p.first_seen_at) * 1000000)::bigint as place`;

const FILTER = `($1::uuid is null or p.company_id = $1) and ($2::boolean is null or p.active = $2)
  and ($3::text is null or strpos(lower(concat_ws(' ', p.title, p.department, p.location, c.name)), lower($3)) > 0)
  and ($4::text is null or p.remote_type = $4) and ($5::text is null or strpos(lower(p.location), lower($5)) > 0)
  and ($6::text is null or strpos(lower(p.department), lower($6)) > 0) and ($7::timestamptz is null or p.first_seen_at >= $7)`;

const toPosition = (row: PositionRow): Position => ({
  id: row.id,
  company: row.company,
  companyId: row.company_id,
  active: row.active,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
  closedAt: row.closed_at,
  closeReason: row.close_reason,
  reopenedAt: row.reopened_at,
  posting: row.data,
  place: row.place,
});

export interface PositionQuery extends PositionFilter {
  /** The place and id of the last one of the page before. */
  after: [place: string, id: string] | null;
  limit: number;
}

const filterValues = (filter: PositionFilter) => [
  filter.companyId,
  filter.active,
  pgText(filter.q),
  pgText(filter.remoteType),
  pgText(filter.location),
  pgText(filter.department),
  filter.newSince,
];

export async function readPositions(pool: Pool, listQuery: PositionQuery): Promise<Position[]> {
  const rows = await query<PositionRow>(
    pool,
    `select ${COLUMNS} from positions p join companies c on c.id = p.company_id
     where ${FILTER} and ($8::bigint is null or (p.first_seen_at, p.key) < ('epoch'::timestamptz + $8 * interval '1 microsecond', $9::uuid))
     order by p.first_seen_at desc, p.key desc limit $10`,
    [...filterValues(listQuery), listQuery.after?.[0] ?? null, listQuery.after?.[1] ?? null, listQuery.limit],
  );
  return rows.map(toPosition);
}

export async function listPositions(
  pool: Pool,
  listQuery: PositionQuery,
): Promise<{ positions: Position[]; total: number }> {
  const positions = await readPositions(pool, listQuery);
  const [counted] = await query<{ n: number }>(
    pool,
    `select count(*)::int as n from positions p join companies c on c.id = p.company_id where ${FILTER}`,
    filterValues(listQuery),
  );
  return { positions, total: counted!.n };
}

export interface PositionEvent {
  at: Date;
  kind: string;
  changes: { field: string; before: string | null; after: string | null }[];
}

export async function getPosition(
  pool: Pool,
  id: string,
): Promise<{ position: Position; events: PositionEvent[] } | null> {
  const [row] = await query<PositionRow>(
    pool,
    `select ${COLUMNS} from positions p join companies c on c.id = p.company_id where p.key = $1`,
    [id],
  );
  if (!row) return null;
  const events = await query<PositionEvent & Record<string, unknown>>(
    pool,
    'select at, kind, changes from (select * from position_changes where key = $1 order by id desc limit 500) last order by id',
    [id],
  );
  return { position: toPosition(row), events };
}
