// Web options of an attempt at a task: from the source, and from the task itself.
import type { TaskMessage } from '../model/task/messages.ts';
import { proxyOfAttempt } from '../model/task/task-proxies.ts';
import type { Attempt } from '../web/web.ts';
import type { SourceFacts } from '../worker/run-source.ts';

export function attemptFor(source: SourceFacts, signal: AbortSignal, task: TaskMessage): Attempt {
  // The contract has these in the parameters of a task.
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const proxy = proxyOfAttempt(task);
  const userAgent = text(task.params.user_agent);
  const locality = text(task.params.zipcode);
  const { delay_ms: leastDelayMs } = task.params;
  return {
    signal,
    source: source.name,
    pace: source.pace,
    runId: task.run_id,
    taskId: task.task_id,
    ...(task.traceparent && { traceparent: task.traceparent }),
    ...(source.policy && { policy: source.policy }),
    ...(proxy && { proxy }),
    ...(userAgent && { userAgent }),
    ...(locality && { locality }),
    ...(typeof leastDelayMs === 'number' && { leastDelayMs }),
  };
}
