// What a bench found: a line for people, and where BENCH_RESULTS names a file a line of JSON for `npm run bench -- --json`. A promise that is not kept ends the bench
// with 1 (`process.exitCode`): a bench that ends itself says `process.exit()`.
import { appendFileSync } from 'node:fs';

export interface Found {
  /** What was measured, and against what: the name under which two runs are compared. */
  what: string;
  value: number;
  /** `times`, `ms`, `MB`, `%`, … */
  unit: string;
  atLeast?: number;
  atMost?: number;
}

export const isKept = ({ value, atLeast = -Infinity, atMost = Infinity }: Found): boolean =>
  value >= atLeast && value <= atMost;

/** Three digits that mean something, without an exponent. */
export const shown = (value: number): string =>
  value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });

export function promiseOf({ atLeast, atMost }: Found): string {
  const bounds = [
    atLeast === undefined ? [] : [`at least ${shown(atLeast)}`],
    atMost === undefined ? [] : [`at most ${shown(atMost)}`],
  ];
  return bounds.flat().join(', ');
}

export function found(what: string, value: number, unit: string, bounds: Pick<Found, 'atLeast' | 'atMost'> = {}): void {
  const one: Found = { what, value, unit, ...bounds };
  const promise = promiseOf(one);
  const verdict = promise === '' ? '' : ` (promised ${promise}: ${isKept(one) ? 'kept' : 'NOT KEPT'})`;
  console.log(`- ${what}: ${shown(value)} ${unit}${verdict}`);
  if (process.env.BENCH_RESULTS) appendFileSync(process.env.BENCH_RESULTS, `${JSON.stringify(one)}\n`);
  if (!isKept(one)) process.exitCode = 1;
}
