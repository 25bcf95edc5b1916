// Articles and their runs in the API. Pure: rows in, JSON out.
import { type TextFormat, textAs } from '../../model/article/text-format.ts';
import { articleId } from '../../model/ids.ts';
import type { Run, RunStatus, RunUpdate } from '../../model/run/run.ts';
import type { TaskError } from '../../model/task/messages.ts';
import type { ArticleEntry } from '../../store/runs/article-entries.ts';
import { waitingField } from '../runs/waiting.ts';

export const JOB_STATUSES = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

const TO_JOB: Record<RunStatus, JobStatus> = {
  running: 'IN_PROGRESS',
  completed: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
};

export const jobStatus = (status: RunStatus): JobStatus => TO_JOB[status];

/** Null for PENDING: a job is in progress from the moment it is accepted, so no run has that status. */
export function runStatus(status: JobStatus): RunStatus | null {
  return (Object.keys(TO_JOB) as RunStatus[]).find((one) => TO_JOB[one] === status) ?? null;
}

export function jobView(run: Run) {
  return {
    job_id: run.id,
    status: jobStatus(run.status),
    total_articles: run.total,
    completed: run.completed,
    failed: run.failed,
    pending: run.total - run.completed - run.failed,
    created_at: run.createdAt.toISOString(),
    updated_at: run.updatedAt.toISOString(),
    completed_at: run.finishedAt?.toISOString() ?? null,
  };
}

/** With `explain`: more fields of the page, and where each field was found; the marks of its text are `format`'s to print. */
export function explainedView(entry: ArticleEntry, format: TextFormat = 'text') {
  const { markup: _, ...details } = entry.article?.details ?? {};
  return { ...resultView(entry, format), details: entry.article?.details ? details : null };
}

export function resultView(entry: ArticleEntry, format: TextFormat = 'text') {
  const { article, ref } = entry;
  const { modified_at, kind } = article?.details ?? {};
  return {
    article_id: articleId(entry.itemKey),
    url: ref.url,
    source: ref.source ?? null,
    category: ref.category ?? null,
    title: article?.title ?? null,
    // Null once the article has been removed by age while the run is still kept.
    content: article ? textAs(format, article.content, article.details) : null,
    author: article?.author ?? null,
    published_at: article?.published_at ?? null,
    modified_at: typeof modified_at === 'string' ? modified_at : null,
    kind: typeof kind === 'string' ? kind : null,
    language: article?.language ?? null,
    image: article?.image ?? null,
    scraped_at: article?.scraped_at.toISOString() ?? null,
    cached: entry.cached,
  };
}
export type ResultView = ReturnType<typeof resultView>;

export function failureView(entry: ArticleEntry) {
  return {
    url: entry.ref.url,
    error: failureText(entry.error),
    attempted_at: entry.finishedAt?.toISOString() ?? null,
    attempts: entry.attempts,
  };
}

/** `404 Not Found`, `timeout after 30s`, `blocked: captcha`: shown to a person next to the failed URL. */
export function failureText(error: TaskError | null): string {
  if (!error) return 'failed (no reason stored)';
  if (error.category === 'captcha') return 'blocked: captcha';
  const message = error.message.trim();
  // The message is complete already: a status line, a time limit.
  if (/^(\d{3} |timeout after )/.test(message)) return message;
  const label = LABELS[error.category];
  if (message === '') return label ?? error.category;
  return label === undefined || message.toLowerCase().startsWith(label) ? message : `${label}: ${message}`;
}

const LABELS: Record<string, string> = {
  timeout: 'timeout',
  network: 'network',
  rate_limited: 'rate limited',
  blocked: 'blocked',
  robots: 'robots',
  layout_changed: 'page could not be read',
  invalid_params: 'not fetched',
  cancelled: 'cancelled',
  internal: 'internal error',
};

/** For runs of any kind; only articles have an id that can be looked up. */
export function updateMessage(update: RunUpdate): string {
  return JSON.stringify({
    type: 'job_update',
    job_id: update.runId,
    article_id: update.itemId === null || update.kind !== 'article' ? null : articleId(update.itemId),
    status: jobStatus(update.status),
    completed: update.completed,
    failed: update.failed,
    total: update.total,
    ...waitingField(update.waiting ?? null),
  });
}

export function updateOf(run: Run): RunUpdate {
  const { id: runId, kind, status, total, completed, failed, owner } = run;
  return { runId, kind, status, total, completed, failed, itemId: null, owner };
}
