import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Report } from '../model/task/messages.ts';
import { createOutbox } from './outbox.ts';

const report = (n: number): Report => ({ type: 'held', worker: String(n), tasks: [] });
const names = (reports: Report[]): string[] => reports.map((one) => ('worker' in one ? one.worker : ''));

test('what is added in one turn travels together, and what comes meanwhile goes with the next', async () => {
  const sent: string[][] = [];
  const outbox = createOutbox(
    async (reports) => {
      sent.push(names(reports));
      if (sent.length === 1) outbox.add(report(3));
      await sleep(1);
    },
    () => {},
  );
  outbox.add(report(1));
  outbox.add(report(2));
  await outbox.flush(60_000);
  expect(sent).toEqual([['1', '2'], ['3']]);
  expect(outbox.size).toBe(0);
});

test('what was refused is kept, sent again, in order, and complained about once', async () => {
  const sent: string[] = [];
  let errors = 0;
  let calls = 0;
  const outbox = createOutbox(
    async (reports) => {
      if (++calls <= 2) throw new Error('away');
      sent.push(...names(reports));
    },
    () => errors++,
  );
  outbox.add(report(1));
  await sleep(5);
  outbox.add(report(2));
  await outbox.flush(60_000);
  expect(sent).toEqual(['1', '2']);
  expect(errors).toBe(1);
});

test('a flush that cannot be done says how much is left', async () => {
  const outbox = createOutbox(
    () => Promise.reject(new Error('away')),
    () => {},
  );
  outbox.add(report(1));
  await expect(outbox.flush(20)).rejects.toThrow('1 reports');
  outbox.close();
});
