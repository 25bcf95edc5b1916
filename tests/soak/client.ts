// Calls that outlast whatever is being broken. Work is asked for with an idempotency key until there is an answer, so every run that exists was
// acknowledged, and one that was not is a run too many.
import { setTimeout as sleep } from 'node:timers/promises';

type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  json: Json;
  isReplay: boolean;
}

/** Past this nothing is broken any more: somebody hangs. */
const LIMIT_MS = 300_000;

export class Client {
  readonly #origin: string;
  /** How often each answer came that means "later". */
  readonly refusals = new Map<string, number>();
  /** Answers with another 5xx than 503. */
  readonly serverErrors: string[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  post(path: string, body: unknown, key: string): Promise<Answer> {
    return this.call('POST', path, { body, headers: { 'idempotency-key': key } });
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  /** The first answer that is not "later". */
  async call(method: string, path: string, options: { body?: unknown; headers?: Record<string, string> } = {}) {
    const end = performance.now() + LIMIT_MS;
    for (;;) {
      const answer = await this.#once(method, path, options);
      if (typeof answer !== 'string') return answer;
      this.refusals.set(answer, (this.refusals.get(answer) ?? 0) + 1);
      if (performance.now() > end)
        throw new Error(`${method} ${path} was not answered within ${LIMIT_MS / 1_000} s: ${answer}`);
      await sleep(500);
    }
  }

  async #once(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer | string> {
    try {
      const reply = await fetch(this.#origin + path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await reply.text();
      if (reply.status === 503 || reply.status === 429) return String(reply.status);
      if (reply.status >= 500) this.serverErrors.push(`${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
      return {
        status: reply.status,
        json: text === '' ? {} : (JSON.parse(text) as Json),
        isReplay: reply.headers.get('idempotent-replay') === 'true',
      };
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      return cause?.code ?? name;
    }
  }
}
