import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { articleAt } from './news/article.ts';
import { type Sandbox, startSandbox } from './server.ts';

let sandbox: Sandbox;
let agent: Agent;
beforeAll(async () => {
  sandbox = await startSandbox();
  agent = new Agent({ connections: 8 });
});
afterAll(async () => {
  await agent.close();
  await sandbox.close();
});

/** As the web layer does with WEB_HOST_MAP: the request goes to the sandbox, the Host header stays. */
async function get(url: string, headers: Record<string, string> = {}) {
  const { host, pathname, search } = new URL(url);
  const reply = await request(sandbox.origin + pathname + search, { dispatcher: agent, headers: { ...headers, host } });
  return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
}

test("the seed document's addresses are articles", async () => {
  for (const url of ['https://www.bbc.com/news/technology', 'https://techcrunch.com/']) {
    const { host, pathname } = new URL(url);
    const truth = articleAt(host, pathname);
    const page = await get(url);
    expect(page.status).toBe(200);
    expect(page.text).toContain(truth.title);
    expect(page.text).toContain(truth.author);
    expect(truth.content.length).toBeGreaterThan(1000);
  }
});

test('the same address gives the same bytes in another sandbox and other bytes under another seed', async () => {
  const first = await get('https://www.wired.com/story/1');
  const twin = await startSandbox();
  const other = await startSandbox({ seed: 7 });
  try {
    const ask = async ({ origin }: Sandbox) =>
      (await request(`${origin}/story/1`, { headers: { host: 'www.wired.com' } })).body.text();
    expect(await ask(twin)).toBe(first.text);
    expect(await ask(other)).not.toBe(first.text);
  } finally {
    await Promise.all([twin.close(), other.close()]);
  }
});

test('an unchanged page costs a 304, by tag or by date', async () => {
  const url = 'https://arstechnica.com/science/a-page';
  const { headers } = await get(url);
  const byTag = await get(url, { 'if-none-match': String(headers.etag) });
  expect([byTag.status, byTag.text]).toEqual([304, '']);
  expect((await get(url, { 'if-modified-since': String(headers['last-modified']) })).status).toBe(304);
  expect(
    (await get(url, { 'if-none-match': '"other"', 'if-modified-since': String(headers['last-modified']) })).status,
  ).toBe(200);
});

test('the log tells host, path, times and headers of every hit', async () => {
  sandbox.reset();
  await Promise.all([1, 2, 3].map((n) => get(`https://log.example/${n}`, { 'user-agent': 'test' })));
  const hits = sandbox.log('log.example');
  expect(hits.map((hit) => hit.path).sort()).toEqual(['/1', '/2', '/3']);
  expect(
    hits.every((hit) => hit.endMs !== null && hit.endMs >= hit.startMs && hit.headers['user-agent'] === 'test'),
  ).toBe(true);
  const { total, stats } = (await (await request(`${sandbox.origin}/__sandbox/hits?host=log.example`)).body.json()) as {
    total: number;
    stats: { requests: number };
  };
  expect([total, stats.requests]).toEqual([3, 3]);
});

test('the console answers at the sandbox address only', async () => {
  expect((await get('https://www.bbc.com/__sandbox/stats')).text).toContain('<h1');
  const index = await request(`${sandbox.origin}/__sandbox/`);
  expect(await index.body.text()).toContain('redirect-loop');
});

test('a person can look at one page without mapping hosts', async () => {
  const page = await request(`${sandbox.origin}/__sandbox/at/www.bbc.com/news/technology`);
  expect(await page.body.text()).toContain(articleAt('www.bbc.com', '/news/technology').title);
  expect((await request(`${sandbox.origin}/__sandbox/at/www.bbc.com/news?fault=404`)).statusCode).toBe(404);
});
