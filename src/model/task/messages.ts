// What orchestrator and workers say to each other. These schemas are the contract: `schemas/*.json` is generated from them, and any
// program that reads a task and writes a report in this shape is a worker.
import { z } from 'zod';
import { PageFindings } from '../crawl/crawl.ts';
import { Article } from '../item/article.ts';
import { completePosting, type Posting, ReportedPosting } from '../posting/posting.ts';
import { Product } from '../product/product.ts';
import { ArchivedPage, Provenance } from '../provenance/provenance.ts';
import { Measure } from '../quality/measure.ts';
import { isSuspect } from './retry.ts';

export const TaskMessage = z.object({
  task_id: z.string(),
  run_id: z.string(),
  scraper_type: z.string(),
  params: z.record(z.string(), z.unknown()),
  priority: z.number().int(),
  created_at: z.string(),
  /** Seconds the attempt may take. */
  timeout: z.number(),
  retry_count: z.number().int(),
  max_retries: z.number().int(),
  /** How long it waits between tries; absent: the usual backoff. Of no concern to workers. */
  backoff: z.enum(['company']).optional(),
  request_id: z.string().nullable(),
  /** The span that the task is part of (W3C Trace Context), if it is traced. */
  traceparent: z.string().optional(),
  /** Fencing token: a report is only taken for the attempt that holds the lease. */
  attempt: z.number().int().default(1),
  /** True when two earlier attempts had started and were lost with their workers: run it alone, after saying so with a `held` report. */
  suspect: z.boolean().default(false),
  /** What an earlier attempt sent as its `checkpoint`: what was found until then is stored, and this attempt may go on there. */
  checkpoint: z.unknown().optional(),
});
export type TaskMessage = z.infer<typeof TaskMessage>;

/** A task ready to be sent: its JSON, and its id for later lookups. */
export interface SealedTask {
  task_id: string;
  attempt: number;
  text: string;
}

/** What of a task message is the same for every attempt. */
export type TaskBody = Omit<TaskMessage, 'attempt' | 'retry_count' | 'suspect' | 'checkpoint'>;

export function sealTask(
  taskId: string,
  body: string,
  { attempt, failures, crashes }: { attempt: number; failures: number; crashes: number },
  checkpoint?: string,
): SealedTask {
  const goesOn = checkpoint === undefined ? '' : `"checkpoint":${checkpoint},`;
  return {
    task_id: taskId,
    attempt,
    text: `{"attempt":${attempt},"retry_count":${failures},"suspect":${isSuspect(crashes)},${goesOn}${body.slice(1)}`,
  };
}

export const TaskError = z.object({
  category: z.string(),
  code: z.string().optional(),
  message: z.string(),
  retryable: z.boolean(),
  /** Seconds. */
  retry_after: z.number().nullable().optional(),
});
export type TaskError = z.infer<typeof TaskError>;

/** The rate limit that we keep with the site sent the task back: nothing went wrong. */
export const isPaced = (error: Pick<TaskError, 'code'> | null | undefined): boolean => error?.code === 'paced';

export const ResultMetadata = z.object({
  proxy_used: z.string().nullable().default(null),
  requests_made: z.number().int().default(0),
  rate_limited: z.boolean().default(false),
  captcha_encountered: z.boolean().default(false),
  pages_requested: z.number().int().default(1),
  pages_completed: z.number().int().default(0),
  bytes: z.number().int().default(0),
  worker: z.string(),
  /** Warnings for the person who asked: a parameter that the site does not support, a limit that was reached. */
  warnings: z.array(z.string()).optional(),
  blocks: z.number().int().optional(),
  unchanged: z.number().int().optional(),
  browser_seconds: z.number().optional(),
  /** Rows that were there and could not be read; `id` is the external id where at least that was clear. At most 500. */
  skipped: z.array(z.object({ id: z.string().nullable(), reason: z.string() })).optional(),
  /** Why there is more than was seen. Without reasons, what was not seen is not there. */
  incomplete: z.array(z.string()).optional(),
  /** Pages of the attempt that its worker has archived, by the ids of their WARC records. At most 20. */
  archived: z.array(ArchivedPage).optional(),
  /** Of all items of the task, for comparing it with the runs before. */
  measure: Measure.optional(),
});
export type ResultMetadata = z.infer<typeof ResultMetadata>;

const unsaid = z.string().nullable().default(null);
const ReportedArticle = Article.extend({
  title: unsaid,
  author: unsaid,
  published_at: unsaid,
  language: unsaid,
  image: unsaid,
});

const ReportedResult = z.object({
  type: z.literal('result').default('result'),
  task_id: z.guid(),
  run_id: z.string(),
  /** As the task had it, so that what is said of a task names the request that caused it. */
  request_id: z.string().nullable().optional(),
  /** The span of the attempt, if it was traced; or what the task had. */
  traceparent: z.string().max(512).optional(),
  attempt: z.int32(),
  part: z.int32().default(1),
  last: z.boolean().default(true),
  status: z.enum(['success', 'failed', 'partial']),
  scraper_type: z.string(),
  execution_time: z.number(),
  articles_data: z.array(ReportedArticle).optional(),
  jobs_data: z.array(ReportedPosting).optional(),
  products_data: z.array(Product).optional(),
  /** Where the fields of these items came from. */
  provenance: Provenance.optional(),
  metadata: ResultMetadata,
  /** Of a page of a crawl: what it is, and its links. */
  crawl: PageFindings.optional(),
  /** How far the attempt has come with the items it has sent: the next attempt gets it with the task. */
  checkpoint: z.unknown().optional(),
  completed_at: z.string(),
  error: TaskError.nullable().default(null),
});

/** A worker may leave out what it does not know; here it is complete. */
export const Result = ReportedResult.transform((result) => {
  const postings = result.jobs_data?.map((one) => completePosting(one, result.scraper_type));
  return Object.assign(result, postings && { jobs_data: postings }) as Omit<typeof result, 'jobs_data'> & {
    jobs_data?: Posting[] | undefined;
  };
});
export type Result = z.infer<typeof Result>;

export const TaskRef = z.object({ task_id: z.guid(), attempt: z.int32() });
export type TaskRef = z.infer<typeof TaskRef>;

/**
 * "I have these": renews their leases. What the orchestrator no longer leases to this worker comes back as a cancellation. `waiting` are those
 * not started yet: kept too, but not to blame if the worker dies.
 */
export const Held = z.object({
  type: z.literal('held'),
  worker: z.string(),
  tasks: z.array(TaskRef),
  waiting: z.array(TaskRef).optional(),
  /** Two with the same time are the same word, heard twice. */
  sent_at: z.string().optional(),
});
export type Held = z.infer<typeof Held>;

/** "I give these back unfinished": queued again at no cost in attempts (shutdown, lane closed). */
export const Returned = z.object({ type: z.literal('returned'), worker: z.string(), tasks: z.array(TaskRef) });
export type Returned = z.infer<typeof Returned>;

export const Report = z.discriminatedUnion('type', [Result, Held, Returned]);
export type Report = z.infer<typeof Report>;

/** What is published on `scrapers:errors` when an attempt failed. For whoever listens: the durable copy is in the result. */
export const ErrorNotice = z.object({
  task_id: z.string(),
  run_id: z.string(),
  attempt: z.number().int(),
  scraper_type: z.string(),
  worker: z.string(),
  error: TaskError,
  at: z.string(),
});
export type ErrorNotice = z.infer<typeof ErrorNotice>;

/** What a worker has asked of the web for one source since it started. */
export const WebTotals = z.object({
  requests: z.number(),
  bytes: z.number(),
  blocks: z.number(),
  captchas: z.number(),
  throttled: z.number(),
  unchanged: z.number(),
  proxy_requests: z.number(),
  browser_seconds: z.number(),
});
export type WebTotals = z.infer<typeof WebTotals>;

export const WorkerBeat = z.object({
  worker: z.string(),
  host: z.string(),
  pid: z.number().int(),
  version: z.string(),
  lanes: z.array(z.string()),
  /** Sources it has besides those that are built in; it takes their tasks from lanes of their own. */
  sources: z.array(z.string()).optional(),
  slots: z.number().int(),
  busy: z.number().int(),
  rss_bytes: z.number().int(),
  started_at: z.string(),
  sent_at: z.string(),
  draining: z.boolean(),
  /** By source. */
  web: z.record(z.string(), WebTotals).optional(),
});
export type WorkerBeat = z.infer<typeof WorkerBeat>;
