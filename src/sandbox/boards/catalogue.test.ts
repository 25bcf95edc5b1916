import { expect, test } from 'vitest';
import { findJobs, headOf } from './catalogue.ts';

const nowMs = Date.UTC(2026, 0, 15);
const query = { board: 'indeed', share: 60, term: 'python developer', seed: 0, nowMs };

test('a place called remote is any place, worked for from home', () => {
  const found = findJobs({ ...query, where: 'Remote' });
  expect(found).toEqual(findJobs({ ...query, isRemote: true }));
  expect(found.length).toBeGreaterThan(0);
  expect(found.every((number) => headOf(number, nowMs).isRemote)).toBe(true);
});
