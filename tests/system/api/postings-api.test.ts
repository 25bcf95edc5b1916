// GET /postings on a real database: filters, orders, pages, formats, and the group of each posting.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type Draft, pay, place, posting, prose, save } from '../../support/worlds/postings.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
let pool: pg.Pool;

const DRAFTS: Draft[] = [
  { source: 'indeed', external_id: 'a', description: prose('acme'), salary: pay(120_000, 180_000) },
  { source: 'linkedin', external_id: 'a', description: prose('acme'), posted_at: '2026-11-11T00:00:00.000Z' },
  {
    source: 'indeed',
    external_id: 'nurse',
    title: 'Registered Nurse',
    company: 'Harbour Hospital',
    location: 'Boston',
    locations: [place('Boston')],
    salary: pay(40, 55, { interval: 'hour' }),
    posted_at: null,
    posted_precision: 'unknown',
  },
  {
    source: 'glassdoor',
    external_id: 'data',
    title: 'Data Engineer',
    company: 'IT',
    location: 'Paris, France',
    locations: [place('Paris', 'FR')],
    remote_type: 'remote',
    salary: pay(50_000, 60_000, { currency: 'EUR' }),
    posted_at: '2026-10-01T00:00:00.000Z',
    description: 'Pipelines, "quoted", and\nnew lines',
  },
  {
    source: 'bayt',
    external_id: 'formula',
    title: '=HYPERLINK("x")',
    company: 'Acme Two',
    location: 'Dubai',
    locations: [place('Dubai', 'AE')],
  },
];

beforeAll(async () => {
  database = await freshDatabase();
  world = await startApiWorld({ databaseUrl: database.url });
  pool = createPool({ connection: database.url, connectTimeoutMs: 30_000 });
  // One after another: who showed it first is part of the answer.
  for (const draft of DRAFTS) await save(pool, posting(draft));
  await vi.waitUntil(async () => (await get('/postings')).every((one) => one.group.id !== null), 60_000);
});
afterAll(async () => {
  await world?.stop();
  await pool?.end();
  await database?.drop();
});

interface Listed {
  title: string;
  source: string;
  external_id: string;
  first_seen_at: string;
  group: { id: string | null; sources: { source: string; job_url: string; first_seen_at: string }[] };
}

async function get(path: string): Promise<Listed[]> {
  const { status, body, text } = await world.call('GET', path);
  expect(status, text).toBe(200);
  return body.postings;
}
const idsOf = (listed: Listed[]) => listed.map((one) => `${one.source} ${one.external_id}`);
const idsFor = async (query: string) => idsOf(await get(`/postings?${query}`)).sort();

test('the newest come first, each with its group, and a group says who showed it when', async () => {
  const listed = await get('/postings');
  expect(idsOf(listed)).toEqual(['bayt formula', 'glassdoor data', 'indeed nurse', 'linkedin a', 'indeed a']);
  const [, , nurse, second, first] = listed;
  expect(first!.group).toEqual(second!.group);
  expect(first!.group.id).toMatch(/^grp_[0-9a-f]{32}$/);
  expect(first!.group.sources).toEqual([
    { source: 'indeed', job_url: 'https://indeed.example/jobs/a', first_seen_at: first!.first_seen_at },
    { source: 'linkedin', job_url: 'https://linkedin.example/jobs/a', first_seen_at: second!.first_seen_at },
  ]);
  expect(nurse!.group.sources).toHaveLength(1);
  expect(await idsFor(`group=${first!.group.id}`)).toEqual(['indeed a', 'linkedin a']);
});

test.each([
  ['source=indeed', ['indeed a', 'indeed nurse']],
  ['source=indeed,bayt', ['bayt formula', 'indeed a', 'indeed nurse']],
  ['source=nowhere', []],
  ['company=acme', ['bayt formula', 'indeed a', 'linkedin a']],
  ['company=Acme%20Two', ['bayt formula']],
  ['company=IT', ['glassdoor data']],
  ['company=Boston', []],
  ['location=paris', ['glassdoor data']],
  ['location=Acme', []],
  ['remote_type=remote', ['glassdoor data']],
  ['posted_after=2026-11-11', ['linkedin a']],
  ['posted_after=2026-11-10T00:00:00Z&source=indeed', ['indeed a']],
  ['min_salary=100000', ['indeed a', 'indeed nurse']],
  ['min_salary=1&currency=EUR', ['glassdoor data']],
  ['first_seen_after=2020-01-01&source=bayt', ['bayt formula']],
  ['first_seen_after=2200-01-01', []],
  ['q=nurses', ['indeed nurse']],
  ['q=engineer', ['glassdoor data', 'indeed a', 'linkedin a']],
  ['q=engineer%20-data', ['indeed a', 'linkedin a']],
  ['q=%22data%20engineer%22', ['glassdoor data']],
  ['q=harbour', ['indeed nurse']],
  ['q=har%00bour', ['indeed nurse']],
  ['company=%00&location=%ED%A0%80', []],
  ['q=%21%21%21', []],
  ['q=pipelines%20or%20nurse', ['glassdoor data', 'indeed nurse']],
  ['q=%27%29%3B%20drop%20table%20postings%3B--', []],
])('%s', async (query, ids) => {
  expect(await idsFor(query)).toEqual(ids);
});

test.each([
  ['-salary', ['indeed a', 'indeed nurse', 'glassdoor data']],
  ['-posted_at', ['linkedin a']],
  ['first_seen_at', ['indeed a', 'linkedin a', 'indeed nurse', 'glassdoor data', 'bayt formula']],
])('sorted by %s', async (sort, first) => {
  expect(idsOf(await get(`/postings?sort=${sort}`)).slice(0, first.length)).toEqual(first);
});

test('pages of every order together are all postings, each once', async () => {
  for (const sort of ['-first_seen_at', 'first_seen_at', '-posted_at', 'posted_at', '-salary', 'salary']) {
    const whole = idsOf(await get(`/postings?sort=${sort}`));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await world.call('GET', `/postings?sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsOf(body.postings));
      cursor = body.next_cursor;
    }
    expect(seen, sort).toEqual(whole);
    expect(new Set(seen).size).toBe(DRAFTS.length);
  }
});

test('lines and rows hold all that match, and no formula', async () => {
  const lines = await world.call('GET', '/postings?format=ndjson&sort=first_seen_at');
  expect(lines.headers.get('content-type')).toContain('application/x-ndjson');
  expect(
    idsOf(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Listed),
    ),
  ).toHaveLength(DRAFTS.length);
  const rows = await world.call('GET', '/postings?format=csv&company=acme');
  expect(rows.text.split('\r\n')[0]).toMatch(
    /^title,company,.*,first_seen_at,group_id,group_sources,experience_years_min,.*,contract_kinds$/,
  );
  expect(rows.text).toContain(`"'=HYPERLINK(""x"")"`);
  expect(rows.text).toContain('indeed linkedin');
  const one = await world.call('GET', '/postings?limit=1', undefined, { accept: 'text/csv' });
  expect(one.text.trim().split('\r\n')).toHaveLength(2);
});

test('more than a chunk is streamed to its end', async () => {
  const many = Array.from({ length: 450 }, (_, i) =>
    posting({ source: 'naukri', external_id: `n${i}`, company: `C${i}` }),
  );
  await save(pool, ...many);
  const { text } = await world.call('GET', '/postings?format=ndjson&source=naukri&sort=-posted_at');
  const ids = text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Listed).external_id);
  expect(new Set(ids).size).toBe(450);
  expect(ids).toHaveLength(450);
  await pool.query(`delete from postings where source = 'naukri'`);
});

test.each([
  ['remote_type=perhaps', '/remote_type'],
  ['posted_after=yesterday', '/posted_after'],
  ['posted_after=2026-13-45', '/posted_after'],
  ['min_salary=much', '/min_salary'],
  ['sort=color', '/sort'],
  ['first_seen_after=now', '/first_seen_after'],
  ['limit=0', '/limit'],
  ['limit=5000', '/limit'],
  ['cursor=abc', '/cursor'],
  ['group=x', '/group'],
  ['colour=red', '/colour'],
])('%s is refused by its name', async (query, pointer) => {
  const { status, body } = await world.call('GET', `/postings?${query}`);
  expect(status).toBe(422);
  expect(body.errors).toEqual([expect.objectContaining({ pointer })]);
});

test('a cursor of another order is refused', async () => {
  const { body } = await world.call('GET', '/postings?limit=1');
  const { status } = await world.call('GET', `/postings?sort=salary&cursor=${body.next_cursor}`);
  expect(status).toBe(422);
});
