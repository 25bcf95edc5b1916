// What the areas of the API are built from.
import type { CareerCatalogue } from '../model/company/company.ts';
import type { ModuleProblem, SiteCatalogue, SourceAbout } from '../model/source/site.ts';
import type { WorkerBeat } from '../model/task/messages.ts';
import type { Health } from '../observe/health.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics, QueueLine } from '../observe/metrics/api.ts';
import type { Intake } from '../orchestrator/intake/intake.ts';
import type { Scheduler } from '../orchestrator/loops/schedule.ts';
import type { EvidenceFiles } from '../store/evidence/s3-files.ts';
import type { Store } from '../store/store.ts';
import type { Throughput } from './operations/throughput.ts';
import type { Estimates } from './runs/estimates.ts';
import type { WaitingRuns } from './runs/waiting.ts';
import type { SigningIn } from './session/routes.ts';
import type { SettingTopics } from './settings/routes.ts';
import type { JsonSchema } from './validation/schema.ts';
import type { Tickets } from './ws/tickets.ts';

/** Receivers of events: webhooks, and the webhook_url of runs. */
export interface Receivers {
  /** What is wrong with the URL of a receiver; null when it is allowed. */
  problemOf(url: string): Promise<string | null>;
  /** Signs deliveries to the webhook_url of runs. */
  secret(): Promise<string>;
  /** Maximum number of webhooks. */
  max: number;
}

export interface ApiDeps {
  store: Store;
  intake: Intake;
  catalogue: SiteCatalogue;
  careers: CareerCatalogue;
  /** All sources. */
  sources: readonly SourceAbout[];
  /** Modules that were to bring sources and could not. */
  moduleProblems: readonly ModuleProblem[];
  /** The source that carts are searched with; null where none is named. */
  cartSource: string | null;
  /** The host that all its searches ask; null where they ask several. */
  cartHost: string | null;
  /** Why runs wait. */
  waiting: WaitingRuns;
  /** How much longer they take. */
  estimates: Estimates;
  scheduler: Scheduler;
  receivers: Receivers;
  syncTimeoutSeconds: number;
  resultTtlSeconds: number;
  /** Cart searches per second that the rate limit of the shop allows; null: no limit. */
  cartSearchesPerSecond: number | null;
  maxAlerts: number;
  /** Most pages of one crawl. */
  crawlMaxPages: number;
  /** Where saved pages are that are not in the database; null: nowhere else. */
  evidenceFiles: EvidenceFiles | null;
  log: Log;
  metrics: Metrics;
  /** In the format of Prometheus, of all API processes on this port. */
  metricsText(): Promise<string>;
  health: Health;
  version: string;
  settings: SettingTopics;
  startedAt: Date;
  /** Cached: reading them reads the whole queue. */
  depths(): Promise<QueueLine[]>;
  /** Cached. */
  workers(): Promise<WorkerBeat[]>;
  /** Tells workers at once what was stored of drains. */
  tellDrains(workers: readonly string[]): Promise<void>;
  throughput: Throughput;
  tickets: Tickets;
  /** For the sessions of the dashboard. */
  signingIn: SigningIn;
  /** All pages come from the sandbox web. */
  isSandbox: boolean;
  /** Whether requests need a key now. */
  needsKeys(): boolean;
  /** Resolves when this process knows all keys that are stored now. */
  readKeysAgain(): Promise<void>;
  /** The OpenAPI document of all routes. */
  document(): JsonSchema;
}

/** What one area needs: its part of the store, and the other dependencies it names. */
export type Needs<S, K extends Exclude<keyof ApiDeps, 'store'> = never> = Pick<ApiDeps, K> & { store: S };
