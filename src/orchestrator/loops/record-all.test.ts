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

test('instead of a report that the store refuses a failure is recorded, if there is one, and all others are', async () => {
  const refused: unknown[] = [];
  const recordAll = createRecordAll({
    async record(reports) {
      if (reports.some((report) => /^(worse )?poison/.test(String(report)))) throw new Error('invalid input syntax');
      return reports.map((report) => update(String(report)));
    },
    onWaiting: () => {},
    onRefused: (report) => refused.push(report),
    insteadOf: (report, error) => (report === 'poison' ? [`failed: ${(error as Error).message}`] : []),
  });
  const updates = await recordAll(['a', 'b', 'poison', 'c', 'worse poison', 'd'], new AbortController().signal);
  expect(updates.map((one) => one.runId)).toEqual(['a', 'b', 'failed: invalid input syntax', 'c', 'd']);
  expect(refused).toEqual(['poison', 'worse poison']);
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
    insteadOf: () => [],
  });
  expect(await recordAll(['a', 'b'], new AbortController().signal)).toHaveLength(1);
  expect([calls, waits.length]).toEqual([2, 1]);
});

test('stopping gives up on a store that is away', async () => {
  const recordAll = createRecordAll({
    record: () => Promise.reject(new AppError('unavailable')),
    onWaiting: () => {},
    onRefused: (report) => expect.unreachable(`refused ${report}`),
    insteadOf: () => [],
  });
  await expect(recordAll(['a', 'b'], AbortSignal.abort())).rejects.toMatchObject({ code: 'unavailable' });
});
