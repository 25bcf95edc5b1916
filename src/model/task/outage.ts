// Losing a part of ours (Redis, PostgreSQL) is never the failure of a task. Whatever a client of such a part throws becomes `unavailable` here, and a task
// that meets it goes back to the queue at no cost (retry-table.ts).
import { AppError } from '../errors.ts';
import type { TaskError } from './messages.ts';

/** An attempt could not go on because a part of ours was away. */
export const isOutage = (error: Pick<TaskError, 'category' | 'code'> | null | undefined): boolean =>
  error?.code === 'unavailable' && error.category === 'internal';

export function asOutage(part: 'Redis' | 'PostgreSQL', thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new AppError('unavailable', `${part} did not answer: ${reason}`, { cause: thrown, retryAfterMs: 1_000 });
}

/** The same functions, but what their promises reject with is an AppError: `unavailable`, unless they said otherwise. */
export function withOutages<T extends object>(part: 'Redis' | 'PostgreSQL', calls: T): T {
  const wrapped = Object.entries(calls).map(([name, call]) => [
    name,
    (...args: unknown[]) => {
      const answer: unknown = (call as (...given: unknown[]) => unknown)(...args);
      return answer instanceof Promise ? answer.catch((error) => Promise.reject(asOutage(part, error))) : answer;
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}
