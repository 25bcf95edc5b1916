import { expect, test } from 'vitest';
import { DIRECT, parseProxy } from './proxy.ts';
import { cookiesFor, createSessionPool, keepCookies, type SessionRequest } from './session.ts';

const sessionRequest = (more: Partial<SessionRequest> = {}): SessionRequest => ({
  source: 'indeed',
  tier: 0,
  locality: '10001',
  locale: 'en-US',
  identity: 'honest',
  pickExit: () => DIRECT,
  ...more,
});

test('an idle visitor comes back before a new one is made, and a busy one is not shared while there is room', async () => {
  const pool = createSessionPool();
  const first = await pool.acquire(sessionRequest());
  const second = await pool.acquire(sessionRequest());
  expect(second).not.toBe(first);
  pool.release(first, 'ok');
  expect(await pool.acquire(sessionRequest())).toBe(first);
});

test('visitors of another source, tier or place are others', async () => {
  const pool = createSessionPool();
  const ids = new Set<number>();
  for (const more of [
    {},
    { source: 'article' },
    { tier: 1 },
    { locality: '94110' },
    { identity: 'rendered' as const },
  ]) {
    const session = await pool.acquire(sessionRequest(more));
    pool.release(session, 'ok');
    ids.add(session.id);
  }
  expect(ids.size).toBe(5);
});

test('a blocked visitor is gone for good; a throttled one is not blamed', async () => {
  const pool = createSessionPool();
  const session = await pool.acquire(sessionRequest());
  pool.release(session, 'throttled');
  expect(session.score).toBe(0);
  expect(await pool.acquire(sessionRequest())).toBe(session);
  pool.release(session, 'blocked');
  expect(await pool.acquire(sessionRequest())).not.toBe(session);
});

test('errors add up, successes take them off, and three too many retire', async () => {
  const pool = createSessionPool({ rules: { maxScore: 2 } });
  const session = await pool.acquire(sessionRequest());
  pool.release(session, 'error');
  await pool.acquire(sessionRequest());
  pool.release(session, 'ok');
  expect(session.score).toBe(0.5);
  for (let i = 0; i < 2; i += 1) {
    expect(await pool.acquire(sessionRequest())).toBe(session);
    pool.release(session, 'error');
  }
  expect(await pool.acquire(sessionRequest())).not.toBe(session);
});

test('visitors age and wear out', async () => {
  let now = 0;
  const pool = createSessionPool({ rules: { maxAgeMs: 1_000, maxUses: 2 }, now: () => now });
  const first = await pool.acquire(sessionRequest());
  pool.release(first, 'ok');
  now = 1_000;
  const second = await pool.acquire(sessionRequest());
  expect(second).not.toBe(first);
  pool.release(second, 'ok');
  pool.release(await pool.acquire(sessionRequest()), 'ok');
  expect(await pool.acquire(sessionRequest())).not.toBe(second);
});

test('a full pool shares its least busy visitor instead of growing, also when all ask at once', async () => {
  const pool = createSessionPool({ rules: { poolSize: 2 } });
  const sessions = await Promise.all([1, 2, 3, 4, 5, 6].map(() => pool.acquire(sessionRequest())));
  expect(new Set(sessions).size).toBe(2);
  expect(pool.size).toBe(2);
  expect(sessions.map(({ inUse }) => inUse)).toEqual(Array(6).fill(3));
});

test('two who ask at once for a claimed browser each get its headers', async () => {
  const pool = createSessionPool({ rules: { poolSize: 1 } });
  const [first, second] = await Promise.all([1, 2].map(() => pool.acquire(sessionRequest({ identity: 'browser' }))));
  expect(first).toBe(second);
  expect(second?.headers?.secure['user-agent']).toContain('Chrome/');
});

test('the attempt goes on with the visitor of its last page', async () => {
  const pool = createSessionPool();
  const first = await pool.acquire(sessionRequest());
  const second = await pool.acquire(sessionRequest());
  pool.release(first, 'ok');
  pool.release(second, 'ok');
  expect(await pool.acquire(sessionRequest({ prefer: second }))).toBe(second);
});

test('an exit whose turn has come gets a visitor of its own', async () => {
  const pool = createSessionPool();
  const [a, b] = [parseProxy('a:1'), parseProxy('b:2')];
  const first = await pool.acquire(sessionRequest({ exit: a }));
  pool.release(first, 'ok');
  const second = await pool.acquire(sessionRequest({ exit: b }));
  expect([first.exit, second.exit]).toEqual([a, b]);
  pool.release(second, 'ok');
  expect(await pool.acquire(sessionRequest({ exit: a }))).toBe(first);
  expect(pool.size).toBe(2);
});

test('cookies are kept by the rules of cookies', async () => {
  const session = { jar: null, cookiesSeen: 0 };
  expect(await cookiesFor(session, 'https://a.example/')).toBe('');
  await keepCookies(session, ['a=1; Path=/', 'b=2; Domain=example', 'c=3; Secure', 'nonsense'], 'https://a.example/x');
  expect(await cookiesFor(session, 'https://a.example/')).toContain('a=1');
  expect(await cookiesFor(session, 'http://a.example/')).not.toContain('c=3');
  expect(await cookiesFor(session, 'https://b.example/')).not.toContain('b=2');
});

test('ten thousand cookies in one answer do not fill the memory', async () => {
  const session = { jar: null, cookiesSeen: 0 };
  await keepCookies(
    session,
    Array.from({ length: 10_000 }, (_, i) => `c${i}=1`),
    'https://a.example/',
  );
  expect((await cookiesFor(session, 'https://a.example/')).split('; ')).toHaveLength(50);
  for (let n = 0; n < 60; n += 1) {
    await keepCookies(
      session,
      Array.from({ length: 50 }, (_, i) => `d${n}-${i}=1`),
      'https://a.example/',
    );
  }
  expect(session.cookiesSeen).toBe(2_000);
});
