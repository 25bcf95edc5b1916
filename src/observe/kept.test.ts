import { expect, test } from 'vitest';
import { createKept } from './kept.ts';

test('an answer is given again at once while a newer one is made, and too old a one is waited for', async () => {
  let now = 0;
  let made = 0;
  const kept = createKept<number>({ isKept: () => true, freshMs: 10, staleMs: 100, now: () => now });
  const ask = () => kept('question', async () => ++made);
  expect([await ask(), await ask()]).toEqual([1, 1]);
  now = 11;
  expect(await ask()).toBe(1);
  expect(await ask()).toBe(2);
  now = 200;
  expect(await ask()).toBe(3);
});

test('what is not to be kept is made each time, a failure is not kept, and the oldest question goes', async () => {
  let made = 0;
  const cheap = createKept<number>({ isKept: () => false });
  expect([await cheap('a', async () => ++made), await cheap('a', async () => ++made)]).toEqual([1, 2]);
  const two = createKept<number>({ isKept: () => true, max: 2 });
  await expect(two('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  for (const question of ['a', 'b', 'c']) await two(question, async () => ++made);
  expect(await two('c', async () => 0)).toBe(5);
  expect(await two('a', async () => 0)).toBe(0);
});
