import { expect, test } from 'vitest';
import { attentionOf, type EngineNow } from './attention.ts';

const WELL: EngineNow = {
  orchestrators: 1,
  workers: 2,
  draining: 0,
  slots: 100,
  waiting: 0,
  oldestWaitingSeconds: null,
  throughputPerMinute: 0,
  deadLetters: 0,
  partsDown: [],
  sources: [],
};
const SOURCE = {
  name: 'indeed',
  done: 10,
  failed: 0,
  retried: 0,
  requests: 100,
  blocks: 0,
  waiting: 0,
  hold: null,
  unstaffed: null,
};
const kinds = (engine: Partial<EngineNow>) =>
  attentionOf({ ...WELL, ...engine }).map(({ kind, source }) => (source === null ? kind : `${kind} ${source}`));

test('nothing is said while all is well', () => {
  expect(kinds({ sources: [SOURCE], waiting: 50, oldestWaitingSeconds: 20 })).toEqual([]);
});

test('an engine that does nothing comes before what is merely slow', () => {
  expect(kinds({ deadLetters: 3, workers: 0, waiting: 9 })).toEqual(['no_worker', 'dead_letters']);
  expect(kinds({ draining: 1 })).toEqual([]);
  expect(kinds({ draining: 2 })).toEqual(['no_worker']);
  expect(kinds({ orchestrators: 0, workers: null })).toEqual(['no_orchestrator', 'no_wire']);
  expect(kinds({ waiting: 9, oldestWaitingSeconds: 301 })).toEqual(['backlog']);
  expect(kinds({ orchestrators: null, partsDown: [{ part: 'store', detail: 'timeout' }] })).toEqual(['part_down']);
});

test('a source is failing after several attempts, not after one bad page', () => {
  expect(kinds({ sources: [{ ...SOURCE, done: 0, failed: 1 }] })).toEqual([]);
  expect(kinds({ sources: [{ ...SOURCE, done: 2, failed: 2, retried: 2 }] })).toEqual(['source_failing indeed']);
  expect(kinds({ sources: [{ ...SOURCE, blocks: 10 }] })).toEqual(['source_blocked indeed']);
});

test('of a held source the breaker is named, not the failures behind it', () => {
  const hold = {
    pausedAt: null,
    pauseReason: null,
    pausedBy: null,
    breaker: 'open' as const,
    trouble: '9 of 10 attempts failed',
    until: null,
  };
  const [first, ...others] = attentionOf({ ...WELL, sources: [{ ...SOURCE, done: 1, failed: 9, waiting: 4, hold }] });
  expect(first).toMatchObject({ kind: 'source_held', severity: 'bad', count: 4 });
  expect(first!.message).toBe('indeed is held by its circuit breaker: 9 of 10 attempts failed');
  expect(others).toEqual([]);
});

test('a source without workers is told only while something waits for them', () => {
  const unstaffed = { ...SOURCE, unstaffed: 'No worker takes tasks of indeed.' };
  expect(kinds({ sources: [unstaffed] })).toEqual([]);
  expect(kinds({ sources: [{ ...unstaffed, waiting: 1 }] })).toEqual(['source_unstaffed indeed']);
});
