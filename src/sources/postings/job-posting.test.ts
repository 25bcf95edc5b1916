import { expect, test } from 'vitest';
import { jobPostingAdvert } from './job-posting.ts';
import { advertToPosting } from './to-posting.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 12);

const PAY: [Record<string, unknown>, string][] = [
  [
    { baseSalary: { currency: 'AUD', value: { minValue: 130000, maxValue: 160000, unitText: 'YEAR' } } },
    '130000 / 160000 / AUD / year / employer',
  ],
  [{ baseSalary: { value: 25, unitText: 'HOUR', currency: 'USD' } }, '25 / 25 / USD / hour / employer'],
  [{ baseSalary: '50000', salaryCurrency: 'GBP' }, '50000 / 50000 / GBP / year / employer'],
  [{ baseSalary: { value: { value: '$100,000', unitText: 'YEAR' } } }, '100000 / 100000 / USD / year / employer'],
  [{ baseSalary: { currency: 'USD', value: { minValue: 0, maxValue: 0, unitText: 'YEAR' } } }, 'none'],
  [
    { estimatedSalary: [{ currency: 'USD', minValue: 90000, maxValue: 120000, unitText: 'YEAR' }] },
    '90000 / 120000 / USD / year / estimated',
  ],
  [{}, 'none'],
];

test.each(PAY)('the pay of a JobPosting: %j', (node, expected) => {
  const advert = jobPostingAdvert({ title: 'Welder', ...node }, { url: 'https://jobs.example/1', nowMs: NOW_MS });
  const params = { description_format: 'plain' as const, include_raw: false };
  const { salary } = advertToPosting(advert, { source: 'test', ref: null, params, nowMs: NOW_MS });
  const shown = salary && [salary.min, salary.max, salary.currency, salary.interval, salary.source].join(' / ');
  expect(shown ?? 'none').toBe(expected);
});
