// What leaves us, byte by byte, against what it claims to be: headers as the server got them and the ClientHello before TLS. Contradictions
// allowed: none.
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcp, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createImpitClient } from '../../../src/web/http/impit.ts';
import { contradicts, HONEST_USER_AGENT } from '../../../src/web/identity/identity.ts';
import profiles from '../../../src/web/identity/profiles.json' with { type: 'json' };
import { createWeb } from '../../../src/web/web.ts';
import { type ClientHello, parseClientHello } from '../../support/web/client-hello.ts';
import { serve } from '../../support/web/servers.ts';

const pem = (name: string) => readFileSync(new URL(`../../support/certs/${name}.pem`, import.meta.url), 'utf8');
const tls = { key: pem('site.key'), cert: pem('site.cert') };
const never = new AbortController().signal;
const limits = () => ({ maxBytes: 1e6, timeoutMs: 60_000, deadlineAt: performance.now() + 60_000, signal: never });

/** An HTTPS site behind a relay that keeps the first bytes of every connection. */
async function watchedSite() {
  const hellos: ClientHello[] = [];
  const site = await serve((_, response) => response.end('<p>ok</p>'), {
    scheme: 'https',
    create: (listener) => createHttpsServer({ ...tls, ALPNProtocols: ['http/1.1'] }, listener),
  });
  const relay = createTcp((client: Socket) => {
    const upstream = connect(site.port, '127.0.0.1');
    client.once('data', (bytes) => hellos.push(parseClientHello(bytes)));
    client.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => client.destroy()).pipe(client);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const { port } = relay.address() as { port: number };
  return {
    url: `https://localhost:${port}/`,
    hellos,
    requests: site.requests,
    async [Symbol.asyncDispose]() {
      relay.close();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** A CONNECT proxy for impit, which never goes without one. */
async function relayProxy() {
  const server = createTcp((client) => {
    client.once('data', (head) => {
      const port = Number(/^CONNECT [^:]+:(\d+)/.exec(head.toString('latin1'))?.[1]);
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
      upstream.on('error', () => client.destroy());
    });
    client.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

test.each(profiles)(
  '$tls over TLS: handshake, user agent, hints and order of headers say the same',
  async (profile) => {
    await using site = await watchedSite();
    await using proxy = await relayProxy();
    const client = await createImpitClient({ tls: profile.tls, proxyUrl: proxy.url, ignoreTlsErrors: true });
    const answer = await client.exchange({ url: new URL(site.url), method: 'GET', headers: {} }, limits());
    expect(answer.status).toBe(200);
    const [hello] = site.hellos;
    expect(hello).toMatchObject({ serverName: 'localhost', hasGrease: true, alpn: ['h2', 'http/1.1'] });
    const headers = site.requests[0]?.headers as Record<string, string>;
    expect(contradicts(profile, headers)).toBeNull();
    expect(headers['accept-encoding']).toBe('gzip, deflate, br, zstd');
    expect(headers['sec-fetch-mode']).toBe('navigate');
  },
);

test('an honest request says Windrow, sends no hints, and its handshake claims no browser', async () => {
  await using site = await watchedSite();
  const webs = createWeb({ guard: { allow: ['127.0.0.1', '::1'] }, robots: 'off', ca: tls.cert });
  await webs.forAttempt({ signal: never, source: 'article' }).text(site.url);
  const headers = site.requests[0]?.headers ?? {};
  expect(headers['user-agent']).toBe(HONEST_USER_AGENT);
  expect(Object.keys(headers).filter((name) => name.startsWith('sec-'))).toEqual([]);
  expect(site.hellos[0]).toMatchObject({ serverName: 'localhost', hasGrease: false, alpn: ['http/1.1'] });
  await webs.close();
});

test('a claimed browser over plain http sends what browsers send there, in one identity through the whole attempt', async () => {
  await using site = await serve((_, response) => response.setHeader('set-cookie', 'visit=1').end('<p>ok</p>'));
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off' });
  const web = webs.forAttempt({ signal: never, source: 'x', policy: { identity: 'browser' } });
  await web.text(`${site.origin}/1`);
  await web.text(`${site.origin}/2`);
  const [first, second] = site.requests.map(({ headers }) => headers as Record<string, string>);
  const profile = profiles.find(({ version }) => first?.['user-agent']?.includes(`Chrome/${version}.`));
  expect(profile).toBeDefined();
  for (const headers of [first, second]) {
    expect(profile && contradicts(profile, headers ?? {})).toBeNull();
    expect(headers?.['accept-encoding']).toBe('gzip, deflate');
    expect(Object.keys(headers ?? {}).filter((name) => name.startsWith('sec-'))).toEqual([]);
  }
  expect(second?.['user-agent']).toBe(first?.['user-agent']);
  expect(second?.cookie).toBe('visit=1');
  await webs.close();
});

test('a body past the limit is cut off for impit as well', async () => {
  await using site = await serve(
    (_, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(256 * 1024)), 1);
      response.on('close', () => clearInterval(timer));
    },
    { scheme: 'https', create: (listener) => createHttpsServer(tls, listener) },
  );
  await using proxy = await relayProxy();
  const client = await createImpitClient({ tls: 'chrome142', proxyUrl: proxy.url, ignoreTlsErrors: true });
  const url = new URL(site.origin);
  await expect(client.exchange({ url, method: 'GET', headers: {} }, limits())).rejects.toMatchObject({
    code: 'too_large',
  });
  const slow = { ...limits(), maxBytes: 1e12, timeoutMs: 300, deadlineAt: performance.now() + 300 };
  await expect(client.exchange({ url, method: 'GET', headers: {} }, slow)).rejects.toMatchObject({ code: 'timeout' });
});
