import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '../../model/errors.ts';
import { groupCommit } from './group-commit.ts';

const limits = { maxWeight: 10, inFlight: 1, maxWaiting: 100 };

test('what arrives while a batch is under way is the next batch, and everyone gets their own answer', async () => {
  const batches: number[][] = [];
  const commit = groupCommit<number, number>({
    ...limits,
    async commit(batch) {
      batches.push(batch);
      await sleep(5);
      return batch.map((n) => n * 2);
    },
  });
  const first = commit(1);
  await sleep(1);
  const rest = [2, 3, 4].map((n) => commit(n));
  expect(await Promise.all([first, ...rest])).toEqual([2, 4, 6, 8]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
});

test('a batch weighs no more than it may, unless one item alone does', async () => {
  const batches: number[][] = [];
  const commit = groupCommit<number, null>({
    ...limits,
    weigh: (n) => n,
    async commit(batch) {
      batches.push(batch);
      await sleep(1);
      return batch.map(() => null);
    },
  });
  await Promise.all([commit(50), sleep(0).then(() => Promise.all([6, 3, 4, 9].map((n) => commit(n))))]);
  expect(batches).toEqual([[50], [6, 3], [4], [9]]);
});

test('no more batches than allowed are under way at a time', async () => {
  let running = 0;
  let most = 0;
  const commit = groupCommit<number, number>({
    ...limits,
    maxWeight: 1,
    inFlight: 2,
    async commit(batch) {
      most = Math.max(most, ++running);
      await sleep(1);
      running--;
      return batch;
    },
  });
  await Promise.all(Array.from({ length: 20 }, (_, n) => commit(n)));
  expect(most).toBe(2);
});

test('one bad item fails alone', async () => {
  const commit = groupCommit<number, number>({
    ...limits,
    async commit(batch) {
      await sleep(1);
      if (batch.includes(2)) throw new AppError('idempotency_key_reused');
      return batch;
    },
  });
  const answers = await Promise.allSettled([0, 1, 2, 3].map((n) => commit(n)));
  expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

test('a store that is away is not asked again for each item', async () => {
  let calls = 0;
  const commit = groupCommit<number, number>({
    ...limits,
    async commit() {
      calls++;
      await sleep(1);
      throw new AppError('unavailable');
    },
  });
  const answers = await Promise.allSettled([1, 2, 3, 4].map((n) => commit(n)));
  expect(answers.every((answer) => answer.status === 'rejected')).toBe(true);
  expect(calls).toBeLessThanOrEqual(2);
});

test('past the limit of waiting callers the next is refused at once, with a time to come back', async () => {
  const commit = groupCommit<number, number>({
    maxWeight: 1,
    inFlight: 1,
    maxWaiting: 2,
    async commit(batch) {
      await sleep(5);
      return batch;
    },
  });
  const first = commit(1);
  await sleep(1);
  const waiting = [commit(2), commit(3)];
  await expect(commit(4)).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 1_000 });
  expect(await Promise.all([first, ...waiting])).toEqual([1, 2, 3]);
});

test('a second batch begins beside the first only when enough waits', async () => {
  const batches: number[][] = [];
  const commit = groupCommit<number, null>({
    maxWeight: 100,
    inFlight: 2,
    besideWeight: 50,
    maxWaiting: 100,
    weigh: (n) => n,
    async commit(batch) {
      batches.push(batch);
      await sleep(10);
      return batch.map(() => null);
    },
  });
  const all = [commit(1)];
  await sleep(1);
  all.push(commit(2), commit(3));
  expect(batches).toEqual([[1]]);
  all.push(commit(60));
  await sleep(1);
  expect(batches).toEqual([[1], [2, 3, 60]]);
  all.push(commit(4));
  await Promise.all(all);
  expect(batches).toEqual([[1], [2, 3, 60], [4]]);
});

test('what waits is shared out evenly between the batches that may be under way', async () => {
  const sizes: number[] = [];
  const commit = groupCommit<number, number>({
    maxWeight: 100,
    inFlight: 2,
    besideWeight: 4,
    maxWaiting: 100,
    async commit(batch) {
      sizes.push(batch.length);
      await sleep(5);
      return batch;
    },
  });
  await Promise.all(Array.from({ length: 40 }, (_, n) => commit(n)));
  expect(sizes).toEqual([20, 20]);
});
