// Accepts work: requests of the API and the CLI become submissions to the store, and the dispatcher is woken. Nothing here waits for the wire: once the
// store has committed, the work is kept.
import { keyOf, randomHex } from '../../model/ids.ts';
import type { Run } from '../../model/run/run.ts';
import { canonicalUrl } from '../../model/url.ts';
import type { PositionStore } from '../../store/companies/company-store.ts';
import { repeatSessions } from '../../store/companies/sessions.ts';
import type { DeadLetterStore } from '../../store/queue/queue-store.ts';
import { urlOption } from '../../store/runs/run-events.ts';
import type { RunStore } from '../../store/runs/run-store.ts';
import type { SubmissionStore } from '../../store/submissions/submission-store.ts';
import type { Accepted, NewTask } from '../../store/submissions/submit.ts';
import type { Wire } from '../../wire/port.ts';
import { type CartOptions, createCartIntake } from './carts.ts';
import { createCompanyIntake } from './companies.ts';
import { createScrapeIntake, scrapeRunId } from './searches.ts';

export interface ArticleRequest {
  articles: { url: string; source?: string | null; category?: string | null; priority?: number }[];
  maxAgeSeconds?: number | null;
  /** Receives an event when the run has ended; already checked. */
  webhookUrl?: string | null;
}

export interface IntakeContext {
  requestId: string | null;
  /** Who asks: the id of an API key. */
  owner?: string | null;
  idempotency: { scope: string; key: string; bodyHash: string } | null;
}

export interface IntakeOptions {
  store: SubmissionStore & DeadLetterStore & Pick<RunStore, 'cancelRun'> & Pick<PositionStore, 'openExternalIds'>;
  wire: Wire;
  maxRetries: number;
  taskTimeoutSeconds: number;
  /** The lane a source's tasks go to. */
  laneOf(source: string): string;
  /** The host that a task with these parameters asks first; null: unknown, or paced by itself. Without it no task waits for its host in the queue. */
  hostOf?(source: string, params: Record<string, unknown>): string | null;
  /** The source that reads the articles of this host better than the one for any page; null where there is none. */
  articleSourceOf?(host: string): string | null;
  cart?: CartOptions;
  /** A run was accepted, and is not the answer to an earlier request. */
  onAccepted?(kind: string, accepted: Accepted): void;
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
      key: keyOf(`article:${url}`),
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

    async submitArticles(request: ArticleRequest, context: IntakeContext): Promise<Accepted> {
      const accepted = await store.submit({
        runId: articleRunId(),
        kind: 'article',
        itemKind: 'article',
        trigger: 'manual',
        requestId: context.requestId,
        owner: context.owner ?? null,
        options: { max_age_seconds: request.maxAgeSeconds ?? null, ...urlOption(request.webhookUrl) },
        tasks: request.articles.map(articleTask),
        maxAgeSeconds: request.maxAgeSeconds ?? null,
        idempotency: context.idempotency,
      });
      wire.wake();
      return accepted;
    },

    async cancelRun(id: string): Promise<{ run: Run; removed: number }> {
      const { run, removed, running } = await store.cancelRun(id);
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
          },
        ])
        .catch(() => {});
      return { run, removed };
    },

    /**
     * Each dead letter becomes a task of one new run; ids that are not dead letters are left out. `left`: letters of another kind than the first, which are
     * not part of the run and stay.
     */
    async retryDeadLetters(
      taskIdList: string[],
      context: IntakeContext,
    ): Promise<(Accepted & { left: number }) | null> {
      // The same key again: the letters are gone because the first request worked, and newer ones are not meant.
      const earlier = context.idempotency ? await store.earlierAnswer(context.idempotency) : null;
      if (earlier) return { ...earlier, left: 0 };
      const found = await store.getDeadLetters(taskIdList);
      if (found.length === 0) return null;
      const kindOf = (letter: (typeof found)[number]) => letter.runKind ?? 'article';
      const kind = kindOf(found[0]!);
      const letters = found.filter((letter) => kindOf(letter) === kind);
      const accepted = await store.submit({
        runId: kind === 'article' ? articleRunId() : scrapeRunId('manual'),
        kind,
        itemKind: 'article',
        trigger: 'retry',
        requestId: context.requestId,
        owner: context.owner ?? null,
        options: { retry_of: letters.map((letter) => letter.taskId) },
        tasks: letters.map((letter) => ({
          key: letter.key,
          source: letter.source,
          lane: letter.lane,
          params: letter.params,
          priority: letter.priority,
          maxRetries: letter.maxRetries,
          timeoutSeconds: letter.timeoutSeconds,
          ...(letter.backoff ? { backoff: letter.backoff } : {}),
          ref: { url: String(letter.params.url ?? ''), site: letter.source, item: letter.params.item ?? null },
        })),
        maxAgeSeconds: 0,
        idempotency: context.idempotency,
        // A retried company scrape is a scrape of that company, with a session.
        along: (client, run) =>
          repeatSessions(
            client,
            run,
            letters.map((letter) => letter.taskId),
          ),
      });
      // Another request with the same key was running: these are not part of its run, and stay.
      if (!accepted.replayed) await store.removeDeadLetters(letters.map((letter) => letter.taskId));
      wire.wake();
      return { ...accepted, left: found.length - letters.length };
    },
  };
}

/** The same store, to which every task is submitted with the host that it waits for, and which tells what was accepted. */
function watched({ store, hostOf, onAccepted }: IntakeOptions): IntakeOptions['store'] {
  return {
    ...store,
    async submit(submission) {
      if (hostOf) for (const task of submission.tasks) task.host = hostOf(task.source, task.params);
      const accepted = await store.submit(submission);
      if (!accepted.replayed) onAccepted?.(submission.kind, accepted);
      return accepted;
    },
  };
}
