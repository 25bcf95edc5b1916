import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startLoop } from './loop.ts';

test('a step follows at once when the loop is woken, also during a step', async () => {
  let steps = 0;
  const loop = startLoop({
    name: 'test',
    everyMs: 60_000,
    async step() {
      steps++;
      await sleep(1);
      if (steps === 1) loop.wake();
    },
    onError: () => {},
  });
  await expect.poll(() => steps).toBe(2);
  await sleep(20);
  expect(steps).toBe(2);
  loop.wake();
  await expect.poll(() => steps).toBe(3);
  await loop.stop();
});

test('an outage is told once, waited out with growing pauses, and being woken does not make it a hot loop', async () => {
  let steps = 0;
  const errors: string[] = [];
  const loop = startLoop({
    name: 'test',
    everyMs: 0,
    async step() {
      steps++;
      throw new Error('away');
    },
    onError: (name, error) => errors.push(`${name} ${(error as Error).message}`),
  });
  for (let n = 0; n < 10; n++) {
    loop.wake();
    await sleep(5);
  }
  expect(errors).toEqual(['test away']);
  // Pauses of 100, 200, 400 ms and so on: a step for each of the ten wake-ups would take a machine that is slow for ten seconds.
  expect(steps).toBeLessThan(10);
  await loop.stop();
});

test('stopping aborts the step, waits for it, and no other follows', async () => {
  let steps = 0;
  let hasEnded = false;
  const loop = startLoop({
    name: 'test',
    everyMs: 0,
    async step(signal) {
      steps++;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await sleep(5);
      hasEnded = true;
    },
    onError: () => {},
  });
  await sleep(1);
  await loop.stop();
  expect({ steps, hasEnded }).toEqual({ steps: 1, hasEnded: true });
});
