// What the whole service does with one worker process, from `POST /jobs/scrape` to rows in PostgreSQL (fleet.ts):
// - overload: 400 searches submitted at once to a worker with 100 slots, every page taking 250 ms at the board. How many requests are in flight at the
//   board, how long a page takes (the attempt's time by its pages, and the same with the wait for a slot), how long it takes from a page's last byte to
//   its rows being readable, and how many postings a minute come of it.
// - faults: the same searches, two pages each, and a tenth of all addresses fail once or twice: reset, 500, 503, 429 with Retry-After, three seconds
//   late. A task has failed when its retries (MAX_RETRY_ATTEMPTS, 3) are used up. 429 and 503 hold the whole host back, as they should, so it takes longer.
import { type Outcome, runFleet, SLOTS } from './fleet.ts';
import { manySearches } from './searches.ts';

const OVERLOAD = 4;
const LATENCY_MS = 250;
const FAULTS = ['reset', '500', '503', '429:1', 'slow:3000'];

export interface Figure {
  name: string;
  shown: string;
  promised: string;
  isKept: boolean;
}

export async function serviceFigures(): Promise<Figure[]> {
  const searches = manySearches().slice(0, OVERLOAD * SLOTS);
  const overload = await runFleet(searches, 5, { rate: 1, kinds: [`slow:${LATENCY_MS}`], maxStrikes: 1 });
  const faulty = await runFleet(searches, 2, { rate: 0.1, kinds: FAULTS });
  return [...overloadFigures(overload), faultFigure(faulty)];
}

function overloadFigures({ peakInFlight, pageMs, pageWithWaitMs, toDatabaseMs, ...rest }: Outcome): Figure[] {
  const perMinute = (rest.brought / rest.seconds) * 60;
  const sorted = toDatabaseMs.toSorted((a, b) => a - b);
  const at = (share: number) => seconds(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  return [
    {
      name: 'requests at once, one worker',
      shown: `${peakInFlight}`,
      promised: '100',
      isKept: peakInFlight >= 100,
    },
    {
      name: `a page at ${OVERLOAD}× overload, mean`,
      shown: `${seconds(pageMs)}; with the wait for a slot ${seconds(pageWithWaitMs)}`,
      promised: '< 2 s',
      isKept: pageMs < 2_000,
    },
    {
      name: 'postings a minute, one worker',
      shown: `${count(perMinute)} (${count(rest.brought)} on ${count(rest.pages)} pages)`,
      promised: '1,000',
      isKept: perMinute >= 1_000,
    },
    {
      name: 'from page to database',
      shown: `p50 ${at(0.5)}, p99 ${at(0.99)} (${count(sorted.length)} rows)`,
      promised: '< 5 min',
      isKept: sorted.length === rest.stored && sorted.at(-1)! < 300_000,
    },
  ];
}

function faultFigure({ tasks, failed, retried, reasons, pages }: Outcome): Figure {
  const why = Object.entries(reasons).map(([reason, times]) => `${times} ${reason}`);
  return {
    name: 'failed tasks, 10 % transient faults',
    shown: `${((failed * 100) / tasks).toFixed(2)} % (${failed} of ${tasks}; ${count(pages)} requests; ${retried} attempts repeated: ${why.join(', ')})`,
    promised: '< 1 %',
    isKept: failed / tasks < 0.01,
  };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
const count = (n: number): string => Math.round(n).toLocaleString('en');
