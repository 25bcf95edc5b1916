import { expect, test } from 'vitest';
import { anchorsOf } from './query-anchors.ts';

test.each([
  ["'nurs'", ['nurs']],
  ["'data' & 'engin'", ['engin']],
  ["'regist' <-> 'nurs'", ['regist']],
  ["'a' <2> 'phrase'", ['phrase']],
  ["'cook' | 'chef'", ['cook', 'chef']],
  ["( 'cook' | 'chef' ) & 'pari'", ['pari']],
  ["'cook' | 'chef' & 'head' & !'junior'", ['cook', 'chef']],
  ["!'senior'", []],
  ["'cook' | !'chef'", []],
  ["!( 'cook' | 'chef' ) & 'pari'", ['pari']],
  ["!!'cook' & 'pari'", ['pari']],
  ["'o''neil' & 'c\\\\x'", ["o'neil"]],
  ["'prefix':*AB", ['prefix']],
  ['', []],
])('%s needs one of %j', (query, anchors) => {
  expect(anchorsOf([query])).toEqual(anchors);
});

test('of several queries the one with the rarest words is taken', () => {
  expect(anchorsOf(["'it'", "'cook' | 'chef'", "'harbour'"])).toEqual(['harbour']);
  expect(anchorsOf(["!'it'", "'cook' | 'chef'"])).toEqual(['cook', 'chef']);
  expect(anchorsOf([])).toEqual([]);
});
