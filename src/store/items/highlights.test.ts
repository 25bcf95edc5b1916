import { expect, test } from 'vitest';
import { stemsOf } from './highlights.ts';

test.each([
  [`'kafka'`, ['kafka']],
  [`'new' <-> 'york' | 'full-tim' <-> 'full'`, ['new', 'york', 'full-tim', 'full']],
  [`'engin' & !'old'`, ['engin']],
  [`!( 'old' <-> 'job' ) & 'new'`, ['new']],
  [`( 'a' | !( 'b' & ( 'c' ) ) ) & 'd'`, ['a', 'd']],
  [`'o''neil' & 'a\\\\b'`, ["o'neil", 'a\\b']],
  ['', []],
])('%s', (tsquery, stems) => {
  expect(stemsOf(tsquery)).toEqual(stems);
});
