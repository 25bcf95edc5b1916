import { expect, test } from 'vitest';
import { createHealth } from './health.ts';

test('all parts up is ok and ready', async () => {
  const health = createHealth({ parts: { store: async () => 1.234, wire: async () => 2 }, needed: ['store'] });
  expect(await health.report()).toMatchObject({ status: 'ok', parts: { store: { status: 'up', latency_ms: 1.23 } } });
  expect(await health.notReady()).toBeNull();
});

test('a lost wire degrades the whole and leaves it ready', async () => {
  const wire = () => Promise.reject(new Error('no answer'));
  const health = createHealth({ parts: { store: async () => 1, wire }, needed: ['store'] });
  expect(await health.report()).toMatchObject({
    status: 'degraded',
    parts: { wire: { status: 'down', detail: 'no answer' } },
  });
  expect(await health.notReady()).toBeNull();
  expect(health.isKnownDown('wire')).toBe(true);
});

test('a lost store is down and not ready, also when it only hangs', async () => {
  const health = createHealth({ parts: { store: () => new Promise(() => {}) }, needed: ['store'], limitMs: 10 });
  expect(await health.report()).toMatchObject({ status: 'down' });
  expect(await health.notReady()).toContain('The store is down');
});

test('a process that drains is not ready though all its parts are up', async () => {
  const health = createHealth({ parts: { store: async () => 1 }, needed: ['store'] });
  health.drain();
  expect(await health.notReady()).toContain('shutting down');
});

test('probes are shared by callers within the period', async () => {
  let asked = 0;
  const health = createHealth({ parts: { store: async () => ++asked }, needed: ['store'], keepMs: 60_000 });
  await Promise.all([health.report(), health.report(), health.notReady()]);
  expect(asked).toBe(1);
});
