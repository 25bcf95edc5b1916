import { expect, test } from 'vitest';
import { positionsAt } from '../../../src/sandbox/careers/truth.ts';
import type { Replica } from '../../../src/sandbox/replica.ts';
import { careerWorld, NOON } from '../../support/worlds/careers.ts';

const numbers = (vendor: string, token: string) =>
  positionsAt({ vendor, token }, NOON)
    .map((position) => String(position.number))
    .sort();

test('a Workday site of more than 2,000 postings is read whole, by splitting its queries', async () => {
  await using world = await careerWorld();
  const token = 'silverdale-2600';
  const { postings, incomplete, skipped } = await world.scrape('workday', {
    host: `${token}.wd5.myworkdayjobs.com`,
    site: 'External',
    details: false,
  });
  const truth = numbers('workday', token);
  expect(truth.length).toBeGreaterThan(2_300);
  expect(postings.map((p) => p.external_id.slice(2)).sort()).toEqual(truth);
  expect([skipped, incomplete]).toEqual([[], []]);
  // Pages of 20 and a first page for each part; not the whole list twice.
  expect(world.sandbox.log(`${token}.wd5.myworkdayjobs.com`).length).toBeLessThan(truth.length / 20 + 30);
});

test('an incremental scrape of a large Workday site stops where everything is known', async () => {
  await using world = await careerWorld();
  const token = 'silverdale-900';
  const known = numbers('workday', token)
    .slice(0, -5)
    .map((number) => `R-${number}`);
  const { postings, incomplete } = await world.scrape('workday', {
    host: `${token}.wd5.myworkdayjobs.com`,
    site: 'External',
    known,
  });
  expect(postings).toHaveLength(5);
  expect(incomplete).toEqual([]);
  expect(world.sandbox.log(`${token}.wd5.myworkdayjobs.com`).length).toBeLessThan(20);
});

test('a list in pages that repeats a row gives each posting once', async () => {
  await using world = await careerWorld();
  const token = 'dup-silverdale-240';
  const { postings } = await world.scrape('smartrecruiters', { company: token, details: false });
  const ids = postings.map((p) => p.external_id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.map((id) => String(Number(id.slice(4)))).sort()).toEqual(numbers('smartrecruiters', token));
});

test('a total that shrinks while one reads is told, so that nothing is closed', async () => {
  await using world = await careerWorld();
  const { incomplete } = await world.scrape('smartrecruiters', { company: 'shrink-silverdale-240', details: false });
  expect(incomplete).toEqual(['the list changed while it was read', 'the list changed while it was read']);
});

test.each([
  ['greenhouse', { board: 'silverdale-30' }, 30_000],
  ['lever', { site: 'silverdale-150' }, 250_000],
  ['workable', { account: 'silverdale-30' }, 30_000],
])('%s: a board too large for one answer is read in parts', async (source, params, maxBytes) => {
  await using world = await careerWorld({ maxBytes });
  const token = Object.values(params)[0] as string;
  const { postings, skipped, incomplete } = await world.scrape(source, params);
  expect(postings).toHaveLength(numbers(source, token).length);
  expect([skipped, incomplete]).toEqual([[], []]);
  expect(postings.every((p) => p.description?.includes('research & planning'))).toBe(true);
});

test('a page instead of JSON is never an empty board', async () => {
  await using world = await careerWorld({ faults: { rate: 1, kinds: ['shell'], seed: 1 } });
  await expect(world.scrape('greenhouse', { board: 'silverdale' })).rejects.toMatchObject({
    code: expect.stringMatching(/layout_changed|unsupported_content|blocked/),
  });
  await expect(world.scrape('personio', { company: 'silverdale' })).rejects.toMatchObject({
    code: expect.stringMatching(/layout_changed|unsupported_content|blocked/),
  });
});

test('too many requests is an error with the time to come back', async () => {
  await using world = await careerWorld({ faults: { rate: 1, kinds: ['429:7'], seed: 1 } });
  await expect(world.scrape('workable', { account: 'silverdale' })).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 7_000,
  });
});

test('postings whose own page fails are still there, from the list, and are named', async () => {
  await using world = await careerWorld({ faults: { rate: 0.4, kinds: ['500'], seed: 3 } });
  const token = 'silverdale-40';
  const { postings, skipped, incomplete } = await world.scrape('bamboohr', { company: token });
  expect(postings.map((p) => p.external_id).sort()).toEqual(numbers('bamboohr', token));
  expect(skipped.length).toBeGreaterThan(3);
  expect(
    postings
      .filter((p) => p.description === null)
      .map((p) => p.external_id)
      .sort(),
  ).toEqual(skipped.map(({ id }) => id).sort());
  expect(incomplete).toEqual([]);
});

test('H7: a list without an end, each page under a new session id, is left after its limit of pages, with each posting once', async () => {
  let page = 0;
  const trap: Replica = {
    name: 'trap',
    title: 'A list that never ends',
    hosts: ['trap.example'],
    examples: [],
    handle: ({ path }) =>
      path !== '/careers'
        ? undefined
        : {
            status: 200,
            type: 'text/html',
            body: `<ul><li class="job"><a href="/jobs/1">Baker</a></li><li class="job"><a href="/jobs/2">Miller</a></li></ul><a rel="next" href="/careers?sid=${++page}">next</a>`,
          },
  };
  await using world = await careerWorld({ replicas: [trap] });
  const { postings, incomplete } = await world.scrape('static', {
    url: 'https://trap.example/careers',
    item: 'li.job',
    fields: { title: 'a', url: 'a@href' },
    next: 'a[rel=next]',
    max_pages: 4,
  });
  expect(postings.map(({ title }) => title).sort()).toEqual(['Baker', 'Miller']);
  expect(page).toBe(4);
  expect(incomplete).toEqual(['more than 4 pages']);
});
