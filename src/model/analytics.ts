// Limits of an analytics query: the number of buckets and groups. The error names the parameter to change and how.
import type { FieldError } from './errors.ts';

export const BUCKETS = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const;
export type Bucket = keyof typeof BUCKETS;

export interface Span {
  from: Date;
  to: Date;
  /** Null: one row for all of the time. */
  bucket: Bucket | null;
  /** Groups that are shown, the largest first. */
  limit: number;
}

const DAYS_MAX = 1_830;
/** Rows of an answer: buckets times groups. */
const ROWS_MAX = 20_000;

export function spanErrors({ from, to, bucket, limit }: Span): FieldError[] {
  const ms = to.getTime() - from.getTime();
  if (ms <= 0) return [{ pointer: '/from', detail: 'has to be before `to`' }];
  if (ms > DAYS_MAX * BUCKETS.day)
    return [{ pointer: '/from', detail: `may be at most ${DAYS_MAX} days before \`to\`` }];
  const buckets = bucket === null ? 1 : Math.ceil(ms / BUCKETS[bucket]) + 1;
  if (buckets * limit <= ROWS_MAX) return [];
  const wider = bucket === 'hour' ? 'day' : 'week';
  const detail = `would give too many rows: ${buckets} buckets of up to ${limit} groups, the limit is ${ROWS_MAX} rows. `;
  return bucket === 'week' || bucket === null
    ? [{ pointer: '/limit', detail: `${detail}Use at most ${Math.floor(ROWS_MAX / buckets)} groups` }]
    : [{ pointer: '/bucket', detail: `${detail}Use bucket=${wider}, a shorter period, or fewer groups (limit)` }];
}

export interface AmountSpread {
  min: number;
  p10: number;
  p25: number;
  p50: number;
  p75: number;
  p90: number;
  max: number;
  mean: number;
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9];

/** min, p10, p25, p50, p75, p90, max and mean of amounts that were seen so many times each, as percentile_cont has them. */
export function spreadOfCounts(amounts: readonly number[], counts: readonly number[]): number[] {
  const order = Array.from(amounts.keys()).sort((a, b) => amounts[a]! - amounts[b]!);
  let seen = 0;
  let sum = 0;
  /** How many there are up to and with each. */
  const upTo = order.map((index) => {
    sum += amounts[index]! * counts[index]!;
    seen += counts[index]!;
    return seen;
  });
  let at = 0;
  const nth = (place: number): number => {
    while (upTo[at]! <= place) at++;
    return amounts[order[at]!]!;
  };
  const shares = SHARES.map((share) => {
    const place = share * (seen - 1);
    const low = nth(Math.floor(place));
    const between = place - Math.floor(place);
    // Looked at only where it counts, so that places only grow.
    return between === 0 ? low : low + (nthAfter(Math.ceil(place)) - low) * between;
  });
  function nthAfter(place: number): number {
    const from = at;
    const amount = nth(place);
    at = from;
    return amount;
  }
  return [amounts[order[0]!]!, ...shares, amounts[order.at(-1)!]!, sum / seen];
}
