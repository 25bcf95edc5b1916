// Leases in the eyes of workers: renewed while a worker says that it holds them, found when none has said so for too long. All times come from the
// database, and what a worker says has an age, so that no clock of another machine counts.
import type { Pool } from 'pg';
import type { TaskRef } from '../../model/task/messages.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { stillOpen, takeBack } from './lost-attempts.ts';
import { LEASE_COLUMNS, type Lease, type LeaseRow, toLease } from './queue.ts';

/** What a worker says it holds. */
export interface HeldTasks {
  worker: string;
  tasks: TaskRef[];
  /** Held, and not started. */
  waiting?: TaskRef[] | undefined;
  /** How long the leases last from now. */
  seconds: number;
}

/** A task that a worker says it holds, and that has no lease for that attempt. */
export interface LostTask extends TaskRef {
  worker: string;
  cancelled: boolean;
}

export interface Renewed {
  missing: LostTask[];
  /** How many leases had run out by mistake and were given back. */
  takenBack: number;
}

/** A lease that has most of its time left is not written again: several orchestrators hear the same heartbeat. */
const RENEW_BELOW = 0.75;

export async function renewLeases(pool: Pool, held: HeldTasks[]): Promise<Renewed> {
  const rows = held.flatMap(({ worker, tasks, waiting = [], seconds }) => [
    ...tasks.map((task) => ({ ...task, worker, seconds, started: true })),
    ...waiting.map((task) => ({ ...task, worker, seconds, started: false })),
  ]);
  if (rows.length === 0) return { missing: [], takenBack: 0 };
  const missing = await query<LostTask & Record<string, unknown>>(
    pool,
    `with held as (
       select * from unnest($1::uuid[], $2::int[], $3::text[], $4::boolean[], $5::float8[]) as h(task_id, attempt, worker, started, seconds)
     ), mine as (
       select h.* from leases l join held h on h.task_id = l.task_id and h.attempt = l.attempt
       where l.lease_until < now() + make_interval(secs => h.seconds * ${RENEW_BELOW}) or l.worker is distinct from h.worker
         or l.started is distinct from h.started
       for update of l skip locked
     ), renewed as (
       update leases set lease_until = greatest(lease_until, now() + make_interval(secs => mine.seconds)), worker = mine.worker, started = mine.started
       from mine where leases.task_id = mine.task_id
     )
     select h.task_id, h.attempt, h.worker,
            exists (select 1 from outcomes o where o.task_id = h.task_id and o.state = 'cancelled') as cancelled
     from held h
     where not exists (select 1 from leases l where l.task_id = h.task_id and l.attempt = h.attempt)`,
    [
      rows.map((row) => row.task_id),
      rows.map((row) => row.attempt),
      rows.map((row) => row.worker),
      rows.map((row) => row.started),
      rows.map((row) => row.seconds),
    ],
  );
  if (missing.length === 0) return { missing, takenBack: 0 };
  return transaction(pool, async (client) => {
    const back = await takeBack(client, missing, Math.max(...rows.map((row) => row.seconds)));
    const kept = new Set([...back, ...(await stillOpen(client, missing))].map((task) => task.task_id));
    return { missing: missing.filter((task) => !kept.has(task.task_id)), takenBack: back.length };
  });
}

/** Renews leases of tasks that are still on the wire, since no worker sends heartbeats for them. */
export async function extendUntaken(client: Client, taskIds: string[], leaseSeconds: number): Promise<void> {
  await client.query(
    'update leases set lease_until = now() + make_interval(secs => $2) where task_id = any($1::uuid[]) and worker is null',
    [taskIds, leaseSeconds],
  );
}

/** Younger ones may be with a worker before its first heartbeat; if they are lost too, their lease runs out. */
const UNCLAIMED = `worker is null and sent_at < now() - interval '4 seconds'`;

/** A worker may have taken a task from the wire in the last moment of its lease: it speaks of it within a second or so. */
const RAN_OUT = `lease_until < now() - case when worker is null then interval '4 seconds' else interval '0' end`;

/** Leases that ran out (or, after the wire was lost, all that no worker has claimed), locked for the caller. */
export async function lockLostLeases(client: Client, options: { unclaimed: boolean; limit: number }): Promise<Lease[]> {
  const { rows } = await client.query<LeaseRow>(
    `select ${LEASE_COLUMNS} from leases where ${options.unclaimed ? UNCLAIMED : RAN_OUT}
     order by task_id limit $1 for update skip locked`,
    [options.limit],
  );
  return rows.map(toLease);
}

export async function excuseNextLeaseLoss(pool: Pool): Promise<void> {
  await query(
    pool,
    `with out as (select task_id from leases order by task_id for update skip locked)
     update leases set crashes = crashes - 1 from out where leases.task_id = out.task_id`,
  );
}
