// All metrics and their names, in one registry. The number of label values is limited by construction (route templates, lanes, bands, status codes):
// never ids, URLs or search terms.
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { WebTotals } from '../model/task/messages.ts';

export interface Metrics {
  registry: Registry;
  /** Counts the answered requests of a route. */
  answersOf(method: string, route: string): (status: number, seconds: number) => void;
  accepted(kind: string, tasks: { made: number; reused: number }): void;
  /** Actual waiting time of a cart divided by its estimate; 1 is right. */
  cartWaitRatio: Histogram;
  /** The same of any run that told how much longer it takes. */
  runWaitRatio: Histogram<'kind'>;
  sockets: Gauge;
  socketsCut: Counter;
  /** Read at each scrape; `read` has to cache. */
  watchQueue(read: () => Promise<QueueLine[]>): void;
  watchParts(read: () => Promise<Record<string, boolean>>): void;
  watchWorkers(read: () => Promise<WorkerLine[]>): void;
  /** Counted in the store, so that it does not fall when an orchestrator ends. */
  watchDeliveries(read: () => Promise<{ outcomes: Record<string, number>; waiting: number }>): void;
}

/** The metrics of one process, as they are sent to another. */
export type MetricSet = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/**
 * In the format of Prometheus. Of several processes that listen on one port the one that is asked answers for all, or counters would fall whenever another
 * one is asked: what each counts for itself is added up, what all read from the store is taken once.
 */
export async function metricsText({ registry }: Metrics, ofAll?: () => Promise<MetricSet[]>): Promise<string> {
  return (ofAll ? AggregatorRegistry.aggregate(await ofAll()) : registry).metrics();
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

export interface WorkerLine {
  slots: number;
  busy: number;
  web?: Record<string, WebTotals> | undefined;
}

/** Web counters of workers, and their metric names. Counted since a worker started: they fall when one stops. */
const WEB_METRICS: Record<keyof WebTotals, string> = {
  requests: 'Requests sent to the web.',
  bytes: 'Bytes received from the web, as they crossed the wire.',
  blocks: 'Pages recognised as blocked.',
  captchas: 'Pages that asked for a CAPTCHA.',
  throttled: 'Responses with a rate limit (429).',
  unchanged: 'Responses from the cache, or confirmed by a 304.',
  proxy_requests: 'Requests that went through a proxy.',
  browser_seconds: 'Time pages were open in a browser.',
};

/** Told against real; 1 is right. */
const RATIOS = [0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10];

export function createMetrics(options: { version: string; isWithProcess?: boolean }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.isWithProcess ?? true) collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'windrow_build_info',
    help: 'Version of this process.',
    labelNames: ['version'],
    aggregator: 'first',
    registers,
  }).set({ version: options.version }, 1);
  const duration = new Histogram({
    name: 'windrow_http_request_duration_seconds',
    help: 'Time from the request until its answer was ready.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const runs = new Counter({
    name: 'windrow_runs_accepted_total',
    help: 'Runs accepted by this process.',
    labelNames: ['kind'],
    registers,
  });
  const entries = new Counter({
    name: 'windrow_run_entries_accepted_total',
    help: 'Entries of accepted runs, by new or cached.',
    labelNames: ['kind', 'how'],
    registers,
  });
  const kinds = new Map<string, Record<'runs' | 'made' | 'reused', { inc(by?: number): void }>>();

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
    accepted(kind, { made, reused }) {
      let found = kinds.get(kind);
      if (!found) {
        found = { runs: runs.labels(kind), made: entries.labels(kind, 'made'), reused: entries.labels(kind, 'reused') };
        kinds.set(kind, found);
      }
      found.runs.inc();
      if (made > 0) found.made.inc(made);
      if (reused > 0) found.reused.inc(reused);
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
      asking(
        registers,
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
      asking(
        registers,
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
    watchParts(read) {
      const about = {
        name: 'windrow_part_up',
        help: '1 if the part answers (store, wire, orchestrators, workers).',
        labelNames: ['part'],
      };
      asking(registers, about, read, (parts, gauge) => {
        for (const [part, isUp] of Object.entries(parts)) gauge.set({ part }, isUp ? 1 : 0);
      });
    },
    watchDeliveries(read) {
      const counter: Counter = new Counter({
        name: 'windrow_webhook_deliveries_total',
        help: 'Webhook delivery attempts, by outcome.',
        labelNames: ['outcome'],
        aggregator: 'first',
        registers,
        async collect() {
          const answer = await read().catch(() => undefined);
          counter.reset();
          for (const [outcome, count] of Object.entries(answer?.outcomes ?? {})) counter.inc({ outcome }, count);
        },
      });
      const about = { name: 'windrow_webhook_deliveries_waiting', help: 'Pending webhook deliveries.' };
      asking(registers, about, read, ({ waiting }, gauge) => gauge.set(waiting));
    },
    watchWorkers(read) {
      const sum = (workers: WorkerLine[], field: 'slots' | 'busy') =>
        workers.reduce((total, worker) => total + worker[field], 0);
      asking(registers, { name: 'windrow_workers', help: 'Live workers.' }, read, (workers, gauge) =>
        gauge.set(workers.length),
      );
      asking(registers, { name: 'windrow_worker_slots', help: 'Slots of all workers.' }, read, (workers, gauge) =>
        gauge.set(sum(workers, 'slots')),
      );
      asking(registers, { name: 'windrow_worker_slots_busy', help: 'Slots in use.' }, read, (workers, gauge) =>
        gauge.set(sum(workers, 'busy')),
      );
      for (const [field, help] of Object.entries(WEB_METRICS) as [keyof WebTotals, string][]) {
        const name = `windrow_web_${field}`;
        asking(registers, { name, help, labelNames: ['source'] }, read, (workers, gauge) => {
          for (const { web } of workers) {
            for (const [source, totals] of Object.entries(web ?? {})) gauge.inc({ source }, totals[field]);
          }
        });
      }
    },
  };
}

/**
 * A gauge that is read when it is scraped. If the read fails it is left out: an old number would look like a current one. Each gauge reads for itself
 * (`read` caches), since a scrape fills all of them at once.
 */
function asking<T>(
  registers: Registry[],
  about: { name: string; help: string; labelNames?: string[] },
  read: () => Promise<T>,
  show: (answer: T, gauge: Gauge) => void,
): void {
  const gauge: Gauge = new Gauge({
    labelNames: [],
    ...about,
    aggregator: 'first',
    registers,
    async collect() {
      const answer = await read().catch(() => undefined);
      gauge.reset();
      if (answer !== undefined) show(answer, gauge);
      else if (!about.labelNames) gauge.remove();
    },
  });
}
