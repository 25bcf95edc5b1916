// What the areas of the API are built from.
import type { CareerCatalogue } from '../model/company/company.ts';
import type { SiteCatalogue, SourceAbout } from '../model/source/site.ts';
import type { WorkerBeat } from '../model/task/messages.ts';
import type { Health } from '../observe/health.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Intake } from '../orchestrator/intake/intake.ts';
import type { Scheduler } from '../orchestrator/loops/schedule.ts';
import type { LaneDepth } from '../store/queue/queue.ts';
import type { Store } from '../store/store.ts';
import type { Throughput } from './operations/throughput.ts';
import type { JsonSchema } from './validation/schema.ts';
import type { Tickets } from './ws/tickets.ts';

/** What is known of those who are told: webhooks, and the addresses that runs name. */
export interface Receivers {
  /** Completes "/url …"; null: nothing is wrong with it. */
  problemOf(url: string): Promise<string | null>;
  /** Signs what is sent to addresses that runs name. */
  secret(): Promise<string>;
  /** Most webhooks there may be. */
  max: number;
}

export interface ApiDeps {
  store: Store;
  intake: Intake;
  catalogue: SiteCatalogue;
  careers: CareerCatalogue;
  /** Every source there is. */
  sources: readonly SourceAbout[];
  scheduler: Scheduler;
  receivers: Receivers;
  syncTimeoutSeconds: number;
  resultTtlSeconds: number;
  /** Searches for carts that the pace of their shop lets begin; null: any number. */
  cartSearchesPerSecond: number | null;
  maxAlerts: number;
  log: Log;
  metrics: Metrics;
  health: Health;
  version: string;
  startedAt: Date;
  /** Cached: reading them reads the whole queue. */
  depths(): Promise<LaneDepth[]>;
  /** Cached. */
  workers(): Promise<WorkerBeat[]>;
  throughput: Throughput;
  tickets: Tickets;
  /** The OpenAPI document of all routes. */
  document(): JsonSchema;
}

/** What one area needs: its part of the store, and of the rest what it names. */
export type Needs<S, K extends Exclude<keyof ApiDeps, 'store'> = never> = Pick<ApiDeps, K> & { store: S };
