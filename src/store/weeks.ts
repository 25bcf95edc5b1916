// Tables of weeks: a large table of rows that come in the order of time is partitioned. Weeks are made before their rows come, and dropped as a whole when all of their rows are past
// retention. Rows that fit into no week are in `<table>_default`, and those from before there were weeks in `<table>_before`: those two are also trimmed row by row.
// What a reader would get wrong: making and dropping lock the table for an instant, and whoever comes later waits behind a lock that is waited for. So they wait less than a request may and
// fail instead; the next turn tries again, and weeks are made so far ahead that this does not matter.
import type { Pool } from 'pg';
import { type Client, query, transaction } from './postgres/pool.ts';

/** `kind` is what roll-ups call its rows. */
export interface WeekTable {
  table: 'prices';
  time: 'at';
  kind: 'prices';
}
export const PRICE_WEEKS: WeekTable = { table: 'prices', time: 'at', kind: 'prices' };

/** Weeks after the one that is. */
const AHEAD = 4;
const LOCK_WAIT_MS = 500;
/** Of two that trim at the same time one finds nothing to do. */
const LOCK_KEY = 7_246_307;

/** Partitions of $1 with the range of their rows; of the default partition there is none. */
export const PARTITIONS = `select c.oid::regclass::text as name, c.relname::text as table, bound like '%MINVALUE%' as "isBefore", bound = 'DEFAULT' as "isDefault",
    case when bound like '%MINVALUE%' then '-infinity' else (regexp_match(bound, $$FROM \\('([^']+)'\\)$$))[1]::timestamptz end as "from",
    (regexp_match(bound, $$TO \\('([^']+)'\\)$$))[1]::timestamptz as "to", greatest(c.reltuples, 0)::float8 as rows
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) as b(bound)
  where i.inhparent = $1::regclass`;

export interface TrimmedWeeks {
  /** Of dropped weeks as PostgreSQL estimates them. */
  rows: number;
  weeks: number;
}

/** One step: drops at most one week, and otherwise deletes at most one batch of rows. Weeks that come are made in any case. */
export async function trimWeeks(
  pool: Pool,
  of: WeekTable,
  { days, batch }: { days: number | undefined; batch: number },
): Promise<TrimmedWeeks> {
  await makeWeeks(pool, of);
  if (!days) return { rows: 0, weeks: 0 };
  const dropped = await dropWeek(pool, of, days);
  if (dropped.weeks > 0) return dropped;
  return { rows: await deleteOutside(pool, of, days, batch), weeks: 0 };
}

export async function makeWeeks(pool: Pool, { table, time }: WeekTable): Promise<void> {
  const missing = await query<{ name: string; from: string; to: string }>(
    pool,
    `with partitions as (${PARTITIONS}), weeks as (
       select date_trunc('week', now() at time zone 'utc') + make_interval(weeks => n) as at from generate_series(0, $2::int) n
     )
     select to_char(at, '"w"YYYYMMDD') as name, to_char(at, 'YYYY-MM-DD"T00:00Z"') as from, to_char(at + interval '1 week', 'YYYY-MM-DD"T00:00Z"') as to
     from weeks where not exists (select 1 from partitions p where p."from" <= at at time zone 'utc' and p."to" > at at time zone 'utc') order by at`,
    [table, AHEAD],
  );
  for (const week of missing)
    await underLock(pool, async (client) => {
      const name = `${table}_${week.name}`;
      const { rows } = await client.query<{ isThere: boolean }>('select to_regclass($1) is not null as "isThere"', [
        name,
      ]);
      if (rows[0]!.isThere) return;
      await client.query(`create table ${name} (like ${table} including defaults)`);
      // There are some when nobody has made weeks for long, or a clock was wrong.
      await client.query(
        `with moved as (delete from ${table}_default where ${time} >= '${week.from}' and ${time} < '${week.to}' returning *) insert into ${name} select * from moved`,
      );
      await client.query(
        `alter table ${table} attach partition ${name} for values from ('${week.from}') to ('${week.to}')`,
      );
    });
}

/** The oldest week whose rows are all past retention. */
async function dropWeek(pool: Pool, { table, kind }: WeekTable, days: number): Promise<TrimmedWeeks> {
  const nothing = { rows: 0, weeks: 0 };
  const past = `select name, "to", rows from (${PARTITIONS}) p where p."to" <= now() - make_interval(days => $2) order by p."to" limit 1`;
  // Most of the time there is none, and then nothing is locked.
  if ((await query(pool, past, [table, days])).length === 0) return nothing;
  return (
    (await underLock(pool, async (client) => {
      const { rows } = await client.query<{ name: string; to: Date; rows: number }>(past, [table, days]);
      const week = rows[0];
      if (!week) return nothing;
      // Its rows go without a trigger; what was rolled up of them goes too.
      await client.query(
        `insert into rollup_marks (kind, day) select kind, at from rollup_buckets where kind = $1 and unit = 'day' and at < $2`,
        [kind, week.to],
      );
      await client.query(`drop table ${week.name}`);
      return { rows: week.rows, weeks: 1 };
    })) ?? nothing
  );
}

/** Row by row, from the partitions that are no weeks. */
async function deleteOutside(pool: Pool, { table, time }: WeekTable, days: number, batch: number): Promise<number> {
  const outside = await query<{ name: string }>(
    pool,
    `select name from (${PARTITIONS}) p where p."isBefore" or p."isDefault" order by p."isDefault"`,
    [table],
  );
  let gone = 0;
  for (const { name } of outside) {
    const [row] = await query<{ n: number }>(
      pool,
      `with gone as (delete from ${name} where ctid in (select ctid from ${name} where ${time} < now() - make_interval(days => $1) limit $2) returning 1)
       select count(*)::int as n from gone`,
      [days, batch - gone],
    );
    gone += row!.n;
  }
  return gone;
}

/** Null: another one has the turn. */
async function underLock<T>(pool: Pool, work: (client: Client) => Promise<T>): Promise<T | null> {
  return transaction(pool, async (client) => {
    await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_xact_lock($1) as ours', [LOCK_KEY]);
    return rows[0]?.ours ? work(client) : null;
  });
}
