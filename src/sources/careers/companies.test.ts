import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { companyRows, readCompanies, settingsProblems } from './companies.ts';

const example = readFileSync(new URL('../../../examples/companies.yaml', import.meta.url), 'utf8');

test('every company of the example file can be scraped as it says', async () => {
  const rows = await readCompanies(example);
  expect(rows.flatMap((row) => row.problems.map((problem) => `${row.name}: ${problem}`))).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => row.company?.active).length).toBeGreaterThan(100);
});

test('YAML and JSON, with or without the name of the list', async () => {
  const row = { name: 'Acme', scraping_config: { scraper_type: 'lever', site: 'acme' } };
  for (const text of [
    JSON.stringify([row]),
    JSON.stringify({ companies: [row] }),
    'companies:\n  - name: Acme\n    scraping_config: {scraper_type: lever, site: acme}',
  ]) {
    expect(await readCompanies(text)).toEqual([
      { row: 1, name: 'Acme', company: { ...row, website: null, active: true }, problems: [] },
    ]);
  }
});

test('each wrong row says what is wrong with it, and the others are read', async () => {
  const rows = await readCompanies(`
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

test('a file that is no list of companies is refused as a whole', async () => {
  await expect(readCompanies('companies: 3')).rejects.toThrow(/no list of companies/);
  await expect(readCompanies('a: [')).rejects.toThrow(
    /^The file is neither YAML nor JSON: .* at line 1, column \d+\.$/,
  );
  await expect(readCompanies('')).rejects.toThrow(/the input is empty/);
});

test.each([
  [
    'aliases of aliases',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefghi'[i]}`)}]`).join('\n')}`,
    /^The file repeats too much by aliases/,
  ],
  ['a list that holds itself', 'companies: &a [*a]', /^The file repeats too much by aliases/],
  ['more aliases than are read', `- &a x\n${'- *a\n'.repeat(2_000)}`, /aliases/],
  ['lists in lists', '['.repeat(100_000), /neither YAML nor JSON: nesting exceeded .* at line 1, column \d+\.$/],
  ['keys of keys', '? '.repeat(100_000), /neither YAML nor JSON: nesting exceeded/],
  [
    'more characters than are read',
    `a: ${'x'.repeat(600_000)}`,
    /at most 524,288 characters\. Split it, or send it as JSON/,
  ],
])('A1: a file of %s is refused with a reason', async (_, text, reason) => {
  await expect(readCompanies(text)).rejects.toThrow(reason);
});

test('A1: names of the language in a file are fields like others', async () => {
  const text =
    '- {name: A, __proto__: {active: false}, constructor: 1, scraping_config: {scraper_type: lever, site: a}}';
  const [row] = await readCompanies(text);
  expect(row?.problems).toEqual([
    expect.stringMatching(/__proto__|constructor/),
    expect.stringMatching(/constructor|__proto__/),
  ]);
  expect(({} as { active?: boolean }).active).toBeUndefined();
});

test('rows are checked in slices: the event loop turns meanwhile', async () => {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  count();
  const rows = Array.from({ length: 3_000 }, (_, n) => ({
    name: `c${n}`,
    scraping_config: { scraper_type: 'lever', site: 'x' },
  }));
  expect(await companyRows(rows)).toHaveLength(3_000);
  clearImmediate(next!);
  expect(turns).toBeGreaterThan(10);
});

test('either of two names of a board is needed, not both', () => {
  expect(settingsProblems({ scraper_type: 'recruitee', company: 'acme' })).toEqual([]);
  expect(settingsProblems({ scraper_type: 'recruitee', host: 'jobs.acme.example' })).toEqual([]);
  expect(settingsProblems({ scraper_type: 'recruitee' })).toHaveLength(1);
  expect(settingsProblems({ scraper_type: 'recruitee', company: 'acme', host: 'jobs.acme.example' })).toHaveLength(1);
});
