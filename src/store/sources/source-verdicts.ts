// What attempts at sources in trouble came to, as all orchestrators have seen it. The table is empty in good times.
import type { Pool } from 'pg';
import { VERDICTS_MAX, type Verdict } from '../../model/source/breaker.ts';
import { query } from '../postgres/pool.ts';

export interface SeenVerdict extends Verdict {
  source: string;
  ageMs: number;
}

/** Drops what is older than `keepMs` at the same time. */
export async function addVerdicts(pool: Pool, verdicts: readonly SeenVerdict[], keepMs: number): Promise<void> {
  await query(
    pool,
    `with old as (delete from source_verdicts where at < now() - make_interval(secs => $6))
     insert into source_verdicts (source, task_id, at, trouble, throttled)
     select source, task_id, now() - make_interval(secs => age), trouble, throttled
     from unnest($1::text[], $2::uuid[], $3::float8[], $4::text[], $5::boolean[]) v (source, task_id, age, trouble, throttled)`,
    [
      verdicts.map(({ source }) => source),
      verdicts.map(({ taskId }) => taskId),
      verdicts.map(({ ageMs }) => ageMs / 1_000),
      verdicts.map(({ trouble }) => trouble),
      verdicts.map(({ isThrottled }) => isThrottled),
      keepMs / 1_000,
    ],
  );
}

/** The latest of every source, the newest first. */
export async function recentVerdicts(pool: Pool, withinMs: number): Promise<SeenVerdict[]> {
  const rows = await query<{
    source: string;
    task_id: string;
    age: number;
    trouble: string | null;
    throttled: boolean;
  }>(
    pool,
    `select source, task_id, age, trouble, throttled from (
       select *, extract(epoch from now() - at)::float8 as age, row_number() over (partition by source order by at desc) as nth
       from source_verdicts where at > now() - make_interval(secs => $1)
     ) v where nth <= $2 order by source, nth`,
    [withinMs / 1_000, VERDICTS_MAX],
  );
  return rows.map(({ source, task_id, age, trouble, throttled }) => ({
    source,
    taskId: task_id,
    ageMs: age * 1_000,
    trouble,
    isThrottled: throttled,
  }));
}

export async function forgetVerdicts(pool: Pool, source: string): Promise<void> {
  await query(pool, 'delete from source_verdicts where source = $1', [source]);
}
