// What a run asked for, entry by entry, with the task of each and where it stands: for the page of a run. Entries that were stored already have no task, and
// several entries may share one.
import type { Pool } from 'pg';
import type { TaskError } from '../../model/task/messages.ts';
import { query } from '../postgres/pool.ts';
import { readThroughSpool } from '../submissions/spooled-runs.ts';

export const ENTRY_STATES = [
  'stored',
  'ready',
  'delayed',
  'held',
  'sent',
  'started',
  'done',
  'failed',
  'cancelled',
] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

export interface RunEntry {
  pos: number;
  /** What the run calls it: a URL, a site, a company, an item. */
  ref: Record<string, unknown>;
  taskId: string | null;
  source: string | null;
  lane: string | null;
  state: EntryState;
  attempts: number;
  /** Why it failed; of one that waits to be tried again, why its last attempt failed. */
  error: TaskError | null;
  worker: string | null;
  createdAt: Date | null;
  /** When it is tried again. */
  dueAt: Date | null;
  sentAt: Date | null;
  finishedAt: Date | null;
}

interface EntryRow {
  pos: number;
  ref: Record<string, unknown>;
  task_id: string | null;
  source: string | null;
  lane: string | null;
  state: EntryState;
  attempts: number;
  error: TaskError | null;
  worker: string | null;
  created_at: Date | null;
  due_at: Date | null;
  sent_at: Date | null;
  finished_at: Date | null;
}

export interface RunEntryQuery {
  runId: string;
  /** The position before the first one. */
  after: number;
  limit: number;
}

export async function runEntries(pool: Pool, { runId, after, limit }: RunEntryQuery): Promise<RunEntry[]> {
  const found = await readThroughSpool(pool, runId, {
    async written() {
      const rows = await query<EntryRow & Record<string, unknown>>(
        pool,
        // Looked up one by one, as in run-waits.ts.
        `select l.pos, l.ref, l.task_id, t.source, t.lane, t.created_at, q.due_at, s.sent_at, s.worker, o.finished_at,
                case when l.task_id is null then 'stored' when o.state is not null then o.state
                     when s.worker is not null then 'started' when s.task_id is not null then 'sent'
                     when q.parked then 'held' when q.due_at is not null then 'delayed' else 'ready' end as state,
                coalesce(o.attempts, s.attempt, q.attempt, 0)::int as attempts,
                coalesce(o.error, case when o.state is null then e.error end) as error
         from runs r
         cross join lateral (select pos, ref, task_id from run_tasks where run_seq = r.seq and pos > $2 order by pos limit $3) l
         left join lateral (select source, lane, created_at from tasks where id = l.task_id limit 1) t on true
         left join lateral (select state, attempts, error, finished_at from outcomes where task_id = l.task_id limit 1) o on true
         left join lateral (select attempt, due_at, parked from queue where task_id = l.task_id limit 1) q on true
         left join lateral (select task_id, attempt, worker, sent_at from leases where task_id = l.task_id limit 1) s on true
         left join lateral (select error from earlier_attempts where task_id = l.task_id limit 1) e on true
         where r.id = $1 order by l.pos`,
        [runId, after, limit],
      );
      return rows.length === 0 ? null : rows.map(toEntry);
    },
    spooled: ({ submission, isStored }) =>
      submission.tasks.slice(after + 1, after + 1 + limit).map(
        (task, index): RunEntry => ({
          pos: after + 1 + index,
          ref: task.ref,
          taskId: null,
          source: task.source,
          lane: task.lane,
          state: isStored(task) ? 'stored' : 'ready',
          attempts: 0,
          error: null,
          worker: null,
          createdAt: null,
          dueAt: null,
          sentAt: null,
          finishedAt: null,
        }),
      ),
  });
  return found ?? [];
}

const toEntry = ({
  pos,
  ref,
  task_id,
  source,
  lane,
  state,
  attempts,
  error,
  worker,
  ...times
}: EntryRow): RunEntry => ({
  pos,
  ref,
  taskId: task_id,
  source,
  lane,
  state,
  attempts,
  error,
  worker,
  createdAt: times.created_at,
  dueAt: times.due_at,
  sentAt: times.sent_at,
  finishedAt: times.finished_at,
});

/** What it was asked with, as stored; null when there is no such run. */
export function runOptions(pool: Pool, runId: string): Promise<Record<string, unknown> | null> {
  return readThroughSpool(pool, runId, {
    async written() {
      const rows = await query<{ options: Record<string, unknown> | null }>(
        pool,
        'select options from runs where id = $1',
        [runId],
      );
      return rows[0] ? (rows[0].options ?? {}) : null;
    },
    spooled: ({ submission }) => ({ ...submission.options }),
  });
}
