// What the API counts, and what it reads from the store for the whole fleet: queue, workers, parts, deliveries, sources, dead letters.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { askedCounter, askedGauge } from './registry.ts';

export interface Metrics {
  registry: Registry;
  /** Counts the answered requests of a route. */
  answersOf(method: string, route: string): (status: number, seconds: number) => void;
  /** Actual waiting time of a cart divided by its estimate; 1 is right. */
  cartWaitRatio: Histogram;
  /** The same of any run that told how much longer it takes. */
  runWaitRatio: Histogram<'kind'>;
  sockets: Gauge;
  socketsCut: Counter;
  /** Read at each scrape; `read` has to cache. */
  watchQueue(read: () => Promise<QueueLine[]>): void;
  watchWaits(read: () => Promise<WaitLine[]>): void;
  watchParts(read: () => Promise<Record<string, boolean>>): void;
  watchWorkers(read: () => Promise<WorkerLine[]>): void;
  /** Counted in the store, so that it does not fall when an orchestrator ends. */
  watchDeliveries(read: () => Promise<{ outcomes: Record<string, number>; waiting: number }>): void;
  watchSources(read: () => Promise<SourceLine[]>): void;
  watchDeadLetters(read: () => Promise<{ source: string; count: number }[]>): void;
}

export interface QueueLine {
  lane: string;
  band: string;
  waiting: number;
  delayed: number;
  paused: number;
  active: number;
  oldestWaitingSeconds: number | null;
}

export interface WaitLine {
  lane: string;
  reason: string;
  tasks: number;
  oldestSeconds: number;
}

export interface WorkerLine {
  slots: number;
  busy: number;
}

/** A source that something holds back. */
export interface SourceLine {
  source: string;
  breaker: string;
  isPaused: boolean;
}

/** Told against real; 1 is right. */
const RATIOS = [0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10];

export function createMetrics(registry: Registry): Metrics {
  const registers = [registry];
  const duration = new Histogram({
    name: 'windrow_http_request_duration_seconds',
    help: 'Time from the request until its answer was ready.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });

  return {
    registry,
    answersOf(method, route) {
      // Looking a series up by its labels costs more than the observation itself.
      const series = new Map<number, { observe(seconds: number): void }>();
      return (status, seconds) => {
        let found = series.get(status);
        if (!found) {
          found = duration.labels(method, route, String(status));
          series.set(status, found);
        }
        found.observe(seconds);
      };
    },
    cartWaitRatio: new Histogram({
      name: 'windrow_cart_wait_ratio',
      help: 'Actual waiting time of a cart divided by its estimate.',
      buckets: RATIOS,
      registers,
    }),
    runWaitRatio: new Histogram({
      name: 'windrow_run_wait_ratio',
      help: 'Time until a run ended divided by the estimated_time that GET /runs/{run_id} told first.',
      labelNames: ['kind'],
      buckets: RATIOS,
      registers,
    }),
    sockets: new Gauge({ name: 'windrow_websocket_connections', help: 'WebSockets open now.', registers }),
    socketsCut: new Counter({
      name: 'windrow_websocket_cut_total',
      help: 'WebSockets closed because they read too slowly or stopped answering.',
      labelNames: ['reason'],
      registers,
    }),
    watchQueue(read) {
      askedGauge(
        registry,
        {
          name: 'windrow_queue_depth',
          help: 'Tasks by lane, band and state.',
          labelNames: ['lane', 'band', 'state'],
        },
        read,
        (lines, gauge) => {
          for (const { lane, band, waiting, delayed, paused, active } of lines) {
            gauge.set({ lane, band, state: 'waiting' }, waiting);
            gauge.set({ lane, band, state: 'delayed' }, delayed);
            gauge.set({ lane, band, state: 'paused' }, paused);
            gauge.set({ lane, band, state: 'active' }, active);
          }
        },
      );
      askedGauge(
        registry,
        {
          name: 'windrow_queue_oldest_age_seconds',
          help: 'Age of the oldest waiting task.',
          labelNames: ['lane', 'band'],
        },
        read,
        (lines, gauge) => {
          for (const { lane, band, oldestWaitingSeconds } of lines)
            gauge.set({ lane, band }, oldestWaitingSeconds ?? 0);
        },
      );
    },
    watchWaits(read) {
      const labelNames = ['lane', 'reason'];
      const tasks = {
        name: 'windrow_queue_waiting_tasks',
        help: 'Tasks in the queue by what they wait for: queue (a worker), pace, retry, paused, breaker.',
        labelNames,
      };
      askedGauge(registry, tasks, read, (lines, gauge) => {
        for (const { lane, reason, ...line } of lines) gauge.set({ lane, reason }, line.tasks);
      });
      const age = {
        name: 'windrow_queue_waiting_age_seconds',
        help: 'How long ago the first of them was accepted.',
        labelNames,
      };
      askedGauge(registry, age, read, (lines, gauge) => {
        for (const { lane, reason, oldestSeconds } of lines) gauge.set({ lane, reason }, oldestSeconds);
      });
    },
    watchParts(read) {
      const about = {
        name: 'windrow_part_up',
        help: '1 if the part is up (store, wire), or there is one (orchestrators, workers).',
        labelNames: ['part'],
      };
      askedGauge(registry, about, read, (parts, gauge) => {
        for (const [part, isUp] of Object.entries(parts)) gauge.set({ part }, isUp ? 1 : 0);
      });
    },
    watchDeliveries(read) {
      askedCounter(
        registry,
        {
          name: 'windrow_webhook_deliveries_total',
          help: 'Webhook delivery attempts, by outcome.',
          labelNames: ['outcome'],
          isShared: true,
        },
        read,
        ({ outcomes }, counter) => {
          for (const [outcome, count] of Object.entries(outcomes)) counter.inc({ outcome }, count);
        },
      );
      const about = { name: 'windrow_webhook_deliveries_waiting', help: 'Pending webhook deliveries.' };
      askedGauge(registry, about, read, ({ waiting }, gauge) => gauge.set(waiting));
    },
    watchWorkers(read) {
      const sum = (workers: WorkerLine[], field: 'slots' | 'busy') =>
        workers.reduce((total, worker) => total + worker[field], 0);
      askedGauge(registry, { name: 'windrow_workers', help: 'Live workers.' }, read, (workers, gauge) =>
        gauge.set(workers.length),
      );
      askedGauge(registry, { name: 'windrow_worker_slots', help: 'Slots of all workers.' }, read, (workers, gauge) =>
        gauge.set(sum(workers, 'slots')),
      );
      askedGauge(registry, { name: 'windrow_worker_slots_busy', help: 'Slots in use.' }, read, (workers, gauge) =>
        gauge.set(sum(workers, 'busy')),
      );
    },
    watchSources(read) {
      const labelNames = ['source'];
      const breaker = {
        name: 'windrow_breaker_open',
        help: '1 for each source whose circuit breaker is not closed, by its state.',
        labelNames: ['source', 'state'],
      };
      askedGauge(registry, breaker, read, (lines, gauge) => {
        for (const { source, breaker: state } of lines) if (state !== 'closed') gauge.set({ source, state }, 1);
      });
      const paused = { name: 'windrow_source_paused', help: '1 for each source that a person has paused.', labelNames };
      askedGauge(registry, paused, read, (lines, gauge) => {
        for (const { source, isPaused } of lines) if (isPaused) gauge.set({ source }, 1);
      });
    },
    watchDeadLetters(read) {
      const about = { name: 'windrow_dead_letters', help: 'Dead letters that are kept.', labelNames: ['source'] };
      askedGauge(registry, about, read, (lines, gauge) => {
        for (const { source, count } of lines) gauge.set({ source }, count);
      });
    },
  };
}
