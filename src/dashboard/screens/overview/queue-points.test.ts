import { expect, test } from 'vitest';
import { joined } from './queue-points.ts';

const HOURS_6 = 21_600;
const at = (seconds: number) => ({ at: seconds, waiting: 1, active: 1, age: 1 });
const shown = (noted: number[], seen: number[]) =>
  joined(noted.map(at), seen.map(at)).map((one) => (one.waiting === null ? `no ${one.at}` : one.at));

test('what the page has seen goes on where the server ends, and no line is drawn across a gap', () => {
  expect(shown([60, 120], [90, 125])).toEqual([`no ${125 - HOURS_6}`, 60, 120, 125]);
  expect(shown([60, 600], [])).toEqual([`no ${600 - HOURS_6}`, 60, 'no 61', 600]);
  expect(shown([], [600])).toEqual([`no ${600 - HOURS_6}`, 600]);
  expect(shown([], [])).toEqual([]);
});
