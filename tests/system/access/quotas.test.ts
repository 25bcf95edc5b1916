// How much an owner may have waiting, and ask for in a day: held by two API processes on one database together.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onDatabase } from '../../support/outputs/contents.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

const BOOTSTRAP = 'bootstrap-key-of-quotas';
const OPEN = 20;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let worlds: [ApiWorld, ApiWorld];
beforeAll(async () => {
  database = await freshDatabase();
  const options = { apiKeys: [BOOTSTRAP], isWithWorker: false, databaseUrl: database.url };
  worlds = [await startApiWorld(options), await startApiWorld(options)];
});
afterAll(async () => {
  for (const world of worlds ?? []) await world.stop();
  await database?.drop();
});

let owners = 0;
async function make(limits: object) {
  const owner = `team-${owners++}`;
  const body = { name: owner, owner, scope: 'submit', ...limits };
  const made = await worlds[0].call('POST', '/keys', body, { 'x-api-key': BOOTSTRAP });
  expect(made.status, made.text).toBe(201);
  const headers = { 'x-api-key': made.body.key as string };
  // Both know the key, and what it says.
  for (const world of worlds) expect((await world.call('GET', '/runs', undefined, headers)).status).toBe(200);
  return { owner, headers };
}
let pages = 0;
const submit = (world: ApiWorld, headers: Record<string, string>, count: number) => {
  const articles = Array.from({ length: count }, () => ({ url: `https://example.com/page/${pages++}` }));
  return world.call('POST', '/jobs/submit', { articles }, headers);
};

test('of requests to two processes at once no more are accepted than fit, and those that end make room', async () => {
  const { owner, headers } = await make({ max_open_tasks: OPEN });
  const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => submit(worlds[n % 2]!, headers, 2)));
  const accepted = replies.filter(({ status }) => status === 201);
  expect(accepted).toHaveLength(OPEN / 2);
  const refused = replies.find(({ status }) => status === 429)!;
  expect(refused.body).toMatchObject({
    code: 'owner_quota',
    detail: expect.stringContaining(`${owner} may have 20 tasks`),
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(replies.filter(({ status }) => status !== 201 && status !== 429)).toEqual([]);
  const stored = await onDatabase(database.url, async (client) => {
    const { rows } = await client.query('select coalesce(sum(total), 0)::int as n from runs where owner = $1', [owner]);
    return rows[0].n;
  });
  expect(stored).toBe(OPEN);
  expect((await worlds[1].call('DELETE', `/jobs/${accepted[0]!.body.job_id}`, undefined, headers)).status).toBe(200);
  expect((await submit(worlds[0], headers, 2)).status).toBe(201);
  expect((await submit(worlds[0], headers, 1)).status).toBe(429);
  // Nobody else is limited by it.
  expect((await submit(worlds[0], { 'x-api-key': BOOTSTRAP }, 2 * OPEN)).status).toBe(201);
});

test('what is asked for in a day counts also when it was cancelled, and what was refused does not', async () => {
  const { headers } = await make({ max_tasks_per_day: 10 });
  const first = await submit(worlds[0], headers, 8);
  expect(first.status).toBe(201);
  expect((await worlds[0].call('DELETE', `/jobs/${first.body.job_id}`, undefined, headers)).status).toBe(200);
  const refused = await submit(worlds[1], headers, 3);
  expect(refused).toMatchObject({ status: 429, body: { code: 'owner_quota' } });
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
  expect((await submit(worlds[1], headers, 2)).status).toBe(201);
  expect((await submit(worlds[1], headers, 1)).status).toBe(429);
});

test('a request that is repeated with its Idempotency-Key is answered again, and counts once', async () => {
  const { headers } = await make({ max_open_tasks: 2 });
  const body = { articles: [{ url: 'https://example.com/once/1' }, { url: 'https://example.com/once/2' }] };
  const ask = () => worlds[0].call('POST', '/jobs/submit', body, { ...headers, 'idempotency-key': 'once' });
  const [first, again] = [await ask(), await ask()];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body.job_id).toBe(first.body.job_id);
});

test('carts and searches of companies are counted too', async () => {
  const { headers } = await make({ max_open_tasks: 1 });
  const cart = await worlds[0].call('POST', '/cart', { items: ['milk', 'eggs'], zipcode: '10001' }, headers);
  expect(cart).toMatchObject({ status: 429, body: { code: 'owner_quota' } });
  const company = {
    name: 'Acme',
    website: 'https://acme.example',
    scraping_config: { scraper_type: 'made-up', board: 'x' },
  };
  expect((await worlds[0].call('POST', '/companies', company, headers)).status).toBe(201);
  expect((await worlds[0].call('POST', '/companies/Acme/scrape', {}, headers)).status).toBe(202);
  expect((await worlds[0].call('POST', '/companies/Acme/scrape', {}, headers)).status).toBe(429);
});

const crawl = (headers: Record<string, string>, limit: number) =>
  worlds[0].call('POST', '/crawl', { url: `https://example.com/crawl/${pages++}`, limit }, headers);
const sql = (text: string, values: unknown[]) =>
  onDatabase(database.url, async (client) => (await client.query(text, values)).rows);

test('a crawl counts with the pages it may have while it runs, and with those it had once it has ended', async () => {
  const { owner, headers } = await make({ max_open_tasks: OPEN, max_tasks_per_day: 30 });
  const refused = await crawl(headers, OPEN + 1);
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'owner_quota', detail: expect.stringContaining('asked for 21 more') },
  });
  const { run_id: id } = (await crawl(headers, OPEN - 2)).body;
  expect((await crawl(headers, 3)).status).toBe(429);
  expect((await submit(worlds[0], headers, 2)).status).toBe(201);
  expect((await submit(worlds[0], headers, 1)).body.detail).toContain('has 20 tasks');

  // It finds four pages, which become tasks in the line of their owner.
  await sql(
    `with grown as (update runs set total = total + 4 where id = $1 returning seq)
     insert into crawl_pages (key, run_seq, pos, url, depth, state)
     select gen_random_uuid(), seq, n, 'https://example.com/found/' || n, 1, 'waiting' from grown, generate_series(1, 4) n`,
    [id],
  );
  expect((await worlds[0].store.admitPages()).pages).toBe(4);
  const lines = await sql('select q.line from queue q join runs r on r.seq = q.run_seq where r.id = $1', [id]);
  expect(lines.map(({ line }) => line).sort()).toEqual([
    `crawl ${owner}`,
    ...Array(4).fill(`~example.com crawl ${owner}`),
  ]);
  expect((await submit(worlds[0], headers, 1)).status).toBe(429);

  // Of the 30 of the day 5 were pages of it, and 2 articles.
  expect((await worlds[0].call('DELETE', `/crawl/${id}`, undefined, headers)).status).toBe(200);
  for (const count of [12, 11]) {
    const made = await submit(worlds[0], headers, count);
    expect(made.status, made.text).toBe(201);
    expect((await worlds[0].call('DELETE', `/jobs/${made.body.job_id}`, undefined, headers)).status).toBe(200);
  }
  expect((await submit(worlds[0], headers, 1)).body.detail).toContain('has asked for 30 today');
});
