import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { articleAt } from '../news/article.ts';
import { type Sandbox, startSandbox } from '../server.ts';
import { FAULTS } from './plan.ts';

const HOST = 'harbour-courier.example';
let sandbox: Sandbox;
let agent: Agent;
let clockMs = 1_000_000;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => clockMs });
  agent = new Agent({ connections: 8, maxHeaderSize: 1024 ** 2 });
});
afterAll(async () => {
  await agent.destroy();
  await sandbox.close();
});

function ask(path: string, signal?: AbortSignal) {
  return request(sandbox.origin + path, { dispatcher: agent, headers: { host: HOST }, signal: signal ?? null });
}

async function get(path: string, signal?: AbortSignal) {
  const reply = await ask(path, signal);
  return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
}

/** Statuses of one address asked for several times in a row. */
async function statuses(path: string, times: number): Promise<number[]> {
  const seen: number[] = [];
  for (let i = 0; i < times; i++) seen.push((await get(path)).status);
  return seen;
}

test('a status can be ordered by parameter or by prefix', async () => {
  expect((await get('/a?fault=404')).status).toBe(404);
  expect((await get('/fault/410/a')).status).toBe(410);
  expect((await get('/a?page=2&fault=503')).status).toBe(503);
});

test('a fault that is misspelt is refused with the list of those there are', async () => {
  for (const spec of ['404s', 'slow:soon', '404:5', 'constructor']) {
    const { status, text } = await get(`/a?fault=${spec}`);
    expect([spec, status]).toEqual([spec, 400]);
    expect(text).toContain('redirect-loop');
  }
});

test('a fault with then-ok strikes the first requests of its address only', async () => {
  expect(await statuses('/b?fault=500-then-ok:2', 4)).toEqual([500, 500, 200, 200]);
  expect(await statuses('/fault/captcha:datadome-then-ok:1/b', 2)).toEqual([403, 200]);
  expect((await get('/c?fault=500-then-ok:2')).status).toBe(500);
});

test('a page under a fault that has passed is the page without it', async () => {
  const path = '/story?fault=500-then-ok:1';
  await get(path);
  expect((await get(path)).text).toBe((await get('/story')).text);
  expect(articleAt(HOST, path)).toEqual(articleAt(HOST, '/story'));
});

test('429 with seconds says when to come back and means it', async () => {
  const early = await get('/d?fault=429:5');
  expect([early.status, early.headers['retry-after']]).toEqual([429, '5']);
  clockMs += 3000;
  expect((await get('/d?fault=429:5')).headers['retry-after']).toBe('2');
  clockMs += 2000;
  expect((await get('/d?fault=429:5')).status).toBe(200);
});

test('a chain of redirects ends at the page after as many hops as ordered', async () => {
  for (const start of ['/e?page=2&fault=redirect:3', '/fault/redirect:3/e?page=2']) {
    let path = start;
    const seen: number[] = [];
    for (;;) {
      const { status, headers } = await get(path);
      seen.push(status);
      if (status === 200) break;
      path = String(headers.location);
    }
    expect(seen).toEqual([308, 307, 302, 200]);
    expect(path).toBe('/e?page=2');
  }
});

test('a redirect loop never leads anywhere', async () => {
  const first = await get('/f?fault=redirect-loop');
  const second = await get(String(first.headers.location));
  expect(second.headers.location).toBe('/f?fault=redirect-loop');
  expect((await get('/f?fault=redirect-to:http://10.0.0.1/x')).headers.location).toBe('http://10.0.0.1/x');
});

test('reset, truncated and drop break the connection, and the log says so', async () => {
  sandbox.reset();
  for (const fault of ['reset', 'truncated', 'drop']) {
    await expect(get(`/g?fault=${fault}`), fault).rejects.toThrow();
  }
  await expect.poll(() => sandbox.log(HOST).map((hit) => hit.aborted)).toEqual([true, true, true]);
  expect(sandbox.log(HOST).map((hit) => hit.status)).toEqual([200, 200, null]);
});

test('hang and slow-body hold the request until the client leaves', async () => {
  sandbox.reset();
  await expect(get('/h?fault=hang', AbortSignal.timeout(40))).rejects.toThrow();
  await expect(get('/h?fault=slow-body', AbortSignal.timeout(40))).rejects.toThrow();
  await expect.poll(() => sandbox.stats().inFlight).toBe(0);
});

test('slow waits and then sends the page', async () => {
  const from = performance.now();
  const { status } = await get('/i?fault=slow:40');
  expect(status).toBe(200);
  expect(performance.now() - from).toBeGreaterThanOrEqual(38);
});

test('huge pages have the size ordered, with and without Content-Length', async () => {
  const sized = await get('/j?fault=huge:3mb');
  expect([Number(sized.headers['content-length']), sized.text.length]).toEqual([3 * 1024 ** 2, 3 * 1024 ** 2]);
  const chunked = await get('/j?fault=huge-chunked:300kb');
  expect([chunked.headers['content-length'], chunked.text.length]).toEqual([undefined, 300 * 1024]);
});

test('a huge page stops when the client leaves', async () => {
  sandbox.reset();
  const reply = await ask('/j?fault=huge:10gb');
  reply.body.on('error', () => {});
  reply.body.destroy();
  await expect.poll(() => sandbox.stats().inFlight).toBe(0);
});

test('bombs are small on the wire and large when unpacked', async () => {
  const bomb = Buffer.from(await (await ask('/k?fault=gzip-bomb:20mb')).body.arrayBuffer());
  expect(bomb.length).toBeLessThan(100_000);
  expect(gunzipSync(bomb).length).toBeGreaterThan(20 * 1024 ** 2);
  const twice = await ask('/k?fault=gzip-twice:20mb');
  expect(twice.headers['content-encoding']).toBe('gzip, gzip');
  const packed = Buffer.from(await twice.body.arrayBuffer());
  expect(packed.length).toBeLessThan(2000);
  expect(gunzipSync(gunzipSync(packed)).length).toBeGreaterThan(20 * 1024 ** 2);
});

test.each([
  ['recaptcha', 200, 'g-recaptcha'],
  ['hcaptcha', 200, 'h-captcha'],
  ['turnstile', 403, 'cf-turnstile'],
  ['datadome', 403, 'captcha-delivery.com'],
  ['perimeterx', 403, 'px-captcha'],
  ['akamai', 403, 'Reference #18'],
  ['google', 429, 'unusual traffic'],
])('the captcha of %s has its status and its mark', async (vendor, status, mark) => {
  const page = await get(`/l?fault=captcha:${vendor}`);
  expect(page.status).toBe(status);
  expect(page.text).toContain(mark);
});

test('walls and empty pages are what they say', async () => {
  expect((await get('/m?fault=challenge')).headers['cf-mitigated']).toBe('challenge');
  expect((await get('/m?fault=consent')).text).toContain('Reject all');
  expect((await get('/m?fault=login')).text).toContain('type="password"');
  expect((await get('/m?fault=empty')).text).toBe('');
  const soft = await get('/m?fault=soft-404');
  expect([soft.status, soft.text.includes('could not find')]).toEqual([200, true]);
  expect((await get('/m?fault=deep:5000')).text).toContain('one sentence');
  expect((await get('/m?fault=binary')).headers['content-type']).toBe('application/pdf');
});

test('headers, cookies and bytes can be made unreasonable', async () => {
  expect(Object.keys((await get('/n?fault=headers:64kb')).headers).length).toBeGreaterThan(60);
  expect((await get('/n?fault=cookies:500')).headers['set-cookie']).toHaveLength(500);
  const bytes = Buffer.from(await (await ask('/n?fault=bad-charset')).body.arrayBuffer());
  expect(bytes.includes(0)).toBe(true);
});

test('every fault of the table answers, breaks off or waits; none fails', async () => {
  for (const kind of Object.keys(FAULTS)) {
    const outcome = await get(`/o?fault=${kind}${/huge|gzip/.test(kind) ? ':1mb' : ''}`, AbortSignal.timeout(50)).catch(
      () => null,
    );
    expect(outcome?.text ?? '', kind).not.toContain('The sandbox failed');
  }
});

test('closing the sandbox ends what is still held', async () => {
  const other = await startSandbox();
  const waiting = request(`${other.origin}/p?fault=hang`, { headers: { host: HOST } }).catch((error: Error) => error);
  await expect.poll(() => other.stats().inFlight).toBe(1);
  await other.close();
  expect(await waiting).toBeInstanceOf(Error);
});
