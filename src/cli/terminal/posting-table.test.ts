import { expect, test } from 'vitest';
import { type PostingDraft, type Salary, toPosting } from '../../model/posting/posting.ts';
import { postingTable, salaryText } from './posting-table.ts';

const salary = (more: Partial<Salary>): Salary => ({
  min: null,
  max: null,
  currency: 'USD',
  interval: 'year',
  source: 'employer',
  raw: null,
  is_ote: false,
  is_net: false,
  payments_per_year: null,
  zones: [],
  flags: [],
  ...more,
});
const posting = (more: Partial<PostingDraft> = {}) =>
  toPosting({
    source: 'indeed',
    external_id: '1',
    title: 'Senior Software Engineer, Platform',
    company: 'Example Corp',
    location: 'San Francisco, CA',
    job_url: 'https://www.indeed.com/viewjob?jk=0123456789abcdef',
    posted_at: '2026-11-14T00:00:00.000Z',
    ...more,
  });

test.each([
  [{ min: 120_000, max: 180_000 }, '120k–180k USD/year'],
  [{ min: 25, max: 32.5, interval: 'hour' as const }, '25–32.5 USD/hour'],
  [{ min: 90_000, max: 90_000 }, '90k USD/year'],
  [{ min: 90_000 }, '90k+ USD/year'],
  [{ max: 90_500 }, '≤90.5k USD/year'],
  [{ min: 1_500_000, max: 2_000_000, currency: 'INR', source: 'estimated' as const }, '~1.5M–2M INR/year'],
  [{ min: 3_000, currency: null, interval: null }, '3000+'],
  [{}, ''],
])('pay is short and says its unit: %j', (said, text) => {
  expect(salaryText(posting({ salary: salary(said) }))).toBe(text);
});

test('a table is as wide as the terminal, the address gives way first', () => {
  for (const width of [100, 120, 160]) {
    const lines = postingTable([posting(), posting({ title: 'Cook' })], width);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines[1]).toContain('2026-11-14  indeed  https://www.');
  }
  expect(postingTable([posting()], 100)[1]).toMatch(/…$/);
});

test('where no terminal says how wide, addresses are whole', () => {
  expect(postingTable([posting()], null)[1]).toMatch(/viewjob\?jk=0123456789abcdef$/);
});

test('what a stranger wrote cannot steer the terminal', () => {
  const [, line] = postingTable([posting({ title: 'Cook\x1b[2J\nand\tbaker\u202e', company: null })], null);
  expect(line).toContain('Cook [2J and baker');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
  expect(line).not.toMatch(/[\x00-\x1f\u202e]/);
});
