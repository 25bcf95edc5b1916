import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { cached, limitOf, within } from './cached.ts';

test('callers within the period share one question', async () => {
  let asked = 0;
  let time = 0;
  const value = cached({ ask: async () => ++asked, keepMs: 100, limitMs: 1_000, what: 'It', now: () => time });
  expect(await Promise.all([value(), value(), value()])).toEqual([1, 1, 1]);
  time = 99;
  expect(await value()).toBe(1);
  time = 101;
  expect(await value()).toBe(2);
});

test('a value that took long is kept longer, where asking has its share of the time', async () => {
  let time = 0;
  let asked = 0;
  const ask = async () => {
    time += 50;
    return ++asked;
  };
  const value = cached({ ask, keepMs: 100, share: 0.2, limitMs: 1_000, what: 'It', now: () => time });
  expect(await value()).toBe(1);
  time += 199;
  expect(await value()).toBe(1);
  time += 1;
  expect(await value()).toBe(2);
});

test('a failure is kept for the period as well', async () => {
  let asked = 0;
  let time = 0;
  const value = cached({
    ask: () => Promise.reject(new Error(`no ${++asked}`)),
    keepMs: 100,
    limitMs: 1_000,
    what: 'It',
    now: () => time,
  });
  await expect(value()).rejects.toThrow('no 1');
  await expect(value()).rejects.toThrow('no 1');
  time = 200;
  await expect(value()).rejects.toThrow('no 2');
});

test('what does not answer in time is unavailable', async () => {
  await expect(within(new Promise(() => {}), 5, 'The store')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('The store did not answer'),
  });
});

test.each([
  ['one', (work: Promise<unknown>) => within(work, 5, 'The store')],
  ['many', limitOf(5, 'The store')],
])('a process that was held up itself hears the answer that came meanwhile, in the limit of %s', async (_, limited) => {
  const answered = limited(stat(import.meta.filename));
  const until = performance.now() + 50;
  while (performance.now() < until);
  expect(await answered).toBeDefined();
});

test('many waits share one limit: what is done in time comes through, what is not is refused', async () => {
  const limited = limitOf(20, 'The store');
  const done = limited(Promise.resolve(1));
  const failed = limited(Promise.reject(new Error('its own error')));
  const hanging = [limited(new Promise(() => {})), limited(new Promise(() => {}))];
  expect(await done).toBe(1);
  await expect(failed).rejects.toThrow('its own error');
  for (const wait of hanging) await expect(wait).rejects.toMatchObject({ code: 'unavailable' });
});
