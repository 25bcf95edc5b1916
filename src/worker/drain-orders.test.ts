import { expect, test } from 'vitest';
import { createDrainOrders } from './drain-orders.ts';

test('what was said last holds while the wire knows nothing, and only a word about this worker changes it', async () => {
  let known: readonly string[] | null = null;
  let tell: ((names: readonly string[]) => void) | undefined;
  const changes: boolean[] = [];
  const orders = createDrainOrders({
    wire: {
      drains: async () => known,
      onDrains(listener) {
        tell = listener;
        return () => {
          tell = undefined;
        };
      },
    },
    name: 'w1',
    onChange: (isDrained) => changes.push(isDrained),
  });
  await orders.ask();
  tell?.(['w2']);
  expect(orders.isDrained).toBe(false);
  tell?.(['w2', 'w1']);
  expect(orders.isDrained).toBe(true);
  // Redis was flushed.
  await orders.ask();
  expect(orders.isDrained).toBe(true);
  known = ['w2'];
  await orders.ask();
  expect(changes).toEqual([true, false]);
  orders.close();
  expect(tell).toBeUndefined();
});
