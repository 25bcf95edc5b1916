// What a worker counts. Each worker tells its own numbers: a total over live workers would fall whenever one leaves.
import { Gauge, type Registry } from 'prom-client';
import type { Result, WebTotals } from '../../model/task/messages.ts';
import { askedCounter, metersOf, sourceLabels } from './registry.ts';

export interface WorkerReadings {
  busy(): number;
  /** Reports that are not sent yet. */
  unsent(): number;
  web(): Record<string, WebTotals>;
  proxies(): { label: string | null; uses: number; blocks: number; isDead: boolean }[];
}

export interface BrowserReadings {
  openPages: number;
  waitingPages: number;
  pages: number;
  failedPages: number;
  launches: number;
}

/** By the field of the totals; counted per source since the process started. */
const WEB: Record<keyof WebTotals, { name: string; help: string }> = {
  requests: { name: 'windrow_web_requests_total', help: 'Requests sent to the web.' },
  bytes: { name: 'windrow_web_received_bytes_total', help: 'Bytes received from the web, as they crossed the wire.' },
  blocks: { name: 'windrow_web_blocks_total', help: 'Pages recognised as blocked.' },
  captchas: { name: 'windrow_web_captchas_total', help: 'Pages that asked for a CAPTCHA.' },
  throttled: { name: 'windrow_web_throttled_total', help: 'Responses with a rate limit (429).' },
  unchanged: { name: 'windrow_web_unchanged_total', help: 'Responses from the cache, or confirmed by a 304.' },
  proxy_requests: { name: 'windrow_web_proxy_requests_total', help: 'Requests that went through a proxy.' },
  browser_seconds: { name: 'windrow_web_browser_seconds_total', help: 'Time pages were open in a browser.' },
};

const WAITS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120];

export function createWorkerMetrics(registry: Registry) {
  const registers = [registry];
  const { counter, histogram } = metersOf(registry);
  const label = sourceLabels();
  const started = counter('windrow_worker_tasks_started_total', 'Attempts that this worker began, by source.', [
    'source',
  ]);
  const ended = counter('windrow_worker_tasks_ended_total', 'Attempts that this worker ended, by source and status.', [
    'source',
    'status',
  ]);
  const unreadable = counter(
    'windrow_worker_unreadable_pages_total',
    'Pages that took too long or too much memory to read, by source.',
    ['source'],
  );
  const waited = histogram(
    'windrow_pace_wait_seconds',
    'How long requests waited for the rate limit of their site.',
    WAITS,
  );
  const gauge = (name: string, help: string, value: () => number): void => {
    const own: Gauge = new Gauge({ name, help, registers, collect: () => own.set(value()) });
  };
  return {
    started: (source: string): void => started.inc({ source: label(source) }),
    ended({ scraper_type, status, error }: Result): void {
      ended.inc({ source: label(scraper_type), status });
      if (error?.code === 'unreadable') unreadable.inc({ source: label(scraper_type) });
    },
    paceWaited: (seconds: number): void => waited.observe(seconds),
    readBrowser(read: () => BrowserReadings): void {
      gauge('windrow_browser_pages_open', 'Pages open in the browser now.', () => read().openPages);
      gauge('windrow_browser_pages_waiting', 'Pages that wait for a free place.', () => read().waitingPages);
      const total = (name: string, help: string, field: 'pages' | 'failedPages' | 'launches'): void =>
        askedCounter(registry, { name, help }, read, (counts, counter) => counter.inc(counts[field]));
      total('windrow_browser_pages_total', 'Pages that were opened in the browser.', 'pages');
      total('windrow_browser_pages_failed_total', 'Pages that the browser could not show.', 'failedPages');
      total(
        'windrow_browser_starts_total',
        'Browsers that were started: the first, and one for each that was old, full or dead.',
        'launches',
      );
    },
    read(from: WorkerReadings): void {
      gauge('windrow_worker_tasks_running', 'Tasks that this worker holds.', from.busy);
      gauge('windrow_worker_reports_unsent', 'Reports that this worker could not send yet.', from.unsent);
      for (const [field, about] of Object.entries(WEB) as [keyof WebTotals, (typeof WEB)['requests']][])
        askedCounter(registry, { ...about, labelNames: ['source'] }, from.web, (totals, counter) => {
          for (const [source, { [field]: total }] of Object.entries(totals))
            counter.inc({ source: label(source) }, total);
        });
      const perProxy = (name: string, help: string, field: 'uses' | 'blocks'): void =>
        askedCounter(registry, { name, help, labelNames: ['proxy'] }, from.proxies, (proxies, counter) => {
          for (const one of proxies) counter.inc({ proxy: one.label ?? 'direct' }, one[field]);
        });
      perProxy('windrow_proxy_uses_total', 'Sessions that were given this exit.', 'uses');
      perProxy('windrow_proxy_blocks_total', 'Blocks that sites answered to this exit.', 'blocks');
      const up: Gauge = new Gauge({
        name: 'windrow_proxy_up',
        help: '1 if the exit is used, 0 while it counts as dead.',
        labelNames: ['proxy'],
        registers,
        collect() {
          up.reset();
          for (const one of from.proxies()) up.set({ proxy: one.label ?? 'direct' }, one.isDead ? 0 : 1);
        },
      });
    },
  };
}
