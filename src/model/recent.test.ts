import { expect, test } from 'vitest';
import { createRecent } from './recent.ts';

test('a name is known from the second time on, until enough others came after it', () => {
  const wasGiven = createRecent(3);
  expect(['a', 'b', 'a', 'c', 'd'].map(wasGiven)).toEqual([false, false, true, false, false]);
  expect(wasGiven('b')).toBe(true);
  for (const name of ['e', 'f', 'g', 'h', 'i', 'j']) wasGiven(name);
  expect(wasGiven('a')).toBe(false);
});
