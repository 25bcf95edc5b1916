// A span for each task that went onto the wire: in its trace it shows how long the task was in the queue before, and waited for a worker after.
import type { Band } from '../../model/task/band.ts';
import type { SealedTask, TaskMessage } from '../../model/task/messages.ts';
import { isSampled, type Tracing } from '../../model/trace/trace.ts';

const SAMPLED = /"traceparent":"[0-9a-f-]{54}[13579bdf]"/;

export interface SentTasks {
  lane: string;
  band: Band;
  tasks: readonly SealedTask[];
  startedAt: number;
}

export function traceSent(trace: Tracing, { lane, band, tasks, startedAt }: SentTasks): void {
  for (const { task_id, attempt, text } of tasks) {
    // Most of what is not sampled is known by this, and reading the whole message costs more than the rest.
    if (!SAMPLED.test(text)) continue;
    const { traceparent } = JSON.parse(text) as TaskMessage;
    if (!isSampled(traceparent)) continue;
    trace
      .begin({
        name: `send ${lane}`,
        kind: 'client',
        parent: traceparent,
        startedAt,
        attributes: {
          'messaging.system': 'windrow',
          'messaging.operation.name': 'send',
          'messaging.operation.type': 'send',
          'messaging.destination.name': lane,
          'messaging.message.id': task_id,
          'messaging.batch.message_count': tasks.length,
          'windrow.task.attempt': attempt,
          'windrow.task.band': band,
        },
      })
      .end();
  }
}
