import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Report } from '../model/task/messages.ts';
import { createOutbox } from './outbox.ts';

const report = (n: number, kilobytes = 0): Report => ({
  type: 'held',
  worker: String(n),
  tasks: [],
  sent_at: 'x'.repeat(kilobytes * 1_024),
});
const names = (reports: Report[]): string[] => reports.map((one) => ('worker' in one ? one.worker : ''));

test('what is added in one turn travels together, and what comes meanwhile goes with the next', async () => {
  const sent: string[][] = [];
  const outbox = createOutbox({
    async send(reports) {
      sent.push(names(reports));
      if (sent.length === 1) outbox.add(report(3));
      await sleep(1);
    },
    onError: () => {},
  });
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
  const outbox = createOutbox({
    async send(reports) {
      if (++calls <= 2) throw new Error('away');
      sent.push(...names(reports));
    },
    onError: () => errors++,
  });
  outbox.add(report(1));
  await sleep(5);
  outbox.add(report(2));
  await outbox.flush(60_000);
  expect(sent).toEqual(['1', '2']);
  expect(errors).toBe(1);
});

test('a flush that cannot be done says how much is left', async () => {
  const outbox = createOutbox({
    send: () => Promise.reject(new Error('away')),
    onError: () => {},
  });
  outbox.add(report(1));
  await expect(outbox.flush(20)).rejects.toThrow('1 reports');
  outbox.close();
});

test('a batch is limited by its bytes, a report that is larger goes alone, and what waits has a limit in bytes too', async () => {
  const kilobytes: Record<string, number> = { 1: 200, 2: 200, 3: 200, 4: 900, 5: 1 };
  const sent: string[][] = [];
  const outbox = createOutbox({
    async send(reports) {
      sent.push(names(reports));
    },
    onError: () => {},
  });
  for (let n = 1; n <= 5; n++) outbox.add(report(n, kilobytes[n]));
  await outbox.flush(60_000);
  expect(sent).toEqual([['1', '2'], ['3'], ['4'], ['5']]);
  expect(outbox.isFull).toBe(false);
  for (let n = 0; n < 73; n++) outbox.add(report(4, 900));
  expect(outbox.isFull).toBe(true);
  await outbox.flush(60_000);
  expect(outbox.isFull).toBe(false);
});
