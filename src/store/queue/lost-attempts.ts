// Attempts whose lease ran out, although their worker may be alive: slow, paused, or cut off for a while. What it says later counts, as long as nobody else
// has begun.
// What a reader would get wrong: rows that somebody else has locked are passed by, because this comes after leases were locked, and the order of locks is
// queue first.
import type { TaskRef } from '../../model/task/messages.ts';
import type { Client } from '../postgres/pool.ts';

const FORGOTTEN_AFTER = `interval '1 hour'`;

/** Called while the caller holds their leases, before it takes them. */
export async function rememberLost(client: Client, taskIds: string[]): Promise<void> {
  await client.query(
    `insert into lost_attempts (task_id, attempt, part, crashes)
     select task_id, attempt, part, crashes from leases where task_id = any($1::uuid[])
     on conflict (task_id) do update set attempt = excluded.attempt, part = excluded.part, crashes = excluded.crashes, lost_at = now()`,
    [taskIds],
  );
  await client.query(`delete from lost_attempts where lost_at < now() - ${FORGOTTEN_AFTER}`);
}

const SPOKEN = `spoken as (select s.task_id, s.attempt, a.part, a.crashes from unnest($1::uuid[], $2::int[]) as s(task_id, attempt)
       join lost_attempts a on a.task_id = s.task_id and a.attempt = s.attempt)`;

/** Gives lost attempts that wait in the queue their lease back; returns them. */
export async function takeBack(client: Client, tasks: TaskRef[], leaseSeconds: number): Promise<TaskRef[]> {
  const { rows } = await client.query<{ task_id: string; attempt: number }>(
    `with ${SPOKEN}, lost as (
       select q.task_id, s.part, s.crashes from queue q join spoken s on s.task_id = q.task_id and s.attempt = q.attempt for update of q skip locked
     ), back as (
       delete from queue using lost where queue.task_id = lost.task_id
       returning queue.task_id, key, run_seq, lane, line, host, band, turn, attempt, failures, lost.crashes, waits, lost.part
     ), forgotten as (
       delete from lost_attempts using back where lost_attempts.task_id = back.task_id
     )
     insert into leases (task_id, key, run_seq, lane, line, host, band, turn, attempt, failures, crashes, waits, part, lease_until)
     select task_id, key, run_seq, lane, line, host, band, turn, attempt, failures, crashes, waits, part, now() + make_interval(secs => $3) from back
     returning task_id, attempt`,
    [tasks.map((task) => task.task_id), tasks.map((task) => task.attempt), leaseSeconds],
  );
  return rows;
}

/** Lost attempts whose next one was sent, but nobody has said that it holds it: their workers may go on, and the first that is done wins. */
export async function stillOpen(client: Client, tasks: TaskRef[]): Promise<TaskRef[]> {
  const { rows } = await client.query<{ task_id: string; attempt: number }>(
    `with ${SPOKEN} select s.task_id, s.attempt from spoken s join leases l on l.task_id = s.task_id
     where l.attempt = s.attempt + 1 and l.worker is null`,
    [tasks.map((task) => task.task_id), tasks.map((task) => task.attempt)],
  );
  return rows;
}

/**
 * Makes the lease of such a next attempt that of the lost one, which has succeeded, unless parts of it came meanwhile and were dropped. The caller takes the
 * lease in the same transaction: an attempt number must not be given out twice.
 */
export async function winBack(client: Client, tasks: (TaskRef & { part: number })[]): Promise<void> {
  await client.query(
    `with done as (select * from unnest($1::uuid[], $3::int[]) as d(task_id, part)), ${SPOKEN}, unclaimed as (
       select l.task_id, s.attempt, s.part, s.crashes from leases l join spoken s on s.task_id = l.task_id join done d on d.task_id = l.task_id
       where l.attempt = s.attempt + 1 and l.worker is null and d.part = s.part + 1 for update of l skip locked
     )
     update leases set attempt = unclaimed.attempt, part = unclaimed.part, crashes = unclaimed.crashes from unclaimed
     where leases.task_id = unclaimed.task_id`,
    [tasks.map((task) => task.task_id), tasks.map((task) => task.attempt), tasks.map((task) => task.part)],
  );
}
