import { expect, test } from 'vitest';
import { createChannel } from './channel.ts';

const settled = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<false>((resolve) => setImmediate(() => resolve(false)))]);

test('items come out in the order they went in, and then nothing', async () => {
  const channel = createChannel<number>(3);
  for (const item of [1, 2, 3]) await channel.push(item);
  channel.end();
  expect([await channel.take(), await channel.take(), await channel.take()]).toEqual([
    { item: 1 },
    { item: 2 },
    { item: 3 },
  ]);
  expect(await channel.take()).toBeUndefined();
});

test('a full channel makes its producer wait until the reader takes something', async () => {
  const channel = createChannel<number>(1);
  await channel.push(1);
  expect(channel.isFull).toBe(true);
  const second = channel.push(2);
  expect(await settled(second)).toBe(false);
  expect(await channel.take()).toEqual({ item: 1 });
  expect(await settled(second)).toBe(true);
  expect(await channel.take()).toEqual({ item: 2 });
});

test('of two producers that wait, one goes on for each item taken', async () => {
  const channel = createChannel<number>(1);
  await channel.push(1);
  const waiting = [channel.push(2), channel.push(3)];
  await channel.take();
  expect(await Promise.all(waiting.map(settled))).toEqual([true, false]);
  await channel.take();
  await Promise.all(waiting);
  expect(await channel.take()).toEqual({ item: 3 });
});

test('a reader waits for the first item, and several reads are answered one by one', async () => {
  const channel = createChannel<string>(5);
  const reads = [channel.take(), channel.take(), channel.take()];
  await channel.push('a');
  await channel.push('b');
  channel.end();
  expect(await Promise.all(reads)).toEqual([{ item: 'a' }, { item: 'b' }, undefined]);
});

test('closing drops what is there and lets producers go on', async () => {
  const channel = createChannel<number>(1);
  await channel.push(1);
  const waiting = channel.push(2);
  channel.close();
  await waiting;
  await channel.push(3);
  expect(channel.isFull).toBe(false);
  expect(await channel.take()).toBeUndefined();
});

test('a failure reaches the reader once, in place of what was there', async () => {
  const channel = createChannel<number>(2);
  await channel.push(1);
  channel.fail(new Error('lost'));
  await expect(channel.take()).rejects.toThrow('lost');
  expect(await channel.take()).toBeUndefined();
});

test('a failure after the last item was taken comes too late', async () => {
  const channel = createChannel<number>(2);
  channel.end();
  channel.fail(new Error('late'));
  expect(await channel.take()).toBeUndefined();
});
