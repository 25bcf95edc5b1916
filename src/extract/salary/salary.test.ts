import { describe, expect, test } from 'vitest';
import { parseSalary } from './salary.ts';
import table from './strings.test-table.json' with { type: 'json' };
import texts from './texts.test-table.json' with { type: 'json' };

interface Row {
  text: string;
  country?: string;
  expected: string;
  also?: Record<string, unknown>;
}

describe('pay as postings write it', () => {
  test.each(table as Row[])('$text → $expected', ({ text, country, expected, also }) => {
    const salary = parseSalary(text, { country: country ?? 'US' });
    const shown = salary
      ? `${salary.min ?? '-'} / ${salary.max ?? '-'} / ${salary.currency} / ${salary.interval}`
      : 'null';
    expect(shown).toBe(expected);
    if (also) expect(salary).toMatchObject(also);
  });
});

describe('pay in running text: what is next to it, in ten languages, is not taken for it', () => {
  test.each(texts)('$lang: $text', ({ text, country, expect: expected }) => {
    const salary = parseSalary(text, { country, strictness: 'text' });
    expect(
      salary && { min: salary.min, max: salary.max, currency: salary.currency, interval: salary.interval },
    ).toEqual(expected);
  });
});

describe('a small yearly amount is not taken for thousands', () => {
  test.each([
    'Salary: $75.00 per year',
    'Salary $80,000 per year. The paid plan is $60 per year.',
    'Your pay of 50 a year, plus an allowance of $500 per year',
    'We pay $500 per year for books.',
  ])('%s', (text) => {
    expect(parseSalary(text, { country: 'US', strictness: 'text' })?.flags ?? []).not.toContain('assumed_thousands');
  });
});

test('no text takes long, whatever it is made of', () => {
  for (const text of [
    ' '.repeat(60_000),
    '$1 - '.repeat(12_000),
    '1 '.repeat(30_000),
    '$'.repeat(60_000),
    'pay bonus $5 '.repeat(4_600),
  ]) {
    const started = process.cpuUsage();
    parseSalary(text, { strictness: 'text' });
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(10_000);
  }
});
