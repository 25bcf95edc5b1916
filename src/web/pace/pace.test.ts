import { expect, test } from 'vitest';
import { gapMs, type Pace, perSecond } from './pace.ts';

test.each<Pace>([
  { concurrency: 2, delayMs: 1_000 },
  { concurrency: 1, delayMs: 500, maxDelayMs: 4_500 },
])('%j lets as many begin as its pauses allow, on the whole', (pace) => {
  const steps = Array.from({ length: 100 }, (_, n) => (n + 0.5) / 100);
  let sum = 0;
  for (const first of steps) {
    for (const second of steps) {
      const chances = [first, second];
      sum += gapMs(pace, () => chances.shift()!);
    }
  }
  expect(perSecond(pace)).toBeCloseTo(1_000 / (sum / steps.length ** 2), 3);
});

test('without pauses there is no such number', () => {
  expect(perSecond({ concurrency: 4, delayMs: 0 })).toBeNull();
});
