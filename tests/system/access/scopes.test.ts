// A9: what a key may not do, on every route of the table and at every WebSocket, so that a new route cannot be forgotten. What each scope may is written down here once more, by hand:
// a route that is given the wrong scope fails.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Route } from '../../../src/api/http/route.ts';
import { covers, SCOPES, type Scope } from '../../../src/model/key/key.ts';
import { databaseContents } from '../../support/outputs/contents.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

const BOOTSTRAP = 'bootstrap-key-of-scopes';
/** They change nothing, although they are no GET; behind /mcp each tool asks for what it does. */
const HARMLESS = ['POST /ws/ticket', 'POST /alerts/preview', 'POST /mcp'];
/** What concerns the whole installation and not one owner. */
const FOR_ADMINS = [
  /^(GET|POST|PATCH|DELETE) \/keys(\/|$)/,
  /^(PATCH|DELETE) \/companies\/:company$/,
  /^POST \/companies\/import$/,
  /^POST \/sources\/:name\/(pause|resume)$/,
  /^POST \/workers\/:worker\/(drain|resume)$/,
  /^POST \/scheduler\/run$/,
  /^POST \/postings\/process$/,
  /^GET \/webhooks\/secret$/,
  /^GET \/settings$/,
];

let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
const keys = {} as Record<Scope, { id: string; key: string }>;
let routes: readonly Route[];
beforeAll(async () => {
  database = await freshDatabase();
  world = await startApiWorld({ apiKeys: [BOOTSTRAP], isWithWorker: false, databaseUrl: database.url });
  for (const scope of SCOPES) {
    const body = { name: scope, owner: `team-${scope}`, scope };
    keys[scope] = (await world.call('POST', '/keys', body, { 'x-api-key': BOOTSTRAP })).body;
  }
  routes = world.api.routes.filter((route) => !route.isOpen && !route.hasToken && !route.isForPages);
});
afterAll(async () => {
  await world?.stop();
  await database?.drop();
});

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
/** With a body that would do, so that it is the scope that is refused and nothing else. */
const ask = (route: Route, scope: Scope) =>
  world.call(route.method, route.path.replace(/:\w+/g, 'x'), route.body ? (route.bodyExample ?? {}) : undefined, {
    'x-api-key': keys[scope].key,
  });

test('A9: every route has the scope that what it does needs', () => {
  const wrong = routes.filter((route) => {
    const name = nameOf(route);
    const needed = FOR_ADMINS.some((rule) => rule.test(name))
      ? 'admin'
      : route.method === 'GET' || HARMLESS.includes(name)
        ? 'read'
        : 'submit';
    return route.scope !== needed;
  });
  expect(wrong.map((route) => `${nameOf(route)} asks for ${route.scope}`)).toEqual([]);
  // None of the rules is left over.
  for (const rule of FOR_ADMINS)
    expect(
      routes.filter((route) => rule.test(nameOf(route))),
      String(rule),
    ).not.toEqual([]);
});

test('A9: with a lesser key every route refuses, says which scope it needs, and changes nothing', async () => {
  const before = await databaseContents(database.url);
  let refused = 0;
  for (const route of routes)
    for (const scope of SCOPES.filter((one) => !covers(one, route.scope))) {
      const { status, body } = await ask(route, scope);
      expect({ status, code: body?.code }, `${nameOf(route)} with ${scope}`).toEqual({
        status: 403,
        code: 'insufficient_scope',
      });
      expect(body.detail).toContain(`scope ${route.scope}`);
      refused++;
    }
  expect(refused).toBeGreaterThan(50);
  const after = await databaseContents(database.url);
  // Orchestrators say that they live.
  for (const [table, rows] of before) if (table !== 'orchestrators') expect(after.get(table), table).toBe(rows);
});

test('A9: what a key may read it is let through to, metrics included, and no route takes a key that is none', async () => {
  for (const route of routes.filter(({ method, scope }) => method === 'GET' && scope === 'read')) {
    expect([401, 403], nameOf(route)).not.toContain((await ask(route, 'read')).status);
    const path = route.path.replace(/:\w+/g, 'x');
    for (const headers of [{}, { 'x-api-key': 'none-of-ours' }])
      expect((await world.call('GET', path, undefined, headers as Record<string, string>)).status, path).toBe(401);
  }
  expect(routes.map(nameOf)).toContain('GET /metrics');
});

/** `open`, or the status of the refusal; `socket` is closed by the caller. */
async function connect(path: string, key: string | null): Promise<{ outcome: string | number; socket: WebSocket }> {
  const socket = new WebSocket(world.url.replace('http', 'ws') + path, key === null ? [] : ['windrow', `key.${key}`]);
  socket.on('error', () => {});
  const outcome = await Promise.race([
    once(socket, 'open').then(() => 'open'),
    once(socket, 'unexpected-response').then(([, reply]) => reply.statusCode as number),
  ]);
  return { outcome, socket };
}

test('A9: WebSockets let nobody in without a key that works, and go when it is revoked', async () => {
  const made = await world.call('POST', '/keys', { name: 'x', scope: 'read' }, { 'x-api-key': BOOTSTRAP });
  const { id, key } = made.body as { id: string; key: string };
  const { ticket } = (await world.call('POST', '/ws/ticket', undefined, { 'x-api-key': key })).body;
  const open = [];
  for (const path of ['/ws', '/ws?batch=1', '/ws/jobs/job_000000000000']) {
    expect((await connect(path, null)).outcome, path).toBe(401);
    expect((await connect(path, 'none-of-ours')).outcome, path).toBe(401);
    const { outcome, socket } = await connect(path, key);
    expect(outcome, path).toBe('open');
    // There is no such job, and its socket is told so.
    if (!path.includes('jobs')) open.push(once(socket, 'close'));
    else socket.terminate();
  }
  await world.call('DELETE', `/keys/${id}`, undefined, { 'x-api-key': BOOTSTRAP });
  expect((await connect('/ws', key)).outcome).toBe(401);
  expect((await connect(`/ws?ticket=${ticket}`, null)).outcome).toBe(401);
  // 1008: the policy does not allow it.
  for (const closed of await Promise.all(open)) expect(closed[0]).toBe(1008);
});
