// `npm run bench -- shopping`: reads every saved shopping capture, compares the table with the one a person has checked (expected.json), and scores
// prices, ratings and UULE values; where the shared fixtures are at hand (WINDROW_FIXTURES, else ../shared/fixtures beside this project).
// `--write` writes the table as it is now, to be looked at before it is committed. The official price score is shared/eval/prices.mjs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Row, readCaptures } from './captures.ts';
import { scorePrices } from './prices.ts';
import { scoreRatings, scoreUule } from './vectors.ts';

const MIN_BOTH = 0.95;
const MIN_RATINGS = 0.95;
const folder = resolve(process.env.WINDROW_FIXTURES ?? resolve(import.meta.dirname, '../../../shared/fixtures'));
const expectedFile = resolve(import.meta.dirname, 'expected.json');

if (!existsSync(`${folder}/shopping`)) {
  console.log(`no fixtures at ${folder}: nothing to measure (set WINDROW_FIXTURES)`);
  process.exit(0);
}
const rows = readCaptures(`${folder}/shopping`);
if (process.argv.includes('--write')) writeFileSync(expectedFile, `${JSON.stringify(rows, null, 2)}\n`);
const expected = new Map((JSON.parse(readFileSync(expectedFile, 'utf8')) as Row[]).map((row) => [row.file, row]));
const isRight = (row: Row) => JSON.stringify(expected.get(row.file)) === JSON.stringify(row);
const width = (pick: (row: Row) => string) => Math.max(...rows.map((row) => pick(row).length));
const [fileWidth, pageWidth] = [width(({ file }) => file), width(({ page }) => page)];
for (const row of rows)
  console.log(
    isRight(row) ? ' ' : '!',
    row.file.padEnd(fileWidth),
    row.page.padEnd(pageWidth),
    String(row.products).padStart(5),
    row.first,
  );
const wrong = rows.filter((row) => !isRight(row)).length;

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const prices = scorePrices(`${folder}/prices/dev.json`);
const uule = scoreUule(`${folder}/shopping/google/uule_vectors.json`);
const ratings = scoreRatings(`${folder}/shopping/structured-data/rating_snippets.json`);
console.log(`\ncaptures: ${rows.length - wrong} of ${rows.length} as expected`);
console.log(
  `prices: ${prices.cases} strings, amount ${percent(prices.amount)}, both ${percent(prices.both)} (promised ${percent(MIN_BOTH)}), ${prices.perSecond} a second`,
);
console.log(`ratings: ${ratings.right} of ${ratings.of}; UULE: ${uule.right} of ${uule.of}`);
process.exit(
  wrong === 0 && prices.both >= MIN_BOTH && ratings.right / ratings.of >= MIN_RATINGS && uule.right === uule.of ? 0 : 1,
);
