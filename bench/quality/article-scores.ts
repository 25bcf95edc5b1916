// Scores of the engines on labelled pages: text by the two metrics of the public benchmarks, fields, kind of page, and speed.
import { aggregate, type LabelledPage, scorePage, wordF1, wordsOf } from '../../tools/article-model/pages.ts';
import { ENGINES, type Engine, type Extractor, type Measure, type Reading } from './quality.ts';

// By its address, so that types are checked also where the packages of the peers are not installed.
const PEERS = new URL('./peer-extractors.ts', import.meta.url).href;

interface Run {
  readings: Map<LabelledPage, Reading>;
  pagesPerCpuSecond: number;
}

/** Every engine reads every page once, after a few that only warm it up. */
export async function readAll(pages: LabelledPage[]): Promise<Map<Engine, Run>> {
  const { EXTRACTORS } = (await import(PEERS)) as { EXTRACTORS: Record<Engine, () => Promise<Extractor>> };
  const runs = new Map<Engine, Run>();
  for (const engine of ENGINES) {
    const extract = await EXTRACTORS[engine]();
    for (const page of pages.slice(0, WARM_UP_PAGES)) await extract(page.html, page.url || null);
    const readings = new Map<LabelledPage, Reading>();
    const before = process.cpuUsage();
    for (const page of pages) {
      try {
        readings.set(page, await extract(page.html, page.url || null));
      } catch (error) {
        console.error(`quality: ${engine} failed on ${page.set} ${page.id}: ${(error as Error).message}`);
        readings.set(page, { content: '' });
      }
    }
    const { user, system } = process.cpuUsage(before);
    runs.set(engine, { readings, pagesPerCpuSecond: (pages.length * 1e6) / (user + system) });
  }
  return runs;
}

const WARM_UP_PAGES = 30;

const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
const fold = (text: string | null | undefined): string =>
  wordsOf((text ?? '').toLowerCase().normalize('NFKC')).join(' ');

/** The day of a date however it is written; an engine that gives none of the known ways is taken at its word. */
function day(text: string | null | undefined): string {
  const iso = /\d{4}-\d{2}-\d{2}/.exec(text ?? '');
  if (iso) return iso[0];
  const date = new Date(text ?? '');
  if (Number.isNaN(date.getTime())) return text ?? '';
  const two = (n: number) => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const FIELDS = { title: fold, author: fold, date: day };

export function scoresOf(set: string, split: string, pages: LabelledPage[], runs: Map<Engine, Run>): Measure[] {
  const each = (score: (readings: (page: LabelledPage) => Reading) => number) =>
    Object.fromEntries(
      [...runs].map(([engine, { readings }]) => [engine, score((page) => readings.get(page)!)]),
    ) as Measure['values'];
  const text: Measure[] = [
    {
      set,
      split,
      items: pages.length,
      what: 'F1 of 4-word runs',
      values: each((of) => aggregate(pages.map((page) => scorePage(page.truth, of(page).content))).f1),
    },
    {
      set,
      split,
      items: pages.length,
      what: 'word F1',
      values: each((of) => mean(pages.map((page) => wordF1(page.truth, of(page).content)))),
    },
  ];
  const fields = (['title', 'author', 'date'] as const).flatMap((field): Measure[] => {
    const labelled = pages.filter((page) => page[field]);
    if (labelled.length < LEAST_FIELDS) return [];
    const same = FIELDS[field];
    return [
      {
        set,
        split,
        items: labelled.length,
        what: field,
        values: each((of) => mean(labelled.map((page) => (same(page[field]) === same(of(page)[field]) ? 1 : 0)))),
      },
    ];
  });
  return [...text, ...fields];
}

/** Fewer say nothing. */
const LEAST_FIELDS = 10;

export const speedOf = (set: string, split: string, items: number, runs: Map<Engine, Run>): Measure => ({
  set,
  split,
  items,
  what: 'pages per CPU-second',
  digits: 0,
  values: Object.fromEntries([...runs].map(([engine, run]) => [engine, run.pagesPerCpuSecond])) as Measure['values'],
});
