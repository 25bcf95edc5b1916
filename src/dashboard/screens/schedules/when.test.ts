import { expect, test } from 'vitest';
import { cronWords, firesWithin, nextTimes, timingWords } from './when.ts';

test.each([
  ['*/15 * * * *', 'every 15 minutes'],
  ['5 * * * *', 'every hour, at 05 past'],
  ['0 */6 * * *', 'every 6 hours, at 00 past'],
  ['30 7 * * *', 'every day at 07:30'],
  ['0 9 * * 1-5', 'Monday to Friday at 09:00'],
  ['0 3 * * 0', 'every Sunday at 03:00'],
  ['0 0 1 * *', 'on day 1 of every month at 00:00'],
  ['1,2 3-5 * 2 *', '1,2 3-5 * 2 *'],
  ['nonsense', 'nonsense'],
])('%s is said as: %s', (cron, words) => expect(cronWords(cron)).toBe(words));

test('an interval is said in its largest unit', () => {
  const every = (interval_minutes: number) => timingWords({ interval_minutes, cron: null, timezone: 'UTC' });
  expect([every(1), every(90), every(120), every(1_440)]).toEqual([
    'every 1 minute',
    'every 90 minutes',
    'every 2 hours',
    'every day',
  ]);
});

test('the next times go by the zone of the schedule, and a bad expression says what is wrong', () => {
  const from = new Date('2026-01-01T00:00:00Z');
  expect(nextTimes('0 7 * * *', 'Europe/Berlin', 2, from).times.map((time) => time.toISOString())).toEqual([
    '2026-01-01T06:00:00.000Z',
    '2026-01-02T06:00:00.000Z',
  ]);
  expect(nextTimes('61 * * * *', 'UTC', 1, from)).toMatchObject({ times: [], problem: expect.any(String) });
});

test('a day has every fire of an interval, beginning with the next one', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const timing = { interval_minutes: 360, cron: null, timezone: 'UTC', next_run_at: '2026-01-01T01:00:00Z' };
  expect(firesWithin(timing, 24, now).map((time) => time.getUTCHours())).toEqual([1, 7, 13, 19]);
  expect(firesWithin({ ...timing, next_run_at: null }, 24, now)).toEqual([]);
});
