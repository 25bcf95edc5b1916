// What the areas of the API are built from.
import type { CareerCatalogue } from '../model/company.ts';
import type { WorkerBeat } from '../model/messages.ts';
import type { SiteCatalogue } from '../model/site.ts';
import type { Health } from '../observe/health.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Intake } from '../orchestrator/intake.ts';
import type { Scheduler } from '../orchestrator/schedule.ts';
import type { LaneDepth } from '../store/queue.ts';
import type { Store } from '../store/store.ts';
import type { JsonSchema } from './schema.ts';
import type { Throughput } from './throughput.ts';
import type { Tickets } from './tickets.ts';

export interface ApiParts {
  store: Store;
  intake: Intake;
  catalogue: SiteCatalogue;
  careers: CareerCatalogue;
  scheduler: Scheduler;
  syncTimeoutSeconds: number;
  resultTtlSeconds: number;
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
