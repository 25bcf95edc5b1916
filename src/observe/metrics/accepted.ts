// Accepted runs are counted wherever a process accepts them: in the API, and in an orchestrator for schedules.
import { Counter, type Registry } from 'prom-client';
import { COMMIT_SECONDS, metersOf, SIZES } from './registry.ts';

export type CountAccepted = (kind: string, accepted: { total: number; cached: number }) => void;

/** Of several roles in one process all count in the same metric. */
export function createCountAccepted(registry: Registry): CountAccepted {
  const counter = (name: string, help: string, labelNames: string[]): Counter =>
    (registry.getSingleMetric(name) as Counter | undefined) ??
    new Counter({ name, help, labelNames, registers: [registry] });
  const runs = counter('windrow_runs_accepted_total', 'Runs accepted by this process.', ['kind']);
  const entries = counter('windrow_run_entries_accepted_total', 'Entries of accepted runs, by new or cached.', [
    'kind',
    'how',
  ]);
  // Looking a series up by its labels costs more than counting.
  const kinds = new Map<string, Record<'runs' | 'made' | 'reused', { inc(by?: number): void }>>();
  return (kind, { total, cached }) => {
    let found = kinds.get(kind);
    if (!found) {
      found = { runs: runs.labels(kind), made: entries.labels(kind, 'made'), reused: entries.labels(kind, 'reused') };
      kinds.set(kind, found);
    }
    found.runs.inc();
    if (total > cached) found.made.inc(total - cached);
    if (cached > 0) found.reused.inc(cached);
  };
}

/** Submissions that come together share a commit: how many, and how long it takes. */
export function createCountSubmitted(registry: Registry): (submissions: number, seconds: number) => void {
  const { histogram } = metersOf(registry);
  const batch = histogram('windrow_submit_batch_runs', 'Runs that were stored in one transaction.', SIZES);
  const duration = histogram(
    'windrow_submit_duration_seconds',
    'Time to store a batch of runs, commit included.',
    COMMIT_SECONDS,
  );
  return (submissions, seconds) => {
    batch.observe(submissions);
    duration.observe(seconds);
  };
}
