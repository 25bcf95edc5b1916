// The API as a test calls it: requests with a limit, refusals as errors with their code, and a memory of everything that was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArticleRequest } from '../../src/orchestrator/intake/intake.ts';

export interface JobState {
  status: 'running' | 'completed' | 'failed' | 'cancelled';
  total: number;
  completed: number;
  failed: number;
}

export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | null;

  constructor(status: number, code: string, retryAfter: string | null) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

const STATUS = {
  PENDING: 'running',
  IN_PROGRESS: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
} as const;

type Json = Record<string, unknown>;
const statusOf = (job: Json): JobState['status'] => STATUS[job.status as keyof typeof STATUS];

export class HttpClient {
  readonly origin: string;
  /** Run id → addresses, of every submission that was answered with 201. */
  readonly acknowledged = new Map<string, string[]>();

  constructor(origin: string) {
    this.origin = origin;
  }

  async call(method: string, path: string, options: { body?: unknown; headers?: Record<string, string> } = {}) {
    const response = await fetch(this.origin + path, {
      method,
      headers: { ...(options.body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: AbortSignal.timeout(60_000),
    });
    const json = (await response.json()) as Json;
    if (!response.ok) throw new Refused(response.status, String(json.code), response.headers.get('retry-after'));
    return { json, headers: response.headers, status: response.status };
  }

  async submit(request: ArticleRequest, idempotencyKey?: string) {
    const body = {
      articles: request.articles,
      ...(request.maxAgeSeconds === undefined ? {} : { max_age_seconds: request.maxAgeSeconds }),
    };
    const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
    const { json, headers: answered } = await this.call('POST', '/jobs/submit', { body, headers });
    const runId = String(json.job_id);
    this.acknowledged.set(
      runId,
      request.articles.map((article) => article.url),
    );
    return {
      runId,
      status: statusOf(json),
      total: Number(json.total_articles),
      cached: Number(json.cached_articles),
      replayed: answered.get('idempotent-replay') === 'true',
    };
  }

  async status(runId: string): Promise<JobState> {
    const { json } = await this.call('GET', `/jobs/${runId}/status`);
    const state = {
      total: Number(json.total_articles),
      completed: Number(json.completed),
      failed: Number(json.failed),
    };
    if (state.completed + state.failed + Number(json.pending) !== state.total)
      throw new Error(`counters do not add up: ${JSON.stringify(json)}`);
    return { status: statusOf(json), ...state };
  }

  async results(runId: string) {
    const { json } = await this.call('GET', `/jobs/${runId}/results?limit=1000`);
    return {
      items: json.results as { url: string; title: string | null; content: string; cached: boolean }[],
      failures: json.failed_articles as { url: string; error: string; attempts: number }[],
    };
  }

  async cancel(runId: string) {
    const { json } = await this.call('DELETE', `/jobs/${runId}`);
    return { status: statusOf(json), removed: Number(/Removed (\d+)/.exec(String(json.message))?.[1] ?? 0) };
  }
}

/** A 503 means that nothing was done and says when to come back. On a busy machine that is an answer as good as any. */
export async function comingBack<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 503 || tries === 20) throw error;
      await sleep(Number(error.retryAfter) * 1_000);
    }
  }
}
