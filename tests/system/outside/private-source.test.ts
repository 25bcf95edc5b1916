// A source of one's own through the command line and the HTTP API of one process: everything that knows sources knows it, and a module that cannot be loaded
// costs itself only.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../conformance/world.ts';
import { freePort, freshDatabase } from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';
import { runWindrow } from '../../support/windrow.ts';
import { type OwnSourceWorld, openOwnSourceWorld } from '../../support/worlds/own-source.ts';

const LIMIT_MS = 120_000;
const NEWS = `import { attributeOf, canonicalUrl, defineSource, parseHtml, selectOne, textOf, z } from 'windrow/sources';
export const acmeNews = defineSource({
  name: 'acme-news', title: 'Acme news', kind: 'article', lane: 'http', hosts: ['news.acme.example'],
  pace: { concurrency: 1, delayMs: 0 }, params: z.object({ url: z.url() }),
  async *scrape({ url }, web) {
    const doc = parseHtml((await web.get(url)).text);
    yield { url: canonicalUrl(url), title: 'Acme: ' + textOf(selectOne(doc, 'h1')), content: textOf(selectOne(doc, 'p')), author: null,
      published_at: null, language: attributeOf(selectOne(doc, 'html'), 'lang'), image: null };
  },
});
`;
const SHOP = `import { cartParams, completeProduct, defineSource, shopMoney, z } from 'windrow/sources';
export default defineSource({
  name: 'acme-shop', title: 'Acme shop', kind: 'product', lane: 'http', hosts: ['shop.acme.example'],
  pace: { concurrency: 1, delayMs: 0 }, params: z.object(cartParams),
  async *scrape({ item, zipcode }, web) {
    await web.json('https://shop.acme.example/api/jobs', z.unknown());
    yield completeProduct({ title: item, price: shopMoney(2.5, 'USD') },
      { source: 'acme-shop', position: 1, scrapedAt: new Date().toISOString(), locality: { requested: zipcode, evidence: null } });
  },
});
`;
const MODULES = './news.mjs,./shop.ts,./broken.mjs,./taken.mjs,./nope.ts,@acme/not-installed';
const PROBLEMS = [
  { module: './broken.mjs', reason: 'no key for Acme (line 2)' },
  { module: './taken.mjs', reason: 'source "indeed": the name belongs to a built-in source' },
  { module: './nope.ts', reason: 'there is no such file' },
  {
    module: '@acme/not-installed',
    reason: expect.stringMatching(/^there is no such package in .*; install it there, or begin a path with \.\/$/),
  },
];
const roles = new Roles();
let world: OwnSourceWorld;
let database: { url: string; drop(): Promise<void> };
let origin: string;
let env: Record<string, string>;

beforeAll(async () => {
  const [opened, fresh, port] = await Promise.all([openOwnSourceWorld(), freshDatabase(), freePort()]);
  [world, database] = [opened, fresh];
  origin = `http://127.0.0.1:${port}`;
  writeFileSync(join(world.folder, 'news.mjs'), NEWS);
  writeFileSync(join(world.folder, 'shop.ts'), SHOP);
  writeFileSync(
    join(world.folder, 'broken.mjs'),
    "const key = undefined;\nif (!key) throw new Error('no key for Acme');\n",
  );
  writeFileSync(
    join(world.folder, 'taken.mjs'),
    "import { acmeNews } from './news.mjs';\nexport default { ...acmeNews, name: 'indeed' };\n",
  );
  env = { WEB_HOST_MAP: world.hostMap, WEB_ROBOTS: 'off', WINDROW_SOURCES: MODULES };
  const up = roles.start(['up'], {
    env: { ...env, PORT: String(port), DATABASE_URL: database.url, CART_SOURCE: 'acme-shop', LOG_LEVEL: 'info' },
    cwd: world.folder,
  });
  await up.waitForHttp(`${origin}/livez`, LIMIT_MS);
  const told = up.events.filter(({ event }) => event === 'sources.not_loaded');
  expect(told.map(({ module, reason }) => ({ module, reason }))).toEqual(PROBLEMS);
}, LIMIT_MS);

afterAll(async () => {
  await roles.reap();
  await Promise.all([world?.close(), database?.drop()]);
}, LIMIT_MS);

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const windrow = (...args: string[]) => runWindrow(args, { cwd: world.folder, env });

test(
  'the command line scrapes it, and says which modules it could not use',
  async () => {
    const { code, stdout, stderr } = await windrow('scrape', 'acme-jobs', 'team=docks', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      source: 'acme-jobs',
      found: 2,
      error: null,
      items: [{ title: 'Welder', source: 'acme-jobs' }, { title: 'Dock Planner' }],
    });
    expect(stderr).toContain('warning: ./nope.ts cannot be used: there is no such file');
    expect(world.hits).toContain('/api/jobs?team=docks');

    const wrong = await windrow('scrape', 'acme-jobs', 'tem=docks');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('tem is no parameter; there are team')]);
    const article = await windrow('scrape', 'article', 'https://news.acme.example/story/1', '--ndjson');
    expect(JSON.parse(article.stdout)).toMatchObject({ title: 'Acme: Ferries', language: 'en' });
    const product = await windrow('scrape', 'acme-shop', 'item=milk', 'zipcode=10001');
    expect(product.stdout).toContain('$2.50');
    // Without the variable, and elsewhere, there is no such source.
    const elsewhere = await runWindrow(['scrape', 'acme-jobs'], { cwd: world.elsewhere });
    expect(elsewhere.code).toBe(2);
  },
  LIMIT_MS,
);

test(
  'doctor names each module that cannot be used, and what the others bring',
  async () => {
    const { code, stdout } = await windrow('doctor', '--json');
    const checks = (JSON.parse(stdout) as { checks: { check: string; status: string; detail: string }[] }).checks;
    const sources = checks.filter(({ check }) => check === 'sources');
    expect(code).toBe(1);
    expect(sources.filter(({ status }) => status === 'fail').map(({ detail }) => detail)).toEqual(
      expect.arrayContaining(['./broken.mjs cannot be used: no key for Acme (line 2)']),
    );
    expect(sources.find(({ status }) => status === 'ok')?.detail).toBe(
      'your own: acme-jobs of ./windrow.config.ts, acme-news of ./news.mjs, acme-shop of ./shop.ts',
    );
  },
  LIMIT_MS,
);

test(
  'GET /sources and GET /jobs/sites list it with the form of its parameters, and what could not be loaded',
  async () => {
    const { sources, problems } = await call<{ sources: { name: string }[]; problems: unknown[] }>('GET', '/sources');
    expect(problems).toEqual(PROBLEMS);
    expect(sources.find(({ name }) => name === 'acme-jobs')).toMatchObject({
      title: 'Careers at Acme',
      module: './windrow.config.ts',
      workers: 1,
      waiting_reason: null,
      params: { type: 'object', properties: { team: { type: 'string', default: 'all' } } },
    });
    expect(sources.find(({ name }) => name === 'indeed')).toMatchObject({ module: null });
    const { data } = await call<{ data: { sites: { name: string }[] } }>('GET', '/jobs/sites');
    expect(data.sites.map(({ name }) => name)).toContain('acme-jobs');
    const listed = await windrow('sources', '--url', origin);
    expect(listed.stdout).toMatch(/^acme-jobs /m);
    expect(listed.stderr).toContain('not loaded ./broken.mjs: no key for Acme (line 2)');
  },
  LIMIT_MS,
);

test(
  'the API searches it, and refuses parameters that it does not take',
  async () => {
    const { data } = await call<{ data: { status: string; jobs: { title: string }[] } }>(
      'POST',
      '/jobs/scrape?mode=sync',
      {
        site_name: 'acme-jobs',
      },
    );
    expect(data).toMatchObject({ status: 'succeeded', jobs: [{ title: 'Welder' }, { title: 'Dock Planner' }] });
    await expect(call('POST', '/jobs/scrape', { site_name: 'acme-jobs', tem: 'x' })).rejects.toThrow(/422.*"\/tem"/);
  },
  LIMIT_MS,
);

test(
  'a company can be found and followed with it',
  async () => {
    const found = await call<{ findings: { scraping_config: unknown; confidence: number }[] }>(
      'POST',
      '/companies/detect',
      {
        url: 'https://www.acme.example/careers',
      },
    );
    expect(found.findings[0]).toMatchObject({
      scraping_config: { scraper_type: 'acme-jobs', team: 'docks' },
      confidence: 0.8,
    });
    const company = {
      name: 'Acme',
      website: 'https://www.acme.example',
      scraping_config: found.findings[0]!.scraping_config,
    };
    await call('POST', '/companies', company);
    const { data } = await call<{ data: { run_id: string } }>('POST', '/companies/Acme/scrape', { incremental: false });
    await until(
      'the session has ended',
      async () => {
        const { sessions } = await call<{ sessions: { status: string }[] }>('GET', `/sessions?run_id=${data.run_id}`);
        return sessions[0]?.status === 'completed';
      },
      LIMIT_MS,
    );
    const { positions } = await call<{ positions: { title: string }[] }>('GET', '/positions?company=Acme');
    expect(positions.map(({ title }) => title).toSorted()).toEqual(['Dock Planner', 'Welder']);
    await expect(
      call('POST', '/companies', { ...company, name: 'B', scraping_config: { scraper_type: 'acme-jobs', tem: 'x' } }),
    ).rejects.toThrow(/422.*scraping_config.tem/);
  },
  LIMIT_MS,
);

test(
  'articles of a host go to the source that claims it, and carts to the shop of CART_SOURCE',
  async () => {
    const { job_id: job } = await call<{ job_id: string }>('POST', '/jobs/submit', {
      articles: [{ url: 'https://news.acme.example/story/2' }],
    });
    await until(
      'the job has ended',
      async () => (await call<{ status: string }>('GET', `/jobs/${job}/status`)).status === 'COMPLETED',
      LIMIT_MS,
    );
    expect(await call('GET', `/jobs/${job}/results`)).toMatchObject({
      results: [{ title: 'Acme: Ferries', content: 'They run again.' }],
    });
    const { job_id: cart } = await call<{ job_id: string }>('POST', '/cart', { items: ['milk'], zipcode: '10001' });
    await until(
      'the cart is complete',
      async () => (await call<{ status: string }>('GET', `/results/${cart}`)).status === 'complete',
      LIMIT_MS,
    );
    expect(await call('GET', `/results/${cart}`)).toMatchObject({ results: { milk: [{ title: 'milk', price: 2.5 }] } });
  },
  LIMIT_MS,
);
