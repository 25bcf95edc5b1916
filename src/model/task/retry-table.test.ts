import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERRORS } from '../errors.ts';
import {
  isRetryWait,
  kindOf,
  RETRY_KINDS,
  RETRY_ROWS,
  RETRY_WAITS,
  retryWaits,
  rowOf,
  showWait,
  waitMs,
} from './retry-table.ts';

test('every error that is tried again has its row, the others have none', () => {
  for (const [code, { category }] of Object.entries(ERRORS)) {
    const kind = kindOf({ category, code, message: '', retryable: true });
    const isOver = ['not_found', 'invalid_params', 'robots', 'cancelled'].includes(category);
    expect(kind === null, code).toBe(isOver);
  }
  expect(kindOf({ category: 'rate_limited', message: '', retryable: true, retry_after: 0 })).toBe('retry_after');
  expect(kindOf({ category: 'rate_limited', message: '', retryable: true, retry_after: null })).toBe('rate_limited');
  expect(kindOf({ category: 'of a worker of your own', message: '', retryable: true })).toBe('internal');
});

test('rows are changed by their names or all at once, and the last entry wins', () => {
  const waits = retryWaits(['all=1ms', 'timeout=15s/2m/1h']);
  expect(waits.timeout).toEqual([15_000, 120_000, 3_600_000]);
  expect(waits.company).toEqual([1]);
  expect(retryWaits([])).toEqual(RETRY_WAITS);
  expect(['timeout=15s', 'all=1ms/2s', 'login=1h'].every(isRetryWait)).toBe(true);
  expect(['timeout', 'timeout=', 'timeout=15', 'nothing=1s', 'timeout=1s/'].some(isRetryWait)).toBe(false);
});

test('the last wait repeats', () => {
  expect(waitMs(RETRY_WAITS, 'timeout', 9, () => 0)).toBe(240_000);
});

test('S9: a thousand that failed at once come back spread out', () => {
  const waits = Array.from({ length: 1_000 }, (_, n) => waitMs(RETRY_WAITS, 'timeout', 0, () => n / 1_000));
  expect(Math.min(...waits)).toBe(15_000);
  expect(Math.max(...waits)).toBeGreaterThan(22_000);
  const seconds = [...Map.groupBy(waits, (ms) => Math.floor(ms / 1_000)).values()].map((bucket) => bucket.length);
  expect(Math.max(...seconds)).toBeLessThan((3 * waits.length) / seconds.length);
});

test('the documentation shows the table as it is', () => {
  const docs = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  for (const kind of RETRY_KINDS) {
    const { most, about } = rowOf(kind);
    const waits = RETRY_ROWS[kind].waitsMs.map(showWait).join(', ');
    const tries =
      most === undefined
        ? 'MAX_RETRY_ATTEMPTS'
        : Number.isFinite(most)
          ? `${most}, at no cost`
          : 'no limit, at no cost';
    expect(docs).toContain(`| \`${kind}\` | ${about} | ${waits} | ${tries} |`);
  }
});
