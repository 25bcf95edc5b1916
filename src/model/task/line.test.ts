import { expect, test } from 'vitest';
import { hostLineOf, lineOf, parseLine } from './line.ts';

test.each([
  ['indeed', null],
  ['article', 'a1b2c3'],
])('a line of %s for %s is read back', (source, owner) => {
  expect(parseLine(lineOf(source, owner))).toEqual({ source, owner, host: null });
  expect(parseLine(hostLineOf('example.com', lineOf(source, owner)))).toEqual({ source, owner, host: 'example.com' });
});
