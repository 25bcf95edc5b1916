// What a fleet does with more workers, and what a page costs each part. One, two, four and eight worker processes on one PostgreSQL and Redis, and pages that take
// seconds to come: how many are in hand, and how many come a second, next to what the slots allow. Then as many as the processors can do. From the costs measured
// `windrow plan fleet` reckons, and its reckoning is held against each of these fleets. BENCH_COSTS=<file> keeps them.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import type { FleetCosts } from '../../src/planner/fleet-costs.ts';
import { rateOf } from '../../src/planner/fleet-day.ts';
import { found } from '../found.ts';
import { row } from '../peers.ts';
import { type FleetSize, type Measured, measureFleet, PARTS, type Part } from './world.ts';

const WORKERS = (process.env.BENCH_WORKERS ?? '1,2,4,8').split(',').map(Number);
const SLOTS = Number(process.env.BENCH_SLOTS ?? 20);
const PAGE_MS = Number(process.env.BENCH_PAGE_MS ?? 4_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CORES = availableParallelism();
const model = cpus()[0]?.model ?? 'an unknown processor';

const perTask = (measured: Measured, tasks: number, part: Part): number => (1_000 * measured.cpu[part]) / tasks;

const scenes: (FleetSize & { measured: Measured })[] = [];
row('workers', 'slots', 'in flight', 'pages/s', 'the slots allow', ...PARTS.map((part) => `${part}, ms of CPU a page`));
row('---', '---', '---', '---', '---', ...PARTS.map(() => '---'));
async function scene(size: FleetSize): Promise<Measured> {
  const measured = await measureFleet(size);
  scenes.push({ ...size, measured });
  const allowed = (1_000 * size.workers * size.slots) / size.pageMs;
  const cells = PARTS.map((part) => perTask(measured, size.tasks, part).toFixed(2));
  row(
    size.workers,
    size.workers * size.slots,
    measured.inFlight,
    measured.rate.toFixed(1),
    allowed.toFixed(1),
    ...cells,
  );
  return measured;
}

for (const workers of WORKERS) await scene({ workers, slots: SLOTS, pageMs: PAGE_MS, tasks: ROUNDS * workers * SLOTS });
const [first, widest] = [scenes[0]!, scenes.at(-1)!];
const linear = widest.measured.rate / first.measured.rate / (widest.workers / first.workers);
found(`${widest.workers} workers next to ${first.workers}, for each`, linear, 'times', { atLeast: 0.9 });
found('tasks in flight, of the slots', widest.measured.inFlight / (widest.workers * SLOTS), 'times', { atLeast: 0.9 });
found(
  'pages that failed',
  scenes.reduce((sum, one) => sum + one.measured.failed, 0),
  'pages',
  { atMost: 0 },
);

// As many as the processors can do: what a page costs when nothing waits.
const full = { workers: 2, slots: 50, pageMs: 100, tasks: 6_000 };
const busy = await scene(full);
const costs = costsOf(busy, full);
for (const part of PARTS) found(`CPU of ${part} a page`, costs.cpuMs[part], 'ms');
found('WAL a page', costs.walBytes / 1_000, 'KB');
found('stored a page', costs.storedBytes / 1_000, 'KB');
found('through Redis a page', costs.redisBytes / 1_000, 'KB');

console.log('\nreckoned by `windrow plan fleet`, next to what came:');
for (const { workers, slots, pageMs, measured } of scenes) {
  const { rate, by } = rateOf({ workers, slots, secondsPerPage: pageMs / 1_000, sharedCores: CORES }, costs);
  const bounds = { atLeast: 0.75, atMost: 1.25 };
  found(
    `${workers} workers of ${slots} slots, pages of ${pageMs} ms (${by}): reckoned next to measured`,
    rate / measured.rate,
    'times',
    bounds,
  );
}
const file = process.env.BENCH_COSTS;
if (file !== undefined) {
  writeFileSync(
    file,
    `${JSON.stringify(costs, roundedNumbers, 2)}
`,
  );
  console.log(`costs written to ${file}`);
}
process.exit();

function costsOf(measured: Measured, { workers, tasks }: FleetSize): FleetCosts {
  const { used, idle, residentMb, redisConnections } = measured;
  return {
    measuredOn: `${model.trim()}, ${CORES} cores shared by all parts`,
    pageKb: measured.pageKb,
    cpuMs: Object.fromEntries(PARTS.map((part) => [part, perTask(measured, tasks, part)])) as FleetCosts['cpuMs'],
    walBytes: used.walBytes / tasks,
    storedBytes: used.storedBytes / tasks,
    redisBytes: used.redisBytes / tasks,
    idleCpu: { ...idle, worker: idle.worker / workers },
    redisConnections,
    memoryMb: {
      api: residentMb.api,
      orchestrator: residentMb.orchestrator,
      worker: residentMb.workerIdle,
      slot: Math.max(0, widest.measured.residentMb.worker - widest.measured.residentMb.workerIdle) / SLOTS,
    },
  };
}

function roundedNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(3)) : value;
}
