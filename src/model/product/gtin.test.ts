import { expect, test } from 'vitest';
import { normaliseGtin } from './gtin.ts';

test.each([
  ['4006381333931', '4006381333931'],
  ['036000291452', '0036000291452'],
  ['0036000291452', '0036000291452'],
  ['96385074', '96385074'],
  ['4 006381 333931', '4006381333931'],
])('%s is %s', (text, gtin) => {
  expect(normaliseGtin(text)).toBe(gtin);
});

test('a wrong check digit, zeros and other numbers are no GTIN', () => {
  for (const text of ['4006381333932', '0000000000000', '22961531', 'p698258674', '', null])
    expect(normaliseGtin(text), String(text)).toBeNull();
});
