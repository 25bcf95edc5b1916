import { expect, test } from 'vitest';
import { serveTcp } from '../../../tests/support/web/servers.ts';
import { DIRECT, labelOf, parseProxy, parseTiers } from './proxy.ts';
import { createProxyPool } from './proxy-pool.ts';

function poolOf(text: string, more: { rotation?: 'least-used'; decayMs?: number } = {}) {
  let now = 0;
  const pool = createProxyPool({ tiers: parseTiers(text), probeEveryMs: 0, now: () => now, ...more });
  return {
    pool,
    pass(ms: number) {
      now += ms;
    },
  };
}

const picks = (pool: ReturnType<typeof poolOf>['pool'], count: number, tier = 0) =>
  Array.from({ length: count }, () => labelOf(pool.pick(tier)));

test('round robin goes through the members in turn', () => {
  const { pool } = poolOf('a:1 b:2 c:3');
  expect(picks(pool, 4)).toEqual(['a:1', 'b:2', 'c:3', 'a:1']);
});

test('least used evens out what others were given', () => {
  const { pool } = poolOf('a:1 b:2', { rotation: 'least-used' });
  expect(picks(pool, 4).sort()).toEqual(['a:1', 'a:1', 'b:2', 'b:2']);
});

test('a dead proxy is left out for a while that doubles, and the others carry on', () => {
  const { pool, pass } = poolOf('a:1 b:2');
  const [a] = [pool.pick(0)];
  pool.report(a, 'dead');
  expect(new Set(picks(pool, 5))).toEqual(new Set(['b:2']));
  pass(10_001);
  expect(new Set(picks(pool, 4))).toEqual(new Set(['a:1', 'b:2']));
  pool.report(a, 'dead');
  pass(10_001);
  expect(new Set(picks(pool, 4))).toEqual(new Set(['b:2']));
  pass(10_000);
  pool.report(a, 'ok');
  expect(pool.states().every(({ isDead }) => !isDead)).toBe(true);
});

test('all that are alive are offered, in the order of the rotation', () => {
  const { pool } = poolOf('a:1 b:2 c:3');
  const offered = () => pool.choices(0).map(labelOf);
  expect([offered(), offered()]).toEqual([
    ['a:1', 'b:2', 'c:3'],
    ['b:2', 'c:3', 'a:1'],
  ]);
  pool.report(pool.choices(0)[0]!, 'dead');
  expect(offered().sort()).toEqual(['a:1', 'b:2']);
});

test('when all are dead the one that has been so longest is tried', () => {
  const { pool, pass } = poolOf('a:1 b:2');
  const [a, b] = [pool.pick(0), pool.pick(0)];
  pool.report(a, 'dead');
  pass(1_000);
  pool.report(b, 'dead');
  expect(labelOf(pool.pick(0))).toBe('a:1');
});

test('no proxies at all is one tier with the direct exit', () => {
  const { pool } = poolOf('');
  expect(pool.isDirectOnly).toBe(true);
  expect(pool.pick(0)).toBe(DIRECT);
});

test('a site that blocks goes a tier up, and comes down again a step at a time', () => {
  const { pool, pass } = poolOf('direct; a:1; b:2', { decayMs: 1_000 });
  expect(pool.pick(pool.tierOf('x'))).toBe(DIRECT);
  pool.escalate('x');
  expect(labelOf(pool.pick(pool.tierOf('x')))).toBe('a:1');
  pool.escalate('x');
  pool.escalate('x');
  expect(pool.tierOf('x')).toBe(2);
  expect(pool.tierOf('y')).toBe(0);
  pass(1_000);
  expect(pool.tierOf('x')).toBe(1);
  pass(999);
  expect(pool.tierOf('x')).toBe(1);
  pass(1);
  expect(pool.tierOf('x')).toBe(0);
});

test('a dead proxy that answers again is found by the probe', async () => {
  await using server = await serveTcp((socket) => socket.end());
  const proxy = parseProxy(`127.0.0.1:${server.port}`);
  const pool = createProxyPool({ tiers: [[proxy, parseProxy('b:2')]], probeEveryMs: 10 });
  pool.report(proxy, 'dead');
  await expect.poll(() => pool.states()[0]?.isDead, { interval: 5 }).toBe(false);
  pool.close();
});
