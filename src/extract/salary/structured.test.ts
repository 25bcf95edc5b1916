import { expect, test } from 'vitest';
import type { Salary } from '../../model/posting/posting.ts';
import { type StatedSalary, structuredSalary } from './structured.ts';

const shown = (salary: Salary | null) =>
  salary
    ? `${salary.min ?? '-'} / ${salary.max ?? '-'} / ${salary.currency ?? '-'} / ${salary.interval} / ${salary.source}`
    : 'null';

const STATED: [StatedSalary, string][] = [
  [{ min: 20.5, max: 25, unit: 'HOUR', currency: 'USD' }, '20.5 / 25 / USD / hour / employer'],
  [
    { min: 80000, max: 110000, unit: 'YEAR', currency: 'USD', source: 'estimated' },
    '80000 / 110000 / USD / year / estimated',
  ],
  [{ min: 130000, max: -1, unit: 'yearly', country: 'US' }, '130000 / - / USD / year / employer'],
  [
    { min: 59000, max: 89000, unit: 'ANNUAL', currency: 'CAD', source: 'estimated' },
    '59000 / 89000 / CAD / year / estimated',
  ],
  [{ min: 130000, max: 150000, unit: 'annual', currency: 'USD' }, '130000 / 150000 / USD / year / employer'],
  [{ min: 240000, max: 240000, unit: 'per-year-salary', currency: 'USD' }, '240000 / 240000 / USD / year / employer'],
  [{ min: 34, max: 47, currency: 'USD', unit: 'HOURLY' }, '34 / 47 / USD / hour / employer'],
  [{ min: '60000', max: '75000', unit: 'year', currency: 'EUR' }, '60000 / 75000 / EUR / year / employer'],
  [{ min: null, max: null, unit: null, currency: null }, 'null'],
  [{ min: 0, max: 0, unit: 'YEAR', currency: 'USD' }, 'null'],
  [{ min: 14.5, unit: 'hourly', currency: 'EUR' }, '14.5 / - / EUR / hour / employer'],
  [{ min: 3254.83, max: 3550.32, unit: 'monthly', currency: 'EUR' }, '3254.83 / 3550.32 / EUR / month / employer'],
  [{ min: '52000.00', max: null, unit: 'Annually', country: 'US' }, '52000 / - / USD / year / employer'],
  [
    {
      zones: [
        { label: 'A', min: 168000, max: 231000 },
        { label: 'B', min: 151000, max: 207000 },
      ],
      unit: 'year',
      currency: 'USD',
    },
    '151000 / 231000 / USD / year / employer',
  ],
  [{ min: 75, max: 95, unit: 'YEAR', currency: 'USD' }, '75000 / 95000 / USD / year / employer'],
  [{ min: 2000, max: 2400, unit: 'biweekly', currency: 'USD' }, '1000 / 1200 / USD / week / employer'],
];

test.each(STATED)('%j', (stated, expected) => {
  expect(shown(structuredSalary(stated))).toBe(expected);
});

test('a yearly wage of 24 is hourly where the text says so, and flagged', () => {
  const stated = { min: '24.00', max: '28.00', unit: 'YEAR', currency: 'USD' };
  const salary = structuredSalary({ ...stated, text: 'You will earn $24 - $28 per hour.' });
  expect(shown(salary)).toBe('24 / 28 / USD / hour / employer');
  expect(salary?.flags).toContain('interval_corrected');
});

test.each([
  ['cents in place of dollars', { min: 12_000_000, max: 15_000_000, unit: 'YEAR', currency: 'USD' }],
  ['less than anyone is paid', { min: 0.2, max: 0.3, unit: 'HOUR', currency: 'USD' }],
  ['a month of 12', { min: 12, unit: 'MONTH', currency: 'USD' }],
])('%s is no pay', (_, stated) => {
  expect(structuredSalary(stated)).toBeNull();
});

test('of a currency that nobody knows the numbers are believed', () => {
  expect(shown(structuredSalary({ min: 9_000_000, unit: 'month', currency: 'xyz' }))).toBe(
    '9000000 / - / XYZ / month / employer',
  );
});
