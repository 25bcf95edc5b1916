// Sources that are held back, on the real store: resumed while a dispatcher is at work, at the one moment that matters, and broken as several orchestrators
// see it together.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BREAKER } from '../../../src/model/source/breaker.ts';
import { createDispatch } from '../../../src/orchestrator/dispatch/dispatch.ts';
import { createIntake } from '../../../src/orchestrator/intake/intake.ts';
import { createBreaker } from '../../../src/orchestrator/loops/breaker.ts';
import type { TaskSettled } from '../../../src/orchestrator/loops/record.ts';
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

const never = new AbortController().signal;

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
    async readyLines(lane, how) {
      const seen = await store.readyLines(lane, how);
      await store.resumeSource('article');
      await store.unparkSource('article');
      return seen;
    },
  };
  const options = { wire, leaseSeconds: 10, maxWindow: 100, onDispatched: () => {} };
  await createDispatch({ ...options, store: resumedMeanwhile })(new AbortController().signal, () => {});
  await createDispatch({ ...options, store })(new AbortController().signal, () => {});
  expect(sent).toHaveLength(1);
});

test('tasks of a source that was given up go once each, though the pace of its site has no turn', async () => {
  const wire = createMemoryWire();
  const intake = createIntake({ store, wire, laneOf: () => 'lost', maxRetries: 0, taskTimeoutSeconds: 60 });
  await intake.submitArticles(
    { articles: [{ url: 'https://lost.example/1', priority: 5 }], maxAgeSeconds: null, webhookUrl: null },
    { requestId: 'r2', idempotency: null },
  );
  let sent = 0;
  const dispatch = createDispatch({
    store,
    wire: { ...wire, workers: async () => [{ lanes: ['lost'], slots: 5, draining: false }] as never },
    leaseSeconds: 10,
    maxWindow: 100,
    sites: {
      of: () => ({ pace: { concurrency: 1, delayMs: 1_000 }, host: 'lost.example' }),
      turns: async (queries) => queries.map(() => ({ nextInMs: 300_000, due: 0, inFlight: 0, places: 1, dueForMs: 0 })),
    },
    onDispatched: (_, count) => {
      sent += count;
    },
  });
  await dispatch(never, () => {});
  expect(sent).toBe(0);
  const policy = { ...BREAKER, firstMs: 0, patience: 0 };
  await store.openBreaker({ source: 'article', trouble: '429', policy });
  await store.parkSource('article');
  const taskId = (await store.probeSource({ source: 'article', policy }))!;
  expect(await store.reopenBreaker({ source: 'article', taskId, trouble: '429', policy })).toMatchObject({
    breaker: 'given_up',
  });
  await store.unparkSource('article');
  await dispatch(never, () => {});
  expect(sent).toBe(1);
  await store.closeBreaker({ source: 'article' });
});

function settled(source: string, category: string | null): TaskSettled {
  const error = category === null ? null : { category, message: `${category} of the site`, retryable: true };
  const result = { task_id: randomUUID(), scraper_type: source, status: error ? 'failed' : 'success', error };
  return { result, outcome: 'retried', category } as unknown as TaskSettled;
}

function twoBreakers(changes: string[] = []) {
  const one = () =>
    createBreaker({ store, isGuarded: () => true, onChange: (source, change) => changes.push(`${source} ${change}`) });
  return [one(), one()] as const;
}

test('what several orchestrators have seen of a source opens its breaker, and the hold says since when, until when and why', async () => {
  const changes: string[] = [];
  const [first, second] = twoBreakers(changes);
  for (let n = 0; n < 6; n++) {
    first.see(settled('shared', 'timeout'));
    second.see(settled('shared', 'timeout'));
  }
  await first.step(never);
  expect(changes).toEqual([]);
  await second.step(never);
  await first.step(never);
  expect(changes).toEqual(['shared open']);
  const [hold] = await store.listHolds();
  expect(hold).toMatchObject({ source: 'shared', breaker: 'open', opens: 1, trouble: 'timeout of the site' });
  expect(hold!.until!.getTime()).toBeGreaterThan(hold!.openedAt!.getTime());
  expect(await store.recentVerdicts(600_000)).toEqual([]);
  await store.closeBreaker({ source: 'shared' });
});

test('answers that one orchestrator got count against the trouble that another had', async () => {
  const changes: string[] = [];
  const [first, second] = twoBreakers(changes);
  for (let n = 0; n < 9; n++) first.see(settled('half', 'timeout'));
  for (let n = 0; n < 15; n++) second.see(settled('half', null));
  await first.step(never);
  await second.step(never);
  // The store knows of the trouble now, so the answers are written too.
  await second.step(never);
  for (let n = 0; n < 5; n++) first.see(settled('half', 'timeout'));
  await first.step(never);
  expect(changes).toEqual([]);
  expect(await store.recentVerdicts(600_000)).toHaveLength(29);
  await store.forgetVerdicts('half');
});

test('a source whose site answers leaves nothing in the store', async () => {
  const [only] = twoBreakers();
  for (let n = 0; n < 100; n++) only.see(settled('fine', null));
  await only.step(never);
  expect(await store.recentVerdicts(600_000)).toEqual([]);
});

test('five tasks that were rate-limited open it', async () => {
  const changes: string[] = [];
  const [only] = twoBreakers(changes);
  for (let n = 0; n < 5; n++) only.see(settled('limited', 'rate_limited'));
  await only.step(never);
  expect(changes).toEqual(['limited open']);
  expect(await store.listHolds()).toMatchObject([{ source: 'limited', trouble: 'rate_limited of the site' }]);
  await store.closeBreaker({ source: 'limited' });
});
