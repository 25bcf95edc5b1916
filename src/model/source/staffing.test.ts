import { expect, test } from 'vitest';
import { lanesWith, ownLane } from './own-lane.ts';
import { whyUntaken, workersOf } from './staffing.ts';

const indeed = { name: 'indeed', lane: 'http', module: null };
const acme = { name: 'acme-jobs', lane: ownLane('http', 'acme-jobs'), module: './windrow.config.ts' };
const worker = (own: string[], draining = false) => ({ lanes: lanesWith(['http'], own), draining });

test('a worker takes the tasks of a source of its own from a lane beside the one it was given', () => {
  expect(lanesWith(['http', 'browser'], ['acme-jobs'])).toEqual([
    'http',
    'browser',
    'http+acme-jobs',
    'browser+acme-jobs',
  ]);
  expect(lanesWith(['http'], [])).toEqual(['http']);
});

test('the reason names what is missing: the source, the lane, or every worker', () => {
  expect(whyUntaken(acme, [worker([]), worker(['acme-jobs'])])).toBeNull();
  expect(workersOf(acme, [worker([]), worker(['acme-jobs'])])).toBe(1);
  expect(whyUntaken(acme, [worker([])])).toBe('no worker has the source acme-jobs');
  expect(whyUntaken({ ...indeed, lane: 'browser' }, [worker([])])).toBe('no worker takes tasks of lane browser');
  expect(whyUntaken(indeed, [])).toBe('no worker is running');
});

test('a worker that is drained or about to stop takes nothing', () => {
  expect(whyUntaken(acme, [worker(['acme-jobs'], true), worker([])])).toBe('no worker has the source acme-jobs');
  expect(whyUntaken(indeed, [worker([], true)])).toBe('every worker is draining');
});
