// A submission as a span: from the moment it is given to the store until its commit. Its tasks, and what comes of them, are children of it.
import type { Tracing } from '../../model/trace/trace.ts';
import type { SubmissionStore } from '../../store/submissions/submission-store.ts';
import type { Accepted, Submission } from '../../store/submissions/submit.ts';

export async function submitTraced(
  store: Pick<SubmissionStore, 'submit'>,
  trace: Tracing,
  submission: Submission,
): Promise<Accepted> {
  const { kind, runId, trigger, tasks, traceparent: parent, links = [] } = submission;
  const span = trace.begin({
    name: `create ${kind}`,
    kind: 'producer',
    parent,
    links,
    attributes: {
      'messaging.system': 'windrow',
      'messaging.operation.name': 'create',
      'messaging.operation.type': 'create',
      'messaging.destination.name': kind,
      'messaging.batch.message_count': tasks.length,
      'db.system.name': 'postgresql',
      'windrow.run.id': runId,
      'windrow.run.trigger': trigger,
    },
  });
  try {
    const accepted = await store.submit({ ...submission, traceparent: span.traceparent });
    span.end({ attributes: { 'windrow.run.cached': accepted.cached, 'windrow.run.replayed': accepted.replayed } });
    return accepted;
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    span.end({ error: code ?? 'internal', message });
    throw error;
  }
}
