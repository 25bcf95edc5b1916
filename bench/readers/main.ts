// Every reader on hostile texts: runs of characters, words, tags and entities at the beginning of every text of a page, deep and wide structures. Prints
// the CPU per byte of each reader with its worst text, and fails where time grows faster than the text, or is above the limit per byte. Then real pages that were
// broken at random, where they lie beside the repository.
//
//   node bench/readers/main.ts [--only article,rss] [--chars 40000] [--mutations 200] [--seed 1] [--broken 10000]
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { extractArticle } from '../../src/extract/article/index.ts';
import { randomOf } from '../../tests/support/mutate-html.ts';
import { growthOf, isTooSteep, type Mutation, positionsIn, UNITS } from '../../tests/support/readers/mutations.ts';
import { allReaders, type Reader } from '../../tests/support/readers/readers.ts';
import { FIXTURES, loadPages } from '../../tools/article-model/pages.ts';
import { found } from '../found.ts';
import { brokenPages } from './broken-pages.ts';

/** Of the largest pages that are read in full: 10 MB would take 50 s of a thread, which its deadline ends. */
const MAX_MICROS_PER_BYTE = 5;

const { values: option } = parseArgs({
  options: {
    only: { type: 'string' },
    chars: { type: 'string', default: '40000' },
    mutations: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    broken: { type: 'string', default: '10000' },
  },
});
const chars = Number(option.chars);
const wanted = option.only?.split(',');
let failed = 0;
console.log('| reader | texts | µs per byte, worst | its text | failures |\n|---|---|---|---|---|');
for (const reader of [...(await allReaders()), ...realPages()]) {
  if (wanted && !wanted.some((name) => reader.name.startsWith(name))) continue;
  const next = randomOf(Number(option.seed));
  const all: Mutation[] = positionsIn(reader.text).flatMap((place) => UNITS.map((unit) => ({ ...place, unit })));
  const chosen =
    all.length <= Number(option.mutations)
      ? all
      : Array.from({ length: Number(option.mutations) }, () => all[Math.floor(next() * all.length)]!);
  const failures: string[] = [];
  let worst = { micros: 0, text: '' };
  for (const mutation of chosen) {
    const about = `${JSON.stringify(mutation.unit)} after ${JSON.stringify(reader.text.slice(Math.max(0, mutation.at - 30), mutation.at))}`;
    try {
      const grown = await growthOf(reader, mutation, chars);
      const { microsPerByte, growth, cpuMs } = grown;
      if (microsPerByte > worst.micros) worst = { micros: microsPerByte, text: about };
      if (await isTooSteep(reader, mutation, chars, grown))
        failures.push(`${about}: ${cpuMs.toFixed(0)} ms, ${growth!.toFixed(1)} times for four times the size`);
      else if (microsPerByte > MAX_MICROS_PER_BYTE) failures.push(`${about}: ${microsPerByte.toFixed(1)} µs per byte`);
    } catch (error) {
      failures.push(`${about}: ${error}`);
    }
  }
  failed += failures.length;
  console.log(
    `| ${reader.name} | ${chosen.length} | ${worst.micros.toFixed(2)} | ${worst.text.replaceAll('|', '\\|')} | ${failures.length} |`,
  );
  for (const failure of failures.slice(0, 10)) console.log(`  ${reader.name}: ${failure}`);
}
if (!wanted && existsSync(FIXTURES)) {
  const wrong = brokenPages(Number(option.broken));
  console.log(`${option.broken} real pages, broken at random: ${wrong.length} threw or left markup in the text`);
  for (const line of wrong.slice(0, 10)) console.log(`  ${line}`);
  found('broken pages that threw or left markup', wrong.length, 'pages', { atMost: 0 });
}
found('texts that take more time than their size explains', failed, 'texts', { atMost: 0 });

/** Some of the labelled pages, where they lie beside the repository. */
function realPages(): Reader[] {
  if (!existsSync(FIXTURES)) return [];
  return loadPages()
    .filter((_, n) => n % 20 === 0)
    .map(({ id, url, html }) => ({
      name: `page ${id.slice(0, 8)}`,
      text: html,
      read: (text) => extractArticle(text, url),
    }));
}
