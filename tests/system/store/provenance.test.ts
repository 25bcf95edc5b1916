// Where fields came from, all the way: read by workers of a fleet from the sandbox, recorded, asked for over HTTP and with the command line.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShownItem } from '../../../src/cli/commands/lists/provenance.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { until } from '../../conformance/world.ts';
import { runWindrow } from '../../support/windrow.ts';
import { Fleet } from '../../support/worlds/fleet.ts';

const LIMIT_MS = 180_000;
const folder = mkdtempSync(join(tmpdir(), 'windrow-provenance-'));
let sandbox: Sandbox;
let f: Fleet;

beforeAll(async () => {
  sandbox = await startSandbox();
  f = await Fleet.start({
    workers: 1,
    env: { WEB_HOST_MAP: `*=${sandbox.origin}`, WEB_ARCHIVE: 'on', SOURCE_PACE: 'google-shopping=4/0' },
  });
}, LIMIT_MS);
afterAll(async () => {
  await f?.close();
  await sandbox?.close();
  rmSync(folder, { recursive: true, force: true });
}, LIMIT_MS);

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${f.client.origin}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function listed(kind: string, query = ''): Promise<ShownItem[]> {
  let items: ShownItem[] = [];
  await until(`${kind} are listed`, async () => {
    items = (await call<Record<string, ShownItem[]>>('GET', `/${kind}?provenance=1&limit=50${query}`))[kind]!;
    return items.length > 0;
  });
  return items;
}

function expectKnown(items: ShownItem[]): void {
  for (const { provenance } of items) {
    expect(Object.entries(provenance.fields).filter(([, origin]) => origin === 'unknown')).toEqual([]);
    expect(provenance).toMatchObject({
      source_version: 1,
      attempt: 1,
      task_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  }
}

test('postings of a search', async () => {
  await call('POST', '/jobs/scrape?mode=sync', { site_name: 'linkedin', search_term: 'engineer', results_wanted: 10 });
  const items = await listed('postings');
  expect(items).toHaveLength(10);
  expectKnown(items);
  expect(items[0]!.provenance.fields).toMatchObject({
    title: expect.stringContaining('selector:h3'),
    job_hash: 'computed',
  });
  const [{ url, id }] = items[0]!.provenance.pages as [{ url: string; id: string }];
  expect(url).toMatch(/^https:\/\/www\.linkedin\.com\//);
  expect(id).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  // Ten postings, and a handful of ways to read them.
  const [kept] = await f.withSql((sql) => sql<{ n: number }>('select count(*)::int as n from windrow.item_origins'));
  expect(kept!.n).toBeLessThan(10);
  // The postings themselves are as they were.
  const [plain] = (await call<{ postings: object[] }>('GET', '/postings?limit=1')).postings;
  expect(plain).not.toHaveProperty('provenance');
});

test('articles, in lines too', async () => {
  await call('POST', '/jobs/submit', { articles: [{ url: 'https://www.example-news.com/2024/01/01/tides' }] });
  const items = await listed('articles');
  expectKnown(items);
  const answer = await fetch(`${f.client.origin}/articles?provenance=1&format=ndjson`);
  const lines = (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ShownItem);
  expect(lines[0]!.provenance).toEqual(items[0]!.provenance);
});

test('products of a cart', async () => {
  await call('POST', '/cart', { items: ['milk'], zipcode: '33602' });
  const items = await listed('products');
  expectKnown(items);
  expect(items[0]!.provenance.fields.price).toMatch(/^(?:selector|rule):/);
});

test('an item that was stored without says unknown for every field', async () => {
  await f.withSql((sql) => sql('update windrow.postings set origins_id = null, attempt = null'));
  const [first] = await listed('postings');
  expect(new Set(Object.values(first!.provenance.fields))).toEqual(new Set(['unknown']));
  expect(first!.provenance).toMatchObject({ source_version: null, attempt: null });
});

test('the command line shows field, value and place', async () => {
  const shown = await runWindrow(['provenance', 'articles', '--url', f.client.origin], { cwd: folder });
  expect(shown.code, shown.stderr).toBe(0);
  expect(shown.stdout).toMatch(/^FIELD +VALUE +FROM/);
  expect(shown.stdout).toMatch(/content .* rule:article-text/);
  expect(shown.stdout).toMatch(/Read by: task [0-9a-f-]{36}, attempt 1, version 1 of the source/);
});
