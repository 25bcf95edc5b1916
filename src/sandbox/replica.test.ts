import { request } from 'undici';
import { expect, test } from 'vitest';
import { type Replica, replicasFor } from './replica.ts';
import { startSandbox } from './server.ts';

const replica = (name: string, hosts: string[], handle: Replica['handle'] = () => undefined): Replica => ({
  name,
  title: name,
  hosts,
  examples: [],
  handle,
});

test('the most exact host wins, whatever the order', () => {
  const all = [
    replica('any', ['*']),
    replica('exact', ['api.shop.example']),
    replica('suffix', ['*.shop.example']),
    replica('short', ['*.example']),
  ];
  const named = (host: string) => [replicasFor(all, host)[0]?.name, replicasFor([...all].reverse(), host)[0]?.name];
  expect(named('api.shop.example')).toEqual(['exact', 'exact']);
  expect(named('www.shop.example')).toEqual(['suffix', 'suffix']);
  expect(named('news.example')).toEqual(['short', 'short']);
  expect(named('shop.org')).toEqual(['any', 'any']);
  expect(replicasFor([replica('exact', ['a.example'])], 'b.example')).toEqual([]);
});

test('a replica can answer a POST, refuse a page, change with time and fail; faults strike it as any other', async () => {
  let clockMs = 0;
  const shop = replica('shop', ['shop.example'], async (asked) => {
    if (asked.path === '/gone') return undefined;
    if (asked.path === '/bug') throw new Error('a bug');
    return {
      status: 200,
      type: 'application/json',
      body: JSON.stringify({
        day: Math.floor(asked.nowMs / 86_400_000),
        q: asked.query.get('q'),
        sent: await asked.readBody(100),
      }),
    };
  });
  const sandbox = await startSandbox({ replicas: [shop], now: () => clockMs });
  const post = async (path: string, body: string) => {
    const reply = await request(sandbox.origin + path, { method: 'POST', body, headers: { host: 'shop.example' } });
    return { status: reply.statusCode, text: await reply.body.text() };
  };
  try {
    clockMs = 3 * 86_400_000;
    expect(JSON.parse((await post('/search?q=milk', 'body')).text)).toEqual({ day: 3, q: 'milk', sent: 'body' });
    expect((await post('/gone', '')).status).toBe(404);
    expect((await post('/search?fault=503', '')).status).toBe(503);
    const bug = await post('/bug', '');
    expect([bug.status, bug.text.includes('a bug')]).toEqual([500, true]);
    expect((await post('/search', 'x'.repeat(101))).status).toBe(500);
  } finally {
    await sandbox.close();
  }
});
