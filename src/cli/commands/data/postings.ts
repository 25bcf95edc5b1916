// `windrow postings …`: stored job postings.
import { cell, itemCommand } from './item-lists.ts';

export const make = () =>
  itemCommand({
    name: 'postings',
    about: 'Stored job postings of all runs.',
    examples: [
      ['windrow postings list --q kafka --country DE --sort relevance', 'best matches first'],
      ['windrow postings list --company Delloite --fuzzy', 'a name that may be spelled differently'],
      ['windrow postings list --skill python,sql --csv > python.csv', 'all matches as CSV'],
    ],
    sorts: ['first_seen_at', 'posted_at', 'salary'],
    head: ['SINCE', 'COMPANY', 'TITLE', 'LOCATION', 'SALARY', 'URL'],
    row: (one) => [
      cell(one.first_seen_at).slice(0, 10),
      cell(one.company),
      cell(one.title),
      cell(one.location ?? one.remote_type),
      salaryOf(one),
      cell(one.job_url),
    ],
  });

function salaryOf({
  salary_min: min,
  salary_max: max,
  currency,
  salary_interval: interval,
}: Record<string, unknown>): string {
  const amounts = [...new Set([min, max].filter((one) => typeof one === 'number'))];
  if (amounts.length === 0) return '';
  return `${amounts.map((one) => one.toLocaleString('en')).join('–')} ${cell(currency)}${interval ? `/${cell(interval)}` : ''}`;
}
