// One suite, both wires and both carriers of pace: what cannot be asked of a site now stays in the queue, at no cost, and nobody waits behind it.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWaitingRuns } from '../../src/api/runs/waiting.ts';
import { createDispatch } from '../../src/orchestrator/dispatch/dispatch.ts';
import type { PaceOfSites } from '../../src/orchestrator/dispatch/pace.ts';
import { createIntake, type Intake } from '../../src/orchestrator/intake/intake.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { createMemoryPace } from '../../src/web/pace/memory.ts';
import type { PaceStore } from '../../src/web/pace/pace.ts';
import { createRedisPace } from '../../src/web/pace/redis.ts';
import { createMemoryWire } from '../../src/wire/memory.ts';
import type { Wire } from '../../src/wire/port.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { openSql } from '../support/invariants.ts';
import { freshDatabase } from '../support/own-servers.ts';

const MINUTE = 60_000;
const never = new AbortController().signal;
const context = { requestId: null, idempotency: null };
const BOARDS: Record<string, string> = { slow: 'slow.example', quick: 'quick.example' };

const carriers: [string, () => Promise<{ wire: Wire; pace: PaceStore; close(): Promise<unknown> }>][] = [
  ['memory', async () => ({ wire: createMemoryWire(), pace: createMemoryPace(), close: async () => {} })],
  [
    'Redis',
    async () => {
      const url = process.env.TEST_REDIS_URL!;
      const prefix = `t-${randomBytes(4).toString('hex')}`;
      const redis = new Redis(url);
      const wire = await openRedisWire({ url, prefix, patienceMs: 15_000 });
      return { wire, pace: await createRedisPace({ redis, prefix }), close: () => redis.quit() };
    },
  ],
];

describe.each(carriers)('turns over %s', (_name, open) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let db: Awaited<ReturnType<typeof openSql>>;
  let store: Store;
  let carrier: Awaited<ReturnType<typeof open>>;
  let intake: Intake;
  let sites: PaceOfSites;
  let dispatch: () => Promise<void>;

  beforeAll(async () => {
    database = await freshDatabase();
    store = await openStore({ connection: database.url, connectTimeoutMs: 30_000 });
    db = await openSql(database.url);
  });
  afterAll(async () => {
    await db?.close();
    await store?.close();
    await database?.drop();
  });

  beforeEach(async () => {
    carrier = await open();
    const { wire, pace } = carrier;
    sites = {
      of: (source) => ({
        pace: { concurrency: 2, delayMs: source === 'article' ? 0 : MINUTE },
        host: BOARDS[source] ?? null,
      }),
      turns: (queries, withinMs) => pace.turns(queries, withinMs),
    };
    intake = createIntake({
      store,
      wire,
      maxRetries: 0,
      taskTimeoutSeconds: 60,
      laneOf: () => 'http',
      hostOf: (source, { url }) => BOARDS[source] ?? new URL(url as string).hostname,
    });
    const step = createDispatch({ store, wire, leaseSeconds: 60, maxWindow: 2_000, sites, onDispatched: () => {} });
    dispatch = () => step(never, () => {});
    await wire.beat({
      worker: 'w',
      host: 'h',
      pid: 1,
      version: '0',
      lanes: ['http'],
      slots: 100,
      busy: 0,
      rss_bytes: 0,
      started_at: '',
      sent_at: '',
      draining: false,
    });
  });
  afterEach(async () => {
    await carrier.wire.close();
    await carrier.pace.close();
    await carrier.close();
    await db.sql(
      'truncate windrow.queue, windrow.leases, windrow.live, windrow.tasks, windrow.runs, windrow.run_tasks',
    );
  });

  const search = async (source: string, term: string, priority = 5): Promise<string> => {
    const sitesOf = [{ name: source, params: { term } }];
    // Those who come in one millisecond have the same turn, and no order.
    for (const now = Date.now(); Date.now() === now; ) await sleep(1);
    return (await intake.submitScrape({ sites: sitesOf, priority, trigger: 'manual', options: {} }, context)).runId;
  };
  const articles = (host: string, count: number) =>
    intake.submitArticles(
      { articles: Array.from({ length: count }, (_, n) => ({ url: `https://${host}/${n}` })) },
      context,
    );
  const taken = async () =>
    (await carrier.wire.depth('http')) > 0 ? carrier.wire.takeTasks(['http'], 1_000, never) : [];
  const waiting = () =>
    db.sql<{ host: string; n: number; tried: number }>(
      'select host, count(*)::int as n, sum(attempt + waits)::int as tried from windrow.queue where due_at is null group by 1 order by 1',
    );

  test('of a site no more is handed out than it has turns, and others go past what waits for it', async () => {
    for (let n = 0; n < 50; n++) await search('slow', `welder ${n}`);
    await search('quick', 'nurse');
    await dispatch();
    const sent = (await taken()).map((task) => task.scraper_type).sort();
    expect(sent).toEqual(['quick', 'slow']);
    await dispatch();
    expect(await taken()).toEqual([]);
    expect(await waiting()).toEqual([{ host: 'slow.example', n: 49, tried: 0 }]);
  });

  test('a site whose next turn is a while away gets none, and its run says what it waits for', async () => {
    const order = {
      host: 'slow.example',
      exits: ['direct'],
      concurrency: 2,
      gapMs: MINUTE,
      maxWaitMs: 0,
      signal: never,
    };
    carrier.pace.release('slow.example', await carrier.pace.reserve(order), { kind: 'ok', latencyMs: 5 });
    const runs = [await search('slow', 'a'), await search('slow', 'b'), await search('slow', 'c')];
    await dispatch();
    expect(await taken()).toEqual([]);
    await store.beatOrchestrator('dispatch');
    const waiting = createWaitingRuns({ store, sources: [], workers: () => carrier.wire.workers(), sites });
    const last = await waiting.of({ id: runs[2]!, status: 'running' });
    expect(last).toMatchObject({
      reason: 'pace',
      ahead: 2,
      message: expect.stringMatching(
        /^rate limit of slow\.example \(a request every 60 s\): next turn at .*, 2 tasks ahead$/,
      ),
    });
    expect(last!.until!.getTime()).toBeGreaterThan(Date.now());
  });

  test('articles of one site beyond its places wait in its line, and those of others go past them', async () => {
    const { runId } = await articles('crowded.example', 500);
    await articles('lonely.example', 1);
    await dispatch();
    const hosts = (await taken()).map((task) => new URL(task.params.url as string).hostname);
    expect(hosts.filter((host) => host === 'lonely.example')).toHaveLength(1);
    expect(hosts.filter((host) => host === 'crowded.example')).toHaveLength(2);
    expect(await waiting()).toEqual([{ host: 'crowded.example', n: 498, tried: 0 }]);
    expect(await store.liveTasks(runId)).toContainEqual(
      expect.objectContaining({ state: 'ready', host: 'crowded.example', ahead: 0 }),
    );
    // When those that are out come back, the line goes on.
    const out = await db.sql<{ task_id: string; attempt: number }>(
      `select task_id, attempt from windrow.leases where host = 'crowded.example'`,
    );
    await db.sql(`delete from windrow.leases where host = 'crowded.example'`);
    expect(out).toHaveLength(2);
    await dispatch();
    expect(await taken()).toHaveLength(2);
  });

  test('a thousand sites in one run go at once', async () => {
    await intake.submitArticles(
      { articles: Array.from({ length: 1_000 }, (_, n) => ({ url: `https://site-${n}.example/` })) },
      context,
    );
    let sent = 0;
    for (let round = 0; round < 20 && sent < 1_000; round++) {
      await dispatch();
      sent += (await taken()).length;
    }
    expect(sent).toBe(1_000);
  });

  test('of more owners than are looked at in one round each gets a share', async () => {
    const owners = Array.from({ length: 600 }, (_, n) => `owner-${n}`);
    await Promise.all(
      owners.map((owner) =>
        intake.submitArticles({ articles: [{ url: `https://${owner}.example/` }] }, { ...context, owner }),
      ),
    );
    // A burst is accepted first and written out after.
    while ((await store.drainSpool({})) > 0);
    let sent = 0;
    for (let round = 0; round < 20 && sent < owners.length; round++) {
      await dispatch();
      sent += (await taken()).length;
    }
    expect(sent).toBe(owners.length);
  });

  test('in a band priority 1 goes before 2, and 2 before 3', async () => {
    await intake.submitArticles(
      { articles: [3, 1, 2, 1].map((priority, n) => ({ url: `https://site-${n}.example/`, priority })) },
      context,
    );
    await dispatch();
    expect((await taken()).map((task) => task.priority)).toEqual([1, 1, 2, 3]);
  });
});
