// createWindrow: the engine inside a program, on the embedded store and on servers of one's own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createWindrow, type Run, type Windrow } from '../../../src/library/index.ts';
import { defineSource, toPosting, z } from '../../../src/sources/index.ts';
import { freePort, freshDatabase, startRedis } from '../../support/own-servers.ts';

/** Pages may take longer than any test; closing does not wait for them. */
const PATIENT = {
  pageTimeoutSeconds: 600,
  pace: { linkedin: { concurrency: 4, delayMs: 0 } },
  settings: { shutdownGraceSeconds: 1 },
};
/** A page that never comes. */
const ENDLESS = { kind: 'articles', urls: ['https://orchard-review.example/news/story-1?fault=hang'] } as const;

const acme = defineSource({
  name: 'acme-jobs',
  title: 'Acme',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 0 },
  params: z.object({ team: z.string() }),
  async *scrape({ team }) {
    yield toPosting({
      source: 'acme-jobs',
      external_id: team,
      title: `Welder, ${team}`,
      job_url: 'https://acme.example/',
    });
  },
});

let home: string;
let windrow: Windrow;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'windrow-library-'));
  windrow = await createWindrow({ home, sandbox: true, maxRetries: 0, sources: [acme], ...PATIENT });
});
afterAll(async () => {
  await windrow.close();
  await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

async function ended(run: Run): Promise<Run> {
  let last = run;
  for await (const state of windrow.follow(run)) last = state;
  return last;
}

test('articles are submitted, followed to their end and read', async () => {
  const page = (name: string) => `https://harbour-courier.example/news/${name}`;
  const run = await windrow.submit({ kind: 'articles', urls: [page('story-1'), page('story-2?fault=404')] });
  expect(run).toMatchObject({ kind: 'articles', total: 2, finishedAt: run.finishedAt });
  const states: Run<'articles'>[] = [];
  for await (const state of windrow.follow(run)) states.push(state);
  expect(states.at(-1)).toMatchObject({ id: run.id, status: 'completed', completed: 1, failed: 1 });
  const done = states.map(({ completed, failed }) => completed + failed);
  expect(done).toEqual([...new Set(done)].sort((a, b) => a - b));
  const results = windrow.results(run);
  expect(await results.toArray()).toMatchObject([{ url: page('story-1'), title: expect.any(String) }]);
  expect(await results.errors()).toEqual([
    expect.objectContaining({ site: 'article', target: page('story-2?fault=404'), code: 'not_found' }),
  ]);
  expect(await windrow.run(run.id)).toMatchObject({ status: 'completed', finishedAt: expect.any(Date) });
  await expect(windrow.cancel(run)).rejects.toThrow(expect.objectContaining({ code: 'not_cancellable' }));
});

test('a source of one’s own is known by its name, and one that cannot be used is refused', async () => {
  const run = await windrow.submit({ kind: 'company', site: 'acme-jobs', params: { team: 'docks' } });
  expect((await ended(run)).status).toBe('completed');
  expect(await windrow.results(run).toArray()).toMatchObject([{ site: 'acme-jobs', title: 'Welder, docks' }]);
  await expect(createWindrow({ home, sources: [{ ...acme, name: 'indeed' }] })).rejects.toThrow(
    'createWindrow: sources cannot be used: source "indeed": the name belongs to a built-in source',
  );
});

test('jobs, products and companies too', async () => {
  const jobs = await windrow.submit({ kind: 'jobs', sites: ['indeed'], searchTerm: 'nurse', results: 7 });
  const products = await windrow.submit({ kind: 'products', items: ['milk'], zipcode: '10001', results: 3 });
  const company = await windrow.submit({ kind: 'company', url: 'https://boards.greenhouse.io/acme' });
  for (const run of [jobs, products, company]) expect((await ended(run)).status).toBe('completed');
  const found = await windrow.results(jobs).toArray();
  expect(found.map(({ site }) => site)).toEqual(Array.from({ length: 7 }, () => 'indeed'));
  expect((await windrow.results(products).toArray()).map(({ item }) => item)).toEqual(['milk', 'milk', 'milk']);
  expect(company.kind).toBe('jobs');
  expect((await windrow.results(company).toArray()).every(({ site }) => site === 'greenhouse')).toBe(true);
  expect(await windrow.results(jobs).errors()).toEqual([]);
});

test('results that fill several pages are read in order and once', async () => {
  const run = await windrow.submit({ kind: 'jobs', sites: ['linkedin'], searchTerm: 'engineer', results: 250 });
  await ended(run);
  const hashes = (await windrow.results(run).toArray()).map(({ jobHash }) => jobHash);
  expect(hashes).toHaveLength(250);
  expect(new Set(hashes).size).toBe(250);
});

test('a run is cancelled, and whoever follows it is told', async () => {
  const run = await windrow.submit(ENDLESS);
  const states: string[] = [];
  for await (const { status } of windrow.follow(run)) {
    states.push(status);
    if (status === 'running') expect((await windrow.cancel(run)).status).toBe('cancelled');
  }
  expect(states).toEqual(['running', 'cancelled']);
  expect((await windrow.cancel(run)).status).toBe('cancelled');
});

test('following ends with its signal', async () => {
  const run = await windrow.submit(ENDLESS);
  const stop = new AbortController();
  const follow = async () => {
    for await (const _state of windrow.follow(run, { signal: stop.signal })) stop.abort(new Error('seen enough'));
  };
  await expect(follow()).rejects.toThrow('seen enough');
  await windrow.cancel(run);
});

test('what is wrong with a request is named at once, and a run that is not there too', async () => {
  const submit = (request: object) => windrow.submit(request as never);
  await expect(submit({ kind: 'news' })).rejects.toThrow('submit: kind has to be one of articles, jobs, products');
  await expect(submit({ kind: 'jobs', searchTerm: 'x', results: 0 })).rejects.toThrow('results has to be at least 1');
  await expect(submit({ kind: 'products', items: ['milk'], zipcode: 'here' })).rejects.toThrow('zipcode');
  await expect(submit({ kind: 'articles', urls: ['nowhere'] })).rejects.toThrow('urls[0] has to be a URL');
  await expect(windrow.run('job_000000000000')).rejects.toThrow('There is no run "job_000000000000".');
  await expect(windrow.results('job_000000000000').toArray()).rejects.toThrow('There is no run');
});

test('a second engine in the same folder is refused by naming who has it', async () => {
  await expect(createWindrow({ home })).rejects.toThrow(String(process.pid));
});

test('closed twice it is closed once; then everything says so', async () => {
  const other = await mkdtemp(join(tmpdir(), 'windrow-library-'));
  onTestFinished(() => rm(other, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  const engine = await createWindrow({ home: other, sandbox: true, ...PATIENT });
  const run = await engine.submit(ENDLESS);
  const following = (async () => {
    for await (const _state of engine.follow(run));
  })();
  const told = expect(following).rejects.toThrow('Windrow was closed.');
  await Promise.all([engine.close(), engine.close()]);
  await engine.close();
  await told;
  expect(await engine.closed).toBeNull();
  await expect(engine.submit({ kind: 'articles', urls: ['https://a.example/'] })).rejects.toThrow(
    'Windrow was closed.',
  );
  expect(() => engine.results(run)).toThrow('Windrow was closed.');
  // What was accepted is still there for the next one.
  const again = await createWindrow({ home: other, sandbox: true, ...PATIENT });
  expect((await again.run(run.id)).status).toBe('running');
  await again.cancel(run);
  await again.close();
});

test('on a database and a Redis of its own, with an API', async () => {
  const database = await freshDatabase();
  const redis = await startRedis();
  const port = await freePort();
  const engine = await createWindrow({
    databaseUrl: database.url,
    redisUrl: redis.url,
    api: { port, keys: ['a-key-of-mine'] },
    sandbox: true,
  });
  onTestFinished(async () => {
    await engine.close();
    await redis.stop();
    await database.drop();
  });
  expect(engine.url).toBe(`http://127.0.0.1:${port}`);
  const run = await engine.submit({ kind: 'articles', urls: ['https://orchard-review.example/news/story-1'] });
  for await (const _state of engine.follow(run));
  const answer = await fetch(`${engine.url}/jobs/${run.id}/results`, {
    headers: { authorization: 'Bearer a-key-of-mine' },
  });
  const { results } = (await answer.json()) as { results: { title: string }[] };
  expect(results.map(({ title }) => title)).toEqual((await engine.results(run).toArray()).map(({ title }) => title));
});

test('options that cannot be are refused, all at once, by their names', async () => {
  await expect(createWindrow({ databaseUrl: 'mysql://a', concurrency: 0, api: { host: '0.0.0.0' } })).rejects.toThrow(
    /^createWindrow: databaseUrl has to be a URL like postgres:.*; concurrency has to be a whole number.*; api\.keys has to be set/,
  );
  await expect(createWindrow({ worker: false })).rejects.toThrow('redisUrl is missing');
  await expect(createWindrow({ settings: { nonsense: 1 } as never })).rejects.toThrow(
    'settings.nonsense is not a setting',
  );
  await expect(createWindrow({ port: 80 } as never)).rejects.toThrow('port is not an option; did you mean api?');
});
