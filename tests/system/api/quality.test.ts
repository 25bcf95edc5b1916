// Quality inside the run: a job board of the sandbox changes its markup between two runs of the same search.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { attemptFor } from '../../../src/compose/attempt.ts';
import { siteCatalogue } from '../../../src/compose/sites.ts';
import { startOrchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { linkedin } from '../../../src/sandbox/boards/linkedin.ts';
import type { Replica } from '../../../src/sandbox/replica.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { NO_MODULES } from '../../../src/source-modules/load.ts';
import { createRegistry } from '../../../src/source-modules/registry.ts';
import { SOURCES } from '../../../src/sources/built-in.ts';
import { defineSource } from '../../../src/sources/define.ts';
import { createWeb } from '../../../src/web/web.ts';
import { createEvidence } from '../../../src/worker/evidence.ts';
import { runHere } from '../../../src/worker/run-source.ts';
import { startWorker } from '../../../src/worker/worker.ts';
import { until } from '../../conformance/world.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

const site = { isRedesigned: false, hasAuthors: true };
/** The same cards, with another class name around the company. */
const board: Replica = {
  ...linkedin,
  async handle(request) {
    const reply = await linkedin.handle(request);
    if (!reply || !site.isRedesigned) return reply;
    return { ...reply, body: String(reply.body).replaceAll('base-search-card__subtitle', 'entity-card__org') };
  },
};

/** Career pages of a company that are read by selectors: two pages of a list, and one of each posting. */
const careersPage = (path: string): string => {
  const [place, more, text] = site.isRedesigned ? ['city', 'further', 'body'] : ['place', 'more', 'text'];
  if (path.startsWith('/jobs/')) return `<h1>Welder</h1><div class="${text}">You weld pipes of every kind.</div>`;
  const first = path === '/page2' ? 20 : 0;
  const rows = Array.from({ length: 20 }, (_, n) => {
    const id = first + n;
    return `<li class="job"><a href="/jobs/${id}">Welder ${id}</a><span class="${place}">Tampa, FL</span></li>`;
  });
  return `<h1>Careers</h1><ul>${rows.join('')}</ul>${first === 0 ? `<a class="${more}" href="/page2">More</a>` : ''}`;
};
let listing: Server;

const articles = defineSource({
  name: 'article',
  title: 'Made up',
  kind: 'article',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 0 },
  params: z.object({ url: z.string() }),
  async *scrape({ url }) {
    const author = site.hasAuthors ? 'A. Writer' : null;
    yield {
      url,
      title: `Title of ${url}`,
      content: `Text of ${url}`,
      author,
      published_at: null,
      language: null,
      image: null,
    };
  },
});

let sandbox: Sandbox;
let world: ApiWorld;
let stop: () => Promise<void>;

beforeAll(async () => {
  sandbox = await startSandbox({ replicas: [board] });
  world = await startApiWorld({
    isWithWorker: false,
    catalogue: siteCatalogue(createRegistry(NO_MODULES)),
    careers: {
      types: () => ['static'],
      problems: () => [],
      rows: async () => [],
      read: async () => [],
      detect: async (url) => ({ findings: [], looked: [{ url }], hints: [] }),
    },
  });
  listing = createServer((request, response) =>
    response.setHeader('content-type', 'text/html').end(careersPage(request.url ?? '/')),
  );
  await new Promise<void>((resolve) => listing.listen(0, '127.0.0.1', resolve));
  const webs = createWeb({
    hostMap: `careers.example=http://127.0.0.1:${(listing.address() as AddressInfo).port},*=${sandbox.origin}`,
    robots: 'off',
    paces: new Map(['linkedin', 'static'].map((source) => [source, { concurrency: 4, delayMs: 0 }])),
  });
  const orchestrator = startOrchestrator({
    store: world.store,
    wire: world.wire,
    leaseSeconds: 60,
    sweepSeconds: 5,
    maxWindow: 100,
    retention: { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 1_000 },
    evidence: { limits: { days: 30, maxBytes: 1e9, perCause: 100 }, files: null },
    log: () => {},
  });
  const worker = startWorker({
    name: 'w1',
    wire: world.wire,
    lanes: ['http'],
    slots: 8,
    runSource: runHere((name) => (name === 'article' ? articles : SOURCES.get(name))),
    webFor: (...of) => webs.forAttempt(attemptFor(...of)),
    evidence: createEvidence({
      send: (one) => world.wire.sendEvidence(one),
      onError: (error) => {
        throw error;
      },
    }),
    heartbeatMs: 500,
    version: 'test',
    log: () => {},
  });
  stop = async () => {
    await worker.drain(0);
    await orchestrator.stop();
    await webs.close();
    listing.close();
  };
});

afterAll(async () => {
  await stop?.();
  await world?.stop();
  await sandbox?.close();
});

const get = async (path: string) => (await world.call('GET', path)).body;

/** One search of the board, to its end. */
async function search(term: string, isRedesigned = false) {
  site.isRedesigned = isRedesigned;
  const { body } = await world.call('POST', '/jobs/scrape', {
    site_name: 'linkedin',
    search_term: term,
    results_wanted: 20,
  });
  const path = `/runs/${body.data.run_id}`;
  await until(`the end of ${term}`, async () => (await get(path)).status !== 'running');
  return get(path);
}

/** Of the postings of a run. */
const companies = async (runId: string): Promise<(string | null)[]> =>
  (await get(`/jobs/scrape/${runId}?limit=1000`)).data.jobs.map((one: { company: string | null }) => one.company);

test('a board that changes its markup: the run is suspect, its items are kept apart, and a good run makes them obsolete', async () => {
  const first = await search('engineer');
  expect(first.quality).toEqual({ verdict: 'succeeded', findings: [] });
  expect((await companies(first.run_id)).every((company) => company !== null)).toBe(true);
  for (let run = 0; run < 2; run++) await search('engineer');

  const broken = await search('engineer', true);
  // The status of a run keeps its meaning.
  expect(broken.status).toBe('completed');
  expect(broken.quality.verdict).toBe('suspect');
  expect(broken.quality.findings).toEqual([
    {
      source: 'linkedin',
      rule: 'company',
      verdict: 'suspect',
      value: 0,
      expected: 1,
      runs: 3,
      message: '0 % of the items have company, usually 100 %',
      held: true,
    },
  ]);
  const held = await get('/quality?state=held');
  expect(held.checks).toHaveLength(1);
  expect(held.checks[0]).toMatchObject({
    run_id: broken.run_id,
    source: 'linkedin',
    verdict: 'suspect',
    held_items: 20,
  });
  expect(held.checks[0].measure).toMatchObject({ items: 20, duplicate_share: 0, refused_share: 0 });
  // Nothing of it is stored: what the runs before found is as it was.
  expect(await companies(broken.run_id)).toEqual([]);
  expect((await get(`/jobs/scrape/${broken.run_id}`)).data.message).toMatch(/kept apart/);
  expect((await companies(first.run_id)).every((company) => company !== null)).toBe(true);

  const good = await search('engineer');
  expect(good.quality.verdict).toBe('succeeded');
  const [old] = (await get(`/quality/${broken.run_id}`)).checks;
  expect(old).toMatchObject({ state: 'superseded', held_items: 0 });
  expect((await world.call('POST', `/quality/${broken.run_id}/accept`)).body).toMatchObject({ checks: 0, items: 0 });
});

test('what is kept apart is stored once when a person accepts it, and later runs are compared with that', async () => {
  for (let run = 0; run < 3; run++) await search('nurse');
  const broken = await search('nurse', true);
  expect(broken.quality.verdict).toBe('suspect');
  const decided = await Promise.all(
    [1, 2, 3].map(async () => (await world.call('POST', `/quality/${broken.run_id}/accept`)).body.items),
  );
  expect(decided.toSorted()).toEqual([0, 0, 20]);
  expect(await companies(broken.run_id)).toEqual(Array(20).fill(null));
  expect((await get(`/quality/${broken.run_id}`)).checks[0]).toMatchObject({ state: 'accepted', held_items: 0 });
  expect((await search('nurse', true)).quality.verdict).toBe('succeeded');
});

test('what a person rejects is gone, and the next run is compared with those before it', async () => {
  for (let run = 0; run < 3; run++) await search('teacher');
  const broken = await search('teacher', true);
  expect((await world.call('POST', `/quality/${broken.run_id}/reject`)).body).toMatchObject({ checks: 1, items: 20 });
  expect(await companies(broken.run_id)).toEqual([]);
  expect((await search('teacher', true)).quality.verdict).toBe('suspect');
});

test('articles are judged together, by site, when their run has ended', async () => {
  const submit = async (round: number) => {
    const runId = await world.submit(Array.from({ length: 12 }, (_, i) => `/story-${round}-${i}`));
    await until('it is judged', async () => (await get(`/quality/${runId}`)).verdict !== null);
    return get(`/quality/${runId}`);
  };
  for (let round = 0; round < 3; round++) expect((await submit(round)).verdict).toBe('succeeded');
  site.hasAuthors = false;
  const { verdict, checks } = await submit(3);
  expect(verdict).toBe('suspect');
  expect(checks[0]).toMatchObject({ source: 'article', about: 'example.com', task_id: null, state: null });
  expect(checks[0].findings.map((finding: { rule: string }) => finding.rule)).toEqual(['author']);
  const suspect = await get('/quality?verdict=suspect&source=article&limit=1');
  expect(suspect).toMatchObject({ checks: [{ source: 'article' }], next_cursor: null });
});

test('lists are read page by page, and unknown runs are said to be so', async () => {
  const first = await get('/quality?limit=2');
  const second = await get(`/quality?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`);
  expect(second.checks[0].checked_at <= first.checks[1].checked_at).toBe(true);
  expect((await world.call('GET', '/quality/job_none')).status).toBe(404);
  expect((await world.call('POST', '/quality/job_none/accept')).status).toBe(404);
});

test('a selector that finds nothing any more is named, with the page that it found nothing in', async () => {
  const company = {
    name: 'Selectors Inc',
    website: 'https://careers.example/',
    active: true,
    scraping_config: {
      scraper_type: 'static',
      url: 'https://careers.example/',
      item: 'li.job',
      fields: { title: 'a', url: 'a@href', location: '.place' },
      next: 'a.more',
      details: true,
      detail_fields: { description: '.text' },
    },
  };
  const added = await world.call('POST', '/companies', company);
  expect(added.status, added.text).toBe(201);
  const scrape = async (isRedesigned: boolean) => {
    site.isRedesigned = isRedesigned;
    const { body, text } = await world.call('POST', `/companies/${added.body.id}/scrape`, {});
    const runId = body.data?.run_id;
    expect(runId, text).toBeDefined();
    await until('the end of the scrape', async () => (await get(`/runs/${runId}`)).status !== 'running');
    return get(`/quality/${runId}`);
  };
  for (let n = 0; n < 3; n++) expect((await scrape(false)).verdict).toBe('succeeded');
  const { verdict, checks, run_id: runId } = await scrape(true);
  expect(verdict).toBe('suspect');
  expect(checks[0].findings).toContainEqual(
    expect.objectContaining({
      rule: 'selectors',
      selector: 'location: .place',
      value: 0,
      expected: 1,
      message: '“location: .place” found something in 0 % of 20 rows, usually 100 %',
    }),
  );
  const named = checks[0].findings.flatMap((finding: { selector?: string }) => finding.selector ?? []);
  expect(named).toEqual(expect.arrayContaining(['next after 20 rows: a.more', 'detail description: .text']));
  expect(checks[0].measure.selectors).toMatchObject({ 'title: a': { rows: 20, found: 20 } });
  await expect
    .poll(async () => (await get(`/quality/${runId}`)).checks[0].evidence.length, { timeout: 20_000 })
    .toBe(1);
  const [saved] = (await get(`/quality/${runId}`)).checks[0].evidence;
  expect(saved).toMatchObject({
    code: 'suspect',
    url: expect.stringContaining('https://careers.example/'),
    run_id: runId,
  });
  expect((await world.call('GET', saved.page.path)).text).toContain('class="body"');
});
