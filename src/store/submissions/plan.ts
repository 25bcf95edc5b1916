// What a batch of submissions has to wait for: each entry reuses a stored item, shares the task of someone else, or makes a task of its own.
//
// Equal work meets in `live`: inserting a key there either makes this submission the owner of a new task or shows whose task to share, and
// holds that row until commit, so that the recorder cannot settle the task between our look and our link (it deletes the `live` row first
// and reads the links after).

import { newTaskId } from '../../model/ids.ts';
import type { Kind } from '../../model/item/item.ts';
import { statusAfter } from '../../model/run/run.ts';
import { priorityDelayMs } from '../../model/task/band.ts';
import { itemTableOf } from '../items/items.ts';
import type { Client } from '../postgres/pool.ts';
import { plainArray } from '../postgres/text.ts';
import type { Accepted, NewTask, Submission, Turns } from './submit.ts';

export interface Entry {
  task: NewTask;
  /** What the entry waits for; null: the stored item is reused. */
  taskId: string | null;
  isNew: boolean;
  /** Its place in the order of its band. */
  turn: number;
}

export interface Plan {
  submission: Submission;
  /** By position in the run. */
  entries: Entry[];
  accepted: Accepted;
}

/** What is known of a batch's keys once they are claimed. */
interface Known {
  /** Seconds since the stored item was scraped. */
  ages: Map<string, number>;
  /** Somebody else's live task. */
  others: Map<string, string>;
  /** Ours now, with the id of the task it was claimed for. */
  mine: Map<string, string>;
}

const TURN_SPACING_MS = 20;

export async function planTasks(client: Client, batch: Submission[]): Promise<Plan[]> {
  const known: Known = { ages: new Map(), others: new Map(), mine: new Map() };
  const byKind = Map.groupBy(batch, (submission) => submission.itemKind);
  // Kinds and keys in one order everywhere, so that two batches that share some wait for each other instead of deadlocking.
  for (const kind of [...byKind.keys()].sort()) await claim(client, kind, byKind.get(kind)!, known);

  // The first entry that needs a claimed key makes its task, whoever's claim it was: that one may do with the stored item.
  const made = new Set<string>();
  const nowMs = Date.now();
  const plans = batch.map((submission) => {
    const untimed = submission.tasks.map((task) => decide(submission, task, known, made));
    const entries = inTurn(untimed, submission.acceptedAt?.getTime() ?? nowMs, submission.turns ?? 'even');
    const ageOf = (task: NewTask, pos: number) =>
      entries[pos]!.taskId === null ? (known.ages.get(task.key) ?? 0) : null;
    const makes = (_task: NewTask, pos: number) => entries[pos]!.isNew;
    return { submission, entries, accepted: acceptedWith(submission, { ageOf, makes }) };
  });
  const unused = [...known.mine.keys()].filter((key) => !made.has(key));
  if (unused.length > 0) await client.query('delete from live where key = any($1::uuid[])', [plainArray(unused)]);
  return plans;
}

/** As if nobody had asked for any of it before. Null when two ask for the same. */
export function planAllNew(batch: Submission[]): Plan[] | null {
  const keys = new Set<string>();
  let tasks = 0;
  const nowMs = Date.now();
  const plans = batch.map((submission) => {
    tasks += submission.tasks.length;
    for (const { key } of submission.tasks) keys.add(key);
    const untimed = submission.tasks.map((task) => ({ task, taskId: newTaskId(), isNew: true }));
    const entries = inTurn(untimed, nowMs, submission.turns ?? 'even');
    return { submission, entries, accepted: acceptedWith(submission, { ageOf: () => null, makes: () => true }) };
  });
  return keys.size === tasks ? plans : null;
}

function decide(submission: Submission, task: NewTask, known: Known, made: Set<string>): Omit<Entry, 'turn'> {
  if (isReused(submission, known.ages.get(task.key))) return { task, taskId: null, isNew: false };
  const other = known.others.get(task.key);
  if (other !== undefined) return { task, taskId: other, isNew: false };
  const isNew = !made.has(task.key);
  made.add(task.key);
  return { task, taskId: known.mine.get(task.key)!, isNew };
}

export const isReused = ({ maxAgeSeconds }: Submission, age: number | undefined): boolean =>
  age !== undefined && (maxAgeSeconds === null || age < maxAgeSeconds);

interface KnownFor {
  /** Of the item that is reused for a task; null when it has to be scraped. */
  ageOf(task: NewTask, pos: number): number | null;
  /** Whether a task that has to be scraped is not somebody else's already. */
  makes(task: NewTask, pos: number): boolean;
}

export function acceptedWith(submission: Submission, { ageOf, makes }: KnownFor): Accepted {
  const { runId, tasks, reportsAges } = submission;
  const ages: Record<number, number> = {};
  let cached = 0;
  let made = 0;
  for (let pos = 0; pos < tasks.length; pos++) {
    const task = tasks[pos]!;
    const age = ageOf(task, pos);
    if (age === null) {
      if (makes(task, pos)) made++;
    } else {
      cached++;
      ages[pos] = age;
    }
  }
  const status = statusAfter({ total: tasks.length, completed: cached, failed: 0 });
  const accepted: Accepted = { runId, status, total: tasks.length, cached, made, replayed: false };
  return reportsAges ? { ...accepted, ages } : accepted;
}

/** Claims the keys of one kind that nobody would take from the store, and looks at what is stored again once they are claimed: a task that was settled in between left its item. */
async function claim(client: Client, kind: Kind, submissions: Submission[], known: Known): Promise<void> {
  const wanted = new Map<string, number | null>();
  for (const { tasks, maxAgeSeconds } of submissions)
    for (const { key } of tasks)
      wanted.set(key, wanted.has(key) ? strictest(wanted.get(key)!, maxAgeSeconds) : maxAgeSeconds);
  if (wanted.size === 0) return;
  const sorted = [...wanted.keys()].sort();
  for (const key of sorted) known.mine.set(key, newTaskId());
  const keys = plainArray(sorted);
  const ids = plainArray(sorted.map((key) => known.mine.get(key)!));
  const table = submissions.some(({ maxAgeSeconds }) => maxAgeSeconds !== 0) ? itemTableOf(kind) : null;

  if (table === null) {
    const { rows } = await client.query<{ key: string; task_id: string }>(claimStatement(keys, ids));
    for (const { key, task_id } of rows) takenBy(known, key, task_id);
    return;
  }
  const limits = plainArray(sorted.map((key) => wanted.get(key)!));
  // Both sent at once; the second one sees what was committed until the first one had its locks.
  const [claimed, stored] = await Promise.all([
    client.query<{ key: string; task_id: string | null; age: number | null }>(
      claimUnlessStored(table, keys, ids, limits),
    ),
    client.query<{ key: string; age: number }>({
      name: `ages-${table}`,
      text: storedAges(table, '$1'),
      values: [keys],
    }),
  ]);
  for (const { key, task_id, age } of claimed.rows) {
    if (task_id !== null) takenBy(known, key, task_id);
    else {
      known.mine.delete(key);
      known.ages.set(key, age!);
    }
  }
  for (const { key, age } of stored.rows) known.ages.set(key, age);
}

function takenBy(known: Known, key: string, taskId: string): void {
  known.mine.delete(key);
  known.others.set(key, taskId);
}

const strictest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);

/** In seconds; what was scraped by a transaction that began after ours is new, not from the future. */
const AGE = 'greatest(0, extract(epoch from now() - i.scraped_at))::float8';

// Items are looked up one by one (the limits see to that): a join would be planned once for a table of another size.

/** Of the items that are stored, of those asked for. */
export const storedAges = (table: string, keys: string): string =>
  `select w.key, ${AGE} as age from unnest(${keys}::uuid[]) as w(key) cross join lateral (select scraped_at from ${table} where key = w.key limit 1) i`;

const CLAIMED = `on conflict (key) do update set key = excluded.key returning key, task_id`;

/** Answers with the keys that are somebody else's already. */
const claimStatement = (keys: string, ids: string) => ({
  name: 'claim-live',
  text: `with wanted as (select * from unnest($1::uuid[], $2::uuid[]) as w(key, task_id)),
         claimed as (insert into live (key, task_id) select key, task_id from wanted ${CLAIMED})
         select c.key, c.task_id from claimed c join wanted w on w.key = c.key where c.task_id <> w.task_id`,
  values: [keys, ids],
});

/** A key whose item is young enough for everyone is not claimed: its age is answered instead. */
const claimUnlessStored = (table: string, keys: string, ids: string, limits: string) => ({
  name: `claim-live-${table}`,
  text: `with wanted as (select * from unnest($1::uuid[], $2::uuid[], $3::float8[]) as w(key, task_id, max_age)),
         stored as (
           select w.key, ${AGE} as age from wanted w cross join lateral (select scraped_at from ${table} where key = w.key limit 1) i
           where w.max_age is null or ${AGE} < w.max_age
         ),
         claimed as (
           insert into live (key, task_id) select key, task_id from wanted where key not in (select key from stored) ${CLAIMED}
         )
         select c.key, c.task_id, null::float8 as age from claimed c join wanted w on w.key = c.key where c.task_id <> w.task_id
         union all select key, null, age from stored`,
  values: [keys, ids, limits],
});

/** Only what has to be waited for takes a turn. */
export function inTurn(entries: Omit<Entry, 'turn'>[], nowMs: number, turns: Turns): Entry[] {
  const next = new Map<number, number>();
  return entries.map((entry) => {
    const { priority } = entry.task;
    const place = next.get(priority) ?? 0;
    if (entry.taskId !== null) next.set(priority, place + 1);
    const spacing = (turns === 'even' ? place : place ** 2) * TURN_SPACING_MS;
    return { ...entry, turn: nowMs + priorityDelayMs(priority) + spacing };
  });
}
