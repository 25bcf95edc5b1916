// The registry that all roles of a process write their metrics in, and its text. The number of label values is limited by construction (route templates,
// sources, lanes, bands, status codes): never ids, URLs or search terms.
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type MetricRegistry = Registry;

/** The metrics of one process, as they are sent to another. */
export type MetricSet = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Gauges with the suffix of counters, which linters refuse; the same numbers come by type under their right names. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export function createMetricRegistry(options: { version: string; isWithProcess?: boolean }): Registry {
  const registry = new Registry();
  if (options.isWithProcess ?? true) {
    collectDefaultMetrics({ register: registry });
    for (const name of MISNAMED) registry.removeSingleMetric(name);
  }
  new Gauge({
    name: 'windrow_build_info',
    help: 'Version of this process.',
    labelNames: ['version'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version: options.version }, 1);
  return registry;
}

/**
 * In the format of Prometheus. Of several processes that listen on one port the one that is asked answers for all, or counters would fall whenever another
 * one is asked: what each counts for itself is added up, what all read from the store is taken once.
 */
export async function metricsText(registry: Registry, ofAll?: () => Promise<MetricSet[]>): Promise<string> {
  return (ofAll ? AggregatorRegistry.aggregate(await ofAll()) : registry).metrics();
}

/** Buckets of batches, and of the time that a transaction takes. */
export const SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000];
export const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Counters and histograms in one line each: name, what it says, labels. */
export const metersOf = (registry: Registry) => ({
  counter: <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers: [registry] }),
  histogram: <L extends string = never>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram({ name, help, buckets, labelNames, registers: [registry] }),
});

interface About {
  name: string;
  help: string;
  labelNames?: string[];
}

/**
 * A gauge that is read when it is scraped. If the read fails it is left out: an old number would look like a current one. Each gauge reads for itself
 * (`read` caches), since a scrape fills all of them at once.
 */
export function askedGauge<T>(
  registry: Registry,
  about: About,
  read: () => Promise<T>,
  show: (answer: T, gauge: Gauge) => void,
): void {
  const gauge: Gauge = new Gauge({
    labelNames: [],
    ...about,
    aggregator: 'first',
    registers: [registry],
    async collect() {
      const answer = await read().catch(() => undefined);
      gauge.reset();
      if (answer !== undefined) show(answer, gauge);
      else if (!about.labelNames) gauge.remove();
    },
  });
}

/** A counter whose totals are kept elsewhere and never fall: in the store (then `isShared`), or in another part of this process. */
export function askedCounter<T>(
  registry: Registry,
  about: About & { isShared?: boolean },
  read: () => T | Promise<T>,
  show: (answer: T, counter: Counter) => void,
): void {
  const { isShared = false, ...described } = about;
  const counter: Counter = new Counter({
    labelNames: [],
    ...described,
    aggregator: isShared ? 'first' : 'sum',
    registers: [registry],
    async collect() {
      try {
        const answer = await read();
        counter.reset();
        show(answer, counter);
      } catch {
        // Left out for this scrape, as with gauges.
        counter.reset();
      }
    },
  });
}

/** A limit, since names of sources come with reports; no installation has this many. */
const SOURCES_MAX = 1_000;

/** The name of a source as a label: past the limit all others are one. */
export function sourceLabels(): (source: string) => string {
  const known = new Set<string>();
  return (source) => {
    if (known.has(source)) return source;
    if (known.size >= SOURCES_MAX) return 'other';
    known.add(source);
    return source;
  };
}
