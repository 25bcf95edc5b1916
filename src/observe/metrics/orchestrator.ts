// What an orchestrator counts: attempts as they are recorded, runs that ended, leases, and the batches it works in.
import type { Registry } from 'prom-client';
import { ITEMS_FIELD, KINDS } from '../../model/item/item.ts';
import type { RunUpdate } from '../../model/run/run.ts';
import type { Result } from '../../model/task/messages.ts';
import { COMMIT_SECONDS, metersOf, SIZES, sourceLabels } from './registry.ts';

interface Settled {
  result: Result;
  outcome: 'done' | 'failed' | 'retried' | 'stale';
  category: string | null;
}

interface Checked {
  source: string;
  verdict: string;
  isHeld: boolean;
  findings: readonly { rule: string }[];
  measure: { items: number };
}

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];
const RUN_SECONDS = [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];

export function createOrchestratorMetrics(registry: Registry) {
  const { counter, histogram } = metersOf(registry);
  const label = sourceLabels();
  const attempts = counter(
    'windrow_task_attempts_total',
    'Attempts that were recorded, by source and outcome: done, failed (given up), retried, stale (of a lease that was lost).',
    ['source', 'outcome'],
  );
  const tasks = counter(
    'windrow_tasks_total',
    'Tasks that ended, by source and outcome: done or failed (now a dead letter).',
    ['source', 'outcome'],
  );
  const errors = counter('windrow_task_errors_total', 'Attempts that failed, by source and what went wrong.', [
    'source',
    'category',
  ]);
  const duration = histogram(
    'windrow_task_attempt_duration_seconds',
    'Time of attempts, without waiting in the queue.',
    SECONDS,
    ['source'],
  );
  const items = counter('windrow_items_recorded_total', 'Items that came with recorded results, seen before or not.', [
    'kind',
    'source',
  ]);
  const runs = counter(
    'windrow_runs_ended_total',
    'Runs whose last task this process has recorded, by kind and status.',
    ['kind', 'status'],
  );
  const runDuration = histogram(
    'windrow_run_duration_seconds',
    'Time from accepting a run until its end.',
    RUN_SECONDS,
    ['kind'],
  );
  const dispatched = counter('windrow_tasks_dispatched_total', 'Tasks handed to workers, by lane.', ['lane']);
  const dispatchBatch = histogram('windrow_dispatch_batch_tasks', 'Tasks that were handed to workers at once.', SIZES);
  const lost = counter(
    'windrow_leases_lost_total',
    'Tasks that were queued again because nothing was heard of their worker (lease_over), or the wire lost them (wire_lost).',
    ['reason'],
  );
  const takenBack = counter(
    'windrow_leases_taken_back_total',
    'Lost leases that their worker got back because it was heard of again in time.',
  );
  const checks = counter(
    'windrow_quality_checks_total',
    'Results that were compared with the runs before, by source and verdict: succeeded, succeeded_with_warnings, suspect.',
    ['source', 'verdict'],
  );
  const findings = counter(
    'windrow_quality_findings_total',
    'What was found wrong with results, by source and rule; the rule selectors is a selector that finds less than it did.',
    ['source', 'rule'],
  );
  const held = counter('windrow_items_held_total', 'Items that were kept apart because they look wrong.', ['source']);
  const failures = counter(
    'windrow_loop_errors_total',
    'Steps of loops of an orchestrator that failed and are tried again, by loop.',
    ['loop'],
  );
  const batch = histogram('windrow_record_batch_reports', 'Reports that were recorded in one transaction.', SIZES);
  const commit = histogram(
    'windrow_record_duration_seconds',
    'Time to record a batch of reports, commit included.',
    COMMIT_SECONDS,
  );

  return {
    settled({ result, outcome, category }: Settled): void {
      const source = label(result.scraper_type);
      attempts.inc({ source, outcome });
      if (outcome === 'stale') return;
      duration.observe({ source }, result.execution_time);
      if (outcome !== 'retried') tasks.inc({ source, outcome });
      if (category !== null) errors.inc({ source, category });
    },
    items(result: Result): void {
      for (const kind of KINDS) {
        const count = result[ITEMS_FIELD[kind]]?.length ?? 0;
        if (count > 0) items.inc({ kind, source: label(result.scraper_type) }, count);
      }
    },
    runEnded({ kind, status, seconds }: RunUpdate): void {
      runs.inc({ kind, status });
      if (seconds !== undefined) runDuration.observe({ kind }, seconds);
    },
    dispatched(lane: string, count: number): void {
      dispatched.inc({ lane }, count);
      dispatchBatch.observe(count);
    },
    leasesLost: (count: number, reason: string): void => lost.inc({ reason }, count),
    leasesTakenBack: (count: number): void => takenBack.inc(count),
    checked({ source, verdict, findings: found, isHeld, measure }: Checked): void {
      checks.inc({ source: label(source), verdict });
      for (const { rule } of found) findings.inc({ source: label(source), rule });
      if (isHeld) held.inc({ source: label(source) }, measure.items);
    },
    loopFailed: (loop: string): void => failures.inc({ loop }),
    recorded(reports: number, seconds: number): void {
      batch.observe(reports);
      commit.observe(seconds);
    },
  };
}
