// A source that is resumed while a dispatcher is at work, on the real store, at the one moment that matters.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIntake } from '../../../src/orchestrator/intake/intake.ts';
import { createDispatch } from '../../../src/orchestrator/loops/dispatch.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { createMemoryWire } from '../../../src/wire/memory.ts';
import type { Wire } from '../../../src/wire/port.ts';
import { freshDatabase } from '../../support/own-servers.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;

beforeAll(async () => {
  database = await freshDatabase();
  store = await openStore({ connection: database.url, connectTimeoutMs: 30_000 });
});
afterAll(async () => {
  await store?.close();
  await database?.drop();
});

test('tasks that are parked just after their source was resumed go on all the same', async () => {
  const memory = createMemoryWire();
  const intake = createIntake({ store, wire: memory, laneOf: () => 'http', maxRetries: 0, taskTimeoutSeconds: 60 });
  await store.pauseSource('article', null);
  await intake.submitArticles(
    { articles: [{ url: 'https://a.example/1', priority: 5 }], maxAgeSeconds: null, webhookUrl: null },
    { requestId: 'r1', idempotency: null },
  );
  const sent: unknown[] = [];
  const wire = {
    workers: async () => [{ lanes: ['http'], slots: 50, draining: false }],
    depth: async () => 0,
    sendTasks: async (_lane: string, _band: string, tasks: unknown[]) => void sent.push(...tasks),
  } as unknown as Wire;
  const resumedMeanwhile: Store = {
    ...store,
    async countReady(lane, upTo) {
      const seen = await store.countReady(lane, upTo);
      await store.resumeSource('article');
      await store.unparkSource('article');
      return seen;
    },
  };
  const options = { wire, leaseSeconds: 10, maxWindow: 100, onDispatched: () => {} };
  await createDispatch({ ...options, store: resumedMeanwhile })(new AbortController().signal);
  await createDispatch({ ...options, store })(new AbortController().signal);
  expect(sent).toHaveLength(1);
});
