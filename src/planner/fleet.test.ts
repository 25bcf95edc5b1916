import { expect, test } from 'vitest';
import { type FleetInput, planFleet } from './fleet.ts';
import { type FleetCosts, fleetCosts, MEASURED_COSTS } from './fleet-costs.ts';
import { capacityOf, dayOf, rateOf, shareOf } from './fleet-day.ts';

const COSTS: FleetCosts = {
  measuredOn: 'a page of paper',
  pageKb: 10,
  cpuMs: { api: 0.1, orchestrator: 0.2, worker: 4, postgres: 0.5, redis: 0.1 },
  walBytes: 4_000,
  storedBytes: 5_000,
  redisBytes: 3_000,
  idleCpu: { api: 0, orchestrator: 0, worker: 0, postgres: 0, redis: 0 },
  redisConnections: { api: 3, orchestrator: 4, worker: 3 },
  memoryMb: { api: 150, orchestrator: 150, worker: 200, slot: 1 },
};
const INPUT: FleetInput = {
  pagesPerDay: 86_400_000,
  peak: 2,
  secondsPerPage: 2,
  slots: 100,
  pageKb: 10,
  coresPerMachine: 8,
  postgresCores: 16,
  diskMbPerSecond: 200,
  maxConnections: 500,
  connectionsOfProcess: 10,
  retentionDays: 30,
  headroom: 0.5,
  pagesPerSecondOfSite: 1,
};

test('a fleet that can be reckoned by hand comes out as by hand', () => {
  const plan = planFleet(INPUT, COSTS);
  expect([plan.pagesPerSecond, plan.busiestPagesPerSecond, plan.sites]).toEqual([1_000, 2_000, 2_000]);
  // 2,000 pages a second of 2 s are 4,000 slots, and half of them stay free; 8 cores of reading need half of 2 cores each.
  expect(plan.parts.map(({ part, processes }) => [part, processes])).toEqual([
    ['worker', 80],
    ['api', 2],
    ['orchestrator', 2],
  ]);
  expect(plan.postgres).toEqual({
    cores: 1,
    walMbPerSecond: 8,
    storedGbPerMonth: 12_960,
    keptGb: 12_960,
    connections: 40,
  });
  expect(plan.machines).toBe(3);
});

test('larger pages cost workers more, and nobody else', () => {
  const [small, large] = [planFleet(INPUT, COSTS), planFleet({ ...INPUT, pageKb: 200 }, COSTS)];
  const cores = (plan: typeof small) => Object.fromEntries(plan.parts.map((one) => [one.part, one.cores]));
  expect(cores(large).worker).toBeCloseTo(20 * cores(small).worker!);
  expect(cores(large).orchestrator).toBe(cores(small).orchestrator);
});

test('what is full first comes first, with the rate at which it is, and what to do then', () => {
  const { limits } = planFleet({ ...INPUT, diskMbPerSecond: 10 }, COSTS);
  expect(limits[0]).toMatchObject({ part: 'PostgreSQL: WAL on the disk', used: 0.8, fullAt: 2_500 });
  expect(limits.map(({ part }) => part)).toHaveLength(new Set(limits.map(({ part }) => part)).size);
  for (const { remedy } of limits) expect(remedy).not.toBe('');
  expect(planFleet({ ...INPUT, maxConnections: 20 }, COSTS).limits[0]!.part).toBe('PostgreSQL: connections');
});

test.each([1, 1.3, 2, 3, 7])('a day with a peak of %d has a mean of 1 and no negative hour', (peak) => {
  const day = Array.from({ length: 1_440 }, (_, minute) => shareOf(minute, peak));
  expect(day.reduce((sum, share) => sum + share, 0) / day.length).toBeCloseTo(1, 3);
  expect(Math.max(...day)).toBeCloseTo(peak, 6);
  expect(Math.min(...day)).toBeGreaterThanOrEqual(0);
});

test('after an outage what waited is done in the room that was spared, and never without any', () => {
  const plan = planFleet(INPUT, COSTS);
  const capacity = capacityOf(plan, INPUT, COSTS);
  expect(capacity).toBe(4_000);
  const day = dayOf(INPUT, capacity, { minutes: 10 });
  // 1,200,000 came in ten minutes, and 2,000 a second are done beside the 2,000 that come.
  expect(day.worstBacklog).toBeGreaterThan(1_190_000);
  expect(day.worstBacklog).toBeLessThanOrEqual(1_200_000);
  expect(day.recoveredAfterMinutes).toBe(10);
  expect(dayOf(INPUT, 1_000, { minutes: 10 }).recoveredAfterMinutes).toBeNull();
  expect(dayOf(INPUT, capacity, { minutes: 0 }).worstBacklog).toBe(0);
});

test('slots decide until the cores that all share are used up', () => {
  const size = { workers: 2, slots: 50, secondsPerPage: 2 };
  expect(rateOf(size, COSTS)).toEqual({ rate: 50, by: 'slots' });
  expect(rateOf({ ...size, sharedCores: 2 }, COSTS)).toEqual({ rate: 50, by: 'slots' });
  expect(rateOf({ ...size, secondsPerPage: 0.1, sharedCores: 2 }, COSTS)).toEqual({
    rate: 2 / 0.0049,
    by: 'processor',
  });
});

test('the costs that come with Windrow are costs', () => {
  expect(fleetCosts.parse(MEASURED_COSTS)).toEqual(MEASURED_COSTS);
});
