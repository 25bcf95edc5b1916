import { expect, test } from 'vitest';
import { companyTokens, positionsAt, quirksOf, type TruePosition } from './truth.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 8, 1, 7);
const board = { vendor: 'greenhouse', token: 'aldermoor-200' };
const days = Array.from({ length: 30 }, (_, day) => positionsAt(board, START_MS + day * DAY_MS));
const numbers = (positions: readonly TruePosition[]) => new Set(positions.map((position) => position.number));

test('a board has about as many positions as its name says, each with a number of its own', () => {
  for (const positions of days) {
    expect(positions.length).toBeGreaterThan(140);
    expect(positions.length).toBeLessThan(260);
    expect(numbers(positions).size).toBe(positions.length);
  }
});

test('the same moment is the same board; another seed or vendor is another', () => {
  expect(positionsAt(board, START_MS)).toEqual(days[0]);
  expect(positionsAt(board, START_MS, 1)).not.toEqual(days[0]);
  expect(positionsAt({ ...board, vendor: 'lever' }, START_MS)).not.toEqual(days[0]);
});

test('over a month positions appear, vanish, come back and are edited', () => {
  const [first, last] = [numbers(days[0]!), numbers(days[29]!)];
  expect([...first].some((number) => !last.has(number))).toBe(true);
  expect([...last].some((number) => !first.has(number))).toBe(true);
  const cameBack = [...first].filter((number) => {
    const seen = days.map((positions) => numbers(positions).has(number));
    return seen.lastIndexOf(true) > seen.indexOf(false) && seen.includes(false);
  });
  expect(cameBack.length).toBeGreaterThan(0);
  const edited = days.flat().filter((position) => position.changedMs > position.bornMs);
  expect(new Set(edited.map((position) => position.number)).size).toBeGreaterThan(10);
});

test('an edit changes what it is about and nothing else', () => {
  const seen = new Map<number, TruePosition>();
  let differences = 0;
  for (const position of days.flat()) {
    const before = seen.get(position.number);
    seen.set(position.number, position);
    if (before === undefined || before.changedMs === position.changedMs) continue;
    const fields = (['title', 'pay', 'place', 'paragraphs'] as const).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(position[field]),
    );
    // An edit of the place may land on the place it was, and one of the pay on a position that states none.
    expect(fields.length).toBeLessThanOrEqual(2);
    differences += fields.length;
  }
  expect(differences).toBeGreaterThan(10);
});

test('no positions where the token says so, and none before a board exists', () => {
  expect(positionsAt({ vendor: 'lever', token: 'empty-x' }, START_MS)).toEqual([]);
  expect(positionsAt({ vendor: 'lever', token: 'gone-x' }, START_MS)).toEqual([]);
  expect(quirksOf('dup-x')).toMatchObject({ duplicates: true, moved: false });
});

test('companies have names of their own, as many as are asked for', () => {
  expect(new Set(companyTokens(2_000)).size).toBe(2_000);
  expect(companyTokens(2_000).some((token) => /-\d+$/.test(token))).toBe(false);
});
