import { expect, test } from 'vitest';
import { rarely } from './rarely.ts';

test('a problem of every page is told once a minute, with how often it came in between', () => {
  const told: unknown[] = [];
  let nowMs = 0;
  const tell = rarely(
    (event, error, before) => told.push([event, error, before]),
    () => nowMs,
  );
  for (const event of ['archive.failed', 'archive.failed', 'cache.failed', 'archive.failed']) tell(event, 'full');
  nowMs = 60_000;
  tell('archive.failed', 'full');
  expect(told).toEqual([
    ['archive.failed', 'full', {}],
    ['cache.failed', 'full', {}],
    ['archive.failed', 'full', { before: 2 }],
  ]);
});
