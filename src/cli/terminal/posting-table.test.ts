import { expect, test } from 'vitest';
import { type PostingDraft, type Salary, toPosting } from '../../model/posting/posting.ts';
import { postingRows, salaryText } from './posting-table.ts';

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

test('the same job on several sites is one row, with what either of them says', () => {
  const apply = { apply_url: 'https://acme.example/jobs/12345' };
  const [, row, other] = postingRows([
    posting({ ...apply }),
    posting({ ...apply, source: 'linkedin', external_id: '2', salary: salary({ min: 90_000, max: 90_000 }) }),
    posting({ source: 'linkedin', external_id: '3', title: 'Cook', job_url: 'https://www.linkedin.com/jobs/view/3' }),
  ]);
  expect(row).toEqual([
    'Senior Software Engineer, Platform',
    'Example Corp',
    'San Francisco, CA',
    '90k USD/year',
    '2026-11-14',
    'indeed, linkedin',
    'https://www.indeed.com/viewjob?jk=0123456789abcdef',
  ]);
  expect(other).toMatchObject({ 0: 'Cook', 5: 'linkedin' });
});
