// Webhooks with real receivers on loopback: an API world whose events are sent to a site that keeps what arrives and answers what the test says.
// Retries wait for hours: where a test needs the next one, it makes its time come in the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Loop } from '../../../src/orchestrator/loops/loop.ts';
import { startWebhooks } from '../../../src/orchestrator/webhooks/webhooks.ts';
import { createWeb } from '../../../src/web/web.ts';
import { startApiWorld } from '../../system/api/api-world.ts';
import { openSql } from '../invariants.ts';
import { freshDatabase } from '../own-servers.ts';
import { serve } from '../web/servers.ts';

export interface Arrived {
  path: string;
  body: string;
  event: { type: string; timestamp: string; data: Record<string, unknown> };
  headers: Record<string, string>;
}

/** A busy machine may take long to answer itself, and what is not answered in time is sent again: short only where that is the point. */
const TIMEOUT_MS = 20_000;
export const MAX = 12;
export const INSTANCE = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

export type WebhookWorld = Awaited<ReturnType<typeof openWebhookWorld>>;

export async function openWebhookWorld() {
  /** What the names of this world mean at the moment. */
  const names = new Map<string, string>();
  const site = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      world.arrived.push({ path: request.url!, body, headers, event: JSON.parse(body || 'null') });
      const { status = 200, headers: more = {} } = world.answers[request.url!] ?? {};
      if (status === -1) request.socket.resetAndDestroy();
      else if (status !== 0) response.writeHead(status, more).end('thank you');
    });
  });
  const webs = createWeb({
    guard: {
      allow: ['127.0.0.1'],
      resolve: async (name) => {
        const address = names.get(name);
        if (!address) throw new Error('unknown');
        return [{ address }];
      },
    },
  });
  const problemOf = (url: string) =>
    webs.checkReceiver(url).then(
      () => null,
      () => 'cannot be sent to',
    );
  const database = await freshDatabase();
  const receivers = { problemOf, secret: async () => INSTANCE, max: MAX };
  const api = await startApiWorld({ receivers, databaseUrl: database.url });
  const { sql, close: closeSql } = await openSql(database.url);

  const startLoop = (timeoutMs = TIMEOUT_MS): Loop =>
    startWebhooks({
      store: api.store,
      send: (request) => webs.deliver(request),
      secret: async () => INSTANCE,
      timeoutMs,
      log: (level, event, fields) => api.lines.push({ level, event, ...fields }),
    });

  const world = {
    api,
    sql,
    site,
    names,
    arrived: [] as Arrived[],
    /** Path → what to answer; 200 unless said. 0: nothing, ever; -1: a reset. */
    answers: {} as Record<string, { status: number; headers?: Record<string, string> }>,
    /** What sends, the last one that was started. */
    loop: startLoop(),

    startLoop(timeoutMs?: number): void {
      world.loop = startLoop(timeoutMs);
    },
    async restartLoop(timeoutMs: number): Promise<void> {
      await world.loop.stop();
      world.startLoop(timeoutMs);
    },

    async register(path: string, more: object = {}) {
      const body = { url: site.origin + path, events: ['*'], ...more };
      const made = await api.call('POST', '/webhooks', body);
      expect(made.status).toBe(201);
      return made.body as { id: string; secret: string };
    },
    async until(what: string, isTrue: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
      const end = performance.now() + limitMs;
      while (!(await isTrue())) {
        if (performance.now() > end) throw new Error(`waited in vain until ${what}; ${JSON.stringify(world.arrived)}`);
        world.loop.wake();
        await sleep(20);
      }
    },
    at: (path: string) => world.arrived.filter((one) => one.path === path),
    deliveriesOf: async (id: string) => (await api.call('GET', `/webhooks/${id}/deliveries`)).body.deliveries,
    makeDue: () => sql(`update windrow.deliveries set next_at = now() where state = 'waiting'`),
    rested: () => sql('update windrow.receivers set open_at = null'),
    emit: (key: string, to?: { webhookId: string } | { url: string }) =>
      api.store.emit([{ key, type: 'postings.new', data: { n: 1 }, requestId: null, ...(to ? { to } : {}) }]),

    /** As if nobody had ever registered; what sends is started anew. */
    async reset(): Promise<void> {
      await world.loop.stop();
      world.arrived = [];
      world.answers = {};
      await sql('truncate windrow.webhooks, windrow.receivers, windrow.deliveries, windrow.source_states');
      world.startLoop();
    },
    async close(): Promise<void> {
      await world.loop.stop();
      await closeSql();
      await api.stop();
      await webs.close();
      await site[Symbol.asyncDispose]();
      await database.drop();
    },
  };
  return world;
}
