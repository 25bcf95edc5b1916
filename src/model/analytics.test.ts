import { expect, test } from 'vitest';
import { spanErrors, spreadOfCounts } from './analytics.ts';

const day = (text: string) => new Date(`${text}T00:00:00Z`);
const span = { from: day('2026-01-01'), to: day('2026-01-31'), bucket: 'day', limit: 20 } as const;

test('a month of days is answered, a year of hours is refused with what to do instead', () => {
  expect(spanErrors(span)).toEqual([]);
  expect(spanErrors({ ...span, to: day('2026-12-31'), bucket: 'hour' })).toEqual([
    { pointer: '/bucket', detail: expect.stringContaining('Use bucket=day') },
  ]);
  expect(spanErrors({ ...span, from: day('2022-01-31'), bucket: 'week', limit: 200 })).toEqual([
    { pointer: '/limit', detail: expect.stringContaining('Use at most 95 groups') },
  ]);
});

test('time does not run backwards, and ten years are too many', () => {
  expect(spanErrors({ ...span, to: span.from })[0]?.pointer).toBe('/from');
  expect(spanErrors({ ...span, from: day('2016-01-01'), bucket: null })[0]?.detail).toContain('at most 1830 days');
});

test('percentiles of counted amounts are those of the amounts one by one, in any order', () => {
  expect(spreadOfCounts([5], [1])).toEqual([5, 5, 5, 5, 5, 5, 5, 5]);
  // 10 10 20 30 30 30: the median is between the 20 and the first 30.
  expect(spreadOfCounts([30, 10, 20, 30], [1, 2, 1, 2])).toEqual([10, 10, 12.5, 25, 30, 30, 30, 130 / 6]);
});
