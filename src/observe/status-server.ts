// What a process without an API answers on METRICS_PORT: whether it lives, whether it can work, and its metrics. Plain HTTP, three paths, no request body.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../model/errors.ts';
import type { Health } from './health.ts';
import { type MetricRegistry, metricsText } from './metrics/registry.ts';

export interface StatusServerOptions {
  registry: MetricRegistry;
  health: Pick<Health, 'notReady' | 'drain'>;
  host: string;
  port: number;
}

export interface StatusServer {
  url: string;
  close(): Promise<void>;
}

/** Enough for a scraper and some probes at once; whoever asks slowly is cut off. */
const MAX_CONNECTIONS = 64;
const REQUEST_LIMIT_MS = 10_000;

export async function startStatusServer({ registry, health, host, port }: StatusServerOptions): Promise<StatusServer> {
  const answer = (reply: ServerResponse, status: number, type: string, body: string): void => {
    reply.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    reply.end(body);
  };
  const answers: Record<string, (reply: ServerResponse) => Promise<void>> = {
    '/livez': async (reply) => answer(reply, 200, 'text/plain', 'ok\n'),
    '/readyz': async (reply) => {
      const reason = await health.notReady();
      answer(reply, reason === null ? 200 : 503, 'text/plain', `${reason?.split(':')[0] ?? 'ok'}\n`);
    },
    '/metrics': async (reply) => answer(reply, 200, registry.contentType, await metricsText(registry)),
  };
  const server = createServer(
    { requestTimeout: REQUEST_LIMIT_MS, headersTimeout: REQUEST_LIMIT_MS },
    (request, reply) => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const found = answers[path];
      if (!found) answer(reply, 404, 'text/plain', `There is /livez, /readyz and /metrics here.\n`);
      else if (request.method !== 'GET' && request.method !== 'HEAD') answer(reply, 405, 'text/plain', 'GET only.\n');
      else found(reply).catch((error) => answer(reply, 500, 'text/plain', `${String(error)}\n`));
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new AppError('invalid_config', `METRICS_PORT ${port} on ${host} cannot be used: ${cause.message}`)),
    );
    server.listen({ host, port }, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
