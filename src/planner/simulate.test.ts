import { expect, test } from 'vitest';
import { exitsFor, limitOf, workersFor } from './needs.ts';
import { cartsPerHour, costOf, type PlanInput, simulate } from './simulate.ts';

/** What the seed document reckons with: 37 seconds for a cart of ten. */
const SEED: PlanInput = { users: 25_000, itemsPerCart: 10, workers: 300, secondsPerItem: 3.7 };
const minutes = (seconds: number) => seconds / 60;

test('the seed’s table comes out: 29,100 carts an hour, and who waits how long', () => {
  const outcome = simulate(SEED, 'cart');
  expect(cartsPerHour(SEED)).toBe(29_100);
  expect(outcome.startOf(300)).toBe(0);
  expect(Math.round(minutes(outcome.startOf(1_000)))).toBe(2);
  expect(Math.round(minutes(outcome.startOf(10_000)))).toBe(20);
  expect(Math.round(minutes(outcome.startOf(25_000)))).toBe(51);
});

test('a queue that can be reckoned by hand comes out as by hand', () => {
  const carts = simulate({ users: 5, itemsPerCart: 2, workers: 2, secondsPerItem: 1 }, 'cart');
  expect([1, 2, 3, 4, 5].map(carts.doneOf)).toEqual([2, 2, 4, 4, 6]);
  const items = simulate({ users: 5, itemsPerCart: 2, workers: 2, secondsPerItem: 1 }, 'items');
  expect([1, 2, 3, 4, 5].map(items.doneOf)).toEqual([1, 2, 3, 4, 5]);
  expect(items).toMatchObject({ scrapes: 10, saved: 0, makespanSeconds: 5, busySeconds: 10 });
});

test('one item and one place is scraped once, whoever asks while it is under way or fresh', () => {
  const input: PlanInput = { users: 1_000, itemsPerCart: 1, workers: 3, secondsPerItem: 10, names: 1, zips: 1 };
  expect(simulate(input, 'shared')).toMatchObject({ scrapes: 1, saved: 999, makespanSeconds: 10 });
  const stale = simulate({ ...input, arrivalSeconds: 10_000, freshnessSeconds: 990 }, 'shared');
  expect(stale.scrapes).toBe(10);
});

test('sharing saves most where few things are popular, and nothing where nobody asks for the same', () => {
  const input: PlanInput = { users: 5_000, itemsPerCart: 3, workers: 100, secondsPerItem: 3.7 };
  const popular = simulate({ ...input, zipf: 1.4 }, 'shared');
  const even = simulate({ ...input, zipf: 0 }, 'shared');
  expect(popular.scrapes).toBeLessThan(even.scrapes);
  expect(popular.untilDone.p90).toBeLessThan(simulate({ ...input, zipf: 1.4 }, 'items').untilDone.p90);
  const apart = simulate({ ...input, zipf: 0, names: 100_000, zips: 100_000 }, 'shared');
  expect(apart.saved).toBeLessThan(10);
});

test('the same seed is the same future, another seed nearly', () => {
  const input: PlanInput = { users: 3_000, itemsPerCart: 3, workers: 50, secondsPerItem: 3.7, spread: 0.5 };
  expect(simulate(input, 'shared').untilDone).toEqual(simulate(input, 'shared').untilDone);
  const [one, other] = [
    simulate(input, 'items').makespanSeconds,
    simulate({ ...input, seed: 2 }, 'items').makespanSeconds,
  ];
  expect(one).not.toBe(other);
  expect(Math.abs(one / other - 1)).toBeLessThan(0.05);
});

test('times that differ keep their mean', () => {
  const outcome = simulate({ users: 20_000, itemsPerCart: 1, workers: 10, secondsPerItem: 2, spread: 1 }, 'items');
  expect(outcome.busySeconds / outcome.scrapes).toBeCloseTo(2, 1);
});

test('arrivals spread over time wait less than all at once', () => {
  const input: PlanInput = { users: 2_000, itemsPerCart: 3, workers: 20, secondsPerItem: 1 };
  expect(simulate({ ...input, arrivalSeconds: 600 }, 'items').untilDone.p90).toBe(1);
  expect(simulate(input, 'items').untilDone.p90).toBeGreaterThan(250);
});

test('the fewest workers for a promise are found, and one fewer breaks it', () => {
  const input: PlanInput = { users: 2_000, itemsPerCart: 3, workers: 1, secondsPerItem: 3.7 };
  const workers = workersFor(input, 'shared', 60)!;
  expect(simulate({ ...input, workers }, 'shared').untilDone.p90).toBeLessThanOrEqual(60);
  expect(simulate({ ...input, workers: workers - 1 }, 'shared').untilDone.p90).toBeGreaterThan(60);
  expect(workersFor(input, 'items', 60)!).toBeGreaterThan(workers);
  expect(workersFor(input, 'items', 3)).toBeNull();
});

test('machines are paid by the hour', () => {
  const outcome = simulate(SEED, 'cart');
  expect(costOf(outcome, 300, { workersPerMachine: 3, machineDollarsPerHour: 0.018 })).toEqual({
    machines: 100,
    hours: 1,
    dollars: expect.closeTo(1.8, 6),
  });
});

const PACED: PlanInput = {
  users: 5,
  itemsPerCart: 1,
  workers: 10,
  secondsPerItem: 0.5,
  pace: { concurrency: 2, gapSeconds: 1 },
};
const startsOf = (input: PlanInput) => [1, 2, 3, 4, 5].map(simulate(input, 'items').startOf);

test('a rate limit that can be reckoned by hand comes out as by hand, for each exit', () => {
  expect(startsOf(PACED)).toEqual([0, 1, 2, 3, 4]);
  expect(startsOf({ ...PACED, exits: 2 })).toEqual([0, 0, 1, 1, 2]);
  expect(startsOf({ ...PACED, secondsPerItem: 4 })).toEqual([0, 1, 4, 5, 8]);
  expect(startsOf({ ...PACED, workers: 1, secondsPerItem: 2 })).toEqual([0, 2, 4, 6, 8]);
});

test('three exits serve three times the carts, as long as there are workers for them', () => {
  const input: PlanInput = { ...PACED, users: 3_000, workers: 300 };
  const [one, three] = [1, 3].map((exits) => simulate({ ...input, exits }, 'items').makespanSeconds);
  expect(one! / three!).toBeCloseTo(3, 1);
  const few = [1, 3].map((exits) => simulate({ ...input, secondsPerItem: 5, workers: 1, exits }, 'items'));
  expect(few[0]!.makespanSeconds).toBe(few[1]!.makespanSeconds);
});

test('carts that workers do whole take turns at the site', () => {
  const outcome = simulate({ ...PACED, users: 2, itemsPerCart: 2, workers: 2 }, 'cart');
  expect([1, 2].map(outcome.startOf)).toEqual([0, 1]);
  expect([1, 2].map(outcome.doneOf)).toEqual([2.5, 3.5]);
});

test('what limits is named: workers, the rate limit, or nothing but the arrivals', () => {
  const limit = (more: Partial<PlanInput>) => {
    const input: PlanInput = { ...PACED, users: 1_000, ...more };
    return limitOf(input, simulate(input, 'items'));
  };
  expect(limit({})).toEqual({ by: 'pace', slotsPerSecond: 20, pacePerSecond: 1 });
  expect(limit({ exits: 40 })).toMatchObject({ by: 'slots', pacePerSecond: 40 });
  expect(limit({ secondsPerItem: 100 })).toMatchObject({ by: 'pace', pacePerSecond: 0.02 });
  expect(limit({ arrivalSeconds: 10_000 }).by).toBe('arrivals');
});

test('the fewest exits for a promise are found, and one fewer breaks it', () => {
  const input: PlanInput = { ...PACED, users: 2_000, itemsPerCart: 3, secondsPerItem: 3.7 };
  const exits = exitsFor(input, 'shared', 60)!;
  const p90 = (count: number) => simulate({ ...input, workers: 6_000, exits: count }, 'shared').untilDone.p90;
  expect(p90(exits)).toBeLessThanOrEqual(60);
  expect(p90(exits - 1)).toBeGreaterThan(60);
  expect(workersFor({ ...input, exits }, 'shared', 60)).not.toBeNull();
  expect(workersFor({ ...input, exits: 1 }, 'shared', 60)).toBeNull();
  expect(exitsFor(input, 'shared', 3)).toBeNull();
});
