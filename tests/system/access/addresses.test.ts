// SSRF through the API: every field that takes an address, found in the OpenAPI document of a running server by its format and by its name, is given every
// forbidden address. A field that looks like an address and is not in the table below fails the test, so a new one cannot be forgotten.
// The parameters of sources, which the API takes too, are in source-addresses.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dereference } from '../../support/api/dereference.ts';
import { freePort, freshDatabase } from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';
import { forbiddenUrls, INNER } from '../../support/web/forbidden.ts';
import { serveTcp } from '../../support/web/servers.ts';

/**
 * refused: at once, with one sentence. fetched: at once, or the run ends with one sentence. proxy: X9 in web/ssrf.test.ts.
 * stored: nobody ever asks for it. none: a name or a filter that only looks like an address.
 */
const FIELDS: Record<string, 'refused' | 'fetched' | 'proxy' | 'stored' | 'none'> = {
  'POST /jobs/submit articles.*.url': 'fetched',
  'POST /jobs/submit webhook_url': 'refused',
  'POST /jobs/scrape site_name': 'none',
  'POST /jobs/scrape proxies.*': 'proxy',
  'POST /jobs/scrape webhook_url': 'refused',
  'POST /schedules site_name': 'none',
  'PATCH /schedules/{schedule_id} site_name': 'none',
  'POST /companies website': 'stored',
  'PATCH /companies/{company} website': 'stored',
  'POST /companies/detect url': 'fetched',
  'POST /cart webhook_url': 'refused',
  'POST /crawl url': 'fetched',
  'POST /crawl webhook_url': 'refused',
  'POST /map url': 'fetched',
  'POST /alerts webhook_url': 'refused',
  'PATCH /alerts/{alert_id} webhook_url': 'refused',
  'POST /webhooks url': 'refused',
  'PATCH /webhooks/{webhook_id} url': 'refused',
  'GET /articles host': 'none',
  'GET /articles/facets host': 'none',
};
/** Objects whose names are not listed: parameters of sources, in all of them. */
const OPEN = ['POST /jobs/scrape', 'POST /schedules payload', 'PATCH /schedules/{schedule_id} payload'].concat(
  ['POST /companies', 'PATCH /companies/{company}'].map((route) => `${route} scraping_config`),
  ['POST /companies/import *', 'POST /companies/import companies.*', 'POST /dead-letters/{task_id}/retry params'],
);

const LOOKS_LIKE =
  /ur[il]s?$|link|href|host|domain|site|prox|hook|callback|endpoint|server|address|feed|redirect|receiver|origin/i;
const FORMATS = /^(?:uri|url|iri|hostname|ipv[46]|idn-hostname)/;

interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
}
interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}

const roles = new Roles();
let database: Awaited<ReturnType<typeof freshDatabase>>;
let inner: Awaited<ReturnType<typeof serveTcp>>;
let base: string;
let operations: Map<string, Operation>;

beforeAll(async () => {
  database = await freshDatabase();
  inner = await serveTcp((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret'), INNER);
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  const up = roles.start(['up'], { env: { PORT: String(port), DATABASE_URL: database.url, API_RATE_LIMIT: '0' } });
  await up.waitForHttp(`${base}/livez`, 300_000);
  const { body } = await call('GET', '/openapi.json');
  const { paths } = dereference(body) as { paths: Record<string, Record<string, Operation>> };
  operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
});
afterAll(async () => {
  await roles.reap();
  await inner?.[Symbol.asyncDispose]();
  await database?.drop();
});

async function call(method: string, path: string, body?: unknown) {
  const reply = await fetch(base + path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: reply.status, body: (await reply.json()) as any };
}

function* fieldsIn(schema: Schema, path: string[]): Generator<{ path: string[]; schema: Schema; isOpen: boolean }> {
  for (const choice of schema.anyOf ?? []) yield* fieldsIn(choice, path);
  for (const [name, one] of Object.entries(schema.properties ?? {})) yield* fieldsIn(one, [...path, name]);
  if (schema.items) yield* fieldsIn(schema.items, [...path, '*']);
  const more = schema.additionalProperties;
  const isAny = Object.keys(schema).every((name) => ['description', 'default', 'maxItems'].includes(name));
  if (isAny || (more !== undefined && more !== false)) yield { path, schema, isOpen: true };
  const types = [schema.type].flat();
  if (types.includes('string') && schema.enum === undefined && schema.const === undefined)
    yield { path, schema, isOpen: false };
}

/** The last part that is a name: `proxies.*` is about proxies. */
const nameOf = (path: string[]): string => path.findLast((part) => part !== '*') ?? '';

test('X1: every field of the API that takes an address is in the table', () => {
  const found = new Set<string>();
  const open = new Set<string>();
  for (const [route, { parameters = [], requestBody }] of operations) {
    for (const { name, schema } of parameters.filter((one) => one.in === 'query'))
      for (const one of fieldsIn(schema, [name]))
        if (FORMATS.test(one.schema.format ?? '') || LOOKS_LIKE.test(name)) found.add(`${route} ${name}`);
    const body = requestBody?.content['application/json']?.schema;
    for (const { path, schema, isOpen } of body ? fieldsIn(body, []) : []) {
      const name = `${route} ${path.join('.')}`.trim();
      if (isOpen) open.add(name);
      else if (FORMATS.test(schema.format ?? '') || LOOKS_LIKE.test(nameOf(path)))
        found.add(name.replace('site_name.*', 'site_name'));
    }
  }
  expect([...found].sort(), 'Add it to FIELDS: what becomes of an address that is not allowed there?').toEqual(
    Object.keys(FIELDS).sort(),
  );
  expect([...open].sort(), 'An object of any names: list them, or test what they do with an address').toEqual(
    OPEN.sort(),
  );
});

/** The example of a route with one field replaced. */
function withField(route: string, path: string, value: string): unknown {
  const copy = structuredClone(operations.get(route)!.requestBody!.content['application/json']!.example) as never;
  const parts = path.split('.').map((part) => (part === '*' ? '0' : part));
  let place = copy as Record<string, unknown>;
  for (const [i, part] of parts.slice(0, -1).entries()) {
    place[part] ??= parts[i + 1] === '0' ? [] : {};
    place = place[part] as Record<string, unknown>;
  }
  place[parts.at(-1)!] = value;
  return copy;
}

const ofKind = (kind: string): [string, string][] =>
  Object.entries(FIELDS)
    .filter(([, one]) => one === kind)
    .map(([field]) => field.split(/ (?=\S+$)/) as [string, string]);

/** What has to be there before it can be changed. */
async function existing(route: string): Promise<string> {
  const [method, path] = route.split(' ') as [string, string];
  if (method !== 'PATCH') return path;
  const list = path.slice(0, path.indexOf('/{'));
  const made = await call('POST', list, {
    ...(operations.get(`POST ${list}`)!.requestBody!.content['application/json']!.example as object),
    ...(list === '/webhooks' ? { url: 'https://8.8.8.8/hook' } : list === '/alerts' ? { webhook_url: null } : {}),
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return path.replace(/\{\w+\}/, made.body.id);
}

test.each(ofKind('refused'))(
  'X1, X7, X10: %s refuses every forbidden address in %s with one sentence',
  async (route, field) => {
    const path = await existing(route);
    const sentences = new Set<string>();
    for (const url of forbiddenUrls(inner.port)) {
      const { status, body } = await call(route.split(' ')[0]!, path, withField(route, field, url));
      expect(status, `${url}: ${JSON.stringify(body)}`).toBe(422);
      sentences.add(body.detail);
    }
    expect([...sentences]).toEqual([expect.stringMatching(/not allowed.*public address/)]);
    expect(inner.connections).toBe(0);
  },
);

test.each(ofKind('stored'))('X1: what %s takes as %s is never asked for', async (route, field) => {
  const path = await existing(route);
  for (const [n, url] of forbiddenUrls(inner.port).entries()) {
    const body = { ...(withField(route, field, url) as object), name: `Acme ${route} ${n}` };
    expect((await call(route.split(' ')[0]!, path, body)).status).toBeLessThan(500);
  }
  expect(inner.connections).toBe(0);
});

test('X1, X10: no article of a forbidden address is fetched, and all fail alike', async () => {
  const jobs: string[] = [];
  for (const url of forbiddenUrls(inner.port)) {
    const { status, body } = await call('POST', '/jobs/submit', { articles: [{ url }] });
    if (status === 201) jobs.push(body.job_id);
    else expect(status, url).toBe(422);
  }
  expect(jobs.length).toBeGreaterThan(30);
  const errors = new Set<string>();
  for (const job of jobs) {
    await expect.poll(async () => (await call('GET', `/jobs/${job}/status`)).body.status).not.toBe('IN_PROGRESS');
    const { body } = await call('GET', `/jobs/${job}/results`);
    expect(body.failed_articles).toHaveLength(1);
    // What only a lenient parser takes for a URL (`http:/a`) is none for the source.
    if (!/Invalid URL$/.test(body.failed_articles[0].error)) errors.add(body.failed_articles[0].error);
  }
  expect([...errors]).toEqual([expect.stringContaining('URL not allowed')]);
  expect(inner.connections).toBe(0);
});

test.each(['/crawl', '/map'])('X1, X10: no site of a forbidden address is read by %s', async (path) => {
  const runs = new Set<string>();
  for (const url of forbiddenUrls(inner.port)) {
    const { status, body } = await call('POST', path, { url, ...(path === '/map' ? { wait_seconds: 0 } : {}) });
    expect([200, 202, 422], `${url}: ${JSON.stringify(body)}`).toContain(status);
    if (status < 300) runs.add(body.run_id);
  }
  expect(runs.size).toBeGreaterThan(30);
  for (const id of runs)
    await expect.poll(async () => (await call('GET', `/runs/${id}`)).body.status, { timeout: 300_000 }).toBe('failed');
  expect(inner.connections).toBe(0);
});

test('X1, X8: the edited input of a dead letter reaches no forbidden address', async () => {
  const urls = [...forbiddenUrls(inner.port)];
  const letters = urls.map((_, n) => `http://${INNER}:${inner.port}/letter/${n}`);
  expect((await call('POST', '/jobs/submit', { articles: letters.map((url) => ({ url })) })).status).toBe(201);
  const waiting = async () => (await call('GET', '/dead-letters?limit=1000')).body.dead_letters;
  const mine = async () =>
    (await waiting()).filter((one: { params: { url: string } }) => one.params.url.includes('/letter/'));
  await expect.poll(async () => (await mine()).length, { timeout: 300_000 }).toBe(urls.length);
  const taken = new Set<string>();
  for (const [n, { task_id }] of (await mine()).entries()) {
    const { status, body } = await call('POST', `/dead-letters/${task_id}/retry`, { params: { url: urls[n] } });
    if (status === 422) continue;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    taken.add(body.job_id);
  }
  expect(taken.size).toBeGreaterThan(30);
  for (const id of taken)
    await expect.poll(async () => (await call('GET', `/runs/${id}`)).body.status, { timeout: 300_000 }).toBe('failed');
  expect(inner.connections).toBe(0);
});

test('X1, X10: detection asks no forbidden address, and says the same of all', async () => {
  const answers = new Set<string>();
  for (const url of forbiddenUrls(inner.port)) {
    const { status, body } = await call('POST', '/companies/detect', { url });
    if (status === 200) for (const { error } of body.looked_at) answers.add(error);
    else expect(status, JSON.stringify(body)).toBe(422);
  }
  expect([...answers]).toEqual([expect.stringContaining('URL not allowed')]);
  expect(inner.connections).toBe(0);
});

test('X8: a company whose stored address is forbidden is judged again at each scrape', async () => {
  const name = 'Stored Address';
  const made = await call('POST', '/companies', {
    name,
    scraping_config: { scraper_type: 'rss', url: `http://${INNER}:${inner.port}/feed` },
  });
  expect(made.status).toBe(201);
  const scraped = await call('POST', `/companies/${encodeURIComponent(name)}/scrape`, { incremental: false });
  expect(scraped.status, JSON.stringify(scraped.body)).toBe(202);
  const session = async () => (await call('GET', `/companies/${made.body.id}`)).body.last_session;
  await expect.poll(async () => (await session())?.status, { timeout: 300_000 }).toBe('failed');
  expect((await session()).error).toContain('URL not allowed');
  expect(inner.connections).toBe(0);
});
