// The property test at full size: mutated real pages, none of which may throw, take longer than the limit or leave markup in text.
//
//   node bench/articles/mutants.ts [--count 10000] [--limit-ms 3000]
import { parseArgs } from 'node:util';
import { extractArticle } from '../../src/extract/article/index.ts';
import { MARKUP, mutate } from '../../tests/support/mutate-html.ts';
import { loadPages } from '../../tools/article-model/pages.ts';

const { values: option } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, 'limit-ms': { type: 'string', default: '3000' } },
});
// Pages that print markup as text on purpose would hide real leaks.
const pages = loadPages().filter(
  (page) => !/&lt;|&#60;|&#x3c;|\\u003c/i.test(page.html.replace(/<script[\s\S]*?<\/script>/gi, '')),
);
const limitMs = Number(option['limit-ms']);
let threw = 0;
let slow = 0;
let marked = 0;
let slowestMs = 0;
for (let seed = 1; seed <= Number(option.count); seed++) {
  const page = pages[seed % pages.length]!;
  const html = mutate(page.html, seed);
  const started = performance.now();
  try {
    const { content } = extractArticle(html, page.url);
    if (MARKUP.test(content)) {
      marked++;
      console.log(`markup: seed ${seed} of ${page.id}: ${MARKUP.exec(content)?.[0].slice(0, 80)}`);
    }
  } catch (error) {
    threw++;
    console.log(`threw: seed ${seed} of ${page.id}: ${error}`);
  }
  const took = performance.now() - started;
  slowestMs = Math.max(slowestMs, took);
  if (took > limitMs) {
    slow++;
    console.log(`slow: seed ${seed} of ${page.id}: ${took.toFixed(0)} ms`);
  }
}
console.log(
  `${option.count} mutated pages from ${pages.length}: ${threw} threw, ${slow} over ${limitMs} ms (slowest ${slowestMs.toFixed(0)} ms), ${marked} with markup in the text`,
);
if (threw + slow + marked > 0) process.exitCode = 1;
