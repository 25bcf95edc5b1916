// Runs that are accepted and not written out yet, as they are read: nothing of theirs is under way, but what was stored when they came is there already.
// Reading them changes nothing.
import type { Pool } from 'pg';
import { type Run, statusAfter } from '../../model/run/run.ts';
import { itemTableOf } from '../items/items.ts';
import { query } from '../postgres/pool.ts';
import { plainArray, textArray } from '../postgres/text.ts';
import { unpack } from './packing.ts';
import { isReused, storedAges } from './plan.ts';
import { asAccepted } from './spool.ts';
import type { NewTask, Submission } from './submit.ts';

export interface SpooledRun {
  submission: Submission;
  run: Run;
  /** Whether the item that this task would bring is stored, and young enough. */
  isStored(task: NewTask): boolean;
}

/** Those of these runs that are spooled. */
export async function spooledRuns(pool: Pool, ids: readonly string[]): Promise<Map<string, SpooledRun>> {
  const rows = await query<{ text: string; spooled_at: Date; seconds: number }>(
    pool,
    `select split_part(submissions, e'\\n', 1) || e'\\n' || split_part(submissions, e'\\n', place::int + 1) as text, spooled_at,
            extract(epoch from now() - spooled_at)::float8 as seconds
     from submission_spool cross join lateral unnest(string_to_array(run_ids, ',')) with ordinality as r(id, place) where r.id = any($1::text[])`,
    [textArray(ids)],
  );
  const submissions = rows.flatMap(({ text, spooled_at, seconds }) =>
    unpack(text).map((submission) => asAccepted(submission, spooled_at, seconds)),
  );
  const ages = await agesOf(pool, submissions);
  return new Map(submissions.map((submission) => [submission.runId, toSpooled(submission, ages)]));
}

async function agesOf(pool: Pool, submissions: Submission[]): Promise<Map<string, number>> {
  const ages = new Map<string, number>();
  for (const [kind, some] of Map.groupBy(submissions, (submission) => submission.itemKind)) {
    const table = itemTableOf(kind);
    if (table === null) continue;
    const keys = new Set(some.flatMap(({ tasks }) => tasks.map(({ key }) => key)));
    const stored = await query<{ key: string; age: number }>(pool, storedAges(table, '$1'), [plainArray([...keys])]);
    for (const { key, age } of stored) ages.set(key, age);
  }
  return ages;
}

function toSpooled(submission: Submission, ages: ReadonlyMap<string, number>): SpooledRun {
  const { runId: id, kind, requestId, owner = null, tasks } = submission;
  const isStored = ({ key }: NewTask): boolean => isReused(submission, ages.get(key));
  const acceptedAt = submission.acceptedAt!;
  const cached = tasks.filter(isStored).length;
  const counts = { total: tasks.length, completed: cached, failed: 0 };
  const status = statusAfter(counts);
  const times = { createdAt: acceptedAt, updatedAt: acceptedAt, finishedAt: status === 'running' ? null : acceptedAt };
  return { submission, run: { id, kind, status, ...counts, cached, requestId, owner, ...times }, isStored };
}

/**
 * What is written, or else what is spooled. Null from both may mean that it was written out between the two looks; what is not there on the third is
 * nowhere.
 */
export async function readThroughSpool<T>(
  pool: Pool,
  runId: string,
  { written, spooled }: { written(): Promise<T | null>; spooled(run: SpooledRun): T | Promise<T> },
): Promise<T | null> {
  const first = await written();
  if (first !== null) return first;
  const found = (await spooledRuns(pool, [runId])).get(runId);
  return found ? spooled(found) : written();
}
