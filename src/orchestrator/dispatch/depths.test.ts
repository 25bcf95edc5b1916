import { expect, test } from 'vitest';
import { readDepths } from './depths.ts';
import type { PaceOfSites } from './pace.ts';

const counts = { lane: 'http', waiting: 3, delayed: 0, paused: 0, active: 0 };
const store = {
  queueDepths: async () => [
    {
      ...counts,
      band: 'medium' as const,
      firsts: [
        { source: 'linkedin', host: 'www.linkedin.com', seconds: 2_400 },
        { source: 'article', host: null, seconds: 4 },
      ],
    },
    { ...counts, band: 'low' as const, firsts: [] },
  ],
};
const sitesWith = (dueForMs: number): PaceOfSites => ({
  of: () => ({ pace: { concurrency: 1, delayMs: 3_000 }, host: null }),
  turns: async (queries) => queries.map(() => ({ nextInMs: 0, due: 1, inFlight: 0, places: 1, dueForMs })),
});

const oldest = async (sites: PaceOfSites | null) =>
  (await readDepths(store, sites)).map(({ oldestWaitingSeconds }) => oldestWaitingSeconds);

test('what waits for the pace of its site is not old; what could have gone for long is', async () => {
  expect(await oldest(sitesWith(0))).toEqual([4, null]);
  expect(await oldest(sitesWith(60_000))).toEqual([60, null]);
  expect(await oldest(sitesWith(Number.POSITIVE_INFINITY))).toEqual([2_400, null]);
});

test('without the clocks everything that waits counts', async () => {
  expect(await oldest(null)).toEqual([2_400, null]);
  const away = { ...sitesWith(0), turns: () => Promise.reject(new Error('the wire is away')) };
  expect(await oldest(away)).toEqual([2_400, null]);
});
