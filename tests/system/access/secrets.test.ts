// A15: a run with keys, cookies, passwords of proxies and settings of sources, and then everything that the processes said to anybody: none of the secrets.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, freshDatabase, startRedis } from '../../support/own-servers.ts';
import { type RoleProcess, Roles } from '../../support/processes.ts';
import { serve, type TestServer } from '../../support/web/servers.ts';

const SECRETS = {
  key: 'apikey-SECRETAAAA-0001',
  database: 'dbpassSECRETBBBB',
  proxy: 'proxypassSECRETCCCC',
  cookie: 'cookieSECRETDDDD',
  header: 'headerSECRETEEEE',
  query: 'querySECRETFFFF',
  webhook: `whsec_${Buffer.from('webhookSECRETGGGGwebhookSECRETGGGG').toString('base64')}`,
  kroger: 'krogerSECRETHHHH',
  indeed: 'indeedSECRETIIII',
};

const roles = new Roles();
let site: TestServer;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let redis: Awaited<ReturnType<typeof startRedis>>;
let processes: RoleProcess[];
let base: string;
const received: string[] = [];

beforeAll(async () => {
  [database, redis] = await Promise.all([freshDatabase(), startRedis()]);
  site = await serve((request, response) => {
    if (request.url === '/hook') {
      request.on('data', (chunk) => received.push(String(chunk)));
      request.on('end', () => response.end());
      return;
    }
    response.setHeader('set-cookie', `session=${SECRETS.cookie}`);
    const isFine = request.url!.startsWith('/fine');
    response.writeHead(isFine ? 200 : 500, { 'content-type': 'text/html' });
    response.end(
      `<article><h1>A title of some length</h1>${'<p>A sentence of the text, long enough to count as one.</p>'.repeat(20)}</article>`,
    );
  });
  const url = new URL(database.url);
  url.password = SECRETS.database;
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: url.href,
    REDIS_URL: redis.url,
    API_KEYS: SECRETS.key,
    WEBHOOK_SECRET: SECRETS.webhook,
    SOURCE_SETTINGS: `kroger.client_id=id,kroger.client_secret=${SECRETS.kroger},indeed.app_key=${SECRETS.indeed}`,
    CART_SOURCE: 'kroger',
    WEB_HOST_MAP: `*=${site.origin}`,
    WEB_ALLOW_PRIVATE: '127.0.0.1',
    WEB_ROBOTS: 'off',
    MAX_RETRY_ATTEMPTS: '1',
    RETRY_WAITS: 'all=300ms,company=300ms',
    LOG_LEVEL: 'debug',
  };
  processes = [['api', '--port', String(port)], ['orchestrator'], ['worker']].map((args) => roles.start(args, { env }));
  await processes[0]!.waitForHttp(`${base}/livez`, 300_000);
});
afterAll(async () => {
  await roles.reap();
  await site?.[Symbol.asyncDispose]();
  await Promise.all([database?.drop(), redis?.stop()]);
});

const said: string[] = [];

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(base + path, {
    method,
    headers: {
      'x-api-key': SECRETS.key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  said.push(text);
  return {
    status: reply.status,
    text,
    body: /json/.test(reply.headers.get('content-type') ?? '') ? JSON.parse(text.split('\n')[0]!) : null,
  };
}

test('A15: no secret is in a log, an answer, an export, a dead letter, a metric or an event', async () => {
  const hook = `${site.origin}/hook`;
  const fine = await call('POST', '/jobs/submit', {
    articles: [{ url: 'https://example.com/fine/1' }, { url: 'https://example.com/fails' }],
    webhook_url: hook,
  });
  expect(fine.status, fine.text).toBe(201);
  const search = await call('POST', '/jobs/scrape', {
    site_name: 'indeed',
    search_term: 'nurse',
    proxies: [`http://me:${SECRETS.proxy}@127.0.0.1:9`, `127.0.0.1:9:me:${SECRETS.proxy}`],
    webhook_url: hook,
  });
  expect(search.status, search.text).toBe(202);
  const company = await call('POST', '/companies', {
    name: 'Acme',
    scraping_config: {
      scraper_type: 'api',
      url: `https://acme.example/jobs?api_key=${SECRETS.query}`,
      headers: { Authorization: `Bearer ${SECRETS.header}` },
      fields: { id: 'id', title: 'title' },
    },
  });
  expect(company.status, company.text).toBe(201);
  expect((await call('POST', '/companies/Acme/scrape', { incremental: false })).status).toBe(202);
  expect((await call('POST', '/cart', { items: ['milk'], zipcode: '10001' })).status).toBeLessThan(300);
  const ended = async () =>
    (await call('GET', '/runs')).body.runs.every((run: { status: string }) => !/running|queued/i.test(run.status));
  await expect.poll(ended, { timeout: 300_000, interval: 500 }).toBe(true);
  await expect.poll(() => received.length, { timeout: 300_000 }).toBeGreaterThan(0);

  const { job_id } = fine.body;
  for (const path of [
    `/jobs/${job_id}/status`,
    `/jobs/${job_id}/results`,
    `/jobs/scrape/${search.body.data.run_id}`,
    `/runs/${job_id}`,
  ])
    await call('GET', path);
  for (const accept of ['text/csv', 'application/x-ndjson'])
    await call('GET', `/jobs/${job_id}/results`, undefined, { accept });
  for (const path of [
    '/companies',
    '/companies/Acme',
    '/sessions',
    '/dead-letters',
    '/metrics',
    '/health',
    '/sources',
    '/webhooks',
    '/webhooks/runs/deliveries',
    '/articles',
    '/queue/status',
    '/openapi.json',
  ])
    await call('GET', path);
  await call('GET', `/jobs/?api_key=${SECRETS.key}`);
  await call('GET', '/jobs/', undefined, { 'x-api-key': `${SECRETS.key}x` });

  const letters = (await call('GET', '/dead-letters')).body.dead_letters;
  expect(letters.length).toBeGreaterThan(0);
  for (const { task_id } of letters) await call('GET', `/dead-letters/${task_id}`);
  const places = {
    answers: said.join('\n'),
    events: received.join('\n'),
    ...Object.fromEntries(processes.map((one) => [one.name, one.output])),
  };
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(SECRETS)
      .filter(([, secret]) => text.includes(secret) || text.includes(Buffer.from(secret).toString('base64')))
      .map(
        ([name, secret]) =>
          `${name} in ${place}: …${text.slice(Math.max(0, text.indexOf(secret) - 150), text.indexOf(secret) + 40)}`,
      ),
  );
  expect(leaks).toEqual([]);
  // What was looked through is not nothing: the lines of each role, and the site with its cookie.
  for (const one of processes)
    expect(
      one.events.some(({ level }) => level === 'debug' || level === 'info'),
      one.name,
    ).toBe(true);
  expect(site.log.some((line) => line.includes('/fine'))).toBe(true);
});
