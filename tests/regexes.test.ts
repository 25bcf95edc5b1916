// Scraped text is hostile: a pattern that takes quadratic time on some text lets one page stop a process.
import { expect, test } from 'vitest';
import { collectPatterns } from '../tools/regexes/collect.ts';
import { keyOf, linearKeys, reasonFor, unusedReasons } from '../tools/regexes/linear.ts';

const patterns = await collectPatterns();

test('every regular expression is known to take linear time: `npm run regexes` looks at new ones', () => {
  const linear = linearKeys();
  const unknown = patterns.filter((pattern) => !linear.has(keyOf(pattern)) && !reasonFor(pattern));
  expect(unknown.map(({ at, source, flags }) => `${at}: /${source}/${flags}`)).toEqual([]);
});

test('what was put together while loading is among them, and no excuse has outlived its pattern', () => {
  expect(patterns.some(({ at }) => at.startsWith('src/extract/salary/mentions.ts'))).toBe(true);
  expect(patterns.length).toBeGreaterThan(700);
  expect(unusedReasons(patterns)).toEqual([]);
});
