import { describe, expect, test } from 'vitest';
import { parseSalary } from './salary.ts';
import table from './strings.test-table.json' with { type: 'json' };

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
