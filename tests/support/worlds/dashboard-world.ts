// The whole engine on the sandbox web with its API, as `windrow up --sandbox` runs it, in this process and on a database of its own. It can be stopped and
// started again at the same address.
import { createWindrow, type WebSettings, type Windrow } from '../../../src/library/index.ts';
import { freePort, freshDatabase } from '../own-servers.ts';

export type DashboardWorld = Awaited<ReturnType<typeof openDashboardWorld>>;

export interface DashboardWorldOptions {
  keys?: readonly string[];
  /** Beside the sandbox web. */
  web?: WebSettings;
}

export async function openDashboardWorld({ keys, web }: DashboardWorldOptions = {}) {
  const [database, port] = await Promise.all([freshDatabase(), freePort()]);
  const url = `http://127.0.0.1:${port}`;
  const start = (): Promise<Windrow> =>
    createWindrow({
      databaseUrl: database.url,
      ...web,
      sandbox: true,
      api: { port, ...(keys ? { keys } : {}) },
      // Without retries, so that a page which fails is a dead letter at once.
      settings: { databaseAnswerMs: 60_000, maxRetryAttempts: 0 },
    });
  let windrow = await start();
  return {
    url,
    async call(method: string, path: string, body?: unknown) {
      const reply = await fetch(url + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(keys ? { 'x-api-key': keys[0]! } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
      return JSON.parse(text) as any;
    },
    async submit(urls: readonly string[]): Promise<string> {
      const { job_id } = await this.call('POST', '/jobs/submit', { articles: urls.map((one) => ({ url: one })) });
      return job_id as string;
    },
    async ended(runId: string) {
      for (;;) {
        const run = await this.call('GET', `/runs/${runId}`);
        if (run.status !== 'running') return run;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    stop: () => windrow.close(),
    async start() {
      windrow = await start();
    },
    async close() {
      await windrow.close();
      await database.drop();
    },
  };
}
