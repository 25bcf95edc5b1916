import { describe, expect, test } from 'vitest';
import table from './salary/strings.test-table.json' with { type: 'json' };
import { parseSalary } from './salary.ts';

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
