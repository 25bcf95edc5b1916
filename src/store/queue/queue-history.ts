// The queue minute by minute: how much waited and for how long. Bounded by time; a gap is a time without an orchestrator, and shown as one.
import type { Pool } from 'pg';
import { bindAll } from '../postgres/bind.ts';
import { query } from '../postgres/pool.ts';

export interface QueueMoment {
  waiting: number;
  active: number;
  delayed: number;
  held: number;
  oldestSeconds: number | null;
}

export interface QueueHistoryStore {
  /** One for each minute: what is there already stays. */
  noteQueue(moment: QueueMoment): Promise<void>;
  /** The worst of each `everySeconds`, the oldest first; where nothing was noted there is nothing. */
  queueHistory(hours: number, everySeconds: number): Promise<(QueueMoment & { at: Date })[]>;
}

export const HISTORY_HOURS = 48;

async function noteQueue(pool: Pool, { waiting, active, delayed, held, oldestSeconds }: QueueMoment): Promise<void> {
  await query(
    pool,
    `with old as (delete from queue_history where at < now() - make_interval(hours => $6))
     insert into queue_history (at, waiting, active, delayed, held, oldest_seconds) values (date_trunc('minute', now()), $1, $2, $3, $4, $5)
     on conflict (at) do nothing`,
    [waiting, active, delayed, held, oldestSeconds, HISTORY_HOURS],
  );
}

async function queueHistory(pool: Pool, hours: number, everySeconds: number): Promise<(QueueMoment & { at: Date })[]> {
  return query<QueueMoment & { at: Date }>(
    pool,
    `select to_timestamp(floor(extract(epoch from at) / $2) * $2) as at, max(waiting) as waiting, max(active) as active, max(delayed) as delayed,
            max(held) as held, max(oldest_seconds)::float8 as "oldestSeconds"
     from queue_history where at > now() - make_interval(hours => $1) group by 1 order by 1`,
    [hours, everySeconds],
  );
}

export const queueHistoryStore = (pool: Pool): QueueHistoryStore => bindAll(pool, { noteQueue, queueHistory });
