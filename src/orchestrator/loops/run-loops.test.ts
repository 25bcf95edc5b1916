import { expect, test } from 'vitest';
import { startLoops } from './run-loops.ts';

const never = 3_600_000;

test('a step wakes the loops that its row names, all of them or one', async () => {
  const steps: string[] = [];
  let round = 0;
  const loops = startLoops(
    [
      {
        name: 'first',
        every: never,
        async step(_signal, wake) {
          steps.push('first');
          if (round === 1) wake('second');
          if (round === 2) wake();
        },
        wakes: ['second', 'third'],
      },
      { name: 'second', every: never, step: async () => void steps.push('second') },
      { name: 'third', every: never, step: async () => void steps.push('third') },
    ],
    () => {},
  );
  const next = async (expected: string[]): Promise<void> => {
    steps.length = 0;
    round++;
    loops.wake('first');
    await expect.poll(() => steps).toEqual(expected);
  };
  expect(steps).toEqual(['first', 'second', 'third']);
  await next(['first', 'second']);
  await next(['first', 'second', 'third']);
  await loops.stop();
});

test('a loop that wakes one its row does not name is an error', async () => {
  const errors: string[] = [];
  const loops = startLoops(
    [
      { name: 'quiet', every: never, step: async (_signal, wake) => wake('other') },
      { name: 'other', every: never, step: async () => {} },
    ],
    (loop, error) => errors.push(`${loop}: ${(error as Error).message}`),
  );
  await expect.poll(() => errors).toEqual(['quiet: quiet does not say that it wakes other']);
  await loops.stop();
});

test('a row that names no loop is refused before anything starts', () => {
  let steps = 0;
  const rows = [{ name: 'one', every: never, step: async () => void steps++, wakes: ['two'] }];
  expect(() => startLoops(rows, () => {})).toThrow('one wakes two, which is no loop');
  expect(steps).toBe(0);
});

test('a loop that this process does not have may be woken', async () => {
  const errors: unknown[] = [];
  const loops = startLoops(
    [
      { name: 'one', every: never, step: async (_signal, wake) => wake(), wakes: ['two'] },
      { name: 'two', every: never, step: null },
    ],
    (_loop, error) => errors.push(error),
  );
  await loops.stop();
  expect(errors).toEqual([]);
});

test('rows are ended when every loop has stopped, and one that cannot end does not keep the others', async () => {
  const events: string[] = [];
  const loops = startLoops(
    [
      {
        name: 'failing',
        every: 0,
        step: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
        async atEnd() {
          throw new Error('away');
        },
      },
      { name: 'counting', every: never, step: async () => {}, atEnd: async () => void events.push('ended') },
    ],
    (loop, error) => events.push(`${loop}: ${(error as Error).message}`),
  );
  await loops.stop();
  expect(events).toEqual(['failing: away', 'ended']);
});
