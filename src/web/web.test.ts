import { expect, test } from 'vitest';
import { z } from 'zod';
import { serve, serveTcp } from '../../tests/support/web/servers.ts';
import { createWeb, type WebOptions } from './web.ts';

const LOOPBACK = { allow: ['127.0.0.1'] };

function open(options: WebOptions = {}, signal: AbortSignal = new AbortController().signal) {
  const webs = createWeb({ guard: LOOPBACK, robots: 'off', ...options });
  return { web: webs.forAttempt({ signal, source: 'article' }), [Symbol.asyncDispose]: () => webs.close() };
}

test('text, JSON and ledger of plain pages', async () => {
  await using site = await serve((request, response) => {
    if (request.url === '/json') response.end('{"jobs":[1,2]}');
    else
      response.setHeader('content-type', 'text/html; charset=iso-8859-15').end(Buffer.from([0xa4, 0x31, 0x00, 0x32]));
  });
  await using opened = open();
  const { web } = opened;
  expect(await web.text(`${site.origin}/`)).toBe('€12');
  expect(await web.json(`${site.origin}/json`, z.object({ jobs: z.array(z.number()) }))).toEqual({ jobs: [1, 2] });
  expect(web.ledger).toMatchObject({
    requests: 2,
    bytes: 18,
    rateLimited: false,
    captchaEncountered: false,
    proxyUsed: null,
  });
});

test('JSON of another shape is a changed layout, and so is what is not JSON', async () => {
  await using site = await serve((request, response) => response.end(request.url === '/a' ? '{"a":1}' : '<html>'));
  await using opened = open();
  const schema = z.object({ jobs: z.array(z.number()) });
  await expect(opened.web.json(`${site.origin}/a`, schema)).rejects.toMatchObject({ code: 'layout_changed' });
  await expect(opened.web.json(`${site.origin}/b`, schema)).rejects.toMatchObject({ code: 'layout_changed' });
});

test('a mapped host is asked for under its own name and never looked up', async () => {
  await using site = await serve((_, response) => response.end('sandbox'));
  const webs = createWeb({ robots: 'off', hostMap: `news.example=${site.origin}` });
  const web = webs.forAttempt({ signal: new AbortController().signal, source: 'article' });
  expect(await web.text('https://news.example/a?b=1#c')).toBe('sandbox');
  expect(site.log).toEqual(['GET /a?b=1 news.example']);
  await webs.close();
});

test('a map for every host does not open literal private addresses or other schemes', async () => {
  await using site = await serve((_, response) => response.end('secret'));
  const webs = createWeb({ robots: 'off', hostMap: `*=${site.origin}` });
  const web = webs.forAttempt({ signal: new AbortController().signal, source: 'article' });
  for (const address of [
    'http://127.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/',
    'file:///etc/passwd',
  ]) {
    await expect(web.text(address)).rejects.toMatchObject({ code: 'forbidden_address' });
  }
  expect(site.log).toEqual([]);
  await webs.close();
});

test('the pace a person gives a source counts in place of its own', async () => {
  const held: (() => void)[] = [];
  await using site = await serve((_, response) => {
    held.push(() => response.end('page'));
    if (held.length === 3) for (const answer of held) answer();
  });
  await using webs = Object.assign(
    createWeb({ guard: LOOPBACK, robots: 'off', paces: new Map([['linkedin', { concurrency: 3, delayMs: 0 }]]) }),
    { [Symbol.asyncDispose]: () => webs.close() },
  );
  const pace = { concurrency: 1, delayMs: 60_000 };
  const web = webs.forAttempt({ signal: AbortSignal.timeout(60_000), source: 'linkedin', pace });
  // Nobody is answered before all three have asked.
  expect(await Promise.all([1, 2, 3].map((n) => web.text(`${site.origin}/${n}`)))).toEqual(['page', 'page', 'page']);
});

test('statuses are typed errors, except those the source wants to see', async () => {
  await using site = await serve((request, response) => {
    response.statusCode = Number(request.url?.slice(1));
    if (response.statusCode === 429) response.setHeader('retry-after', '3');
    response.end();
  });
  await using opened = open();
  await expect(opened.web.text(`${site.origin}/404`)).rejects.toMatchObject({
    code: 'not_found',
    message: '404 Not Found',
  });
  await expect(opened.web.text(`${site.origin}/403`)).rejects.toMatchObject({ code: 'http_4xx' });
  await expect(opened.web.text(`${site.origin}/502`)).rejects.toMatchObject({ code: 'http_5xx', retry: 'later' });
  expect(await opened.web.get(`${site.origin}/404`, { accept: [404] })).toMatchObject({ status: 404, text: '' });
  await expect(opened.web.text(`${site.origin}/429`)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 3000,
  });
  expect(opened.web.ledger.rateLimited).toBe(true);
});

test('a POST sends its body once and becomes a GET on 302, but not on 307', async () => {
  const bodies: string[] = [];
  await using site = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      bodies.push(`${request.method} ${request.url} ${request.headers['content-type'] ?? '-'} ${body}`);
      if (request.url === '/302') response.writeHead(302, { location: '/done' }).end();
      else if (request.url === '/307') response.writeHead(307, { location: '/done' }).end();
      else response.end('ok');
    });
  });
  await using opened = open();
  const answer = await opened.web.get(`${site.origin}/302`, { method: 'POST', body: { a: 1 } });
  expect(answer.url).toBe(`${site.origin}/done`);
  await opened.web.get(`${site.origin}/307`, {
    method: 'POST',
    body: 'a=1',
    headers: { 'Content-Type': 'text/plain' },
  });
  expect(bodies).toEqual([
    'POST /302 application/json {"a":1}',
    'GET /done - ',
    'POST /307 text/plain a=1',
    'POST /done text/plain a=1',
  ]);
});

test('secrets are not carried to another origin by a redirect', async () => {
  await using other = await serve((_, response) => response.end('ok'));
  await using site = await serve((_, response) => response.writeHead(302, { location: `${other.origin}/x` }).end());
  await using opened = open();
  await opened.web.get(site.origin, { headers: { Authorization: 'Bearer s', Cookie: 'a=b', 'X-Kept': '1' } });
  const { headers } = other.requests[0] ?? { headers: {} };
  expect(headers).toMatchObject({ 'x-kept': '1' });
  expect(headers).not.toHaveProperty('authorization');
  expect(headers).not.toHaveProperty('cookie');
});

test('ten redirects are followed, the eleventh is not', async () => {
  await using site = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('there');
    else response.writeHead(301, { location: `/${left - 1}` }).end();
  });
  await using opened = open();
  expect(await opened.web.text(`${site.origin}/10`)).toBe('there');
  await expect(opened.web.text(`${site.origin}/11`)).rejects.toMatchObject({ code: 'too_many_redirects' });
});

test.each([301, 302, 303, 307, 308])(
  'a %i to a closed address or another scheme is refused before a byte is sent',
  async (status) => {
    await using secret = await serveTcp((socket) => socket.end(), '127.0.0.2');
    const targets = [
      `http://127.0.0.2:${secret.port}/`,
      'file:///etc/passwd',
      'gopher://x/',
      'ftp://x/',
      'data:,x',
      'javascript:1',
      'blob:x',
    ];
    await using site = await serve((request, response) => {
      response.writeHead(status, { location: targets[Number(request.url?.slice(1))] }).end();
    });
    await using opened = open();
    for (const index of targets.keys()) {
      await expect(opened.web.text(`${site.origin}/${index}`)).rejects.toMatchObject({
        code: 'forbidden_address',
        message: 'URL not allowed: it has to be http or https on port 80 or 443 of a public address.',
      });
    }
    expect(secret.connections).toBe(0);
  },
);

test('a body that drips forever ends at the deadline of the page', async () => {
  await using site = await serve((_, response) => {
    const drip = setInterval(() => response.write('.'), 5);
    response.on('close', () => clearInterval(drip));
  });
  await using opened = open({ timeoutMs: 150 });
  await expect(opened.web.text(site.origin)).rejects.toMatchObject({ code: 'timeout', message: 'timeout after 0.2s' });
});

test('headers that never come end at the deadline, and so do redirects in a circle that are slow', async () => {
  await using silent = await serveTcp(() => {});
  await using opened = open({ timeoutMs: 100 });
  await expect(opened.web.text(silent.origin)).rejects.toMatchObject({ code: 'timeout' });
});

test('a cancelled attempt closes its socket and sends nothing more', async () => {
  let closed = () => {};
  const socketClosed = new Promise<void>((resolve) => (closed = resolve));
  const abort = new AbortController();
  await using site = await serve((request, response) => {
    request.socket.on('close', closed);
    response.write('start');
    abort.abort();
  });
  await using opened = open({}, abort.signal);
  await expect(opened.web.text(site.origin)).rejects.toMatchObject({ code: 'cancelled' });
  await socketClosed;
  await expect(opened.web.text(site.origin)).rejects.toMatchObject({ code: 'cancelled' });
  expect(site.log).toHaveLength(1);
});

test('a server that breaks off, resets or speaks nonsense is a network error', async () => {
  const answers = ['HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', '', 'SSH-2.0-OpenSSH\r\n\r\n'];
  for (const answer of answers) {
    await using site = await serveTcp((socket) => socket.once('data', () => socket.end(answer)));
    await using opened = open();
    await expect(opened.web.text(site.origin)).rejects.toMatchObject({ code: 'network', retry: 'later' });
  }
});

test('headers past the limit are refused', async () => {
  await using site = await serveTcp((socket) => {
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nX-Big: ${'x'.repeat(100_000)}\r\n\r\n`));
  });
  await using opened = open();
  await expect(opened.web.text(site.origin)).rejects.toMatchObject({ code: 'too_large' });
});

test('a declared length past the limit is refused before the body is read', async () => {
  await using site = await serve((_, response) => response.writeHead(200, { 'content-length': 10 ** 10 }).write('x'));
  await using opened = open();
  await expect(opened.web.text(site.origin)).rejects.toMatchObject({ code: 'too_large' });
});

test('what is no address at all is the fault of the request', async () => {
  await using opened = open();
  await expect(opened.web.text('not an address')).rejects.toMatchObject({ code: 'invalid_params' });
});
