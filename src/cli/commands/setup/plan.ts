// `windrow plan`: a simulation of how long carts wait with a number of workers, with and without shared searches. It needs no server.
import { InvalidArgumentError } from 'commander';
import {
  cartsPerHour,
  costOf,
  type Design,
  type PlanInput,
  type PlanOutcome,
  type Prices,
  simulate,
  workersFor,
} from '../../../planner/simulate.ts';
import { command } from '../../command.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { columns, createTerminal, type Terminal } from '../../terminal/terminal.ts';

interface Options {
  users: number;
  items: number;
  workers: number;
  secondsPerItem: number;
  spread: number;
  zipf: number;
  names: number;
  zips: number;
  over: number;
  freshness: number;
  target: number;
  workersPerMachine: number;
  machinePrice: number;
  seed: number;
  json?: boolean;
}

/** The reference case: carts of ten items at 3.7 seconds per item, and 300 workers. */
const SEED: PlanInput = { users: 25_000, itemsPerCart: 10, workers: 300, secondsPerItem: 3.7 };
const SEED_USERS = [300, 1_000, 10_000, 25_000];
const DESIGNS: readonly (readonly [Design, string])[] = [
  ['cart', 'one worker per cart'],
  ['items', 'one task per item'],
  ['shared', 'shared items'],
];

export const make = () =>
  command({
    name: 'plan',
    about: 'Simulates the carts of many users: waiting times, machines and cost, with and without shared searches.',
    examples: [
      ['windrow plan --users 25000 --items 3 --workers 300 --seconds-per-item 3.7', 'all users at once'],
      ['windrow plan --users 25000 --over 3600 --workers 50 --zipf 1.1 --json', 'over one hour, as JSON'],
    ],
    notes:
      'Items are drawn by popularity (Zipf) from --names, ZIP codes evenly from --zips. "one worker per cart" is the simple design. "shared items" is how Windrow works: one scrape serves every cart with the same item and ZIP code, while it runs and while its result is fresh.',
  })
    .option('-u, --users <number>', 'carts', wholeNumber(1, 1_000_000), 25_000)
    .option('-i, --items <number>', 'items per cart', wholeNumber(1, 100), 3)
    .option('-w, --workers <number>', 'concurrent scrapes', wholeNumber(1, 100_000), 300)
    .option('--seconds-per-item <seconds>', 'duration of one scrape', number(0.001, 3_600), 3.7)
    .option('--spread <share>', 'variation of the duration: standard deviation / mean', number(0, 5), 0)
    .option(
      '--zipf <exponent>',
      'Zipf exponent of item popularity. 0 means all items are equally popular',
      number(0, 5),
      1.1,
    )
    .option('--names <number>', 'number of different items', wholeNumber(1, 1_000_000), 2_000)
    .option('--zips <number>', 'number of different ZIP codes', wholeNumber(1, 100_000), 200)
    .option('--over <seconds>', 'time over which carts arrive. 0 means all at once', number(0, 864_000), 0)
    .option('--freshness <seconds>', 'how long a result is reused', number(0, 864_000), 900)
    .option(
      '--target <seconds>',
      'find the number of workers for which 90 % of carts complete in this time',
      number(1, 86_400),
      60,
    )
    .option('--workers-per-machine <number>', 'browsers that fit on one machine', wholeNumber(1, 1_000), 3)
    .option('--machine-price <dollars>', 'price of one machine per hour', number(0, 1_000), 0.018)
    .option('--seed <number>', 'seed of the random numbers', wholeNumber(0, 2 ** 31 - 1), 1)
    .action((options: Options) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const plan = planFor(options);
      if (options.json) terminal.document(plan);
      else show(plan, options, terminal);
    });

function number(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`Use a number from ${min} to ${max}.`);
    return value;
  };
}

function planFor(options: Options) {
  const { users, workers, secondsPerItem, spread, zipf, names, zips, seed, target } = options;
  const input: PlanInput = {
    users,
    itemsPerCart: options.items,
    workers,
    secondsPerItem,
    spread,
    zipf,
    names,
    zips,
    arrivalSeconds: options.over,
    freshnessSeconds: options.freshness,
    seed,
  };
  const prices: Prices = { workersPerMachine: options.workersPerMachine, machineDollarsPerHour: options.machinePrice };
  const seedRun = simulate(SEED, 'cart');
  const ours = simulate({ ...SEED, zipf, names, zips, seed }, 'shared');
  return {
    seed: {
      workers: SEED.workers,
      carts_per_hour: cartsPerHour(SEED),
      waits: SEED_USERS.map((nth) => ({ user: nth, seconds: round(seedRun.startOf(nth)) })),
      shared: {
        scrapes: ours.scrapes,
        waits: SEED_USERS.map((nth) => ({
          user: nth,
          seconds: round(ours.startOf(nth)),
          complete_seconds: round(ours.doneOf(nth)),
        })),
      },
    },
    input: {
      users,
      items_per_cart: input.itemsPerCart,
      workers,
      seconds_per_item: secondsPerItem,
      spread,
      zipf,
      names,
      zips,
      arrival_seconds: input.arrivalSeconds,
      freshness_seconds: input.freshnessSeconds,
      seed,
      target_seconds: target,
      workers_per_machine: prices.workersPerMachine,
      machine_dollars_per_hour: prices.machineDollarsPerHour,
    },
    designs: DESIGNS.map(([design]) => column(simulate(input, design), input, prices, target)),
  };
}

type Plan = ReturnType<typeof planFor>;

function column(outcome: PlanOutcome, input: PlanInput, prices: Prices, target: number) {
  const needed = workersFor(input, outcome.design, target);
  const rented = costOf(outcome, input.workers, prices);
  return {
    design: outcome.design,
    scrapes: outcome.scrapes,
    saved: outcome.saved,
    until_start: rounded(outcome.untilStart),
    until_done: rounded(outcome.untilDone),
    last_user_starts: round(outcome.startOf(input.users)),
    last_user_done: round(outcome.doneOf(input.users)),
    makespan_seconds: round(outcome.makespanSeconds),
    carts_per_hour: Math.round((input.users / outcome.makespanSeconds) * 3_600),
    machines: rented.machines,
    dollars: round(rented.dollars),
    workers_for_target: needed,
    machines_for_target: needed === null ? null : Math.ceil(needed / prices.workersPerMachine),
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;
const rounded = (values: { p50: number; p90: number; p99: number; max: number }) => ({
  p50: round(values.p50),
  p90: round(values.p90),
  p99: round(values.p99),
  max: round(values.max),
});

function show(plan: Plan, options: Options, terminal: Terminal): void {
  terminal.out(terminal.style('bold', 'Reference: 25,000 carts of 10 items, 3.7 s per item'));
  const { workers, carts_per_hour: rate, waits, shared } = plan.seed;
  const seedRows = columns([
    ['  user', 'starts', 'shared: starts', 'shared: complete'],
    ...waits.map(({ user, seconds }, i) => [
      `  #${user.toLocaleString('en')}`,
      time(seconds),
      time(shared.waits[i]!.seconds),
      time(shared.waits[i]!.complete_seconds),
    ]),
  ]);
  terminal.out(
    `  ${workers} workers, ${rate.toLocaleString('en')} carts per hour with one worker per cart. Shared items: ${shared.scrapes.toLocaleString('en')} scrapes instead of 250,000`,
  );
  for (const line of seedRows) terminal.out(line);
  terminal.out('');
  terminal.out(
    terminal.style(
      'bold',
      `${options.users.toLocaleString('en')} carts of ${options.items} items, ${options.workers} workers, ${options.secondsPerItem} s per item, Zipf ${options.zipf} over ${options.names.toLocaleString('en')} items and ${options.zips} ZIP codes`,
    ),
  );
  const row = (name: string, cell: (column: Plan['designs'][number]) => string) => [
    `  ${name}`,
    ...plan.designs.map(cell),
  ];
  const lines = columns([
    ['', ...DESIGNS.map(([, title]) => title)],
    row('scrapes', ({ scrapes }) => scrapes.toLocaleString('en')),
    row(
      'saved by sharing',
      ({ saved }) => `${saved.toLocaleString('en')} (${Math.round((100 * saved) / (options.users * options.items))} %)`,
    ),
    row('starts: median / last user', ({ until_start: u, last_user_starts: last }) => `${time(u.p50)} / ${time(last)}`),
    row('complete: p50', ({ until_done: u }) => time(u.p50)),
    row('complete: p90', ({ until_done: u }) => time(u.p90)),
    row('complete: p99', ({ until_done: u }) => time(u.p99)),
    row('complete: all', ({ makespan_seconds: all }) => time(all)),
    row('carts per hour', ({ carts_per_hour: rate }) => rate.toLocaleString('en')),
    row('machines, cost', ({ machines, dollars }) => `${machines}, $${dollars.toFixed(2)}`),
    row(`workers for p90 ≤ ${time(options.target)}`, ({ workers_for_target: needed }) =>
      needed === null ? 'not possible' : needed.toLocaleString('en'),
    ),
    row('machines for that', ({ machines_for_target: needed }) =>
      needed === null ? '-' : needed.toLocaleString('en'),
    ),
  ]);
  for (const line of lines) terminal.out(line);
}

/** `51 min`, `2.4 min`, `37 s`. */
function time(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds * 10) / 10} s`;
  const minutes = seconds / 60;
  return minutes < 10 ? `${minutes.toFixed(1)} min` : `${Math.round(minutes)} min`;
}
