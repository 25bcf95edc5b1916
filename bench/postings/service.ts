// What the whole service does with one worker process, from `POST /jobs/scrape` to rows in PostgreSQL (fleet.ts):
// - overload: 400 searches submitted at once to a worker with 100 slots, every page taking 250 ms at the board. How many requests are in flight at the
//   board, how long a page takes (the attempt's time by its pages, and the same with the wait for a slot), how long it takes from a page's last byte to
//   its rows being readable, and how many postings a minute come of it.
// - faults: the same searches, two pages each, and a tenth of all addresses fail once or twice: reset, 500, 503, 429 with Retry-After, three seconds
//   late. A task has failed when its retries (MAX_RETRY_ATTEMPTS, 3) are used up. 429 and 503 hold the whole host back, as they should, so it takes longer.
import { found } from '../found.ts';
import { type Outcome, runFleet, SLOTS } from './fleet.ts';
import { manySearches } from './searches.ts';

const OVERLOAD = 4;
const LATENCY_MS = 250;
const FAULTS = ['reset', '500', '503', '429:1', 'slow:3000'];

export async function measureService(): Promise<void> {
  const searches = manySearches().slice(0, OVERLOAD * SLOTS);
  tellOverload(await runFleet(searches, 5, { rate: 1, kinds: [`slow:${LATENCY_MS}`], maxStrikes: 1 }));
  tellFaults(await runFleet(searches, 2, { rate: 0.1, kinds: FAULTS }));
}

function tellOverload({ peakInFlight, pageMs, pageWithWaitMs, toDatabaseMs, ...rest }: Outcome): void {
  const sorted = toDatabaseMs.toSorted((a, b) => a - b);
  const at = (share: number) => seconds(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  console.log(
    `${count(rest.brought)} postings on ${count(rest.pages)} pages; with the wait for a slot a page takes ${seconds(pageWithWaitMs)}; from page to database p50 ${at(0.5)}, p99 ${at(0.99)}`,
  );
  found('requests at once, one worker', peakInFlight, 'requests', { atLeast: 100 });
  found(`a page at ${OVERLOAD} times the load, mean`, pageMs, 'ms', { atMost: 2_000 });
  found('postings a minute, one worker', (rest.brought / rest.seconds) * 60, 'postings', { atLeast: 1_000 });
  found('from page to database, the slowest', sorted.at(-1)! / 1_000, 's', { atMost: 300 });
  found('postings not in the database', rest.stored - sorted.length, 'postings', { atLeast: 0, atMost: 0 });
}

function tellFaults({ tasks, failed, retried, reasons, pages }: Outcome): void {
  const why = Object.entries(reasons).map(([reason, times]) => `${times} ${reason}`);
  console.log(
    `${failed} of ${tasks} tasks failed; ${count(pages)} requests; ${retried} attempts repeated: ${why.join(', ')}`,
  );
  found('failed tasks, 10 % transient faults', (failed * 100) / tasks, '%', { atMost: 0.99 });
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
const count = (n: number): string => Math.round(n).toLocaleString('en');
