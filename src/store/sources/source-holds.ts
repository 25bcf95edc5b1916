// Sources whose tasks are held back, by a pause or by the circuit breaker. A row exists only while something is held, so that dispatch has nothing to read
// otherwise. Each change names the state it starts from: of several orchestrators that see the same failures one changes it, and the others change
// nothing.
import type { Pool } from 'pg';
import type { BreakerPolicy, BreakerState } from '../../model/source/breaker.ts';
import { parseLine } from '../../model/task/line.ts';
import { query } from '../postgres/pool.ts';
import { PARKED_UNTIL } from '../queue/ready.ts';

export interface SourceHold {
  source: string;
  pausedAt: Date | null;
  pauseReason: string | null;
  pausedBy: string | null;
  breaker: BreakerState;
  /** Times in a row that it opened. */
  opens: number;
  /** Why, the last time. */
  trouble: string | null;
  openedAt: Date | null;
  /** Open: until when. Half open: until when the probe has to be heard of. */
  until: Date | null;
  isOver: boolean;
  probeTask: string | null;
}

interface HoldRow {
  source: string;
  paused_at: Date | null;
  pause_reason: string | null;
  paused_by: string | null;
  breaker: BreakerState;
  opens: number;
  trouble: string | null;
  opened_at: Date | null;
  until: Date | null;
  is_over: boolean;
  probe_task: string | null;
}

export async function listHolds(pool: Pool): Promise<SourceHold[]> {
  const rows = await query<HoldRow & Record<string, unknown>>(
    pool,
    'select *, coalesce(until <= now(), false) as is_over from source_holds order by source',
  );
  return rows.map((row) => ({
    source: row.source,
    pausedAt: row.paused_at,
    pauseReason: row.pause_reason,
    pausedBy: row.paused_by,
    breaker: row.breaker,
    opens: row.opens,
    trouble: row.trouble,
    openedAt: row.opened_at,
    until: row.until,
    isOver: row.is_over,
    probeTask: row.probe_task,
  }));
}

export async function pauseSource(
  pool: Pool,
  source: string,
  reason: string | null,
  by: string | null = null,
): Promise<void> {
  await query(
    pool,
    `insert into source_holds (source, paused_at, pause_reason, paused_by) values ($1, now(), $2, $3)
     on conflict (source) do update set paused_at = coalesce(source_holds.paused_at, now()), pause_reason = excluded.pause_reason,
       paused_by = excluded.paused_by`,
    [source, reason, by],
  );
}

export async function resumeSource(pool: Pool, source: string): Promise<boolean> {
  const rows = await query(
    pool,
    'update source_holds set paused_at = null, pause_reason = null, paused_by = null where source = $1 and paused_at is not null returning 1',
    [source],
  );
  await forget(pool, source);
  return rows.length > 0;
}

const forget = (pool: Pool, source: string): Promise<unknown> =>
  query(pool, `delete from source_holds where source = $1 and paused_at is null and breaker = 'closed'`, [source]);

export async function openBreaker(
  pool: Pool,
  { source, trouble, policy }: { source: string; trouble: string; policy: BreakerPolicy },
): Promise<boolean> {
  const rows = await query(
    pool,
    `insert into source_holds as h (source, breaker, opens, trouble, opened_at, until)
     values ($1, 'open', 1, $2, now(), now() + make_interval(secs => $3))
     on conflict (source) do update set breaker = 'open', opens = 1, trouble = excluded.trouble, opened_at = now(), until = excluded.until
       where h.breaker = 'closed'
     returning 1`,
    [source, trouble, policy.firstMs / 1_000],
  );
  return rows.length > 0;
}

export async function probeSource(
  pool: Pool,
  { source, policy }: { source: string; policy: BreakerPolicy },
): Promise<string | null> {
  const [row] = await query<{ probe_task: string }>(
    pool,
    `with due as (
       select source from source_holds where source = $1 and breaker in ('open', 'half_open') and until <= now() and paused_at is null
       for update skip locked
     ), one as (
       select q.task_id from queue q join tasks t on t.id = q.task_id where q.parked and t.source in (select source from due)
       order by q.band, q.turn limit 1 for update of q skip locked
     ), gone as (
       update queue set parked = false, due_at = null from one where queue.task_id = one.task_id returning queue.task_id
     )
     update source_holds h set breaker = 'half_open', until = now() + make_interval(secs => $2), probe_task = gone.task_id
     from gone where h.source = $1 returning h.probe_task`,
    [source, policy.probeMs / 1_000],
  );
  return row?.probe_task ?? null;
}

export async function reopenBreaker(
  pool: Pool,
  { source, taskId, trouble, policy }: { source: string; taskId: string; trouble: string; policy: BreakerPolicy },
): Promise<Pick<SourceHold, 'breaker' | 'opens'> | null> {
  const [row] = await query<Pick<SourceHold, 'breaker' | 'opens'>>(
    pool,
    `update source_holds set breaker = case when opens >= $6 then 'given_up' else 'open' end, opens = opens + 1, trouble = $3, probe_task = null,
       until = now() + make_interval(secs => case when opens >= $6 then $7 else least($5, $4 * 2 ^ opens) end)
     where source = $1 and breaker = 'half_open' and probe_task = $2::uuid returning breaker, opens`,
    [source, taskId, trouble, policy.firstMs / 1_000, policy.maxMs / 1_000, policy.patience, policy.givenUpMs / 1_000],
  );
  return row ?? null;
}

export async function closeBreaker(
  pool: Pool,
  { source, probe = null, overdue = false }: { source: string; probe?: string | null; overdue?: boolean },
): Promise<boolean> {
  const rows = await query(
    pool,
    `update source_holds set breaker = 'closed', opens = 0, trouble = null, opened_at = null, until = null, probe_task = null
     where source = $1 and breaker <> 'closed' and ($2::uuid is null or probe_task = $2) and (not $3 or until <= now()) returning 1`,
    [source, probe, overdue],
  );
  await forget(pool, source);
  return rows.length > 0;
}

export const parkSource = (pool: Pool, source: string): Promise<number> =>
  moveAll(pool, { source, which: 'q.due_at is null', to: `parked = true, due_at = ${PARKED_UNTIL}` });

export const unparkSource = (pool: Pool, source: string): Promise<number> =>
  moveAll(pool, { source, which: 'q.parked', to: 'parked = false, due_at = null' });

const BATCH = 5_000;
const MOVE_LIMIT_MS = 8_000;

/** In batches, so that no statement holds the queue for long. What is left when time is up is moved by dispatch, or comes back by itself. */
async function moveAll(
  pool: Pool,
  { source, which, to }: { source: string; which: string; to: string },
): Promise<number> {
  const until = performance.now() + MOVE_LIMIT_MS;
  let moved = 0;
  for (;;) {
    const [row] = await query<{ n: number }>(
      pool,
      `with picked as (
         select q.task_id from queue q join tasks t on t.id = q.task_id where ${which} and t.source = $1 limit $2 for update of q skip locked
       ), moved as (
         update queue set ${to} from picked where queue.task_id = picked.task_id returning 1
       )
       select count(*)::int as n from moved`,
      [source, BATCH],
    );
    moved += row!.n;
    if (row!.n < BATCH || performance.now() > until) return moved;
  }
}

export async function sourceDepths(pool: Pool): Promise<Map<string, { waiting: number; active: number }>> {
  // By the line, which names the source: looking up a million tasks takes many times as long.
  const rows = await query<{ line: string; waiting: number; active: number }>(
    pool,
    `select line, sum(w)::int as waiting, sum(a)::int as active from (
       select line, count(*) as w, 0 as a from queue group by 1 union all select line, 0, count(*) from leases group by 1) l group by 1`,
  );
  const depths = new Map<string, { waiting: number; active: number }>();
  for (const { line, waiting, active } of rows) {
    const { source } = parseLine(line);
    const known = depths.get(source) ?? { waiting: 0, active: 0 };
    depths.set(source, { waiting: known.waiting + waiting, active: known.active + active });
  }
  return depths;
}
