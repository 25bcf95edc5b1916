// Accepts work: requests of the API and the CLI become submissions to the store, and the dispatcher is woken. Nothing here waits for the wire: once the
// store has committed, the work is kept.
import { randomHex } from '../../model/ids.ts';
import { articleKey } from '../../model/item/article.ts';
import type { Kind } from '../../model/item/item.ts';
import type { Run } from '../../model/run/run.ts';
import type { Tracing } from '../../model/trace/trace.ts';
import { canonicalUrl } from '../../model/url.ts';
import type { PositionStore } from '../../store/companies/company-store.ts';
import type { DeadLetterStore } from '../../store/queue/queue-store.ts';
import { urlOption } from '../../store/runs/run-events.ts';
import type { RunStore } from '../../store/runs/run-store.ts';
import type { Quota } from '../../store/submissions/quota.ts';
import type { SubmissionStore } from '../../store/submissions/submission-store.ts';
import type { Accepted, NewTask } from '../../store/submissions/submit.ts';
import type { Wire } from '../../wire/port.ts';
import { submitTraced } from '../trace/submit-traced.ts';
import { type CartOptions, createCartIntake } from './carts.ts';
import { createCompanyIntake } from './companies.ts';
import { createCrawlIntake } from './crawls.ts';
import { createRetryIntake } from './retries.ts';
import { createScrapeIntake } from './searches.ts';

export interface ArticleRequest {
  articles: { url: string; source?: string | null; category?: string | null; priority?: number }[];
  maxAgeSeconds?: number | null;
  /** Receives an event when the run has ended; already checked. */
  webhookUrl?: string | null;
}

export interface IntakeContext {
  requestId: string | null;
  /** Who asks: the owner of an API key. */
  owner?: string | null;
  /** A key of the owner has a limit of its own. */
  isLimited?: boolean;
  /** Whose work may be touched; null or left out: everybody's. */
  sees?: string | null;
  idempotency: { scope: string; key: string; bodyHash: string } | null;
  /** The span of the request. */
  traceparent?: string | null;
}

/** Of the settings: only the keys say what the limit is. */
const NO_QUOTA: Quota = { openTasks: null, tasksPerDay: null };

/** What a submission says of who asks. */
export const askedBy = ({ requestId, owner, isLimited, idempotency, traceparent }: IntakeContext) => ({
  requestId,
  owner: owner ?? null,
  ...(isLimited ? { quota: NO_QUOTA } : {}),
  idempotency,
  ...(traceparent ? { traceparent } : {}),
});

export interface IntakeOptions {
  store: SubmissionStore & DeadLetterStore & Pick<RunStore, 'cancelRun'> & Pick<PositionStore, 'openExternalIds'>;
  wire: Wire;
  maxRetries: number;
  taskTimeoutSeconds: number;
  /** The lane a source's tasks go to. */
  laneOf(source: string): string;
  /** The host that a task with these parameters asks first; null: unknown, or paced by itself. Without it no task waits for its host in the queue. */
  hostOf?(source: string, params: Record<string, unknown>): string | null;
  /** What a source brings; for dead letters whose run is gone. */
  kindOf?(source: string): Kind | null;
  /** The source that reads the articles of this host better than the one for any page; null where there is none. */
  articleSourceOf?(host: string): string | null;
  cart?: CartOptions;
  /** For owners whose keys say nothing else. */
  quota?: Quota;
  /** A run was accepted, and is not the answer to an earlier request. */
  onAccepted?(kind: string, accepted: Accepted): void;
  trace?: Tracing | null;
}

export type Intake = ReturnType<typeof createIntake>;

export function createIntake(given: IntakeOptions) {
  const options = { ...given, store: watched(given) };
  const { store, wire } = options;
  const draw = randomHex();
  const articleRunId = (): string => `job_${draw(6)}`;

  function articleTask(article: ArticleRequest['articles'][number]): NewTask {
    const url = canonicalUrl(article.url);
    const source = options.articleSourceOf?.(new URL(url).hostname) ?? 'article';
    return {
      key: articleKey(article.url),
      source,
      lane: options.laneOf(source),
      // The URL as given: the canonical form identifies the page, but some sites do not answer to it.
      params: { url: article.url },
      priority: article.priority ?? 5,
      maxRetries: options.maxRetries,
      timeoutSeconds: options.taskTimeoutSeconds,
      ref: { url: article.url, source: article.source ?? null, category: article.category ?? null },
    };
  }

  return {
    submitScrape: createScrapeIntake(options),
    submitCart: createCartIntake(options),
    scrapeCompanies: createCompanyIntake(options),
    submitCrawl: createCrawlIntake(options),

    async submitArticles(request: ArticleRequest, context: IntakeContext): Promise<Accepted> {
      const accepted = await store.submit({
        runId: articleRunId(),
        kind: 'article',
        itemKind: 'article',
        trigger: 'manual',
        ...askedBy(context),
        options: { max_age_seconds: request.maxAgeSeconds ?? null, ...urlOption(request.webhookUrl) },
        tasks: request.articles.map(articleTask),
        maxAgeSeconds: request.maxAgeSeconds ?? null,
      });
      wire.wake();
      return accepted;
    },

    /** `sees`: of whom; null or left out: of everybody. */
    async cancelRun(id: string, sees: string | null = null): Promise<{ run: Run; removed: number }> {
      const { run, removed, running } = await store.cancelRun(id, sees);
      // Fast path only: a worker that misses it finds out at its next heartbeat.
      if (running.length > 0) await wire.cancel(running).catch(() => {});
      await wire
        .publish([
          {
            runId: run.id,
            kind: run.kind,
            status: run.status,
            total: run.total,
            completed: run.completed,
            failed: run.failed,
            itemId: null,
            owner: run.owner,
          },
        ])
        .catch(() => {});
      return { run, removed };
    },

    retryDeadLetters: createRetryIntake(options, { runId: articleRunId, task: articleTask }),
  };
}

/** The same store, to which every task is submitted with the host that it waits for, and which tells and traces what was accepted. */
function watched({ store, hostOf, quota, onAccepted, trace }: IntakeOptions): IntakeOptions['store'] {
  const hasQuota = quota !== undefined && (quota.openTasks !== null || quota.tasksPerDay !== null);
  return {
    ...store,
    async submit(submission) {
      if (submission.owner && hasQuota) submission.quota = quota;
      if (hostOf) for (const task of submission.tasks) task.host = hostOf(task.source, task.params);
      const accepted = await (trace ? submitTraced(store, trace, submission) : store.submit(submission));
      if (!accepted.replayed) onAccepted?.(submission.kind, accepted);
      return accepted;
    },
  };
}
