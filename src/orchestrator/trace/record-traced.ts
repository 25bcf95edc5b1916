// Recording as spans: one of the batch, which links to the attempts it is about, and in the trace of each attempt one that links to the batch. A batch that
// fails is recorded again, so only what was committed is in the traces of attempts.
import type { Result } from '../../model/task/messages.ts';
import { isSampled, type Tracing } from '../../model/trace/trace.ts';

const MESSAGING = {
  'messaging.system': 'windrow',
  'messaging.destination.name': 'results',
  'db.system.name': 'postgresql',
};

export function recordTraced<T>(trace: Tracing, record: (reports: unknown[]) => Promise<T>) {
  return async (reports: unknown[]): Promise<T> => {
    const traced = (reports as Partial<Result>[]).filter(({ traceparent }) => isSampled(traceparent));
    if (traced.length === 0) return record(reports);
    const startedAt = Date.now();
    const batch = trace.begin({
      name: 'settle results',
      kind: 'client',
      links: traced.map(({ traceparent }) => traceparent!),
      attributes: {
        ...MESSAGING,
        'messaging.operation.name': 'settle',
        'messaging.operation.type': 'settle',
        'messaging.batch.message_count': reports.length,
      },
    });
    try {
      const done = await record(reports);
      batch.end();
      for (const result of traced) recorded(result, batch.traceparent, startedAt);
      return done;
    } catch (error) {
      const { code, message } = error as { code?: string; message?: string };
      batch.end({ error: code ?? 'internal', message });
      throw error;
    }
  };

  function recorded(result: Partial<Result>, batch: string, startedAt: number): void {
    trace
      .begin({
        name: 'record',
        kind: 'consumer',
        parent: result.traceparent,
        links: [batch],
        startedAt,
        attributes: {
          ...MESSAGING,
          'messaging.operation.name': 'record',
          'messaging.operation.type': 'process',
          'messaging.message.id': result.task_id,
          'windrow.run.id': result.run_id,
          'windrow.task.status': result.status,
          'windrow.task.part': result.part,
        },
      })
      .end();
  }
}
