// Pages per CPU-second, ours beside Readability on linkedom and on jsdom: the same pages in the same run, taking turns, each in a
// process of its own so that none pays for the garbage of another. `npm --prefix bench ci` first.
//
//   node bench/articles/speed.ts [--pages 45] [--rounds 3] [--set articles]
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type LabelledPage, loadPages } from '../../tools/article-model/pages.ts';

const { values: option } = parseArgs({
  options: {
    pages: { type: 'string', default: '45' },
    rounds: { type: 'string', default: '3' },
    set: { type: 'string', default: 'articles' },
    peer: { type: 'string' },
  },
});
const WARM_UP_CPU_SECONDS = 1.5;
const MEASURED_CPU_SECONDS = 3;

type Extract = (html: string, url: string) => unknown;

// Each peer loads only its own libraries.
const PEERS: Record<string, () => Promise<Extract>> = {
  windrow: async () => (await import('../../src/extract/article/index.ts')).extractArticle,
  'readability + linkedom': async () => {
    const { Readability } = await import('@mozilla/readability');
    const { parseHTML } = await import('linkedom');
    return (html) => new Readability(parseHTML(html).document as unknown as Document).parse();
  },
  'readability + jsdom': async () => {
    const { Readability } = await import('@mozilla/readability');
    const { JSDOM, VirtualConsole } = await import('jsdom');
    return (html, url) =>
      new Readability(new JSDOM(html, { url, virtualConsole: new VirtualConsole() }).window.document).parse();
  },
};

function chosenPages(): LabelledPage[] {
  const every = loadPages([option.set]);
  const wanted = Math.min(every.length, Number(option.pages));
  return every.filter(
    (_, i) => Math.floor((i * wanted) / every.length) !== Math.floor(((i - 1) * wanted) / every.length),
  );
}

/** Whole passes over the pages until the time is used up. */
function rate(
  extract: Extract,
  pages: LabelledPage[],
  leastCpuSeconds: number,
): { pagesPerCpuSecond: number; failed: number } {
  let done = 0;
  let failed = 0;
  let seconds = 0;
  const before = process.cpuUsage();
  while (seconds < leastCpuSeconds) {
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
  return { pagesPerCpuSecond: done / seconds, failed };
}

if (option.peer) {
  const extract = await PEERS[option.peer]!();
  const pages = chosenPages();
  rate(extract, pages, WARM_UP_CPU_SECONDS);
  console.log(JSON.stringify(rate(extract, pages, MEASURED_CPU_SECONDS)));
} else {
  const rates = new Map<string, number[]>(Object.keys(PEERS).map((name) => [name, []]));
  for (let round = 0; round < Number(option.rounds); round++) {
    for (const [name, list] of rates) {
      const args = [import.meta.filename, '--peer', name, '--pages', option.pages, '--set', option.set];
      const { pagesPerCpuSecond, failed } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
      if (failed > 0) console.log(`${name}: ${failed} failures`);
      list.push(pagesPerCpuSecond);
    }
  }
  const median = (list: number[]) => [...list].sort((a, b) => a - b)[list.length >> 1]!;
  const ours = median(rates.get('windrow')!);
  console.log(
    `${chosenPages().length} pages of ${option.set}, ${option.rounds} rounds, median of pages per CPU-second`,
  );
  for (const [name, list] of rates) {
    console.log(
      `${name.padEnd(24)} ${median(list).toFixed(1).padStart(7)}   windrow is ${(ours / median(list)).toFixed(1)} times it`,
    );
  }
}
