// A worker behind a slow link: many large reports take their time, and its heartbeats do not wait behind them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineSource } from '../../src/sources/define.ts';
import type { Web } from '../../src/web/port.ts';
import { openRedisWire } from '../../src/wire/redis.ts';
import { runHere } from '../../src/worker/run-source.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { openOneProcess } from '../conformance/one-process.ts';
import { pageUrl, untilEnded, type World } from '../conformance/world.ts';
import { type OwnRedis, startRedis } from '../support/own-servers.ts';
import { articleOf } from '../support/scripted-worker.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

const REPORTS = 300;
const CONTENT = 'A line of text of some length. '.repeat(700);
/** All reports together take some fifteen seconds, which is much longer than a heartbeat, and a batch of them longer than any other call may take. */
const BYTES_PER_SECOND = 400_000;

let redis: OwnRedis;
let proxy: TcpProxy;
let world: World;
beforeAll(async () => {
  redis = await startRedis();
  proxy = await TcpProxy.to(redis.url);
  world = await openOneProcess({ wire: await openRedisWire({ url: redis.url }) });
});
afterAll(async () => {
  await world?.close();
  await proxy?.close();
  await redis?.stop();
});

test('300 reports of 20 KB over a slow link are recorded, and no lease is lost meanwhile', async () => {
  const wire = await openRedisWire({ url: proxy.through(redis.url), patienceMs: 5_000 });
  proxy.slow(BYTES_PER_SECOND);
  const failed: object[] = [];
  const worker = startWorker({
    name: 'far-away',
    wire,
    lanes: ['http'],
    slots: 100,
    runSource: runHere((name) =>
      defineSource({
        name,
        title: name,
        kind: 'article',
        lane: 'http',
        hosts: [],
        pace: { concurrency: 1, delayMs: 0 },
        params: z.object({ url: z.string() }),
        async *scrape({ url }) {
          yield { ...articleOf(url), content: CONTENT };
        },
      }),
    ),
    webFor: () => ({ ledger: {} }) as Web,
    heartbeatMs: 1_000,
    version: '0',
    log(_level, event, fields) {
      if (event === 'worker.report_failed') failed.push(fields);
    },
  });
  try {
    const articles = Array.from({ length: REPORTS }, (_, n) => ({ url: pageUrl(n + 1) }));
    const { runId } = await world.submit({ articles });
    expect(await untilEnded(world, runId)).toEqual({
      status: 'completed',
      total: REPORTS,
      completed: REPORTS,
      failed: 0,
    });
    expect(failed).toEqual([]);
    expect(await world.sql('select task_id, attempt from windrow.lost_attempts')).toEqual([]);
  } finally {
    await worker.drain(0);
    await wire.close();
  }
});
