// What a worker has in hand, for people.
import type { Pool } from 'pg';
import { query } from '../postgres/pool.ts';

export interface WorkerTask {
  taskId: string;
  source: string;
  runId: string;
  params: Record<string, unknown>;
  attempt: number;
  sentAt: Date;
}

/** The ones that take longest first. Leases are as many as workers have places, so reading them all is cheap. */
export function tasksOfWorker(pool: Pool, worker: string, limit: number, owner: string | null): Promise<WorkerTask[]> {
  return query<WorkerTask>(
    pool,
    `select l.task_id as "taskId", t.source, r.id as "runId", t.message->'params' as params, l.attempt, l.sent_at as "sentAt"
     from leases l join tasks t on t.id = l.task_id join runs r on r.seq = l.run_seq
     where l.worker = $1 and ($3::text is null or r.owner = $3) order by l.sent_at, l.task_id limit $2`,
    [worker, limit, owner],
  );
}
