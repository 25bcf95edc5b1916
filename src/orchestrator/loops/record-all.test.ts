import { expect, test } from 'vitest';
import { AppError } from '../../model/errors.ts';
import type { RunUpdate } from '../../model/run/run.ts';
import { createRecordAll } from './record-all.ts';

const update = (runId: string): RunUpdate => ({
  runId,
  kind: 'article',
  status: 'completed',
  total: 1,
  completed: 1,
  failed: 0,
  itemId: null,
});

test('one report that the store refuses is left out, and all others are recorded', async () => {
  const refused: unknown[] = [];
  const recordAll = createRecordAll({
    async record(reports) {
      if (reports.includes('poison')) throw new Error('invalid input syntax');
      return reports.map((report) => update(String(report)));
    },
    onWaiting: () => {},
    onRefused: (report) => refused.push(report),
  });
  const updates = await recordAll(['a', 'b', 'poison', 'c', 'd'], new AbortController().signal);
  expect(updates.map((one) => one.runId)).toEqual(['a', 'b', 'c', 'd']);
  expect(refused).toEqual(['poison']);
});

test('while the store is away it waits, and nothing is refused', async () => {
  let calls = 0;
  const waits: unknown[] = [];
  const recordAll = createRecordAll({
    async record() {
      if (++calls === 1) throw new AppError('unavailable');
      return [update('a')];
    },
    onWaiting: (error) => waits.push(error),
    onRefused: (report) => expect.unreachable(`refused ${report}`),
  });
  expect(await recordAll(['a', 'b'], new AbortController().signal)).toHaveLength(1);
  expect([calls, waits.length]).toEqual([2, 1]);
});

test('stopping gives up on a store that is away', async () => {
  const recordAll = createRecordAll({
    record: () => Promise.reject(new AppError('unavailable')),
    onWaiting: () => {},
    onRefused: (report) => expect.unreachable(`refused ${report}`),
  });
  await expect(recordAll(['a', 'b'], AbortSignal.abort())).rejects.toMatchObject({ code: 'unavailable' });
});
