import { expect, test } from 'vitest';
import { joined } from './queue-history.ts';

const at = (seconds: number) => ({ at: seconds, waiting: 1, active: 1, age: 1 });

test('what the page has seen goes on where the server ends, and no line is drawn across a gap', () => {
  expect(joined([at(60), at(120)], [at(90), at(125)]).map((one) => one.at)).toEqual([60, 120, 125]);
  expect(joined([at(60), at(600)], []).map((one) => [one.at, one.waiting])).toEqual([
    [60, 1],
    [61, null],
    [600, 1],
  ]);
  expect(joined([], [at(600)]).map((one) => one.waiting)).toEqual([null, 1]);
  expect(joined([], [])).toEqual([]);
});
