// Reading never writes: with a burst in the spool and no orchestrator to write it out, everything that is only read is answered, and the spool stays as it was.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIntake } from '../../../src/orchestrator/intake/intake.ts';
import { openSql, type Sql } from '../../support/invariants.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

const CARTS = 10_000;
const ASKED = { requestId: null, idempotency: null };

let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
let sql: Sql;
let closeSql: () => Promise<void>;
let cartIds: string[];
let jobIds: string[];

beforeAll(async () => {
  database = await freshDatabase();
  world = await startApiWorld({ isWithWorker: false, databaseUrl: database.url });
  ({ sql, close: closeSql } = await openSql(database.url));
  const limits = { maxRetries: 3, taskTimeoutSeconds: 60 };
  const intake = createIntake({ store: world.store, wire: world.wire, laneOf: () => 'http', ...limits });
  const carts = await Promise.all(
    Array.from({ length: CARTS }, (_, n) =>
      intake.submitCart({ items: [`thing ${n}`, 'milk', 'eggs'], zipcode: '10001', maxProducts: 20 }, ASKED),
    ),
  );
  cartIds = carts.map(({ runId }) => runId);
  const jobs = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      intake.submitArticles({ articles: [{ url: `https://news.example/${n}` }] }, ASKED),
    ),
  );
  jobIds = jobs.map(({ runId }) => runId);
});
afterAll(async () => {
  await world?.stop();
  await closeSql?.();
  await database?.drop();
});

const READS: Record<string, (n: number) => string> = {
  'the list of jobs': () => '/jobs/',
  'the list of runs': () => '/runs',
  'the list of running carts': () => '/runs?kind=cart&status=running',
  'the status of a job': (n) => `/jobs/${jobIds[n % jobIds.length]}/status`,
  'the results of a job': (n) => `/jobs/${jobIds[n % jobIds.length]}/results`,
  'a cart': (n) => `/results/${cartIds[(n * 997) % CARTS]}`,
  'a job that is not there': () => '/jobs/job_ffffffffffff/status',
  'a cart that is not there': () => '/results/11111111-1111-4111-8111-111111111111',
};

/** What a write would change. */
const written = () =>
  sql(`select (select coalesce(sum(runs), 0)::int from windrow.submission_spool) as spooled, (select count(*)::int from windrow.runs) as runs,
              (select count(*)::int from windrow.tasks) as tasks`);

test.each(Object.entries(READS))('%s is read, and nothing is written', async (_name, pathOf) => {
  const before = await written();
  expect(before[0]!.spooled).toBeGreaterThan(CARTS * 0.9);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => world.call('GET', pathOf(n))));
  const isUnknown = pathOf(0).includes('ffffffffffff') || pathOf(0).includes('1111-4111');
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([isUnknown ? 404 : 200]));
  expect(await written()).toEqual(before);
});

test('what is spooled is told as it is', async () => {
  const { body: job } = await world.call('GET', `/jobs/${jobIds.at(-1)}/status`);
  expect(job).toMatchObject({ status: 'IN_PROGRESS', total_articles: 1, completed: 0 });
  const { body: results } = await world.call('GET', `/jobs/${jobIds.at(-1)}/results`);
  expect(results).toMatchObject({ total_articles: 1, results: [] });
  const { spooled } = await world.store.runningCarts();
  const { body: cart } = await world.call('GET', `/results/${spooled.ids.at(-1)}`);
  expect(cart).toMatchObject({ status: 'queued' });
  expect(cart.queue_position).toBeGreaterThan(CARTS * 0.9);
});
