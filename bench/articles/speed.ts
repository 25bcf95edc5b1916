// Pages per CPU-second, ours beside Readability on jsdom and on linkedom, interleaved in one process so that all of them see the
// same machine; every turn lasts at least a CPU-second, so that the fast ones are not judged by their warm-up. `npm --prefix bench ci` first.
//
//   node bench/articles/speed.ts [--pages 60] [--rounds 3]
import { parseArgs } from 'node:util';
import { Readability } from '@mozilla/readability';
import { JSDOM, VirtualConsole } from 'jsdom';
import { parseHTML } from 'linkedom';
import { extractArticle } from '../../src/extract/article/index.ts';
import { loadPages } from './pages.ts';

const { values: option } = parseArgs({
  options: {
    pages: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
    set: { type: 'string', multiple: true, default: ['articles'] },
  },
});

const every = loadPages(option.set);
const wanted = Math.min(every.length, Number(option.pages));
const pages = every.filter(
  (_, i) => Math.floor((i * wanted) / every.length) !== Math.floor(((i - 1) * wanted) / every.length),
);

const peers: Record<string, (html: string, url: string) => unknown> = {
  windrow: (html, url) => extractArticle(html, url),
  'readability + linkedom': (html) => new Readability(parseHTML(html).document as unknown as Document).parse(),
  'readability + jsdom': (html, url) =>
    new Readability(new JSDOM(html, { url, virtualConsole: new VirtualConsole() }).window.document).parse(),
};

const LEAST_CPU_SECONDS = 1;

const rates: Record<string, number[]> = {};
for (let round = 0; round <= Number(option.rounds); round++) {
  for (const [name, extract] of Object.entries(peers)) {
    let failed = 0;
    let done = 0;
    let seconds = 0;
    const before = process.cpuUsage();
    while (seconds < LEAST_CPU_SECONDS) {
      for (const page of pages) {
        try {
          extract(page.html, page.url);
        } catch {
          failed++;
        }
      }
      done += pages.length;
      const used = process.cpuUsage(before);
      seconds = (used.user + used.system) / 1e6;
    }
    if (failed > 0) console.log(`${name}: ${failed} pages failed`);
    // The first round warms the machine code up and is not counted.
    if (round === 0) continue;
    const list = rates[name] ?? [];
    list.push(done / seconds);
    rates[name] = list;
  }
}
const median = (list: number[]) => [...list].sort((a, b) => a - b)[list.length >> 1]!;
const ours = median(rates.windrow!);
console.log(`${pages.length} pages, ${option.rounds} rounds after a warm-up, median of pages per CPU-second`);
for (const [name, list] of Object.entries(rates))
  console.log(
    `${name.padEnd(24)} ${median(list).toFixed(1).padStart(7)}   windrow is ${(ours / median(list)).toFixed(1)} times it`,
  );
