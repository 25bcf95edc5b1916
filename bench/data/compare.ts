// Two that do the same, one after the other and again, so that both meet the same machine.
import { found } from '../found.ts';
import { row } from '../peers.ts';

const ROUNDS = 20;

export interface Times {
  ours: number[];
  theirs: number[];
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export async function inTurns(
  ours: (n: number) => Promise<unknown>,
  theirs: (n: number) => Promise<unknown>,
  rounds = ROUNDS,
): Promise<Times> {
  const times: Times = { ours: [], theirs: [] };
  // Whoever comes first would read from the disk for both.
  for (let n = 0; n < Math.min(rounds, 5); n++) {
    await ours(n);
    await theirs(n);
  }
  for (let n = 0; n < rounds; n++) {
    times.ours.push(await timed(() => ours(n)));
    times.theirs.push(await timed(() => theirs(n)));
  }
  return times;
}

export const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1]!;

export function heading(rows: number): void {
  row(`${rows.toLocaleString('en')} postings, in ms`, 'Windrow p50', 'p95', 'plain SQL p50', 'p95');
  row('---', '---', '---', '---', '---');
}

/** How our 95th percentile is to theirs. */
export function show(what: string, { ours, theirs }: Times): number {
  const cells = [ours, theirs].flatMap((times) => [0.5, 0.95].map((share) => quantile(times, share).toFixed(1)));
  row(what, ...cells);
  return quantile(ours, 0.95) / quantile(theirs, 0.95);
}

export interface Promised {
  what: string;
  value: number;
  unit: string;
  bounds?: Parameters<typeof found>[3];
}

/** Below the table. */
export function tell(promises: readonly Promised[]): void {
  console.log('');
  for (const { what, value, unit, bounds } of promises) found(what, value, unit, bounds);
}
