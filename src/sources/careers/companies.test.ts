import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCompanies, settingsProblems } from './companies.ts';

const example = readFileSync(new URL('../../../examples/companies.yaml', import.meta.url), 'utf8');

test('every company of the example file can be scraped as it says', () => {
  const rows = readCompanies(example);
  expect(rows.flatMap((row) => row.problems.map((problem) => `${row.name}: ${problem}`))).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => row.company?.active).length).toBeGreaterThan(100);
});

test('YAML and JSON, with or without the name of the list', () => {
  const row = { name: 'Acme', scraping_config: { scraper_type: 'lever', site: 'acme' } };
  for (const text of [
    JSON.stringify([row]),
    JSON.stringify({ companies: [row] }),
    'companies:\n  - name: Acme\n    scraping_config: {scraper_type: lever, site: acme}',
  ]) {
    expect(readCompanies(text)).toEqual([
      { row: 1, name: 'Acme', company: { ...row, website: null, active: true }, problems: [] },
    ]);
  }
});

test('each wrong row says what is wrong with it, and the others are read', () => {
  const rows = readCompanies(`
- { name: Good, scraping_config: { scraper_type: greenhouse, board: good } }
- { name: '', scraping_config: { scraper_type: greenhouse, board: x } }
- { name: Typo, scraping_config: { scraper_type: lever, site: x, regoin: eu } }
- { name: Lost, scraping_config: { scraper_type: workday, host: example.com, site: x } }
- { name: Odd, scraping_config: { scraper_type: fax } }
- { name: good, scraping_config: { scraper_type: greenhouse, board: other } }
- just text
- { nme: Twice wrong, active: maybe, scraping_config: { scraper_type: lever, regoin: eu } }
`);
  expect(rows.map((row) => row.company !== null)).toEqual([true, ...Array(7).fill(false)]);
  expect(rows[2]?.problems).toEqual(['scraping_config.regoin: is not a setting of lever']);
  expect(rows[3]?.problems[0]).toMatch(/^scraping_config\.host: /);
  expect(rows[4]?.problems[0]).toMatch(/^scraping_config\.scraper_type: has to be one of greenhouse, .* not "fax"$/);
  expect(rows[5]?.problems).toEqual(['name: is the same as in row 1']);
  expect(rows[6]?.problems).toEqual(['has to be a JSON object']);
  expect(rows[7]?.problems).toEqual([
    'name: is required',
    'active: has to be true or false',
    'nme: is not a known field',
    'scraping_config.regoin: is not a setting of lever',
    'scraping_config.site: is required',
  ]);
});

test('a file that is no list of companies is refused as a whole', () => {
  expect(() => readCompanies('companies: 3')).toThrow(/no list of companies/);
  expect(() => readCompanies('a: [')).toThrow(/^The file is neither YAML nor JSON: .* at line 1, column \d+\.$/);
  expect(() => readCompanies('')).toThrow(/no list of companies/);
});

test('either of two names of a board is needed, not both', () => {
  expect(settingsProblems({ scraper_type: 'recruitee', company: 'acme' })).toEqual([]);
  expect(settingsProblems({ scraper_type: 'recruitee', host: 'jobs.acme.example' })).toEqual([]);
  expect(settingsProblems({ scraper_type: 'recruitee' })).toHaveLength(1);
  expect(settingsProblems({ scraper_type: 'recruitee', company: 'acme', host: 'jobs.acme.example' })).toHaveLength(1);
});
