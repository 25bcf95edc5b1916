import { expect, test } from 'vitest';
import { bandOf, bandOrder, laneOrder, priorityDelayMs, shareOut } from './band.ts';

test('priorities fall into bands', () => {
  expect([1, 3, 4, 7, 8, 10].map(bandOf)).toEqual(['high', 'high', 'medium', 'medium', 'low', 'low']);
});

test('within a band a lower number is sooner, and the first of every band waits for nobody in it', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(priorityDelayMs);
  expect([delays[0], delays[3], delays[7]]).toEqual([0, 0, 0]);
  for (const rising of [delays.slice(0, 3), delays.slice(3, 7), delays.slice(7)])
    expect(rising.toSorted((a, b) => a - b)).toEqual([...new Set(rising)]);
});

test('lower bands keep their minimum share while high work is endless', () => {
  expect(shareOut(100, { high: 1_000, medium: 1_000, low: 1_000 })).toEqual({ high: 80, medium: 15, low: 5 });
});

test('room that no one else needs goes to whoever waits', () => {
  expect(shareOut(100, { high: 0, medium: 0, low: 1_000 })).toEqual({ high: 0, medium: 0, low: 100 });
  expect(shareOut(100, { high: 10, medium: 1_000, low: 0 })).toEqual({ high: 10, medium: 90, low: 0 });
});

test('no more is shared out than there is room for', () => {
  for (const room of [0, 1, 2, 3, 7]) {
    const { high, medium, low } = shareOut(room, { high: 9, medium: 9, low: 9 });
    expect(high + medium + low).toBe(room);
  }
});

test('a worker starts at every band within sixteen takes, mostly at high', () => {
  const first = Array.from({ length: 16 }, (_, take) => bandOrder(take)[0]);
  expect(first.filter((band) => band === 'high').length).toBe(13);
  expect(first).toContain('medium');
  expect(first).toContain('low');
});

test('every lane of a worker comes first in its turn, in every band', () => {
  const lanes = ['http', 'browser', 'http+acme-jobs'];
  const firsts = new Map<string, Set<string>>();
  for (let take = 0; take < 16 * lanes.length; take++) {
    const band = bandOrder(take)[0]!;
    const order = laneOrder(lanes, take);
    expect(order.toSorted()).toEqual(lanes.toSorted());
    firsts.set(band, (firsts.get(band) ?? new Set()).add(order[0]!));
  }
  expect([...firsts.values()].map((set) => set.size)).toEqual([3, 3, 3]);
  expect(laneOrder(['http'], 7)).toEqual(['http']);
});
