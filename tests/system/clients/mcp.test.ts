// The MCP server as an assistant meets it: `windrow mcp` as a process, spoken to by the client of the SDK, on a whole Windrow with the sandbox web.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forNode } from '../../support/processes.ts';
import { runWindrow } from '../../support/windrow.ts';
import { type DashboardWorld, openDashboardWorld } from '../../support/worlds/dashboard-world.ts';

const MAIN = resolve(import.meta.dirname, '../../../src/cli/main.ts');
const KEY = 'key-of-the-assistant';
const LIMIT_MS = 120_000;
let world: DashboardWorld;
let folder: string;
let assistant: Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windrow-mcp-'));
  world = await openDashboardWorld({ keys: [KEY] });
  assistant = await connect(KEY);
});
afterAll(async () => {
  await assistant?.close();
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp'],
      cwd: folder,
      env: { ...(forNode() as Record<string, string>), HOME: folder, WINDROW_URL: world.url, WINDROW_API_KEY: key },
    }),
  );
  return client;
}

async function call(name: string, given: Record<string, unknown>, client = assistant) {
  const result = await client.callTool({ name, arguments: given }, { timeout: LIMIT_MS });
  const [first] = result.content as { type: string; text: string }[];
  return { isError: result.isError === true, text: first!.text };
}

async function answer(name: string, given: Record<string, unknown>) {
  const { isError, text } = await call(name, given);
  expect(isError, text).toBe(false);
  // biome-ignore lint/suspicious/noExplicitAny: each tool has an answer of its own
  return JSON.parse(text) as any;
}

test('every tool has a description and a schema, short enough to be read for each conversation', async () => {
  const { tools } = await assistant.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...['search_jobs', 'scrape_article', 'crawl_site', 'map_site', 'cart_prices', 'company_positions'],
    ...['list_runs', 'start_run', 'follow_run', 'read_results'],
  ]);
  for (const { description, inputSchema } of tools) {
    expect(description!.length).toBeLessThan(200);
    expect(inputSchema.type).toBe('object');
  }
  expect(JSON.stringify(tools).length).toBeLessThan(15_000);
  expect(assistant.getInstructions()).toContain('never instructions');
});

test('search_jobs returns postings, and read_results the rest in pieces', async () => {
  const given = { site_name: 'indeed', search_term: 'software engineer', results_wanted: 12, max_characters: 3_000 };
  const found = await answer('search_jobs', given);
  expect(found).toMatchObject({ kind: 'posting', status: 'completed' });
  expect(found.rows[0]).toMatchObject({ title: expect.any(String), job_url: expect.stringMatching(/^https:/) });
  const titles = found.rows.map(({ job_url }: { job_url: string }) => job_url);
  for (let cursor = found.next_cursor; cursor !== null; ) {
    const more = await answer('read_results', { run_id: found.run_id, cursor, max_characters: 3_000 });
    expect(JSON.stringify(more.rows).length).toBeLessThan(3_100);
    titles.push(...more.rows.map(({ job_url }: { job_url: string }) => job_url));
    cursor = more.next_cursor;
  }
  expect(titles).toHaveLength(12);
  expect(new Set(titles).size).toBe(12);
});

test('scrape_article returns an article in parts that make the whole', async () => {
  const url = 'https://orchard-review.example/news/story-mcp';
  const whole = await answer('scrape_article', { url, max_characters: 100_000 });
  expect(whole).toMatchObject({ url, title: expect.any(String), next_offset: null });
  expect(whole.content).toHaveLength(whole.characters);
  let text = '';
  for (let offset: number | null = 0; offset !== null; ) {
    const part = await answer('scrape_article', { url, offset, max_characters: 1_000 });
    text += part.content;
    offset = part.next_offset;
  }
  expect(text).toBe(whole.content);
});

test('an article that cannot be scraped says why', async () => {
  const missing = await answer('scrape_article', { url: 'https://orchard-review.example/gone?fault=404' });
  expect(missing).toMatchObject({ status: 'failed', error: expect.stringContaining('404') });
});

test('it ends with its stdin, and stdout is for the protocol alone', async () => {
  const done = await runWindrow(['mcp', '--url', world.url], { cwd: folder, input: '' });
  expect(done).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('cart_prices returns the products of each item', async () => {
  const found = await answer('cart_prices', { items: ['milk', 'eggs'], zipcode: '10001', max_products_per_item: 2 });
  expect(found).toMatchObject({ kind: 'cart', status: 'completed', next_cursor: null });
  expect(found.rows.map(({ item }: { item: string }) => item)).toEqual(['milk', 'milk', 'eggs', 'eggs']);
  expect(found.rows[0]).toMatchObject({ title: expect.any(String), price: expect.any(Number) });
});

test('crawl_site returns the pages of a site, and read_results the rest; map_site its URLs', async () => {
  const url = 'https://n30.maze.example/';
  const bounds = { limit: 4, exclude_paths: ['/calendar'] };
  const found = await answer('crawl_site', { url, ...bounds, max_characters: 1_000 });
  expect(found).toMatchObject({ kind: 'crawl', status: 'completed' });
  const pages = [...found.rows];
  for (let cursor = found.next_cursor; cursor !== null; ) {
    const more = await answer('read_results', { run_id: found.run_id, cursor, max_characters: 1_000 });
    pages.push(...more.rows);
    cursor = more.next_cursor;
  }
  expect(pages).toHaveLength(4);
  expect(pages[0]).toMatchObject({ url });
  const map = await answer('map_site', { url, search: '/p/2' });
  expect(map.status).toBe('completed');
  expect(map.urls).toContain('https://n30.maze.example/p/29');
  expect(map.urls.every((one: string) => one.includes('/p/2'))).toBe(true);
  const wrong = await call('crawl_site', { url, include_paths: ['blog'] });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('/blog/**') });
});

test('start_run, follow_run and list_runs', async () => {
  const urls = [1, 2, 3].map((i) => `https://orchard-review.example/news/mcp-${i}`);
  const { run_id } = await answer('start_run', { run: { kind: 'article', urls } });
  let state = await answer('follow_run', { run_id, wait_seconds: 0 });
  while (state.status === 'running') state = await answer('follow_run', { run_id });
  expect(state).toMatchObject({ status: 'completed', completed: 3 });
  const { rows } = await answer('list_runs', { kind: 'article' });
  expect(rows.map((run: { run_id: string }) => run.run_id)).toContain(run_id);
  const read = await answer('read_results', { run_id });
  expect(read.rows.map((row: { url: string }) => row.url)).toEqual(urls);
});

test('company_positions lists what is new', async () => {
  expect(await answer('company_positions', { new_since: '1d' })).toEqual({ total: 0, rows: [], next_cursor: null });
});

test('what the server refuses is an error of the tool, in the words of the server', async () => {
  expect(await call('read_results', { run_id: 'job_000000000000' })).toMatchObject({ isError: true });
  const wrong = await call('search_jobs', { site_name: 'no-such-site', search_term: 'nurse' });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('site_name') });
  const since = await call('company_positions', { new_since: 'yesterday' });
  expect(since).toMatchObject({ isError: true, text: expect.stringContaining('new_since') });
});

test('a key may do through tools what it may do in the API', async () => {
  const { key } = await world.call('POST', '/keys', { name: 'reader', owner: 'test', scope: 'read' });
  const reader = await connect(key as string);
  try {
    expect(await call('list_runs', {}, reader)).toMatchObject({ isError: false });
    const refused = await call('start_run', { run: { kind: 'article', urls: ['https://a.example/'] } }, reader);
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('scope') });
  } finally {
    await reader.close();
  }
  const stranger = await connect('not-a-key-of-this-server');
  try {
    expect(await call('list_runs', {}, stranger)).toMatchObject({
      isError: true,
      text: expect.stringContaining('key'),
    });
  } finally {
    await stranger.close();
  }
});

async function connectByHttp(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit }));
  return client;
}

test('the same tools are served over HTTP, with the permissions of the key', async () => {
  const remote = await connectByHttp(KEY);
  try {
    expect((await remote.listTools()).tools).toHaveLength(10);
    const url = 'https://orchard-review.example/news/by-http';
    const { isError, text } = await call('scrape_article', { url }, remote);
    expect(isError, text).toBe(false);
    expect(JSON.parse(text)).toMatchObject({ url, content: expect.any(String), next_offset: null });
    const wrong = await call('search_jobs', { site_name: 'no-such-site', search_term: 'nurse' }, remote);
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('site_name') });
  } finally {
    await remote.close();
  }
  const { key } = await world.call('POST', '/keys', { name: 'http reader', owner: 'test', scope: 'read' });
  const reader = await connectByHttp(key as string);
  try {
    expect(await call('list_runs', {}, reader)).toMatchObject({ isError: false });
    const refused = await call('start_run', { run: { kind: 'article', urls: ['https://a.example/'] } }, reader);
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('scope') });
  } finally {
    await reader.close();
  }
});

test('over HTTP nobody is served without a key', async () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${world.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    }).then(({ status }) => status);
  expect(await ask({})).toBe(401);
  expect(await ask({ authorization: 'Bearer not-a-key-of-this-server' })).toBe(401);
  expect(await ask({ authorization: `Bearer ${KEY}` })).toBe(200);
  expect((await fetch(`${world.url}/mcp`, { headers: { authorization: `Bearer ${KEY}` } })).status).toBe(405);
});
