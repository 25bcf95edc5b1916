// H1–H5, H7, H9 and H11 of the fault list: pages that are endless, explosive, slow, circular, broken or lying.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createWeb } from '../../../src/web/web.ts';
import { reportOf } from '../../support/processes.ts';
import { serve, serveTcp } from '../../support/web/servers.ts';

const MB = 1024 * 1024;
const LIMIT = 10 * MB;
const never = new AbortController().signal;
const pem = (name: string) => readFileSync(new URL(`../../support/certs/${name}.pem`, import.meta.url), 'utf8');

function open(options: Parameters<typeof createWeb>[0] = {}) {
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', ...options });
  return { web: webs.forAttempt({ signal: never, source: 'article' }), [Symbol.asyncDispose]: () => webs.close() };
}

async function measured(url: string, timeoutMs = 30_000) {
  const script = fileURLToPath(new URL('../../support/web/web-measured-fetch.ts', import.meta.url));
  const child = fork(script, [url, String(LIMIT), String(timeoutMs)], { execArgv: ['--expose-gc'] });
  return reportOf<{ outcome: string; grownBytes: number; tookMs: number }>(child);
}

/** Writes for as long as anyone reads. */
function pour(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

/** Resident memory also holds what the runtime compiled and collected late. Without a limit it would be the 100 MB and more of the page. */
const RUNTIME_NOISE = 40 * MB;

const bomb = gzipSync(gzipSync(Buffer.alloc(200 * MB)));
const flatBomb = brotliCompressSync(Buffer.alloc(100 * MB));

async function hostileSite() {
  return serve((request, response) => {
    if (request.url === '/small') response.end('small');
    else if (request.url === '/endless') pour(response, Buffer.alloc(64 * 1024, 'x'));
    else if (request.url === '/declared') {
      response.writeHead(200, { 'content-length': 10 * 1024 * MB });
      pour(response, Buffer.alloc(64 * 1024, 'x'));
    } else if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(bomb);
    else if (request.url === '/flat-bomb') response.writeHead(200, { 'content-encoding': 'br' }).end(flatBomb);
    else if (request.url === '/endless-gzip') {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      pour(response, gzipSync(Buffer.alloc(MB)));
    } else if (request.url === '/layers')
      response.writeHead(200, { 'content-encoding': Array(8).fill('gzip').join(',') }).end(bomb);
    else response.writeHead(404).end();
  });
}

test.each(['/endless', '/declared', '/bomb', '/flat-bomb', '/endless-gzip'])(
  'H1, H2: %s ends at the limit, and memory stays far below what the page would take',
  async (path) => {
    await using site = await hostileSite();
    const { outcome, grownBytes } = await measured(site.origin + path);
    expect(outcome).toBe('too_large');
    expect(grownBytes).toBeLessThan(LIMIT + 16 * MB + RUNTIME_NOISE);
  },
);

test('H2: eight encodings are refused unread', async () => {
  await using site = await hostileSite();
  await using opened = open();
  await expect(opened.web.text(`${site.origin}/layers`)).rejects.toMatchObject({ code: 'unsupported_content' });
});

test('H3: slow bodies and slow headers end at the deadline of the page', async () => {
  await using drip = await serveTcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  await using headers = await serveTcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('X-More: 1\r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  await using opened = open({ timeoutMs: 400 });
  const began = performance.now();
  await Promise.all([
    expect(opened.web.text(drip.origin)).rejects.toMatchObject({ code: 'timeout', message: 'timeout after 0.4s' }),
    expect(opened.web.text(headers.origin)).rejects.toMatchObject({ code: 'timeout' }),
  ]);
  // Neither ever ends by itself.
  expect(performance.now() - began).toBeLessThan(60_000);
});

test('H4: a loop and a thousand redirects end after ten', async () => {
  await using site = await serve((request, response) => {
    const next = request.url === '/loop' ? '/loop' : `/${Number(request.url?.slice(1)) + 1}`;
    response.writeHead(302, { location: next }).end();
  });
  await using opened = open();
  await expect(opened.web.text(`${site.origin}/loop`)).rejects.toMatchObject({ code: 'too_many_redirects' });
  await expect(opened.web.text(`${site.origin}/0`)).rejects.toMatchObject({ code: 'too_many_redirects' });
  expect(site.log).toHaveLength(22);
});

test('H5: endless headers are refused; ten thousand cookies, NUL bytes and invalid UTF-8 are stored safely', async () => {
  await using headers = await serveTcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const line = Buffer.from(`X-More: ${'x'.repeat(8_000)}\r\n`);
    const more = () => {
      while (!socket.destroyed && socket.write(line));
    };
    socket.on('drain', more);
    more();
  });
  await using opened = open({ maxHeaderBytes: 1 * MB });
  await expect(opened.web.text(headers.origin)).rejects.toMatchObject({ code: 'too_large' });
  await using cookies = await serve((request, response) => {
    response.setHeader(
      'set-cookie',
      Array.from({ length: 10_000 }, (_, i) => `c${i}=1`),
    );
    response.end(request.url === '/2' ? (request.headers.cookie ?? '') : Buffer.from('a\0b\xff\xfec', 'latin1'));
  });
  const text = await opened.web.text(`${cookies.origin}/1`);
  expect(text).not.toContain('\0');
  expect(text.startsWith('ab')).toBe(true);
  expect((await opened.web.text(`${cookies.origin}/2`)).split('; ')).toHaveLength(50);
});

test('H6: a million levels and an endless inline script are looked at in bounded time', async () => {
  await using site = await serve((request, response) => {
    response.writeHead(request.url === '/deep' ? 403 : 200, { 'content-type': 'text/html' });
    response.end(
      request.url === '/deep'
        ? '<div>'.repeat(1_000_000)
        : `<title>verify</title><script>${'x'.repeat(9 * MB)}</script>`,
    );
  });
  await using opened = open();
  const began = process.cpuUsage();
  await expect(opened.web.text(`${site.origin}/deep`)).rejects.toMatchObject({ code: 'http_4xx' });
  expect((await opened.web.text(`${site.origin}/script`)).length).toBeGreaterThan(9 * MB);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(20_000);
});

test('H9: a block page answered with 200 is a block, and its visitor is not seen there again', async () => {
  await using site = await serve((_, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end('<title>Robot check</title><p>Please verify you are a human</p>');
  });
  await using opened = open();
  await expect(opened.web.text(site.origin)).rejects.toMatchObject({
    code: 'captcha',
    category: 'captcha',
    retry: 'later',
  });
  expect(opened.web.ledger).toMatchObject({ captchaEncountered: true, blocks: 1 });
});

test('H11: a body cut short, expired and self-made certificates, plain text where TLS was meant', async () => {
  await using cut = await serveTcp((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
  await using chunked = await serveTcp((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel'),
  );
  const secure = (name: string) =>
    serve((_, response) => response.end('secret'), {
      scheme: 'https',
      create: (listener) => createHttpsServer({ key: pem(`${name}.key`), cert: pem(`${name}.cert`) }, listener),
    });
  await using expired = await secure('expired');
  await using own = await secure('site');
  await using plain = await serve((_, response) => response.end('plain'));
  await using opened = open();
  await expect(opened.web.text(cut.origin)).rejects.toMatchObject({ code: 'network', retry: 'later' });
  await expect(opened.web.text(chunked.origin)).rejects.toMatchObject({ code: 'network' });
  await expect(opened.web.text(own.origin)).rejects.toMatchObject({ code: 'tls' });
  await expect(opened.web.text(plain.origin.replace('http:', 'https:'))).rejects.toMatchObject({ code: 'tls' });
  await using trusting = open({ ca: pem('expired.cert') });
  await expect(trusting.web.text(expired.origin)).rejects.toMatchObject({ code: 'tls' });
  expect([...expired.log, ...own.log]).toEqual([]);
});

test('H11: a server that only speaks HTTP/2 and resets every stream is a typed error', async () => {
  const server = createSecureServer({ key: pem('site.key'), cert: pem('site.cert'), allowHTTP1: false });
  server.on('stream', (stream) => stream.close(2));
  server.on('sessionError', () => {}).on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await using opened = open({ ca: pem('site.cert') });
  const error = await opened.web.text(`https://127.0.0.1:${port}/`).catch((thrown) => thrown);
  expect(['network', 'tls', 'http_4xx']).toContain(error.code);
  server.close();
});

test('one slow host does not hold the slots of others: those who would wait long are sent back at no cost', async () => {
  await using slow = await serve((_, response) => setTimeout(() => response.end('slow'), 600));
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', maxPaceWaitMs: 200 });
  const ask = (url: string) =>
    webs.forAttempt({ signal: never, source: 'article', pace: { concurrency: 1, delayMs: 0 } }).text(url);
  const first = ask(slow.origin);
  const others = await Promise.allSettled([ask(slow.origin), ask(slow.origin), ask(slow.origin)]);
  for (const other of others) {
    expect(other).toMatchObject({ status: 'rejected', reason: { code: 'rate_limited', details: { paced: true } } });
  }
  expect(await first).toBe('slow');
  expect(slow.log).toHaveLength(1);
  await webs.close();
});
