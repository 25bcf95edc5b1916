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
