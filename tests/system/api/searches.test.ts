// §2 of the contract through HTTP: real sources, the real web layer and the sandbox's boards behind it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attemptFor } from '../../../src/compose/attempt.ts';
import { siteCatalogue } from '../../../src/compose/sites.ts';
import { retryWaits } from '../../../src/model/task/retry-table.ts';
import { startOrchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { NO_MODULES } from '../../../src/source-modules/load.ts';
import { createRegistry } from '../../../src/source-modules/registry.ts';
import { SOURCES } from '../../../src/sources/built-in.ts';
import { createWeb } from '../../../src/web/web.ts';
import { runHere } from '../../../src/worker/run-source.ts';
import { startWorker } from '../../../src/worker/worker.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

const RUN_ID = /^manual_[0-9a-f]{8,}$/;
const FINAL = ['succeeded', 'partial', 'failed', 'cancelled'];

let sandbox: Sandbox;
let world: ApiWorld;
let stop: () => Promise<void>;

beforeAll(async () => {
  sandbox = await startSandbox();
  world = await startApiWorld({
    isWithWorker: false,
    catalogue: siteCatalogue(createRegistry(NO_MODULES)),
    syncTimeoutSeconds: 120,
  });
  const webs = createWeb({ hostMap: `*=${sandbox.origin}`, maxPaceWaitMs: 60_000 });
  const orchestrator = startOrchestrator({
    store: world.store,
    wire: world.wire,
    leaseSeconds: 60,
    sweepSeconds: 5,
    maxWindow: 100,
    policy: { waits: retryWaits(['all=20ms']), maxCrashes: 1 },
    retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
    log: () => {},
  });
  const worker = startWorker({
    name: 'w1',
    wire: world.wire,
    lanes: ['http', 'browser'],
    slots: 8,
    runSource: runHere((name) => SOURCES.get(name)),
    webFor: (...of) => webs.forAttempt(attemptFor(...of)),
    heartbeatMs: 500,
    version: 'test',
    log: () => {},
  });
  stop = async () => {
    await worker.drain(0);
    await orchestrator.stop();
    await webs.close();
  };
});

afterAll(async () => {
  await stop?.();
  await world?.stop();
  await sandbox?.close();
});

async function ended(runId: string) {
  for (;;) {
    const { body } = await world.call('GET', `/jobs/scrape/${runId}?limit=1000`);
    if (FINAL.includes(body.data.status)) return body.data;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('a search is answered at once, followed, and read in pages, lines and rows', async () => {
  const { status, body, headers } = await world.call('POST', '/jobs/scrape', {
    site_name: 'greenhouse',
    board: 'acme',
  });
  expect(status).toBe(202);
  expect(body).toEqual({
    status: 'success',
    data: {
      task_id: expect.stringMatching(/^run_[0-9a-f]{8,}$/),
      run_id: expect.stringMatching(RUN_ID),
      status: 'queued',
      execution_mode: 'async',
    },
  });
  expect(headers.get('location')).toBe(`/jobs/scrape/${body.data.run_id}`);

  const run = await ended(body.data.run_id);
  expect(run).toMatchObject({ site_name: 'greenhouse', trigger: 'manual', status: 'succeeded', errors_count: 0 });
  expect(run.completed_pages).toBe(run.requested_pages);
  expect(run.jobs_found).toBe(run.jobs.length);
  expect(run.jobs.length).toBeGreaterThan(2);
  for (const posting of run.jobs) {
    expect(posting).toMatchObject({ title: expect.any(String), job_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  }
  expect(run.metadata).toMatchObject({
    requests_made: expect.any(Number),
    rate_limited: false,
    captcha_encountered: false,
  });

  const paged: string[] = [];
  for (let cursor = ''; cursor !== 'end'; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = (await world.call('GET', `/jobs/scrape/${run.run_id}?limit=2${query}`)).body.data;
    paged.push(...page.jobs.map((posting: { job_hash: string }) => posting.job_hash));
    cursor = page.next_cursor ?? 'end';
  }
  expect(paged).toEqual(run.jobs.map((posting: { job_hash: string }) => posting.job_hash));

  const lines = await world.call('GET', `/jobs/scrape/${run.run_id}`, undefined, { accept: 'application/x-ndjson' });
  expect(lines.text.trim().split('\n')).toHaveLength(run.jobs_found);
  const rows = await world.call('GET', `/jobs/scrape/${run.run_id}`, undefined, { accept: 'text/csv' });
  expect(rows.text.startsWith('title,company,location')).toBe(true);
  expect(rows.headers.get('content-disposition')).toContain(`${run.run_id}.csv`);
});

test('a stream has as much as was asked for, from where it was asked for', async () => {
  const { body } = await world.call('POST', '/jobs/scrape', { site_name: 'greenhouse', board: 'acme' });
  const run = await ended(body.data.run_id);
  const first = (await world.call('GET', `/jobs/scrape/${run.run_id}?limit=2`)).body.data;
  const lines = await world.call('GET', `/jobs/scrape/${run.run_id}?limit=1&cursor=${first.next_cursor}`, undefined, {
    accept: 'application/x-ndjson',
  });
  expect(
    lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).job_hash),
  ).toEqual([run.jobs[2].job_hash]);
});

test('sync mode answers with the postings', async () => {
  const { status, body } = await world.call('POST', '/jobs/scrape?mode=sync', { site_name: 'lever', site: 'acme' });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    execution_mode: 'sync',
    status: 'succeeded',
    run_id: expect.stringMatching(RUN_ID),
  });
  expect(body.data.jobs).toHaveLength(body.data.jobs_found);
  const again = await world.call('GET', `/jobs/scrape/${body.data.run_id}`);
  expect(again.body.data.execution_mode).toBe('sync');
});

test('a key stands for one search, whichever way it is waited for', async () => {
  const ask = (query: string, site: string) =>
    world.call('POST', `/jobs/scrape${query}`, { site_name: 'lever', site }, { 'idempotency-key': 'one-search' });
  const first = await ask('', 'acme');
  const again = await ask('?mode=sync', 'acme');
  expect(again).toMatchObject({ status: 200, body: { data: { run_id: first.body.data.run_id } } });
  expect(again.headers.get('idempotent-replay')).toBe('true');
  expect((await ask('?mode=sync', 'other')).status).toBe(409);
});

test('a site that fails is named, and what the others found is kept', async () => {
  const { body } = await world.call('POST', '/jobs/scrape', {
    site_name: ['linkedin', 'bdjobs'],
    search_term: 'nurse #blocked',
    results_wanted: 5,
  });
  const run = await ended(body.data.run_id);
  expect(run.status).toBe('failed');
  expect(run.site_name).toEqual(['linkedin', 'bdjobs']);
  expect(run.errors_count).toBeGreaterThan(0);
  expect(run.message).toContain('linkedin: ');
  expect(run.sites.map((site: { status: string }) => site.status)).toEqual(['failed', 'failed']);
});

test('dead letters of a search are tried again as a search, which is where the answer says', async () => {
  await world.call('DELETE', '/dead-letters?all=true');
  const { body } = await world.call('POST', '/jobs/scrape', { site_name: 'bdjobs', search_term: 'nurse #changed' });
  await ended(body.data.run_id);
  const retried = await world.call('POST', '/dead-letters/retry', { all: true });
  expect(retried).toMatchObject({ status: 202, body: { retried: 1, has_more: false } });
  const place = retried.headers.get('location')!;
  expect(place).toBe(`/jobs/scrape/${retried.body.job_id}`);
  expect((await world.call('GET', place)).body.data).toMatchObject({ site_name: 'bdjobs' });
});

test('a site that asked to be left alone for a while keeps its run running, and the run says until when', async () => {
  const { body } = await world.call('POST', '/jobs/scrape', {
    site_name: 'indeed',
    search_term: 'nurse #throttled',
    results_wanted: 5,
  });
  await expect
    .poll(async () => (await world.call('GET', `/jobs/scrape/${body.data.run_id}`)).body.data, { timeout: 60_000 })
    .toMatchObject({
      status: 'running',
      message: expect.stringMatching(/indeed failed and will be retried at 20/),
      metadata: { rate_limited: true, captcha_encountered: false },
    });
  await world.call('DELETE', `/jobs/scrape/${body.data.run_id}`);
});

test('what attempts before the last one asked for is counted', async () => {
  const { body } = await world.call('POST', '/jobs/scrape', { site_name: 'bdjobs', search_term: 'nurse #challenge' });
  const run = await ended(body.data.run_id);
  expect(run).toMatchObject({ status: 'failed', requested_pages: 1 });
  expect(run.metadata.requests_made).toBeGreaterThan(1);
});

test('rows that could not be read are counted and told, and the others are the result', async () => {
  const { body } = await world.call('POST', '/jobs/scrape', {
    site_name: 'linkedin',
    search_term: 'nurse #broken',
    results_wanted: 5,
  });
  const run = await ended(body.data.run_id);
  expect(run).toMatchObject({ status: 'succeeded', jobs_found: 5 });
  expect(run.metadata.rows_skipped).toBeGreaterThan(0);
  const warning = `${run.metadata.rows_skipped} ${run.metadata.rows_skipped === 1 ? 'row' : 'rows'} could not be read completely. First reason: `;
  expect(run.metadata.warnings).toEqual([expect.stringContaining(warning)]);
  expect(run.message).toContain(`linkedin: ${warning}`);
});

test('a kind of job can be named as postings name it', async () => {
  const { status, body } = await world.call('POST', '/jobs/scrape?mode=sync', {
    site_name: 'linkedin',
    search_term: 'nurse',
    results_wanted: 3,
    job_type: 'full_time',
  });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ status: 'succeeded', jobs_found: 3 });
  const asked = sandbox.log('www.linkedin.com');
  expect(asked.some((hit) => hit.path.includes('f_JT=F'))).toBe(true);
});

test.each([
  [{ site_name: 'nowhere' }, '', '/site_name'],
  [{ site_name: 'indeed', search_term: 'x', locaton: 'Berlin' }, '', '/locaton'],
  [{ site_name: 'indeed', search_term: 'x', webhook_url: 'https://example.com' }, '', '/webhook_url'],
  [{ site_name: 'indeed', search_term: 'x', results_wanted: 26 }, '?mode=sync', '/results_wanted'],
  [{ site_name: ['indeed', 'indeed'], search_term: 'x' }, '', '/site_name'],
  [{ site_name: 'indeed', search_term: 'x', hours_old: 'soon' }, '', '/hours_old'],
  [{ site_name: 'indeed', search_term: 'x', min_pause_seconds: 9, max_pause_seconds: 2 }, '', '/min_pause_seconds'],
])('%j is refused by naming %s%s', async (request, query, pointer) => {
  const { status, body } = await world.call('POST', `/jobs/scrape${query}`, request);
  expect(status).toBe(422);
  expect(body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
});

test('every wrong parameter is named at once, in words that say what would be right', async () => {
  const { status, body } = await world.call('POST', '/jobs/scrape', {
    site_name: 'indeed',
    search_term: 'x',
    results_wanted: 0,
    distance: -1,
    job_type: 'foo',
    easy_apply: 'yes',
    company_ids: [true],
    priority: 11,
  });
  expect(status).toBe(422);
  expect(
    Object.fromEntries(body.errors.map((error: { pointer: string; detail: string }) => [error.pointer, error.detail])),
  ).toEqual({
    '/results_wanted': 'has to be at least 1',
    '/distance': 'has to be at least 0',
    '/job_type': 'has to be one of fulltime, parttime, internship, contract, full_time, part_time',
    '/easy_apply': 'has to be true or false',
    '/company_ids/0': 'has to be a string or a whole number',
    '/priority': 'has to be at most 10',
  });
});

test.each([
  [{ site_name: 'indeed' }, '/search_term', 'is required'],
  [{ site_name: ['greenhouse', 'indeed'], search_term: 'x' }, '/board', 'is required'],
  [{ site_name: 'linkedin', search_term: 'x', country: 'Narnia' }, '/country', 'is no country; give its English name'],
])('what only a site can tell of %j is told in the same words', async (request, pointer, detail) => {
  const { status, body } = await world.call('POST', '/jobs/scrape', request);
  expect(status).toBe(422);
  expect(body.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
});

test('all runs are listed with their kind and how they ended, whatever tells that', async () => {
  const start = async (path: string, request: object) => (await world.call('POST', path, request)).body;
  const good = (await start('/jobs/scrape', { site_name: 'greenhouse', board: 'acme' })).data.run_id;
  const bad = (await start('/jobs/scrape', { site_name: 'bdjobs', search_term: 'nurse #changed' })).data.run_id;
  // One of two sites: more than three in ten of its pages.
  const half = (await start('/jobs/scrape', { site_name: ['bayt', 'bdjobs'], search_term: 'nurse #changed' })).data
    .run_id;
  const cart = (await start('/cart', { items: ['milk', 'eggs'], zipcode: '10001' })).job_id;
  const job = (await start('/jobs/submit', { articles: [{ url: 'https://e.example/news/1' }] })).job_id;
  const words = new Map<string, string>();
  for (const id of [good, bad, half]) words.set(id, (await ended(id)).status);
  const list = async (query: string) => (await world.call('GET', `/runs?${query}`)).body;
  const [first, ...rest] = (await list('limit=1000')).runs;
  expect([first.run_id, ...rest.slice(0, 4).map((run: { run_id: string }) => run.run_id)]).toEqual([
    job,
    cart,
    half,
    bad,
    good,
  ]);
  expect(first).toMatchObject({ kind: 'article', about: 'https://e.example/news/1', path: `/jobs/${job}/results` });
  expect(rest[0]).toMatchObject({ kind: 'cart', about: 'milk', total: 2, path: `/results/${cart}` });
  expect(rest[2]).toMatchObject({ kind: 'posting', about: 'nurse #changed', status: 'failed', trigger: 'manual' });
  const ids = async (status: string) =>
    (await list(`kind=posting&status=${status}&limit=1000`)).runs.map((run: { run_id: string }) => run.run_id);
  for (const [id, word] of words) {
    const listed = word === 'succeeded' ? 'completed' : word;
    expect(await ids(listed), `${id} ${word}`).toContain(id);
    for (const other of ['completed', 'partial', 'failed', 'running', 'cancelled'].filter((one) => one !== listed))
      expect(await ids(other)).not.toContain(id);
  }

  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await list(`kind=posting&limit=2${cursor}`);
    paged.push(...page.runs.map((run: { run_id: string }) => run.run_id));
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(paged).toEqual((await list('kind=posting&limit=1000')).runs.map((run: { run_id: string }) => run.run_id));
});

test('a run can be cancelled, and one that is not there says so', async () => {
  const { body } = await world.call('POST', '/jobs/scrape', {
    site_name: 'linkedin',
    search_term: 'nurse',
    results_wanted: 500,
  });
  const cancelled = await world.call('DELETE', `/jobs/scrape/${body.data.run_id}`);
  expect(cancelled.body).toMatchObject({ status: 'success', data: { status: 'cancelled' } });
  expect((await world.call('GET', `/jobs/scrape/${body.data.run_id}`)).body.data.status).toBe('cancelled');
  expect((await world.call('GET', '/jobs/scrape/manual_00000000')).status).toBe(404);
  expect((await world.call('DELETE', '/jobs/scrape/nonsense')).status).toBe(404);
});

test('the sites are listed with their parameters and their health', async () => {
  const { body } = await world.call('GET', '/jobs/sites');
  const indeed = body.data.sites.find((site: { name: string }) => site.name === 'indeed');
  expect(indeed).toMatchObject({ kind: 'posting', enabled: true, params: { type: 'object' } });
  expect(Object.keys(indeed.params.properties)).toContain('search_term');
  expect(indeed.countries).toEqual(expect.arrayContaining(['US', 'GB', 'DE']));
  const glassdoor = body.data.sites.find((site: { name: string }) => site.name === 'glassdoor');
  expect(glassdoor.countries).toContain('US');
  expect(glassdoor.countries).not.toContain('BH');
});

test('sites may be called as in other programs', async () => {
  const made = await world.call('POST', '/jobs/scrape', {
    site_name: ['google', 'zip_recruiter'],
    search_term: 'nurse',
    results_wanted: 2,
  });
  expect(made.status).toBe(202);
  const names = (await world.store.siteTasks(made.body.data.run_id)).map(({ site }) => site).sort();
  expect(names).toEqual(['google-jobs', 'ziprecruiter']);
  await world.call('DELETE', `/jobs/scrape/${made.body.data.run_id}`);
  const twice = await world.call('POST', '/jobs/scrape', {
    site_name: ['google', 'google-jobs'],
    search_term: 'nurse',
  });
  expect(twice.status).toBe(422);
  const schedule = await world.call('POST', '/schedules', {
    site_name: 'zip_recruiter',
    interval_minutes: 60,
    payload: { search_term: 'nurse' },
  });
  expect(schedule.body.site_name).toBe('ziprecruiter');
  await world.call('DELETE', `/schedules/${schedule.body.id}`);
});
