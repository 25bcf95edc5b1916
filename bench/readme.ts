// The table of benches in README.md, written from bench/results.json: a sentence with what was found in it, so that no number there is typed by hand. A bench that
// has not been run leaves its row out; what it promised and did not keep is marked.
import { type Found, isKept, promiseOf, shown } from './found.ts';
import type { Measured, Results } from './results.ts';

interface Row {
  bench: string;
  what: string;
  next: string;
  /** Names of what the bench found, in the order they are told. */
  tells: string[];
}

export const ROWS: Row[] = [
  {
    bench: 'lifecycle',
    what: 'life of a task: submit → dispatch → work → recorded, durable at every step',
    next: 'BullMQ, bare and with a result row',
    tells: ['life of a task next to bare BullMQ', 'life of a task next to BullMQ with a row'],
  },
  {
    bench: 'pipeline',
    what: 'articles per CPU-second, fetched, extracted and stored',
    next: 'Crawlee picking four fields',
    tells: ['articles per CPU-second next to Crawlee picking four fields'],
  },
  {
    bench: 'postings',
    what: 'postings per CPU-second with all fields read; a page at four times the load of one worker; tasks that fail where a tenth of all addresses do',
    next: 'Crawlee picking texts',
    tells: [
      'postings per CPU-second with everything next to Crawlee',
      'a page at 4 times the load, mean',
      'failed tasks, 10 % transient faults',
    ],
  },
  {
    bench: 'accept',
    what: 'accepted jobs per second, each answered after its commit: 512 callers, 64',
    next: 'a Fastify echo',
    tells: ['accepting next to an echo, 512 callers', 'accepting next to an echo, 64 callers'],
  },
  {
    bench: 'users',
    what: '25,000 people at once, each with a cart, polling: accepting, carts that are not complete, p99 of their polls, memory of the API for each',
    next: 'accepting: a Fastify echo under the same connections',
    tells: [
      'accepting from 25000 people next to an echo',
      'carts not complete',
      'p99 of polls of 25000 people',
      'memory of the API a connection',
    ],
  },
  {
    bench: 'alerts',
    what: 'matching a new posting with 10,000 alerts',
    next: 'with 100',
    tells: ['matching a posting with 10,000 alerts, next to 100'],
  },
  {
    bench: 'memory',
    what: 'private memory of a worker at 100 concurrent fetches; with `WORKER_LEAN=on`',
    next: 'an empty Node',
    tells: ['worker above an empty Node, WORKER_LEAN=off', 'worker above an empty Node, WORKER_LEAN=on'],
  },
  {
    bench: 'recovery',
    what: '300 articles of 5 s on two workers of 50 slots, one of them killed; leases taken from live workers beside eight busy processes on two cores',
    next: 'what the 50 slots that are left need',
    tells: [
      '300 articles with one worker of two killed, next to what the slots left need',
      'leases taken from live workers',
    ],
  },
  {
    bench: 'exits',
    what: "carts with three exits instead of one, at the shop's rate limit; `windrow plan`",
    next: 'one exit; a real run through API, queue and rate limit',
    tells: ['carts with three exits, next to one', 'planned time of a cart with 3 exits, next to a real run'],
  },
  {
    bench: 'hostile',
    what: 'a page that loops, backtracks or fills the memory for ever, or a board that held its reader up: until it is ended; a run of 20 articles beside it; the slowest `/livez`',
    next: '–',
    tells: [
      'the longest until a hostile page has ended',
      'the longest run of 20 articles beside one',
      'the slowest /livez beside one',
    ],
  },
  {
    bench: 'fleet',
    what: 'pages a second of each of eight worker processes, and tasks in hand',
    next: 'one worker; the slots',
    tells: ['8 workers next to 1, for each', 'tasks in flight, of the slots'],
  },
  {
    bench: 'backlog',
    what: 'status with 100,000 articles waiting; memory late in the drain, next to early',
    next: 'one article',
    tells: ['status with 100,000 articles waiting, next to one', 'memory late in the drain, next to early'],
  },
];

const BEGIN = '<!-- benches: written by `npm run bench -- --readme` from bench/results.json -->';
const END = '<!-- /benches -->';

function told(one: Found): string {
  const missed = isKept(one) ? '' : ` (target ${promiseOf(one)})`;
  return `${shown(one.value)} ${one.unit}${missed}`;
}

function lineOf({ bench, what, next, tells }: Row, measured: Measured): string {
  const results = tells.flatMap((name) => measured.found.filter((one) => one.what === name).map(told));
  return `| ${what} | ${next} | ${results.join('; ')} | \`npm run bench -- ${bench}\` |`;
}

export function tableOf(results: Results): string {
  const lines = ROWS.flatMap((one) => (results[one.bench] ? [lineOf(one, results[one.bench]!)] : []));
  return ['| what | next to | result | command |', '|---|---|---|---|', ...lines].join('\n');
}

/** The README with its table brought up to date. */
export function withTable(readme: string, results: Results): string {
  const [from, to] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`README.md has no place for the table: ${BEGIN} … ${END}`);
  return `${readme.slice(0, from + BEGIN.length)}\n${tableOf(results)}\n${readme.slice(to)}`;
}
