// Workers that take no more tasks because a person said so. By name, so that it holds for a worker that is away for a moment; a process that is started
// later has another name.
import type { Pool } from 'pg';
import { bindAll } from '../postgres/bind.ts';
import { query } from '../postgres/pool.ts';

export interface WorkerDrain {
  worker: string;
  askedAt: Date;
  reason: string | null;
  askedBy: string | null;
}

export interface WorkerDrainStore {
  listDrains(): Promise<WorkerDrain[]>;
  drainWorker(worker: string, reason: string | null, by: string | null): Promise<void>;
  /** False: it was not drained. */
  resumeWorker(worker: string): Promise<boolean>;
  /** Notes that these are alive, and forgets those of which nothing was heard for a day. */
  seeDrained(alive: readonly string[]): Promise<void>;
}

const FORGOTTEN_DAYS = 1;

async function listDrains(pool: Pool): Promise<WorkerDrain[]> {
  return query<WorkerDrain & Record<string, unknown>>(
    pool,
    'select worker, asked_at as "askedAt", reason, asked_by as "askedBy" from worker_drains order by asked_at, worker',
  );
}

async function drainWorker(pool: Pool, worker: string, reason: string | null, by: string | null): Promise<void> {
  await query(
    pool,
    `insert into worker_drains (worker, reason, asked_by) values ($1, $2, $3)
     on conflict (worker) do update set reason = excluded.reason, asked_by = excluded.asked_by, seen_at = now()`,
    [worker, reason, by],
  );
}

async function resumeWorker(pool: Pool, worker: string): Promise<boolean> {
  return (await query(pool, 'delete from worker_drains where worker = $1 returning 1', [worker])).length > 0;
}

async function seeDrained(pool: Pool, alive: readonly string[]): Promise<void> {
  await query(
    pool,
    `with gone as (delete from worker_drains where seen_at < now() - make_interval(days => $2) and worker <> all($1))
     update worker_drains set seen_at = now() where worker = any($1)`,
    [alive, FORGOTTEN_DAYS],
  );
}

export const workerDrainStore = (pool: Pool): WorkerDrainStore =>
  bindAll(pool, { listDrains, drainWorker, resumeWorker, seeDrained });
