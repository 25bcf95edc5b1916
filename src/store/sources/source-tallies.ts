// Counts per source from the orchestrators, added up in slots of ten minutes. A crash loses a few seconds of statistics; results are stored elsewhere.
import type { Pool } from 'pg';
import type { Tally } from '../../model/source/tally.ts';
import type { TaskError } from '../../model/task/messages.ts';
import { query } from '../postgres/pool.ts';
import { pgJson, plainArray, textArray } from '../postgres/text.ts';

const SLOT_MS = 600_000;

export const slotOf = (nowMs: number): Date => new Date(Math.floor(nowMs / SLOT_MS) * SLOT_MS);

export async function addTallies(pool: Pool, slot: Date, tallies: ReadonlyMap<string, Tally>): Promise<void> {
  // In one order everywhere, so that two orchestrators never wait for each other crosswise.
  const rows = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1));
  const numbers = (pick: (tally: Tally) => number): string => plainArray(rows.map(([, tally]) => pick(tally)));
  await query(
    pool,
    `insert into source_tallies as t (source, at, done, retried, failed, seconds, latencies, requests, bytes, blocks, captchas, items, filled,
       last_error, last_error_at)
     select source, $1, done, retried, failed, seconds, latencies::int[], requests, bytes, blocks, captchas, items, filled, last_error, last_error_at
     from unnest($2::text[], $3::int[], $4::int[], $5::int[], $6::float8[], $7::text[], $8::bigint[], $9::bigint[], $10::int[], $11::int[], $12::int[],
       $13::jsonb[], $14::jsonb[], $15::timestamptz[])
       as n(source, done, retried, failed, seconds, latencies, requests, bytes, blocks, captchas, items, filled, last_error, last_error_at)
     on conflict (source, at) do update set done = t.done + excluded.done, retried = t.retried + excluded.retried,
       failed = t.failed + excluded.failed, seconds = t.seconds + excluded.seconds, requests = t.requests + excluded.requests,
       bytes = t.bytes + excluded.bytes, blocks = t.blocks + excluded.blocks, captchas = t.captchas + excluded.captchas,
       items = t.items + excluded.items,
       latencies = array(select coalesce(a, 0) + coalesce(b, 0) from unnest(t.latencies, excluded.latencies) as l(a, b)),
       filled = (select coalesce(jsonb_object_agg(key, sum), '{}') from (
         select key, sum(value::int) from (select * from jsonb_each_text(t.filled) union all select * from jsonb_each_text(excluded.filled)) f
         group by key) g),
       last_error = coalesce(excluded.last_error, t.last_error), last_error_at = coalesce(excluded.last_error_at, t.last_error_at)`,
    [
      slot,
      textArray(rows.map(([source]) => source)),
      numbers((one) => one.done),
      numbers((one) => one.retried),
      numbers((one) => one.failed),
      numbers((one) => one.seconds),
      textArray(rows.map(([, one]) => `{${one.latencies.join(',')}}`)),
      numbers((one) => one.requests),
      numbers((one) => one.bytes),
      numbers((one) => one.blocks),
      numbers((one) => one.captchas),
      numbers((one) => one.items),
      textArray(rows.map(([, one]) => pgJson(one.filled))),
      textArray(rows.map(([, one]) => one.lastError && pgJson(one.lastError.error))),
      textArray(rows.map(([, one]) => one.lastError && new Date(one.lastError.atMs).toISOString())),
    ],
  );
}

export interface SourceTally extends Omit<Tally, 'lastError'> {
  source: string;
  /** Null: of all the time that was asked about. */
  bucket: Date | null;
  lastError: TaskError | null;
  lastErrorAt: Date | null;
}

interface TallyRow extends Omit<SourceTally, 'lastError' | 'lastErrorAt'> {
  last_error: TaskError | null;
  last_error_at: Date | null;
}

export async function sourceTallies(
  pool: Pool,
  options: { from: Date; to: Date; bucket: 'hour' | 'day' | 'week' | null; sources?: readonly string[] },
): Promise<SourceTally[]> {
  const rows = await query<TallyRow & Record<string, unknown>>(
    pool,
    `with slots as (
       select *, case when $3::text is null then null else date_trunc($3, at, 'UTC') end as bucket from source_tallies
       where at >= $1 and at < $2 and ($4::text[] is null or source = any($4))
     ), sums as (
       select source, bucket, sum(done)::int as done, sum(retried)::int as retried, sum(failed)::int as failed, sum(seconds) as seconds,
              sum(requests)::float8 as requests, sum(bytes)::float8 as bytes, sum(blocks)::int as blocks, sum(captchas)::int as captchas,
              sum(items)::int as items
       from slots group by 1, 2
     ), latencies as (
       select source, bucket, array_agg(n order by slot) as latencies from (
         select s.source, s.bucket, l.slot, sum(l.n)::int as n from slots s, unnest(s.latencies) with ordinality as l(n, slot) group by 1, 2, 3) x
       group by 1, 2
     ), filled as (
       select source, bucket, jsonb_object_agg(key, n) as filled from (
         select s.source, s.bucket, f.key, sum(f.value::int) as n from slots s, jsonb_each_text(s.filled) f group by 1, 2, 3) x
       group by 1, 2
     ), errors as (
       select distinct on (source, bucket) source, bucket, last_error, last_error_at from slots where last_error is not null
       order by source, bucket, last_error_at desc
     )
     select s.*, l.latencies, coalesce(f.filled, '{}') as filled, e.last_error, e.last_error_at from sums s
     left join latencies l on l.source = s.source and l.bucket is not distinct from s.bucket
     left join filled f on f.source = s.source and f.bucket is not distinct from s.bucket
     left join errors e on e.source = s.source and e.bucket is not distinct from s.bucket
     order by s.bucket, s.source`,
    [options.from, options.to, options.bucket, options.sources ?? null],
  );
  return rows.map(({ last_error, last_error_at, ...row }) => ({
    ...row,
    lastError: last_error,
    lastErrorAt: last_error_at,
  }));
}
