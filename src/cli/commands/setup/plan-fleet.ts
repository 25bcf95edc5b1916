// `windrow plan fleet`: what so many pages a day need, what is full first and what to do then. Reckoned from costs that a bench measured; it needs no server.
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { AppError } from '../../../model/errors.ts';
import { type FleetInput, type FleetPlan, planFleet } from '../../../planner/fleet.ts';
import { type FleetCosts, fleetCosts, MEASURED_COSTS } from '../../../planner/fleet-costs.ts';
import { capacityOf, dayOf, type FleetDay } from '../../../planner/fleet-day.ts';
import { command } from '../../command.ts';
import { loadConfig } from '../../settings/load.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { columns } from '../../terminal/table.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';

interface Options {
  pagesPerDay: number;
  peak: number;
  secondsPerPage: number;
  slots: number;
  pageKb: number;
  coresPerMachine: number;
  postgresCores: number;
  disk: number;
  maxConnections: number;
  retention?: number;
  headroom: number;
  siteRate: number;
  outage: number;
  costs?: string;
  json?: boolean;
}

export const make = () =>
  command({
    name: 'fleet',
    about: 'Reckons what so many pages a day need: workers, servers, disk, and what is full first.',
    examples: [
      [
        'windrow plan fleet --pages-per-day 100000000',
        'processes, PostgreSQL, Redis and disk for 100 million pages a day',
      ],
      ['windrow plan fleet --pages-per-day 2000000 --seconds-per-page 6 --slots 8', 'pages that need a browser'],
      ['windrow plan fleet --pages-per-day 100000000 --json', 'the same as JSON'],
    ],
    notes:
      'The costs of a page are those that `npm run bench -- fleet` measured on the processor named in docs/scaling.md; --costs reads those of your own machine. Other processors differ by their speed, so leave headroom.',
  })
    .requiredOption('-p, --pages-per-day <number>', 'pages (tasks) a day', wholeNumber(1, 1_000_000_000_000))
    .option('--peak <times>', 'the busiest hour, next to the mean of the day', number(1, 24), 3)
    .option('--seconds-per-page <seconds>', 'how long a page takes to come', number(0.01, 3_600), 2)
    .option(
      '--slots <number>',
      'pages at a time of one worker process (WORKER_CONCURRENCY)',
      wholeNumber(1, 10_000),
      100,
    )
    .option('--page-kb <number>', 'size of a page', number(1, 100_000), MEASURED_COSTS.pageKb)
    .option('--cores-per-machine <number>', 'of machines for workers, API and orchestrators', wholeNumber(1, 1_024), 8)
    .option('--postgres-cores <number>', 'of the server of PostgreSQL', wholeNumber(1, 1_024), 16)
    .option('--disk <megabytes>', 'what its disk writes a second', number(1, 100_000), 500)
    .option('--max-connections <number>', 'max_connections of PostgreSQL', wholeNumber(10, 100_000), 500)
    .option('--retention <days>', 'how long results are kept (default RUN_RETENTION_DAYS)', wholeNumber(1, 36_500))
    .option('--headroom <share>', 'what stays free in the busiest hour', number(0, 0.9), 0.4)
    .option('--site-rate <pages>', 'pages a second that one site allows', number(0.0001, 10_000), 0.33)
    .option('--outage <minutes>', 'all workers are away for so long in the busiest hour', wholeNumber(0, 720), 10)
    .option('--costs <file>', 'costs that `BENCH_COSTS=<file> npm run bench -- fleet` measured here')
    .action((_own: Options, made: Command) => {
      // --json is an option of `plan` too, which takes it wherever it stands.
      const options = made.optsWithGlobals<Options>();
      const terminal = createTerminal({ json: Boolean(options.json) });
      const measured = options.costs === undefined ? MEASURED_COSTS : readCosts(options.costs);
      const input = inputOf(options);
      const plan = planFleet(input, measured);
      const capacity = capacityOf(plan, input, measured);
      const day = dayOf(input, capacity, { minutes: options.outage });
      if (options.json) terminal.document(documentOf(plan, capacity, day, options));
      else show(terminal, options, plan, capacity, day);
    });

function inputOf(options: Options): FleetInput {
  const config = loadConfig();
  return {
    pagesPerDay: options.pagesPerDay,
    peak: options.peak,
    secondsPerPage: options.secondsPerPage,
    slots: options.slots,
    pageKb: options.pageKb,
    coresPerMachine: options.coresPerMachine,
    postgresCores: options.postgresCores,
    diskMbPerSecond: options.disk,
    maxConnections: options.maxConnections,
    // One more tells a server that is away from one that is slow.
    connectionsOfProcess: config.databasePool + 1,
    retentionDays: options.retention ?? config.runRetentionDays,
    headroom: options.headroom,
    pagesPerSecondOfSite: options.siteRate,
  };
}

function number(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`Use a number from ${min} to ${max}.`);
    return value;
  };
}

function readCosts(file: string): FleetCosts {
  const remedy = `Write it with BENCH_COSTS=${file} npm run bench -- fleet`;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError('invalid_usage', `--costs: cannot read ${file}. ${remedy}`, { cause: error });
  }
  try {
    return fleetCosts.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError('invalid_usage', `--costs: ${file} has no costs of a fleet. ${remedy}`, { cause: error });
  }
}

function documentOf(plan: FleetPlan, capacity: number, day: FleetDay, { outage }: Options) {
  const { postgres, redis } = plan;
  return {
    pages_per_second: round(plan.pagesPerSecond),
    busiest_pages_per_second: round(plan.busiestPagesPerSecond),
    capacity_pages_per_second: round(capacity),
    processes: plan.parts.map(({ part, processes, cores, memoryGb }) => ({
      part,
      processes,
      cores: round(cores),
      memory_gb: round(memoryGb),
    })),
    machines: plan.machines,
    sites: plan.sites,
    postgres: {
      cores: round(postgres.cores),
      wal_mb_per_second: round(postgres.walMbPerSecond),
      stored_gb_per_month: round(postgres.storedGbPerMonth),
      kept_gb: round(postgres.keptGb),
      connections: postgres.connections,
    },
    redis: { cores: round(redis.cores), mb_per_second: round(redis.mbPerSecond), connections: redis.connections },
    limits: plan.limits.map(({ part, used, fullAt, remedy }) => ({
      part,
      used: round(used),
      full_at_pages_per_second: Math.round(fullAt),
      remedy,
    })),
    outage: {
      minutes: outage,
      worst_backlog: Math.round(day.worstBacklog),
      worst_wait_seconds: round(day.worstWaitSeconds),
      recovered_after_minutes: day.recoveredAfterMinutes,
    },
  };
}

function show(terminal: Terminal, options: Options, plan: FleetPlan, capacity: number, day: FleetDay): void {
  const { postgres, redis } = plan;
  const heading = (text: string): void => terminal.out(terminal.style('bold', text));
  const table = (rows: string[][]): void => {
    for (const line of columns(rows)) terminal.out(`  ${line}`);
    terminal.out('');
  };
  heading(
    `${count(options.pagesPerDay)} pages a day: ${count(plan.pagesPerSecond)} a second, ${count(plan.busiestPagesPerSecond)} in the busiest hour`,
  );
  table([
    ['', 'processes', 'cores', 'memory'],
    ...plan.parts.map(({ part, processes, cores, memoryGb }) => [
      `windrow ${part}`,
      count(processes),
      cores.toFixed(1),
      `${memoryGb.toFixed(1)} GB`,
    ]),
    ['machines', `${count(plan.machines)} of ${options.coresPerMachine} cores`],
    ['PostgreSQL', '1', postgres.cores.toFixed(1), `WAL ${postgres.walMbPerSecond.toFixed(1)} MB/s`],
    ['Redis', '1', redis.cores.toFixed(2), `${redis.mbPerSecond.toFixed(1)} MB/s`],
  ]);
  heading('Disk of PostgreSQL');
  terminal.out(`  ${gigabytes(postgres.storedGbPerMonth)} a month; ${gigabytes(postgres.keptGb)} with what is kept`);
  terminal.out('');
  heading('What is full first');
  table([
    ['', 'in use', 'full at'],
    ...plan.limits.map(({ part, used, fullAt }) => [part, `${(100 * used).toFixed(0)} %`, `${count(fullAt)} pages/s`]),
  ]);
  const [first] = plan.limits;
  terminal.out(`Then, for ${first!.part}: ${first!.remedy}.`);
  const over = plan.limits.filter(({ used }) => used > 1).map(({ part }) => part);
  if (over.length > 0) terminal.out(terminal.style('red', `Not possible as it is: ${over.join(', ')} would be full.`));
  terminal.out(
    `At ${options.siteRate} pages a second for each site, ${count(plan.sites)} ${plan.sites === 1 ? 'site is' : 'sites are'} needed to have so many pages to fetch.`,
  );
  terminal.out(outageText(options.outage, day, capacity));
}

function outageText(minutes: number, day: FleetDay, capacity: number): string {
  const { worstBacklog, worstWaitSeconds, recoveredAfterMinutes: after } = day;
  const waits = `${count(worstBacklog)} pages wait at most, the last of them for ${count(worstWaitSeconds / 60)} minutes`;
  const ends =
    after === null ? 'it is not caught up with on the same day' : `nothing waits ${count(after)} minutes later`;
  return `All workers away for ${minutes} minutes of the busiest hour: ${waits}; at ${count(capacity)} pages a second ${ends}.`;
}

const round = (value: number): number => Math.round(value * 100) / 100;
const count = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 4 });
const gigabytes = (gb: number): string => (gb >= 1_000 ? `${count(gb / 1_000)} TB` : `${count(gb)} GB`);
