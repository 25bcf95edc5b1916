import { describe, expect, test } from 'vitest';
import type { Band } from '../../model/task/band.ts';
import { allotTurns, evenly, shareRoom } from './hand-out.ts';

const wait = (line: string, count: number, more: { band?: Band; host?: string } = {}) => ({
  line,
  band: 'medium' as Band,
  host: 'a.example',
  count,
  ...more,
});

describe('turns of a host', () => {
  test('no more tasks go than it has turns, and none where nothing is known', () => {
    const waits = [wait('a', 5), wait('b', 3, { host: 'b.example' }), wait('c', 3, { host: 'c.example' })];
    const turns = new Map([
      ['a.example', 2],
      ['b.example', 9],
    ]);
    expect(allotTurns(waits, turns, 0)).toEqual([2, 3, 0]);
  });

  test('lines that wait for the same host share its turns', () => {
    const waits = [wait('a', 100), wait('b', 2), wait('c', 100)];
    expect(allotTurns(waits, new Map([['a.example', 12]]), 0)).toEqual([5, 2, 5]);
  });

  test('one turn at a time comes to every line and every band in the end', () => {
    const waits = [
      wait('a', 1, { band: 'high' }),
      wait('b', 1, { band: 'high' }),
      wait('c', 1),
      wait('d', 1, { band: 'low' }),
    ];
    const sums = [0, 0, 0, 0];
    for (let nth = 0; nth < 16; nth++)
      allotTurns(waits, new Map([['a.example', 1]]), nth).forEach((count, index) => {
        sums[index]! += count;
      });
    expect(Math.min(...sums)).toBeGreaterThan(0);
    expect(sums[0]! + sums[1]!).toBeGreaterThan(sums[2]! + sums[3]!);
  });
});

describe('room on the wire', () => {
  const demand = (source: string, count: number, band: Band = 'medium') => ({ source, count, band });

  test('each source has as much of it, and each line of a source', () => {
    expect(shareRoom(60, [demand('a', 100), demand('a', 100), demand('b', 100)], 0)).toEqual([15, 15, 30]);
  });

  test('what one does not need is for the others', () => {
    expect(shareRoom(60, [demand('a', 1), demand('b', 100), demand('c', 100)], 0)).toEqual([1, 30, 29]);
  });

  test('bands keep their shares', () => {
    expect(shareRoom(100, [demand('a', 1_000, 'high'), demand('b', 1_000), demand('c', 1_000, 'low')], 0)).toEqual([
      80, 15, 5,
    ]);
  });

  test('what cannot be divided goes to another one each time', () => {
    expect(evenly(1, [5, 5, 5], 0)).toEqual([1, 0, 0]);
    expect(evenly(1, [5, 5, 5], 1)).toEqual([0, 1, 0]);
    expect(evenly(0, [0, 0], 7)).toEqual([0, 0]);
  });
});
