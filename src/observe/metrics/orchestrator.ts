// What an orchestrator counts: attempts as they are recorded, runs that ended, leases, and the batches it works in.
import { Counter, Histogram, type Registry } from 'prom-client';
import { ITEMS_FIELD, KINDS } from '../../model/item/item.ts';
import type { RunUpdate } from '../../model/run/run.ts';
import type { Result } from '../../model/task/messages.ts';
import { sourceLabels } from './registry.ts';

export interface OrchestratorMetrics {
  settled(settled: { result: Result; outcome: 'done' | 'failed' | 'retried' | 'stale'; category: string | null }): void;
  items(result: Result): void;
  runEnded(update: RunUpdate): void;
  dispatched(lane: string, tasks: number): void;
  leasesLost(tasks: number, reason: string): void;
  leasesTakenBack(tasks: number): void;
  recorded(reports: number, seconds: number): void;
}

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];
const RUN_SECONDS = [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000];

export function createOrchestratorMetrics(registry: Registry): OrchestratorMetrics {
  const registers = [registry];
  const label = sourceLabels();
  const attempts = new Counter({
    name: 'windrow_task_attempts_total',
    help: 'Attempts that were recorded, by source and outcome: done, failed (given up), retried, stale (of a lease that was lost).',
    labelNames: ['source', 'outcome'],
    registers,
  });
  const tasks = new Counter({
    name: 'windrow_tasks_total',
    help: 'Tasks that ended, by source and outcome: done or failed (now a dead letter).',
    labelNames: ['source', 'outcome'],
    registers,
  });
  const errors = new Counter({
    name: 'windrow_task_errors_total',
    help: 'Attempts that failed, by source and what went wrong.',
    labelNames: ['source', 'category'],
    registers,
  });
  const duration = new Histogram({
    name: 'windrow_task_attempt_duration_seconds',
    help: 'Time of attempts, without waiting in the queue.',
    labelNames: ['source'],
    buckets: SECONDS,
    registers,
  });
  const items = new Counter({
    name: 'windrow_items_recorded_total',
    help: 'Items that came with recorded results, seen before or not.',
    labelNames: ['kind', 'source'],
    registers,
  });
  const runs = new Counter({
    name: 'windrow_runs_ended_total',
    help: 'Runs whose last task this process has recorded, by kind and status.',
    labelNames: ['kind', 'status'],
    registers,
  });
  const runDuration = new Histogram({
    name: 'windrow_run_duration_seconds',
    help: 'Time from accepting a run until its end.',
    labelNames: ['kind'],
    buckets: RUN_SECONDS,
    registers,
  });
  const dispatched = new Counter({
    name: 'windrow_tasks_dispatched_total',
    help: 'Tasks handed to workers, by lane.',
    labelNames: ['lane'],
    registers,
  });
  const lost = new Counter({
    name: 'windrow_leases_lost_total',
    help: 'Tasks that were queued again because nothing was heard of their worker (lease_over), or the wire lost them (wire_lost).',
    labelNames: ['reason'],
    registers,
  });
  const takenBack = new Counter({
    name: 'windrow_leases_taken_back_total',
    help: 'Lost leases that their worker got back because it was heard of again in time.',
    registers,
  });
  const batch = new Histogram({
    name: 'windrow_record_batch_reports',
    help: 'Reports that were recorded in one transaction.',
    buckets: SIZES,
    registers,
  });
  const commit = new Histogram({
    name: 'windrow_record_duration_seconds',
    help: 'Time to record a batch of reports, commit included.',
    buckets: COMMIT_SECONDS,
    registers,
  });

  return {
    settled({ result, outcome, category }) {
      const source = label(result.scraper_type);
      attempts.inc({ source, outcome });
      if (outcome === 'stale') return;
      duration.observe({ source }, result.execution_time);
      if (outcome !== 'retried') tasks.inc({ source, outcome });
      if (category !== null) errors.inc({ source, category });
    },
    items(result) {
      for (const kind of KINDS) {
        const count = result[ITEMS_FIELD[kind]]?.length ?? 0;
        if (count > 0) items.inc({ kind, source: label(result.scraper_type) }, count);
      }
    },
    runEnded({ kind, status, seconds }) {
      runs.inc({ kind, status });
      if (seconds !== undefined) runDuration.observe({ kind }, seconds);
    },
    dispatched: (lane, count) => dispatched.inc({ lane }, count),
    leasesLost: (count, reason) => lost.inc({ reason }, count),
    leasesTakenBack: (count) => takenBack.inc(count),
    recorded(reports, seconds) {
      batch.observe(reports);
      commit.observe(seconds);
    },
  };
}
