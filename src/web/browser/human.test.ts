import { expect, test } from 'vitest';
import { gapMs } from '../pace/pace.ts';
import { pauseMs, planScroll, READER } from './human.ts';

test('pauses stay in their range and are mostly short', () => {
  const pauses = Array.from({ length: 2_000 }, () => pauseMs([100, 1_100], Math.random));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(1_100);
  expect(pauses.filter((ms) => ms < 600).length).toBeGreaterThan(1_300);
});

test('scrolling reaches the end in uneven steps, and ends on a page without end', () => {
  const steps = planScroll(5_000, 800, READER, Math.random);
  expect(steps.reduce((sum, { byPx }) => sum + byPx, 0)).toBeGreaterThanOrEqual(4_200);
  expect(new Set(steps.map(({ byPx }) => byPx)).size).toBeGreaterThan(1);
  expect(planScroll(10 ** 9, 800, READER, Math.random)).toHaveLength(40);
  expect(planScroll(500, 800, READER, Math.random)).toEqual([]);
});

test('the gap between two requests is never shorter than asked for', () => {
  for (let i = 0; i < 500; i += 1) {
    expect(gapMs({ concurrency: 1, delayMs: 1_000 }, Math.random)).toBeGreaterThanOrEqual(1_000);
    const varied = gapMs({ concurrency: 1, delayMs: 1_000, maxDelayMs: 3_000 }, Math.random);
    expect(varied).toBeGreaterThanOrEqual(1_000);
    expect(varied).toBeLessThanOrEqual(3_000);
  }
  expect(gapMs({ concurrency: 1, delayMs: 0 }, () => 1)).toBe(0);
});
