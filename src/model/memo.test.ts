import { expect, test } from 'vitest';
import { createMemo } from './memo.ts';

/** A memo that notes what it had to make. */
function noting(maxEntries: number) {
  const memo = createMemo<string | null>(maxEntries);
  const made: string[] = [];
  const ask = (key: string) =>
    memo(key, (own) => {
      made.push(own);
      return own === 'nothing' ? null : own.toUpperCase();
    });
  return { ask, made };
}

test('an answer is made once while it is asked for, and null is one', () => {
  const { ask, made } = noting(4);
  for (const key of ['a', 'a', 'b', 'a', 'c', 'a', 'd', 'a']) expect(ask(key)).toBe(key.toUpperCase());
  for (let i = 0; i < 3; i++) expect(ask('nothing')).toBeNull();
  expect(made).toEqual(['a', 'b', 'c', 'd', 'nothing']);
});

test('what nobody asks for is forgotten', () => {
  const { ask, made } = noting(4);
  for (let i = 0; i < 100; i++) ask(String(i));
  ask('99');
  expect(made).toHaveLength(100);
  ask('0');
  expect(made).toHaveLength(101);
});

test('a key of thousands of characters is not kept', () => {
  const { ask, made } = noting(4);
  for (let i = 0; i < 2; i++) ask('x'.repeat(5_000));
  expect(made).toHaveLength(2);
});
