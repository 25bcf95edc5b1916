// The store: one object over one pool, put together from the interfaces of each noun. A user takes the small interface it needs, not all of it; each
// function is in the file of its noun.
import type { Pool } from 'pg';
import { type AlertFileStore, type AlertStore, type AnnouncementStore, alertStore } from './alerts/alert-store.ts';
import { type ArticleStore, articleStore } from './articles/article-store.ts';
import { type CompanyStore, companyStore, type PositionStore, type SessionStore } from './companies/company-store.ts';
import { type CrawlAdmissionStore, type CrawlStore, crawlStore } from './crawls/crawl-store.ts';
import { type EvidenceKeepingStore, type EvidenceStore, evidenceStore } from './evidence/evidence-store.ts';
import { type ProvenanceStore, provenanceStore } from './items/origins.ts';
import { type KeyRingStore, type KeyStore, keyStore } from './keys/key-store.ts';
import { type ConnectionStore, maintenance, type TrimStore } from './maintenance.ts';
import { type MarkStore, markStore } from './marks.ts';
import { type NameStore, nameStore } from './names/name-store.ts';
import { type OrchestratorStore, orchestratorStore } from './orchestrators.ts';
import { type PageSessionStore, pageSessionStore } from './page-sessions.ts';
import { migrate } from './postgres/migrate.ts';
import { createPool, type PoolOptions } from './postgres/pool.ts';
import { type PostingGroupStore, type PostingStore, postingStore } from './postings/posting-store.ts';
import { type CartStore, type ProductGroupStore, type ProductStore, productStore } from './products/product-store.ts';
import { type ArticleQualityStore, type QualityStore, qualityStore } from './quality/quality-store.ts';
import { type QueueHistoryStore, queueHistoryStore } from './queue/queue-history.ts';
import { type DeadLetterStore, type LeaseStore, type QueueStore, queueStore } from './queue/queue-store.ts';
import { type RollupStore, rollupStore } from './rollups/rollup-store.ts';
import { type RunResultStore, type RunStore, type RunYieldStore, runStore } from './runs/run-store.ts';
import { type SchedulerStore, type ScheduleStore, scheduleStore } from './schedules/schedule-store.ts';
import { type SocketTicketStore, socketTicketStore } from './socket-tickets.ts';
import { type SourceHoldStore, type SourceStore, sourceStore } from './sources/source-store.ts';
import { type SpoolStore, type SubmissionStore, submissionStore } from './submissions/submission-store.ts';
import type { OnCommitted } from './submissions/submit.ts';
import { type DeliveryStore, type WebhookStore, webhookStore } from './webhooks/webhook-store.ts';
import { type WorkerDrainStore, workerDrainStore } from './workers/drains.ts';

export interface Store
  extends SubmissionStore,
    SpoolStore,
    RunStore,
    RunYieldStore,
    RunResultStore,
    QueueStore,
    QueueHistoryStore,
    LeaseStore,
    DeadLetterStore,
    MarkStore,
    OrchestratorStore,
    WorkerDrainStore,
    ArticleStore,
    PostingStore,
    PostingGroupStore,
    ProductStore,
    ProductGroupStore,
    NameStore,
    ProvenanceStore,
    CartStore,
    CompanyStore,
    PositionStore,
    SessionStore,
    CrawlStore,
    CrawlAdmissionStore,
    AlertStore,
    AlertFileStore,
    AnnouncementStore,
    ScheduleStore,
    SchedulerStore,
    SourceStore,
    SourceHoldStore,
    QualityStore,
    ArticleQualityStore,
    EvidenceStore,
    EvidenceKeepingStore,
    WebhookStore,
    DeliveryStore,
    SocketTicketStore,
    PageSessionStore,
    RollupStore,
    KeyStore,
    KeyRingStore,
    TrimStore,
    ConnectionStore {}

export interface StoreOptions extends PoolOptions {
  onSubmitted?: OnCommitted;
}

/** Connects, migrates, and returns the store. */
export async function openStore(options: StoreOptions, log?: (event: string, fields: object) => void): Promise<Store> {
  const pool = createPool(options);
  try {
    await migrate(pool, log);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return storeOver(pool, options.onSubmitted);
}

/** The store over a database that is already migrated. */
export function storeOver(pool: Pool, onSubmitted?: OnCommitted): Store {
  return {
    ...submissionStore(pool, onSubmitted),
    ...runStore(pool),
    ...queueStore(pool),
    ...queueHistoryStore(pool),
    ...markStore(pool),
    ...orchestratorStore(pool),
    ...workerDrainStore(pool),
    ...articleStore(pool),
    ...postingStore(pool),
    ...productStore(pool),
    ...nameStore(pool),
    ...provenanceStore(pool),
    ...companyStore(pool),
    ...crawlStore(pool),
    ...alertStore(pool),
    ...scheduleStore(pool),
    ...sourceStore(pool),
    ...qualityStore(pool),
    ...evidenceStore(pool),
    ...webhookStore(pool),
    ...socketTicketStore(pool),
    ...pageSessionStore(pool),
    ...rollupStore(pool),
    ...keyStore(pool),
    ...maintenance(pool),
  };
}
