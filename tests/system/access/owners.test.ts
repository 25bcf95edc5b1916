// A9: what one owner's key can learn and touch of another's work, on every route of the table and at every WebSocket, so that a new route cannot be forgotten: a
// route with something in its path that is neither in `THINGS` nor said to be shared fails.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Route } from '../../../src/api/http/route.ts';
import { onDatabase } from '../../support/outputs/contents.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

const BOOTSTRAP = 'bootstrap-key-of-owners';
const LIMIT_MS = 60_000;
/** Collected data, and what concerns the whole installation. */
const SHARED = [
  /^\w+ \/companies\/:company(\/|$)/,
  /^GET \/positions\/:position_id$/,
  /^\w+ \/sources\/:name(\/|$)/,
  /^\w+ \/keys\/:key_id(\/|$)/,
  /^POST \/workers\/:worker\/(drain|resume)$/,
  /^GET \/ui\/assets\/:name$/,
];

let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
let routes: readonly Route[];
const keys = { a: '', b: '', reader: '', admin: BOOTSTRAP };
type Who = keyof typeof keys;
/** By the names of parameters, what is A's; several where they are of different kinds. */
const THINGS: Record<string, string[]> = {};
const ask = (who: Who, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  world.call(method, path, body, { 'x-api-key': keys[who], ...headers });
const submit = async (who: Who, path: string, headers: Record<string, string> = {}): Promise<string> => {
  const body = { articles: [{ url: `https://example.com${path}` }] };
  const made = await ask(who, 'POST', '/jobs/submit', body, headers);
  expect(made.status, made.text).toBe(201);
  return made.body.job_id;
};
const statusOf = async (who: Who, job: string) => (await ask(who, 'GET', `/jobs/${job}/status`)).body.status;
const ended = (who: Who, job: string) =>
  vi.waitUntil(async () => (await statusOf(who, job)) !== 'IN_PROGRESS', { timeout: LIMIT_MS });
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

beforeAll(async () => {
  database = await freshDatabase();
  const receivers = { problemOf: async () => null, secret: async () => 'whsec_x', max: 10 };
  world = await startApiWorld({ apiKeys: [BOOTSTRAP], databaseUrl: database.url, receivers });
  const make = async (owner: string, scope: string) =>
    (await ask('admin', 'POST', '/keys', { name: owner, owner, scope })).body.key as string;
  [keys.a, keys.b, keys.reader] = [
    await make('team-a', 'submit'),
    await make('team-b', 'submit'),
    await make('team-a', 'read'),
  ];
  const url = 'https://hooks.example/';
  const webhookOf = async (who: Who) => {
    const { body } = await ask(who, 'POST', '/webhooks', { url, events: ['run.failed', 'run.completed'] });
    return body.id as string;
  };
  const [webhook] = [await webhookOf('a'), await webhookOf('b'), await webhookOf('admin')];
  const dead = await submit('a', '/gone/1');
  await ended('a', dead);
  const held = await submit('a', '/hold/1');
  const cart = (await ask('a', 'POST', '/cart', { items: ['milk'], zipcode: '10001' })).body.job_id;
  const company = {
    name: 'Acme',
    website: 'https://acme.example',
    scraping_config: { scraper_type: 'made-up', board: 'x' },
  };
  expect((await ask('a', 'POST', '/companies', company)).status).toBe(201);
  const scrape = (await ask('a', 'POST', '/companies/Acme/scrape', {})).body.data.run_id;
  const schedule = (await ask('a', 'POST', '/schedules', { task: 'companies.scrape', interval_minutes: 60 })).body.id;
  const alert = (await ask('a', 'POST', '/alerts', { name: 'welders', search: { q: 'welder' } })).body.id;
  const delivery = (await ask('a', 'GET', `/webhooks/${webhook}/deliveries`)).body.deliveries[0].id;
  const task = (await ask('a', 'GET', `/runs/${dead}/tasks`)).body.tasks[0].task_id;
  const crawl = (await ask('a', 'POST', '/crawl', { url: 'https://example.com/hold/crawl' })).body.run_id;
  const map = (await ask('a', 'POST', '/map', { url: 'https://example.com/hold/map', wait_seconds: 0 })).body.run_id;
  const evidence = crypto.randomUUID();
  await world.store.saveEvidence({
    ...{ id: evidence, taskId: task, attempt: 1, runId: dead, source: 'article', code: 'blocked', worker: 'w1' },
    ...{ url, status: 403, mediaType: 'text/html', pageChars: 1, isCut: false, place: 'database', leftOut: [] },
    ...{ page: Buffer.from('x'), screenshot: Buffer.from('x'), screenshotType: 'image/png', capturedAt: new Date() },
  });
  await onDatabase(database.url, (client) =>
    client.query(
      `insert into quality_checks (run_id, kind, source, stream, verdict, measure, findings, counts, owner)
       select id, 'article', 'article', gen_random_uuid(), 'suspect', '{"items": 1, "fields": {}}', '[]', true, owner from runs where id = $1`,
      [dead],
    ),
  );
  Object.assign(THINGS, {
    job_id: [dead, held, cart],
    run_id: [dead, held, scrape, crawl, map],
    task_id: [task],
    schedule_id: [schedule],
    webhook_id: [webhook],
    delivery_id: [delivery],
    alert_id: [alert],
    id: [evidence],
    worker: ['w1'],
  });
  routes = world.api.routes.filter((route) => !route.isOpen && !route.hasToken && !route.isForPages);
}, LIMIT_MS);
afterAll(async () => {
  await world?.stop();
  await database?.drop();
});

/** All ways to name what is A's in this path; `unknown` names what is nobody's in the same form. */
function pathsOf(route: Route): { path: string; unknown: string }[] {
  let paths = [{ path: route.path, unknown: route.path }];
  for (const [whole, name] of route.path.matchAll(/:(\w+)/g)) {
    const things = THINGS[name!];
    if (!things) throw new Error(`${nameOf(route)}: is :${name} of one owner, or shared? Say it in this test.`);
    paths = paths.flatMap(({ path, unknown }) =>
      things.map((thing) => ({
        path: path.replace(whole, thing),
        unknown: unknown.replace(
          whole,
          thing.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
        ),
      })),
    );
  }
  return paths;
}

const isOwned = (route: Route): boolean =>
  route.path.includes('/:') && !SHARED.some((rule) => rule.test(nameOf(route)));
/** Without what names the request. */
const shown = (text: string, id: string): string =>
  text.replaceAll(id, 'ID').replace(/"(request_id|instance)":"[^"]*",?/g, '');

test('A9: what is another owner’s is unknown, on every route that names something', async () => {
  let asked = 0;
  for (const route of routes.filter((one) => isOwned(one) && one.path !== '/workers/:worker/tasks'))
    for (const { path, unknown } of pathsOf(route)) {
      const body = route.body ? (route.bodyExample ?? {}) : undefined;
      const [theirs, nobodys] = [await ask('b', route.method, path, body), await ask('b', route.method, unknown, body)];
      expect({ path, status: theirs.status }, theirs.text).toEqual({ path, status: 404 });
      const idOf = (text: string) => text.split('/').find((part) => /\d/.test(part)) ?? text;
      expect(shown(theirs.text, idOf(path)), nameOf(route)).toBe(shown(nobodys.text, idOf(unknown)));
      asked++;
    }
  expect(asked).toBeGreaterThan(40);
  for (const rule of SHARED)
    expect(
      world.api.routes.filter((route) => rule.test(nameOf(route))),
      String(rule),
    ).not.toEqual([]);
});

test('A9: a crawl and a map are of the owner who asked, for whom they are there', async () => {
  const [crawl, map] = THINGS.run_id!.slice(-2);
  for (const path of [`/crawl/${crawl}`, `/crawl/${crawl}/pages?status=all`, `/map/${map}`, `/runs/${crawl}`]) {
    const statuses = await Promise.all(
      (['a', 'reader', 'admin', 'b'] as const).map(async (who) => (await ask(who, 'GET', path)).status),
    );
    expect(statuses, path).toEqual([200, 200, 200, 404]);
  }
});

test('A9: no list, count or overview names what is another owner’s; its owner and an admin see it', async () => {
  const ids = Object.entries(THINGS).flatMap(([name, things]) => (name === 'worker' ? [] : things));
  const seen = { a: new Set<string>(), admin: new Set<string>() };
  const lists = routes.filter(
    (route) => route.method === 'GET' && route.scope === 'read' && !route.path.includes('/:'),
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const path of [...lists.map((route) => route.path), `/workers/${THINGS.worker![0]}/tasks`]) {
    const { text } = await ask('b', 'GET', path);
    expect(
      ids.filter((id) => text.includes(id)),
      path,
    ).toEqual([]);
    for (const who of ['a', 'admin'] as const) {
      const { text: theirs } = await ask(who, 'GET', path);
      for (const id of ids) if (theirs.includes(id)) seen[who].add(id);
    }
  }
  // Deliveries are listed by their webhook.
  const listed = ids.filter((id) => id !== THINGS.delivery_id![0]);
  expect(listed.filter((id) => !seen.a.has(id))).toEqual([]);
  expect(listed.filter((id) => !seen.admin.has(id))).toEqual([]);
  expect((await ask('b', 'GET', '/jobs/')).body.total).toBe(0);
  expect((await ask('b', 'GET', '/dead-letters/groups')).body).toEqual({ total: 0, groups: [] });
  expect((await ask('b', 'GET', '/sessions')).body.total).toBe(0);
  expect((await ask('reader', 'GET', '/jobs/')).body.total).toBe(2);
});

test('A9: an admin may ask for one owner, anybody else only for their own', async () => {
  const runsOf = async (who: Who, query: string) => {
    const { body } = await ask(who, 'GET', `/runs?${query}`);
    return (body.runs as { run_id: string; owner: string }[]).map(({ owner }) => owner);
  };
  const own = await submit('b', '/own');
  expect(new Set(await runsOf('admin', 'owner=team-a'))).toEqual(new Set(['team-a']));
  expect(await runsOf('admin', 'owner=team-b')).toEqual(['team-b']);
  expect(await runsOf('b', 'owner=team-b')).toEqual(['team-b']);
  expect(await runsOf('b', 'owner=team-a')).toEqual([]);
  expect((await ask('b', 'GET', `/runs/${own}`)).body.owner).toBe('team-b');
  const retried = await ask('b', 'POST', '/dead-letters/retry', { task_ids: THINGS.task_id });
  expect(retried.status).toBe(404);
  expect((await ask('b', 'DELETE', '/dead-letters?all=true')).body.removed).toBe(0);
  expect((await ask('a', 'GET', '/dead-letters')).text).toContain(THINGS.task_id![0]);
});

test('A9: two owners with the same Idempotency-Key have a run each', async () => {
  const header = { 'idempotency-key': 'one-of-both' };
  const [a, b] = [await submit('a', '/same', header), await submit('b', '/same', header)];
  expect(a).not.toBe(b);
  expect(await submit('a', '/same', header)).toBe(a);
});

test('A9: owners that share a task have a run each, and one that is cancelled leaves the other alone', async () => {
  const [a, b] = [await submit('a', '/hold/shared'), await submit('b', '/hold/shared')];
  const tasks = async (who: Who, run: string) => (await ask(who, 'GET', `/runs/${run}/tasks`)).body.tasks[0].task_id;
  expect(await tasks('b', b)).toBe(await tasks('a', a));
  expect((await ask('b', 'GET', `/runs/${b}/tasks`)).text).not.toContain(a);
  expect((await ask('b', 'DELETE', `/runs/${b}`)).status).toBe(200);
  expect(await statusOf('a', a)).toBe('IN_PROGRESS');
});

test('A9: webhooks are told of the runs of their owner, and those of an admin of all', async () => {
  const told = await onDatabase(database.url, async (client) => {
    const { rows } = await client.query<{ owner: string | null; n: number }>(
      `select w.owner, count(*)::int as n from deliveries d join webhooks w on w.id = d.webhook_id where d.body like '%' || $1 || '%' group by 1`,
      [THINGS.run_id![0]],
    );
    return rows;
  });
  expect(told).toHaveLength(2);
  expect(told.map(({ owner }) => owner).sort()).toEqual([null, 'team-a'].sort());
});

test('A9: WebSockets tell the runs of the owner, and an admin all', async () => {
  const open = async (who: Who, path: string) => {
    const socket = new WebSocket(world.url.replace('http', 'ws') + path, ['windrow', `key.${keys[who]}`]);
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    const closed = once(socket, 'close');
    await once(socket, 'open');
    return { socket, messages, closed };
  };
  const foreign = await open('b', `/ws/jobs/${THINGS.run_id![1]}`);
  expect((await foreign.closed)[0]).toBe(4404);
  expect(foreign.messages).toEqual([]);
  const [a, b, batch, admin] = [
    await open('a', '/ws'),
    await open('b', '/ws'),
    await open('b', '/ws?batch=1'),
    await open('admin', '/ws'),
  ];
  const [mine, theirs] = [await submit('b', '/told/b'), await submit('a', '/told/a')];
  const has = ({ messages }: { messages: string[] }, run: string) => messages.join().includes(run);
  await expect.poll(() => [a, admin].every((one) => has(one, theirs)), { timeout: LIMIT_MS }).toBe(true);
  await expect.poll(() => [b, batch, admin].every((one) => has(one, mine)), { timeout: LIMIT_MS }).toBe(true);
  // What was told before its own: runs that were under way when it came.
  for (const one of [b, batch])
    for (const run of [theirs, ...THINGS.run_id!, ...THINGS.job_id!]) expect(has(one, run)).toBe(false);
  expect(has(a, mine)).toBe(false);
  for (const { socket } of [a, b, batch, admin]) socket.terminate();
});
