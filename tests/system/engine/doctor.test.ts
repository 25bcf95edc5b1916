// `windrow doctor --deep`: finds what is wrong in a database, each kind made by hand, and nothing in one that is in use.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Invariant } from '../../../src/store/invariants/invariant.ts';
import { INVARIANTS } from '../../../src/store/invariants/invariants.ts';
import { look } from '../../../src/store/invariants/look.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { openStore } from '../../../src/store/store.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { runWindrow } from '../../support/windrow.ts';
import { Fleet } from '../../support/worlds/fleet.ts';

const LOOK = { budgetMs: 120_000, pauseMs: 0 };
let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: pg.Pool;
const folder = mkdtempSync(join(tmpdir(), 'windrow-doctor-'));

beforeAll(async () => {
  database = await freshDatabase();
  await (await openStore({ connection: database.url, connectTimeoutMs: 30_000 })).close();
  pool = createPool({ connection: database.url, connectTimeoutMs: 30_000 });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const doctor = (...args: string[]) =>
  runWindrow(['doctor', '--deep', '--port', '0', ...args], { cwd: folder, env: { DATABASE_URL: database.url } });

test('nothing is found in a database in use, and looking writes nothing', async () => {
  const f = await Fleet.start({ workers: 1 });
  const own = createPool({ connection: f.databaseUrl, connectTimeoutMs: 30_000 });
  try {
    const runs: string[] = [];
    for (let round = 0; round < 4; round++) {
      const submitted = await Promise.all([
        f.submit(f.urls(40)),
        f.submit(f.urls(10, '?status=404')),
        f.submit(f.urls(20)),
      ]);
      await f.client.cancel(submitted[2].runId).catch(() => undefined);
      runs.push(submitted[0].runId, submitted[1].runId);
      const looked = await look(own, INVARIANTS, LOOK);
      expect(looked.broken).toEqual([]);
      expect(looked.walked.every(({ isComplete }) => isComplete)).toBe(true);
    }
    for (const runId of runs) await f.ended(runId);
    await f.verify();
  } finally {
    await own.end();
    await f.close();
  }
});

test('a healthy database passes', async () => {
  const ended = await doctor('--json');
  const { healthy, checks } = JSON.parse(ended.stdout) as {
    healthy: boolean;
    checks: { check: string; detail: string }[];
  };
  expect(healthy, ended.stdout).toBe(true);
  expect(ended.code).toBe(0);
  expect(checks.filter(({ check }) => check === 'deep').map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/rules, [\d,]+ rows looked at in [\d.]+ s: all hold$/),
  ]);
});

test('what is in motion is looked at twice, and is no finding when it has moved on', async () => {
  let looks = 0;
  const moving: Invariant = {
    name: 'moves',
    severity: 'fail',
    remedy: '',
    over: null,
    broken: () => (++looks === 1 ? `select 'row' as id` : `select 'row' as id where false`),
  };
  expect((await look(pool, [moving], LOOK)).broken).toEqual([]);
  expect(looks).toBe(2);
});

test('a budget that is used up is said, with how much was looked at', async () => {
  const slow = {
    ...INVARIANTS[0]!,
    over: { ...INVARIANTS[0]!.over!, table: 'windrow.schedules', key: [{ column: 'id', type: 'text' as const }] },
    broken: () => `select '' as id where false`,
  };
  let clock = 0;
  const looked = await look(pool, [slow], { budgetMs: 10, pauseMs: 0, now: () => (clock += 20) });
  expect(looked.walked).toEqual([
    { table: 'windrow.schedules', looked: 0, about: expect.any(Number), isComplete: false },
  ]);
});

const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const RUN = (seq: number, status: string, total: number, completed: number, failed = 0, ended = status !== 'running') =>
  `insert into runs (seq, id, kind, status, total, completed, failed, finished_at) overriding system value
   values (${seq}, 'job_${seq}', 'article', '${status}', ${total}, ${completed}, ${failed}, ${ended ? 'now()' : 'null'})`;
const TASK = (n: number, seq = 1) =>
  `insert into tasks (id, key, source, lane, run_seq, message) values ('${id(n)}', '${id(n + 500)}', 'article', 'http', ${seq}, '{}')`;
const LIVE = (n: number) => `insert into live (key, task_id) values ('${id(n + 500)}', '${id(n)}')`;
const QUEUED = (n: number, due = 'null') =>
  `insert into queue (task_id, key, run_seq, lane, band, turn, due_at) values ('${id(n)}', '${id(n + 500)}', 1, 'http', 2, 1, ${due})`;
const LEASED = (n: number, until: string) =>
  `insert into leases (task_id, key, run_seq, lane, band, turn, attempt, failures, crashes, waits, lease_until)
   values ('${id(n)}', '${id(n + 500)}', 1, 'http', 2, 1, 1, 0, 0, 0, ${until})`;
const OUTCOME = (n: number, state: string) =>
  `insert into outcomes (task_id, state, attempts) values ('${id(n)}', '${state}', 1)`;
const ENTRY = (seq: number, pos: number, task: number | null) =>
  `insert into run_tasks (run_seq, pos, task_id, item_key, ref) values (${seq}, ${pos}, ${task === null ? 'null' : `'${id(task)}'`}, '${id(900)}', '{}')`;
const LONG_AGO = `now() - interval '1 hour'`;

/** How to break each, and what is found then. */
const PAGE = (n: number, state: string, seq = 1) =>
  `insert into crawl_pages (key, run_seq, pos, url, depth, state) values ('${id(n)}', ${seq}, ${n}, 'https://acme.example/', 0, '${state}')`;

const BREAKS: Record<string, [found: string, ...statements: string[]]> = {
  'a live task waits or is leased, once': [id(1), TASK(1), LIVE(1)],
  'a live task owns its key': [id(2), TASK(2), QUEUED(2)],
  'a task belongs to a run, or is a dead letter': [id(3), TASK(3, 999_999), OUTCOME(3, 'done')],
  'a key is owned by a live task': [id(504), LIVE(4)],
  'what is in windrow.queue is a task that has not ended': [id(5), QUEUED(5)],
  'what is in windrow.leases is a task that has not ended': [
    id(6),
    TASK(6),
    OUTCOME(6, 'done'),
    LEASED(6, `now() + interval '1 hour'`),
  ],
  'a page of a crawl belongs to a crawl': [id(700), PAGE(700, 'left_out')],
  'a page of a crawl that is queued is a task that has not ended': [id(701), PAGE(701, 'queued')],
  'a page of a crawl that was read is a task that has ended': [id(702), PAGE(702, 'done')],
  'a crawl that has ended waits for no page': [id(703), PAGE(703, 'waiting')],
  'no lease is over for long': [id(7), TASK(7), LIVE(7), LEASED(7, LONG_AGO)],
  'a task that waits for a later time is woken then': [id(8), TASK(8), LIVE(8), QUEUED(8, LONG_AGO)],
  'a run that goes on waits for tasks that exist': ['job_10', RUN(10, 'running', 1, 0), ENTRY(10, 0, 10)],
  'a run that goes on has a way to end': [
    'job_11',
    RUN(11, 'running', 3, 2),
    TASK(11, 11),
    OUTCOME(11, 'done'),
    ENTRY(11, 0, 11),
    ENTRY(11, 1, null),
    ENTRY(11, 2, 11),
  ],
  'a run counts what its entries brought': [
    'job_12',
    RUN(12, 'completed', 1, 1),
    TASK(12, 12),
    OUTCOME(12, 'failed'),
    ENTRY(12, 0, 12),
  ],
  'a run keeps its entries': ['job_13', RUN(13, 'completed', 2, 2)],
  'a run ends when, and as, its counters say': ['job_14', RUN(14, 'completed', 1, 1, 0, false), ENTRY(14, 0, null)],
  'a dead letter is a task that failed': [
    id(15),
    `insert into dead_letters (task_id, source, category) values ('${id(15)}', 'article', 'internal')`,
  ],
  'what was let in is written out': [
    '7',
    `insert into submission_spool (seq, kind, runs, tasks, keys, submissions, run_ids, spooled_at) overriding system value
     values (7, 'article', 1, 1, 1, '', 'job_7', ${LONG_AGO})`,
  ],
  'what is in windrow.outcomes belongs to a task': [id(20), OUTCOME(20, 'done')],
  'what is in windrow.checkpoints belongs to a task': [
    id(21),
    `insert into checkpoints (task_id, checkpoint) values ('${id(21)}', '{}')`,
  ],
  'what is in windrow.earlier_attempts belongs to a task': [
    id(22),
    `insert into earlier_attempts (task_id, requests_made, rate_limited, captcha_encountered) values ('${id(22)}', 1, false, false)`,
  ],
  'what is in windrow.task_items belongs to a task': [
    id(23),
    `insert into task_items (task_id, item_key, pos) values ('${id(23)}', '${id(23)}', 0)`,
  ],
  'what is in windrow.shares belongs to a task': [
    id(24),
    `insert into shares (task_id, run_seq, entries) values ('${id(24)}', 1, 1)`,
  ],
  'an entry belongs to a run': ['999998/3', ENTRY(999_998, 3, null)],
  'a session of a company ends with its run': [
    id(26),
    `insert into companies (id, name, scraper_type, config) values ('${id(26)}', 'Acme', 'greenhouse', '{}')`,
    `insert into sessions (id, company_id, run_seq, run_id, pos, incremental, started_at) values ('${id(26)}', '${id(26)}', 999997, 'gone', 0, false, ${LONG_AGO})`,
  ],
  'a position is open, or closed at some time': [
    id(27),
    `insert into companies (id, name, scraper_type, config) values ('${id(27)}', 'Bolt', 'greenhouse', '{}')`,
    `insert into positions (key, company_id, job_hash, external_id, active, closed_at, content, title, data)
     values ('${id(27)}', '${id(27)}', 'h', 'e', true, now(), '{}', 'Welder', '{}')`,
  ],
  'a posting has its group, or waits for one': [
    id(28),
    `insert into postings (key, source, external_id, job_hash, title, data, group_due) values ('${id(28)}', 'indeed', 'e', 'h', 'Welder', '{}', false)`,
  ],
  'a schedule that is on has a next time': [
    'never',
    `insert into schedules (id, task, cron, next_run_at) values ('never', 'cleanup', '0 0 30 2 *', 'infinity')`,
  ],
  'a schedule that was due is started': [
    'late',
    `insert into schedules (id, task, cron, next_run_at) values ('late', 'cleanup', '0 0 * * *', now() + interval '1 day')`,
    `insert into fires (schedule_id, instant, state, held_until) values ('late', ${LONG_AGO}, 'waiting', ${LONG_AGO})`,
  ],
  'a webhook delivery that is due is sent': [
    '5',
    `insert into deliveries (seq, event_id, receiver, type, body, next_at) overriding system value values (5, 'evt_5', 'https://a.example', 'run.completed', '{}', ${LONG_AGO})`,
  ],
  'what is kept apart waits for a decision': [
    id(30),
    `insert into held_items (task_id, attempt, part, kind, source, key, items, held_at) values ('${id(30)}', 1, 1, 'posting', 'indeed', '${id(30)}', '[]', ${LONG_AGO})`,
  ],
  'a run of articles that has ended is compared with those before it': [
    '999996',
    'insert into quality_due values (999996)',
  ],
  'a key that was replaced comes to its end': [
    'key_old',
    `insert into api_keys (id, hash, prefix, name, owner, scope) values ('key_old', 'a', 'wdr_', 'a', 'a', 'read')`,
    `insert into api_keys (id, hash, prefix, name, owner, scope, replaces) values ('key_new', 'b', 'wdr_', 'a', 'a', 'read', 'key_old')`,
  ],
  'dead letters are counted': [
    'indeed network refused',
    `insert into dead_letter_counts values ('indeed', 'network', 'refused', 1)`,
  ],
  'a roll-up says what its rows say': [
    'prices day 2020-01-01',
    `insert into rollup_buckets (kind, unit, at, rows, rolled_at, is_due) values ('prices', 'day', '2020-01-01Z', 1, now(), false)`,
    `insert into amount_cells values ('prices', 'day', '2020-01-01Z', '', null, null, 'USD', 1, 1, '{100}', '{1}', '{100,100,100,100,100,100,100,100}')`,
  ],
  'every index is valid': [
    'runs_status',
    `update pg_index set indisvalid = false where indexrelid = 'windrow.runs_status'::regclass`,
  ],
  'weeks of prices are made ahead': ['prices', 'drop table prices_before'],
  'no price of today is outside its week': [
    'milk',
    `insert into prices (product, title, source, currency, price_minor) values ('milk', 'Milk', 'kroger', 'USD', 199)`,
  ],
  'every sequence is ahead of its table': ['runs', `select setval('windrow.runs_seq_seq', 1)`],
};

/** What takes minutes, or another server, to break: the other tests run their statements. */
const NOT_BY_HAND = [
  'no table is mostly dead rows',
  'no transaction is open for long',
  'no prepared transaction is left',
  'no replication slot keeps the log',
  'transaction numbers are far from running out',
];

test('every kind of trouble is found, with the row and what to do', async () => {
  const names = INVARIANTS.map(({ name }) => name);
  expect([...Object.keys(BREAKS), ...NOT_BY_HAND].sort()).toEqual([...names].sort());
  for (const statement of [RUN(1, 'completed', 0, 0), ...Object.values(BREAKS).flatMap(([, ...own]) => own)])
    await pool.query(statement);
  const { broken } = await look(pool, INVARIANTS, LOOK);
  for (const [name, [found]] of Object.entries(BREAKS))
    expect(broken.find(({ invariant }) => invariant.name === name)?.ids ?? [], name).toContain(found);

  const ended = await doctor('--json', '--seconds', '30');
  expect(ended.code).toBe(1);
  const { healthy, checks } = JSON.parse(ended.stdout) as {
    healthy: boolean;
    checks: { check: string; status: string; detail: string; rule?: string; ids?: string[] }[];
  };
  expect(healthy).toBe(false);
  const lost = checks.find(({ rule }) => rule === 'no lease is over for long');
  expect(lost).toMatchObject({ check: 'deep', status: 'fail', ids: [id(7)] });
  expect(lost?.detail).toMatch(/Not so: no lease is over for long \(.*\)\. .*Is an orchestrator running/);
});
