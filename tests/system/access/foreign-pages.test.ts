// The user's own browser against us, on loopback without keys: a host name made to resolve here (DNS rebinding), and requests that a page of another site
// sends (CSRF). Generated from the route table, so that a new route cannot be forgotten.
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

/** For load balancers, which send any Host: they say yes or no. */
const PUBLIC = ['/livez', '/readyz'];
/** Has a token of its own instead of a key. */
const TOKEN = '/alerts/:alert_id/feed';
const EVIL = 'https://evil.example';
const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

let world: ApiWorld;
let routes: { method: string; path: string }[];
beforeAll(async () => {
  world = await startApiWorld({ isWithWorker: false });
  const sockets = ['/ws', '/ws/jobs/:job_id'].map((path) => ({ method: 'UPGRADE', path }));
  routes = [...world.api.routes, { method: 'GET', path: '/no/such/route' }, ...sockets];
});
afterAll(() => world?.stop());

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** `fetch` sets Host and Origin as it likes. */
function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
  base = world.url,
): Promise<Answer> {
  const isSocket = method === 'UPGRADE';
  return new Promise((resolve, reject) => {
    const sent = request(
      base + path.replace(/:\w+/g, 'x'),
      { method: isSocket ? 'GET' : method, headers: { ...(isSocket ? HANDSHAKE : {}), ...headers } },
      async (reply) => resolve({ status: reply.statusCode!, headers: reply.headers, body: await text(reply) }),
    );
    sent.on('upgrade', (reply, socket) => {
      socket.destroy();
      resolve({ status: reply.statusCode!, headers: reply.headers, body: '' });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The routes that did not refuse it. */
async function lettingIn(headers: Record<string, string>, body?: string, methods = /./): Promise<string[]> {
  const open: string[] = [];
  for (const { method, path } of routes.filter((one) => methods.test(one.method))) {
    const answer = await send(method, path, headers, method === 'GET' || method === 'UPGRADE' ? undefined : body);
    if (answer.status !== 403 || JSON.parse(answer.body).code !== 'forbidden_origin') open.push(path);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
  return [...new Set(open)];
}

describe('DNS rebinding: a name that resolves to us is not ours', () => {
  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:8000', '10.0.0.1', '0.0.0.0', '[::]'])(
    'A10: no route answers under the name %s',
    async (host) => {
      // A rebound page is of the same origin as what it asks for, by what the browser says.
      expect(await lettingIn({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toEqual([
        TOKEN,
        ...PUBLIC,
      ]);
    },
  );
});

describe('pages of other sites', () => {
  const json = { 'content-type': 'application/json' };
  test.each<[string, Record<string, string>, string]>([
    ['a script of another origin', { ...json, origin: EVIL, 'sec-fetch-site': 'cross-site' }, '{}'],
    ['one of a browser that does not say where from', { ...json, origin: EVIL }, '{}'],
    ['a sandboxed frame or a local file', { ...json, origin: 'null' }, '{}'],
    ['another port of this machine', { ...json, origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }, '{}'],
    ['the same name by another scheme', { ...json, origin: 'chrome-extension://abc' }, '{}'],
    ['a form as text', { 'content-type': 'text/plain', origin: EVIL, 'sec-fetch-site': 'cross-site' }, '{"a":"="}'],
    ['a form without Origin', { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' }, '{"a":"="}'],
    ['a beacon', { origin: EVIL, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, ''],
    ['an image, script or style', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, ''],
    ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, ''],
  ])('A10: %s is refused by every route', async (_, headers, body) => {
    expect(await lettingIn(headers, body)).toEqual([TOKEN, ...PUBLIC]);
  });

  test('A10: a form that leads here is refused, a link that a person follows is not', async () => {
    const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(await lettingIn(followed, 'a=b', /POST|PATCH|DELETE/)).toEqual([]);
    expect((await send('GET', '/', followed)).status).toBe(200);
  });

  test('A10: a preflight is never answered with a permission', async () => {
    for (const { path } of routes) {
      const asked = { origin: EVIL, 'access-control-request-method': 'POST' };
      const { status, headers } = await send('OPTIONS', path, asked);
      expect(status, path).toBe(403);
      expect(
        Object.keys(headers).filter((name) => name.startsWith('access-control')),
        path,
      ).toEqual([]);
    }
  });

  test('A10: pages of ours and programs are let in', async () => {
    const { host } = new URL(world.url);
    const own = { ...json, host, origin: world.url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
    const refused: string[] = [];
    for (const { method, path } of routes)
      for (const headers of [own, json])
        if ((await send(method, path, headers, method === 'POST' ? '{}' : undefined)).status === 403)
          refused.push(path);
    expect(refused).toEqual([]);
  });
});

test('A10: with keys, one that the browser repeats by itself opens nothing to other sites; one in a header does', async () => {
  const key = 'a-long-enough-key';
  const locked = await startApiWorld({ isWithWorker: false, apiKeys: [key] });
  const basic = `Basic ${Buffer.from(`me:${key}`).toString('base64')}`;
  const statuses = { basic: new Set<number>(), bearer: new Set<number>() };
  try {
    for (const { method, path } of routes.filter((one) => ![TOKEN, ...PUBLIC].includes(one.path))) {
      const body = method === 'POST' ? '{}' : undefined;
      const headers = { 'content-type': 'application/json', origin: EVIL };
      const asked = async (authorization: string) =>
        (await send(method, path, { ...headers, authorization }, body, locked.url)).status;
      statuses.basic.add(await asked(basic));
      statuses.bearer.add(await asked(`Bearer ${key}`));
    }
  } finally {
    await locked.stop();
  }
  expect([...statuses.basic]).toEqual([403]);
  expect([...statuses.bearer]).not.toContain(403);
});
