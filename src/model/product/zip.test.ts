import { expect, test } from 'vitest';
import { canonicalName, localityOf, ZipCode } from './zip.ts';

test('five digits, or nine with a dash, are a ZIP code', () => {
  for (const zip of ['10001', '10001-1234', ' 90210 ']) expect(ZipCode.safeParse(zip).success, zip).toBe(true);
  for (const zip of ['1000', '100011', '10001-12', 'ABCDE', '10001 1234', '', '１０００１'])
    expect(ZipCode.safeParse(zip).success, zip).toBe(false);
});

test('both spellings are one locality', () => {
  expect(localityOf('10001-1234')).toEqual(localityOf('10001'));
});

test.each([
  ['10001', 'New York'],
  ['33755', 'Florida'],
  ['90210', 'California'],
  ['20001', 'District of Columbia'],
  ['20101', 'Virginia'],
  ['73301', 'Texas'],
  ['99501', 'Alaska'],
  ['00501', 'New York'],
])('%s is in %s', (zip, state) => {
  expect(localityOf(zip)?.state).toBe(state);
});

test('the canonical name is ZIP, state and country', () => {
  expect(canonicalName(localityOf('45202')!)).toBe('45202,Ohio,United States');
  expect(canonicalName(localityOf('00001')!)).toBe('00001,United States');
});

test('what is no ZIP code is no place', () => {
  expect(localityOf('SW1A 1AA')).toBeNull();
});
