import { expect, test } from 'vitest';
import { keyOf, taskIds } from './ids.ts';

test('ids of tasks are UUIDs of version 7 that sort in the order they were made, also when the clock stands or goes back', () => {
  const times = [1_000, 2_000, 1_500, ...Array.from({ length: 10_000 }, () => 2_000), 2_001, 9_000];
  const nextId = taskIds(() => times.shift()!);
  const ids = Array.from({ length: times.length }, nextId);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(ids.at(-1)!.replace('-', '').slice(0, 12), 16)).toBe(9_000);
});

test('a key is the same for the same name', () => {
  expect(keyOf('article:https://example.com/')).toBe(keyOf('article:https://example.com/'));
  expect(keyOf('article:https://example.com/')).not.toBe(keyOf('article:https://example.com/a'));
});
