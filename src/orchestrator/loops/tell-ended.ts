// The line that is logged when a run has ended: what it brought, in what time. Articles and cart items are counted with the run; postings have to be asked for.
import type { RunUpdate } from '../../model/run/run.ts';
import { traceField } from '../../model/trace/trace.ts';
import type { RunYieldStore } from '../../store/runs/run-store.ts';

export interface TellEndedOptions {
  store: RunYieldStore;
  log(fields: object): void;
  onError(error: unknown): void;
}

/** Kinds whose tasks bring many items each. */
const ASKED_FOR: ReadonlySet<string> = new Set(['posting', 'company']);

export function createTellEnded({ store, log, onError }: TellEndedOptions): (ended: RunUpdate[]) => Promise<void> {
  return async (ended) => {
    const ids = ended.filter(({ kind }) => ASKED_FOR.has(kind)).map(({ runId }) => runId);
    const yields = ids.length === 0 ? null : await store.runYields(ids).catch(onError);
    for (const { runId, requestId, traceparent, kind, status, completed, failed, seconds } of ended) {
      const brought = yields?.get(runId);
      const items = ASKED_FOR.has(kind) ? brought?.postings : completed;
      log({
        run_id: runId,
        request_id: requestId ?? null,
        ...traceField(traceparent),
        kind,
        status,
        completed,
        failed,
        ...(brought ? { sources: brought.sources } : {}),
        ...(items === undefined ? {} : { items }),
        ...(seconds === undefined ? {} : { seconds: Math.round(seconds * 1_000) / 1_000 }),
      });
    }
  };
}
