import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('two work at a time, two wait in their order, a fifth is sent away, and a failure passes the turn on', async () => {
  const semaphore = createSemaphore({ atOnce: 2, inLine: 2 });
  const ends: (() => void)[] = [];
  const started: number[] = [];
  const one = (id: number) =>
    semaphore(async () => {
      started.push(id);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (id === 1) throw new Error('broken');
      return id;
    });
  const works = [one(1), one(2), one(3), one(4)];
  works[0]!.catch(() => {});
  await expect(one(5)).rejects.toMatchObject({ code: 'unavailable' });
  expect(started).toEqual([1, 2]);
  ends[0]!();
  await expect(works[0]).rejects.toThrow('broken');
  await expect.poll(() => started).toEqual([1, 2, 3]);
  ends[1]!();
  await expect.poll(() => started).toEqual([1, 2, 3, 4]);
  for (const end of ends) end();
  expect(await Promise.all(works.slice(1))).toEqual([2, 3, 4]);
});
