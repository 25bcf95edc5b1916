// `windrow plan`: a simulation of how long carts wait with a number of workers, with and without shared searches, at the rate limit of the shop. It needs no
// server.
import { InvalidArgumentError } from 'commander';
import { exitsOf, webOptions } from '../../../compose/web.ts';
import { exitsFor, limitOf, type PlanLimit, workersFor } from '../../../planner/needs.ts';
import {
  cartsPerHour,
  costOf,
  type Design,
  type PlanInput,
  type PlanOutcome,
  type PlanPace,
  type Prices,
  simulate,
} from '../../../planner/simulate.ts';
import { SOURCES } from '../../../sources/built-in.ts';
import { meanGapMs, type Pace } from '../../../web/pace/pace.ts';
import { command } from '../../command.ts';
import { loadConfig } from '../../settings/load.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { columns } from '../../terminal/table.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';
import { make as makeFleet } from './plan-fleet.ts';

interface Options {
  users: number;
  items: number;
  workers: number;
  secondsPerItem: number;
  pace?: PlanPace | 'off';
  exits?: number;
  machines?: number;
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
      ['windrow plan --exits 40 --pace 2/500', '40 proxies, each two searches at a time and one every half second'],
    ],
    notes:
      'The rate limit is that of the shop (CART_SOURCE, SOURCE_PACE), for each exit: a proxy of the first tier of WEB_PROXIES, or the own address. Items are drawn by popularity (Zipf) from --names, ZIP codes evenly from --zips. "one worker per cart" is the simple design. "shared items" is how Windrow works: one scrape serves every cart with the same item and ZIP code, while it runs and while its result is fresh.',
  })
    .option('-u, --users <number>', 'carts', wholeNumber(1, 1_000_000), 25_000)
    .option('-i, --items <number>', 'items per cart', wholeNumber(1, 100), 3)
    .option('-w, --workers <number>', 'concurrent scrapes', wholeNumber(1, 100_000), 300)
    .option('--seconds-per-item <seconds>', 'duration of one scrape', number(0.001, 3_600), 3.7)
    .option('--pace <concurrent/milliseconds>', 'rate limit of the shop for each exit, or off', readPace)
    .option('--exits <number>', 'exits to the shop: proxies, or 1 for the own address', wholeNumber(1, 100_000))
    .option('--machines <number>', 'machines at hand; without it as many as the workers need', wholeNumber(1, 100_000))
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
      const plan = planFor(options, siteOf(options));
      if (options.json) terminal.document(plan);
      else show(plan, options, terminal);
    })
    .addCommand(makeFleet());

function number(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`Use a number from ${min} to ${max}.`);
    return value;
  };
}

/** `2/500`: two at a time, half a second between two. */
function readPace(text: string): PlanPace | 'off' {
  if (text === 'off') return 'off';
  const [, concurrency, delayMs] = /^(\d{1,4})\/(\d{1,7})$/.exec(text) ?? [];
  if (!(Number(concurrency) >= 1))
    throw new InvalidArgumentError('Use concurrent/milliseconds, such as 2/500, or off.');
  return paceOf({ concurrency: Number(concurrency), delayMs: Number(delayMs) });
}

const paceOf = (pace: Pace): PlanPace => ({ concurrency: pace.concurrency, gapSeconds: meanGapMs(pace) / 1_000 });

/** How often the shop may be asked, by the settings unless the options say so. */
function siteOf({ pace, exits }: Options): Pick<PlanInput, 'pace' | 'exits'> {
  const config = loadConfig();
  const configured = webOptions(config).paces?.get(config.cartSource) ?? SOURCES.get(config.cartSource)?.pace;
  const chosen = pace ?? (configured && paceOf(configured));
  return { exits: exits ?? exitsOf(config), ...(chosen === undefined || chosen === 'off' ? {} : { pace: chosen }) };
}

function planFor(options: Options, site: Pick<PlanInput, 'pace' | 'exits'>) {
  const { users, secondsPerItem, spread, zipf, names, zips, seed, target, machines } = options;
  const onMachines = machines === undefined ? options.workers : machines * options.workersPerMachine;
  const workers = Math.min(options.workers, onMachines);
  const input: PlanInput = {
    users,
    itemsPerCart: options.items,
    workers,
    secondsPerItem,
    ...site,
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
  const designs = DESIGNS.map(([design]) => simulate(input, design));
  const limit = limitOf(input, designs.at(-1)!);
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
      pace: site.pace ? { concurrent: site.pace.concurrency, gap_seconds: round(site.pace.gapSeconds) } : null,
      exits: site.exits!,
      machines: machines ?? null,
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
    designs: designs.map((outcome) => column(outcome, input, prices, target)),
    limit: {
      by: limit.by === 'slots' && workers < options.workers ? ('machines' as const) : limit.by,
      slots_per_second: round(limit.slotsPerSecond),
      pace_per_second: limit.pacePerSecond === null ? null : round(limit.pacePerSecond),
    },
  };
}

type Plan = ReturnType<typeof planFor>;

function column(outcome: PlanOutcome, input: PlanInput, prices: Prices, target: number) {
  const exits = exitsFor(input, outcome.design, target);
  const needed =
    exits === null ? null : workersFor({ ...input, exits: Math.max(input.exits ?? 1, exits) }, outcome.design, target);
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
    exits_for_target: exits,
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
    ['user', 'starts', 'shared: starts', 'shared: complete'],
    ...waits.map(({ user, seconds }, i) => [
      `#${user.toLocaleString('en')}`,
      time(seconds),
      time(shared.waits[i]!.seconds),
      time(shared.waits[i]!.complete_seconds),
    ]),
  ]);
  terminal.out(
    `  ${workers} workers, ${rate.toLocaleString('en')} carts per hour with one worker per cart. Shared items: ${shared.scrapes.toLocaleString('en')} scrapes instead of 250,000`,
  );
  for (const line of seedRows) terminal.out(`  ${line}`);
  terminal.out('');
  terminal.out(
    terminal.style(
      'bold',
      `${options.users.toLocaleString('en')} carts of ${options.items} items, ${options.workers} workers, ${options.secondsPerItem} s per item, Zipf ${options.zipf} over ${options.names.toLocaleString('en')} items and ${options.zips} ZIP codes`,
    ),
  );
  const row = (name: string, cell: (column: Plan['designs'][number]) => string) => [name, ...plan.designs.map(cell)];
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
    row('exits for that', ({ exits_for_target: exits }) => (exits === null ? '-' : exits.toLocaleString('en'))),
    row('machines for that', ({ machines_for_target: needed }) =>
      needed === null ? '-' : needed.toLocaleString('en'),
    ),
  ]);
  for (const line of lines) terminal.out(`  ${line}`);
  terminal.out('');
  for (const line of limitLines(plan)) terminal.out(line);
}

/** What the carts wait for, and what to add. */
function limitLines({ limit, input, designs }: Plan): string[] {
  const shared = designs.find(({ design }) => design === 'shared')!;
  const slots = `${input.workers.toLocaleString('en')} workers could do ${limit.slots_per_second} scrapes a second`;
  const pace =
    limit.pace_per_second === null
      ? 'the shop has no rate limit'
      : `the rate limit of the shop allows ${limit.pace_per_second} through ${input.exits} ${input.exits === 1 ? 'exit' : 'exits'}`;
  const add: Record<PlanLimit['by'] | 'machines', string> = {
    arrivals: 'nothing: carts come more slowly than they are done',
    pace: 'exits (proxies in WEB_PROXIES). More workers or machines change nothing',
    slots: 'workers (WORKER_CONCURRENCY, or more worker processes). More exits change nothing',
    machines: 'machines. They have no room for more workers',
  };
  const { workers_for_target: workers, exits_for_target: exits, machines_for_target: machines } = shared;
  const target = `90 % of the carts within ${time(input.target_seconds)}`;
  const needs =
    workers === null || exits === null
      ? `Not possible: ${target}. One scrape alone takes ${time(input.seconds_per_item)}.`
      : `For ${target} (shared items): ${exits.toLocaleString('en')} ${exits === 1 ? 'exit' : 'exits'}, ${workers.toLocaleString('en')} workers, ${machines!.toLocaleString('en')} machines.`;
  return [`Limit: ${limit.by}. ${capital(slots)}, ${pace}.`, `What to add: ${add[limit.by]}.`, needs];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `9.4 h`, `51 min`, `2.4 min`, `37 s`. */
function time(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds * 10) / 10} s`;
  const minutes = seconds / 60;
  if (minutes >= 120) return `${(minutes / 60).toFixed(1)} h`;
  return minutes < 10 ? `${minutes.toFixed(1)} min` : `${Math.round(minutes)} min`;
}
