// Tasks that ran out of attempts, kept for a person. Trying one again makes a new run: the runs that ended with the failure stay ended.
import type { Pool } from 'pg';
import type { TaskBody, TaskError } from '../../model/task/messages.ts';
import { query } from '../postgres/pool.ts';

export interface DeadLetter {
  taskId: string;
  key: string;
  source: string;
  lane: string;
  params: Record<string, unknown>;
  priority: number;
  maxRetries: number;
  timeoutSeconds: number;
  backoff: TaskBody['backoff'];
  runId: string;
  attempts: number;
  error: TaskError | null;
  diedAt: Date;
  /** The same to the microsecond, for the cursor: letters of one transaction died at one time. */
  diedAtText: string;
  /** Kind of the run that made it; null once that run is gone. */
  runKind: string | null;
}

interface DeadLetterRow {
  task_id: string;
  key: string;
  source: string;
  lane: string;
  message: TaskBody;
  attempts: number;
  error: TaskError | null;
  died_at: Date;
  died_at_text: string;
  run_kind: string | null;
}

const toDeadLetter = (row: DeadLetterRow): DeadLetter => ({
  taskId: row.task_id,
  key: row.key,
  source: row.source,
  lane: row.lane,
  params: row.message.params,
  priority: row.message.priority,
  maxRetries: row.message.max_retries,
  timeoutSeconds: row.message.timeout,
  backoff: row.message.backoff,
  runId: row.message.run_id,
  attempts: row.attempts,
  error: row.error,
  diedAt: row.died_at,
  diedAtText: row.died_at_text,
  runKind: row.run_kind,
});

const SELECT = `select d.task_id, t.key, t.source, t.lane, t.message, o.attempts, o.error, d.died_at,
    to_char(d.died_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as died_at_text, r.kind as run_kind
  from dead_letters d join tasks t on t.id = d.task_id join outcomes o on o.task_id = d.task_id left join runs r on r.seq = t.run_seq`;

export async function listDeadLetters(
  pool: Pool,
  options: {
    source: string | null;
    category: string | null;
    limit: number;
    before: { diedAt: string; taskId: string } | null;
  },
): Promise<DeadLetter[]> {
  const rows = await query<DeadLetterRow>(
    pool,
    `${SELECT} where ($1::text is null or d.source = $1) and ($2::text is null or d.category = $2)
       and ($3::timestamptz is null or (d.died_at, d.task_id) < ($3, $4::uuid))
     order by d.died_at desc, d.task_id desc limit $5`,
    [options.source, options.category, options.before?.diedAt ?? null, options.before?.taskId ?? null, options.limit],
  );
  return rows.map(toDeadLetter);
}

export async function countDeadLetters(pool: Pool): Promise<{ source: string; count: number }[]> {
  return query(pool, 'select source, count(*)::int as count from dead_letters group by source order by source');
}

export async function getDeadLetters(pool: Pool, taskIds: string[]): Promise<DeadLetter[]> {
  const rows = await query<DeadLetterRow>(pool, `${SELECT} where d.task_id = any($1::uuid[])`, [taskIds]);
  return rows.map(toDeadLetter);
}

export async function removeDeadLetters(pool: Pool, taskIds: string[]): Promise<string[]> {
  const rows = await query<{ task_id: string }>(
    pool,
    'delete from dead_letters where task_id = any($1::uuid[]) returning task_id',
    [taskIds],
  );
  return rows.map((row) => row.task_id);
}
