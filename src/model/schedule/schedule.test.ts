import { expect, test } from 'vitest';
import { nextInstant, type Timing, timingProblem, whySkip } from './schedule.ts';

const HOUR_MS = 3_600_000;
const ANCHOR_MS = Date.UTC(2026, 0, 1);

function instants(timing: Timing, fromMs: number, count: number, id = 'sch_1'): string[] {
  const found: string[] = [];
  for (let at: number | null = fromMs; found.length < count; ) {
    at = nextInstant({ id, timing, anchorMs: ANCHOR_MS }, at);
    if (at === null) break;
    found.push(new Date(at).toISOString());
  }
  return found;
}

test('an interval fires once a turn, within a tenth of its grid, and never drifts', () => {
  const found = instants({ intervalMinutes: 60 }, ANCHOR_MS, 500).map(Date.parse);
  found.forEach((at, index) => {
    expect(Math.abs(at - (ANCHOR_MS + (index + 1) * HOUR_MS))).toBeLessThanOrEqual(0.1 * HOUR_MS);
  });
});

test('the next instant does not depend on when it is asked for', () => {
  const schedule = { id: 'sch_1', timing: { intervalMinutes: 30 }, anchorMs: ANCHOR_MS };
  const first = nextInstant(schedule, ANCHOR_MS + 100 * HOUR_MS)!;
  for (let askedMs = ANCHOR_MS + 100 * HOUR_MS; askedMs < first; askedMs += 1_000)
    expect(nextInstant(schedule, askedMs)).toBe(first);
  expect(nextInstant(schedule, first)).toBeGreaterThan(first);
});

test('D8: a thousand schedules made in the same second spread over the jitter window', () => {
  const perMinute = new Map<number, number>();
  for (let n = 0; n < 1_000; n++) {
    const at = nextInstant({ id: `sch_${n}`, timing: { intervalMinutes: 60 }, anchorMs: ANCHOR_MS }, ANCHOR_MS)!;
    const minute = Math.floor(at / 60_000);
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1);
  }
  // Twelve minutes of window: about 83 a minute.
  expect(perMinute.size).toBeGreaterThanOrEqual(12);
  expect(Math.max(...perMinute.values())).toBeLessThan(140);
});

const berlin = (cron: string): Timing => ({ cron, timezone: 'Europe/Berlin' });

test('D6: a time in the hour that spring skips fires once, at the end of the gap', () => {
  expect(instants(berlin('30 2 * * *'), Date.parse('2026-03-28T12:00:00Z'), 2)).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
});

test('D6: a time in the hour that autumn repeats fires the first time only, whenever it is asked for', () => {
  expect(instants(berlin('30 2 * * *'), Date.parse('2026-10-24T12:00:00Z'), 2)).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
  for (
    let askedMs = Date.parse('2026-10-25T00:30:00Z');
    askedMs < Date.parse('2026-10-26T01:30:00Z');
    askedMs += 300_000
  )
    expect(instants(berlin('30 2 * * *'), askedMs, 1), new Date(askedMs).toISOString()).toEqual([
      '2026-10-26T01:30:00.000Z',
    ]);
});

test('D6: every hour is every real hour, also when clocks change', () => {
  for (const from of ['2026-03-28T22:30:00Z', '2026-10-24T22:30:00Z']) {
    const found = instants(berlin('0 * * * *'), Date.parse(from), 8).map(Date.parse);
    for (const [index, at] of found.entries()) if (index > 0) expect(at - found[index - 1]!).toBe(HOUR_MS);
  }
});

test('what can never fire or be read is refused with a reason', () => {
  expect(timingProblem(berlin('0 7 * * *'))).toBeNull();
  expect(timingProblem({ intervalMinutes: 5 })).toBeNull();
  expect(timingProblem(berlin('0 0 30 2 *'))).toBe('never matches a time');
  expect(timingProblem(berlin('99 * * * *'))).toMatch(/minute/);
  expect(timingProblem(berlin('* * * * * *'))).toMatch(/five fields/);
  expect(timingProblem({ cron: '0 7 * * *', timezone: 'Mars/North' })).toMatch(/unknown time zone/);
});

test('D7, D9: a fire is skipped while the last one is under way, and by policy when it was missed', () => {
  const due = { dueMs: 0, freeMs: null, nowMs: 1_000, catchUp: 'once', busy: null } as const;
  expect(whySkip(due)).toBeNull();
  expect(whySkip({ ...due, nowMs: 3 * HOUR_MS })).toBeNull();
  expect(whySkip({ ...due, nowMs: 3 * HOUR_MS, catchUp: 'skip' })).toBe('missed by 10800 s');
  expect(whySkip({ ...due, catchUp: 'skip' })).toBeNull();
  expect(whySkip({ ...due, nowMs: 3 * HOUR_MS, freeMs: 3 * HOUR_MS - 1_000, catchUp: 'skip' })).toBeNull();
  expect(whySkip({ ...due, busy: 'run sched_1 is still running' })).toBe('run sched_1 is still running');
});
