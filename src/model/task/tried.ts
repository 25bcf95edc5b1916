// An attempt that went wrong, as it is kept for a person who wants to know what happened to a task.
import type { Result, TaskError } from './messages.ts';

export interface Tried {
  attempt: number;
  worker: string | null;
  /** By the worker's clock; null where the worker was lost and could not say. */
  started_at: string | null;
  ended_at: string;
  requests: number;
  error: Pick<TaskError, 'category' | 'code' | 'message'>;
}

export function triedOf(result: Result, error: TaskError): Tried {
  const endedMs = Date.parse(result.completed_at);
  const startedMs = endedMs - result.execution_time * 1_000;
  return {
    attempt: result.attempt,
    worker: result.metadata.worker || null,
    started_at: Number.isFinite(startedMs) ? new Date(startedMs).toISOString() : null,
    ended_at: Number.isFinite(endedMs) ? new Date(endedMs).toISOString() : new Date().toISOString(),
    requests: result.metadata.requests_made,
    error: errorOf(error),
  };
}

export const errorOf = ({ category, code, message }: TaskError): Tried['error'] => ({
  category,
  ...(code === undefined ? {} : { code }),
  message,
});
