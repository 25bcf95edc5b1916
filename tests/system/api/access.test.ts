// Who is let in, generated from the route table where it must hold for every route, so that a new route cannot be forgotten.
import { get, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorld, startApiWorld } from './api-world.ts';

const KEY = 'a-long-enough-key';

/** The status that an upgrade to a WebSocket is answered with. */
const upgrade = (world: ApiWorld, headers: Record<string, string> = {}, path = '/ws'): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(`${world.url}${path}`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.from('0123456789abcdef').toString('base64'),
        ...headers,
      },
    });
    asked.on('response', (reply) => {
      reply.resume();
      resolve(reply.statusCode!);
    });
    asked.on('upgrade', (reply, socket) => {
      socket.destroy();
      resolve(reply.statusCode!);
    });
    asked.on('error', reject).end();
  });

describe('with keys', () => {
  let world: ApiWorld;
  beforeAll(async () => {
    world = await startApiWorld({ apiKeys: ['another-key', KEY], isWithWorker: false });
  });
  afterAll(() => world?.stop());

  test('A8, A16: every route but /livez and /readyz and the page to sign in answers 401 without a key and with a wrong one', async () => {
    const open: string[] = [];
    for (const route of world.api.routes) {
      const path = route.path.replace(/:\w+/g, 'x');
      const body = route.body ? {} : undefined;
      for (const headers of [{}, { authorization: 'Bearer wrong-key' }, { 'x-api-key': `${KEY}x` }]) {
        const reply = await world.call(route.method, path, body, headers as Record<string, string>);
        if (reply.status === 401) {
          expect(reply.headers.get('content-type')).toContain('application/problem+json');
          expect(reply.headers.get('www-authenticate')).toContain('Bearer');
        } else open.push(route.path);
      }
    }
    const forPages = new Set(world.api.routes.flatMap(({ isForPages, path }) => (isForPages ? [path] : [])));
    expect([...new Set(open)].filter((path) => !forPages.has(path)).sort()).toEqual(['/livez', '/readyz']);
    expect([...forPages].filter((path) => !/^\/($|ui|docs$|cart|favicon\.ico$|session$)/.test(path))).toEqual([]);
    expect((await world.call('GET', '/no/such/path')).status).toBe(401);
  });

  test('A8: a key is taken as a bearer token and as X-API-Key', async () => {
    expect((await world.call('GET', '/jobs/', undefined, { authorization: `Bearer ${KEY}` })).status).toBe(200);
    expect((await world.call('GET', '/jobs/', undefined, { 'x-api-key': 'another-key' })).status).toBe(200);
  });

  test('A8: a key in the URL is refused by every route, with how to send it and without repeating it', async () => {
    const taking: string[] = [];
    for (const { method, path } of world.api.routes) {
      const url = `${path.replace(/:\w+/g, 'x')}?api_key=${KEY}`;
      const { status, text } = await world.call(method, url, undefined, { 'x-api-key': KEY });
      if (status !== 401 || !text.includes('not allowed in a URL')) taking.push(path);
      expect(text).not.toContain(KEY);
    }
    // Without a key, or with a token of its own.
    expect([...new Set(taking)].sort()).toEqual(['/alerts/:alert_id/feed', '/livez', '/readyz']);
  });

  test('A8, A15: a browser is asked for the key, and the key is in no log line', async () => {
    const asked = await world.call('GET', '/jobs/', undefined, { accept: 'text/html' });
    expect(asked.headers.get('www-authenticate')).toContain('Basic');
    const basic = `Basic ${Buffer.from(`me:${KEY}`).toString('base64')}`;
    expect((await world.call('GET', '/jobs/', undefined, { authorization: basic })).status).toBe(200);
    const crossSite = { authorization: basic, origin: 'https://evil.example' };
    expect((await world.call('POST', '/jobs/submit', { articles: [] }, crossSite)).status).toBe(403);
    expect(JSON.stringify(world.lines)).not.toContain(KEY);
  });
});

describe('without keys, on loopback', () => {
  let world: ApiWorld;
  beforeAll(async () => {
    world = await startApiWorld({ isWithWorker: false, bodyLimitBytes: 100_000 });
  });
  afterAll(() => world?.stop());

  /** `fetch` does not let a Host through. */
  const statusFor = (headers: Record<string, string>, method = 'GET'): Promise<number> =>
    new Promise((resolve, reject) => {
      request(`${world.url}/jobs/`, { headers, method }, (reply) => {
        reply.resume();
        resolve(reply.statusCode!);
      })
        .on('error', reject)
        .end();
    });

  test('A10: a name that was made to resolve to us is refused', async () => {
    expect(await statusFor({ host: 'evil.example' })).toBe(403);
    expect(await statusFor({ host: 'localhost:8000' })).toBe(200);
  });

  test('A10: another site cannot make a browser change anything', async () => {
    const origin = 'https://evil.example';
    expect((await world.call('POST', '/jobs/submit', { articles: [] }, { origin })).status).toBe(403);
    expect((await world.call('DELETE', '/jobs/job_000000000000', undefined, { origin })).status).toBe(403);
    expect((await world.call('POST', '/ws/ticket', undefined, { origin: world.url })).status).toBe(201);
  });

  test('A16: listening where others can reach it is refused with what to do', async () => {
    await expect(world.api.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'keys_required' });
    await expect(startApiWorld({ host: '0.0.0.0' })).rejects.toThrow(/API_KEYS/);
  });

  test('A4, A10: pages carry a policy that lets nothing foreign in, and everything says nosniff', async () => {
    for (const path of ['/', '/ui/runs', '/docs']) {
      const { headers, status } = await world.call('GET', path);
      expect(status).toBe(200);
      expect(headers.get('content-security-policy')).toMatch(
        /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/,
      );
    }
    for (const path of ['/ui/runs', '/favicon.ico', '/jobs/', '/nowhere', '/ui/assets/gone.js']) {
      expect((await world.call('GET', path)).headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect((await world.call('GET', '/')).headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/);
  });

  test('what a route does not take is refused by every route, in the query and in the body', async () => {
    const strange = 'zz_unknown';
    const taken: string[] = [];
    for (const { method, path, isHidden } of world.api.routes) {
      if (isHidden) continue;
      const url = path.replace(/:\w+/g, 'x');
      const asked = await world.call(method, `${url}?${strange}=1`);
      const sent = method === 'GET' ? asked : await world.call(method, url, { [strange]: true });
      if (asked.status !== 422 || sent.status !== 422) taken.push(`${method} ${path}`);
    }
    expect(taken).toEqual([]);
    const retry = await world.call('POST', '/dead-letters/retry', { all: true, dry: true });
    expect(retry.body).toMatchObject({ status: 422, errors: [{ pointer: '/dry' }] });
  });

  test('A1, A2: a body past the limit is 413, another type 415, no JSON 400', async () => {
    const big = await world.call('POST', '/jobs/submit', 'x'.repeat(100_001));
    expect(big.status).toBe(413);
    expect(big.body.code).toBe('body_too_large');
    expect(big.body.detail).toMatch(/larger than 100,000 bytes/);
    const form = await world.call('POST', '/jobs/submit', 'a=b', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form.status).toBe(415);
    const plain = await world.call('POST', '/jobs/submit', '{"articles":[]}', { 'content-type': 'text/plain' });
    expect(plain.status).toBe(415);
    expect(await world.call('POST', '/jobs/submit', '{"articles":')).toMatchObject({
      status: 400,
      body: { detail: 'The body is not valid JSON: it ends too early at line 1, column 13.' },
    });
    expect(await world.call('POST', '/cart', '{"items": ["milk"],\n  zipcode: "10001"}')).toMatchObject({
      status: 400,
      body: { code: 'malformed_json', detail: 'The body is not valid JSON: see line 2, column 3.' },
    });
    expect(await world.call('POST', '/jobs/submit', '{"__proto__":{"a":1},"articles":[]}')).toMatchObject({
      status: 400,
      body: { code: 'malformed_json', detail: expect.stringContaining('__proto__') },
    });
  });

  test('what is not HTTP is answered with a problem document and a closed connection', async () => {
    const { port } = new URL(world.url);
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('HELLO THERE\r\n\r\n'));
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('application/problem+json');
    expect(answer).toMatch(/x-request-id: req_/);
  });

  test('A2: headers past the limit are 431', async () => {
    const status = await new Promise((resolve, reject) => {
      get(`${world.url}/livez`, { headers: { 'x-long': 'x'.repeat(20_000) } }, (reply) => resolve(reply.statusCode)).on(
        'error',
        reject,
      );
    });
    expect(status).toBe(431);
  });

  test('a client that wants HTTP/2 over plain text is answered in HTTP/1.1', async () => {
    const status = await statusFor({
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA',
    });
    expect(status).toBe(200);
  });
});

test('A11: past its quota a caller gets 429 with when to come back, and health stays open', async () => {
  const world = await startApiWorld({ rateLimitPerMinute: 10, isWithWorker: false });
  try {
    const replies = await Promise.all(Array.from({ length: 15 }, () => world.call('GET', '/jobs/')));
    const refused = replies.filter((reply) => reply.status === 429);
    expect(refused).toHaveLength(5);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused[0]!.headers.get('ratelimit-policy')).toBe('"address";q=10;w=60');
    expect(refused[0]!.headers.get('ratelimit')).toMatch(/^"address";r=0;t=\d+$/);
    expect(refused[0]!.body.code).toBe('too_many_requests');
    expect((await world.call('GET', '/livez')).status).toBe(200);
  } finally {
    await world.stop();
  }
});

test('A11: each key has its limit, and wrong keys count for their address', async () => {
  const world = await startApiWorld({
    apiKeys: [KEY],
    rateLimitPerMinute: 5,
    addressLimitPerMinute: 3,
    isWithWorker: false,
  });
  try {
    const body = { name: 'x', scope: 'read', requests_per_minute: 100 };
    const { key } = (await world.call('POST', '/keys', body, { 'x-api-key': KEY })).body;
    const burst = async (sent: string, count: number) => {
      const replies = [];
      for (let n = 0; n < count; n++) replies.push(await world.call('GET', '/jobs/', undefined, { 'x-api-key': sent }));
      return replies;
    };
    const many = await burst(key, 20);
    expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(many[19]!.headers.get('ratelimit-policy')).toBe('"key";q=100;w=60');
    expect(many[19]!.headers.get('ratelimit')).toMatch(/^"key";r=80;t=\d+$/);
    // One was the request that made the other key.
    expect((await burst(KEY, 6)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429]);
    const guesses = await burst('wrong-key', 5);
    expect(guesses.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    expect(guesses[4]!.headers.get('ratelimit-policy')).toBe('"address";q=3;w=60');
    expect((await burst(key, 1))[0]!.status).toBe(200);
    expect(await upgrade(world, { 'sec-websocket-protocol': 'windrow, key.wrong-key' })).toBe(429);
    expect(await upgrade(world, { 'sec-websocket-protocol': `windrow, key.${key}` })).toBe(101);
    const outOfScope = await world.call('POST', '/keys', body, { 'x-api-key': key });
    expect(outOfScope.headers.get('ratelimit')).toMatch(/^"key";r=77;/);
  } finally {
    await world.stop();
  }
});

test('A14: X-Forwarded-For counts only when it comes from a proxy that the operator named', async () => {
  for (const [trustProxy, expected] of [
    [[], 5],
    [['10.0.0.1'], 5],
    [['127.0.0.1'], 0],
  ] as const) {
    const world = await startApiWorld({ rateLimitPerMinute: 10, isWithWorker: false, trustProxy: [...trustProxy] });
    try {
      const spoofed = (n: number) => ({
        'x-forwarded-for': `203.0.113.${n}`,
        'x-real-ip': `203.0.113.${n}`,
        forwarded: `for=203.0.113.${n}`,
      });
      const replies = await Promise.all(
        Array.from({ length: 15 }, (_, n) => world.call('GET', '/jobs/', undefined, spoofed(n))),
      );
      expect(replies.filter((reply) => reply.status === 429)).toHaveLength(expected);
      const upgrades = await Promise.all(Array.from({ length: 15 }, (_, n) => upgrade(world, spoofed(n))));
      // Those of the address itself are used up.
      expect(upgrades.filter((status) => status === 429)).toHaveLength(expected && 15);
    } finally {
      await world.stop();
    }
  }
});

test('A14: no header lets a request in without a key', async () => {
  const world = await startApiWorld({ apiKeys: [KEY], isWithWorker: false });
  try {
    for (const name of [
      'x-request-from',
      'x-forwarded-for',
      'x-real-ip',
      'x-forwarded-host',
      'x-original-url',
      'x-internal',
      'x-user',
    ])
      for (const value of ['internal', '127.0.0.1', 'localhost', '/livez'])
        expect((await world.call('GET', '/jobs/', undefined, { [name]: value })).status, `${name}: ${value}`).toBe(401);
  } finally {
    await world.stop();
  }
});
