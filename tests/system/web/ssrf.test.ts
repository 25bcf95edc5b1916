// X1–X5 and X9–X11 of the fault list: every way to a closed address that a URL, a name, a redirect or a proxy offers. In each the server that
// must not be reached counts who came; the count stays zero. 127.0.0.1 is opened and plays the public web, 127.0.0.2 is the inner network.
import { expect, test } from 'vitest';
import { createWeb } from '../../../src/web/web.ts';
import { serveDns } from '../../support/web/dns.ts';
import { FORBIDDEN_HOSTS, forbiddenUrls, INNER } from '../../support/web/forbidden.ts';
import { serve, serveTcp } from '../../support/web/servers.ts';

const REFUSED = {
  code: 'forbidden_address',
  message: 'URL not allowed: it has to be http or https on port 80 or 443 of a public address.',
};

async function innerServer() {
  return serveTcp((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret'), INNER);
}

function open(options: Parameters<typeof createWeb>[0] = {}) {
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', ...options });
  const web = webs.forAttempt({ signal: new AbortController().signal, source: 'article' });
  return { web, webs, [Symbol.asyncDispose]: () => webs.close() };
}

test('X1: every spelling of a closed address, with userinfo, trailing dot and odd port', async () => {
  await using inner = await innerServer();
  await using opened = open();
  const urls = forbiddenUrls(inner.port).filter((url) => !/\/(?:127\.0\.0\.1|localhost):|^\/\//.test(url));
  for (const url of urls) await expect(opened.web.text(url), url).rejects.toMatchObject(REFUSED);
  expect(inner.connections).toBe(0);
});

test('X2: a name is only as good as each of its addresses', async () => {
  await using inner = await innerServer();
  await using dns = await serveDns((name) =>
    name === 'one.example'
      ? [INNER]
      : name === 'some.example'
        ? ['127.0.0.1', INNER]
        : name === 'six.example'
          ? ['127.0.0.1', 'fe80::1']
          : [],
  );
  await using opened = open({ guard: { allow: ['127.0.0.1'], resolve: dns.resolve } });
  for (const host of ['one.example', 'some.example', 'six.example']) {
    await expect(opened.web.text(`http://${host}:${inner.port}/`), host).rejects.toMatchObject(REFUSED);
  }
  await expect(opened.web.text(`http://none.example:${inner.port}/`)).rejects.toMatchObject({ code: 'dns' });
  expect(inner.connections).toBe(0);
});

test('X3: a name that is public when checked and private when dialled is dialled where it was checked', async () => {
  await using inner = await innerServer();
  await using site = await serve((_, response) => response.writeHead(200, { connection: 'close' }).end('public'));
  // The port of both is the same only by luck, so the inner one is asked for under the site's port: reaching it at all would fail.
  await using dns = await serveDns((_, question) => (question % 2 === 1 ? ['127.0.0.1'] : [INNER]));
  await using opened = open({ guard: { allow: ['127.0.0.1'], resolve: dns.resolve } });
  const url = `http://rebind.example:${site.port}/`;
  expect(await opened.web.text(url)).toBe('public');
  await expect(opened.web.text(url)).rejects.toMatchObject(REFUSED);
  expect(await opened.web.text(url)).toBe('public');
  expect(site.log).toEqual(Array(2).fill(`GET / rebind.example:${site.port}`));
  expect(dns.asked.filter((entry) => entry.startsWith('A '))).toHaveLength(3);
  expect(inner.connections).toBe(0);
});

test('X4, X5: every hop of a redirect is judged, and only http and https are followed', async () => {
  await using inner = await innerServer();
  const targets = [
    `http://${INNER}:${inner.port}/`,
    'file:///etc/passwd',
    'gopher://a/',
    'ftp://a/',
    'data:,a',
    'javascript:1',
    'blob:http://a/1',
  ];
  await using site = await serve((request, response) => {
    const [, status, index, depth] = (request.url ?? '').split('/');
    const next = depth === '0' ? targets[Number(index)] : `/${status}/${index}/${Number(depth) - 1}`;
    response.writeHead(Number(status), { location: next }).end();
  });
  await using opened = open();
  for (const status of [301, 302, 303, 307, 308]) {
    for (const index of targets.keys()) {
      await expect(opened.web.text(`${site.origin}/${status}/${index}/2`)).rejects.toMatchObject(REFUSED);
    }
  }
  expect(inner.connections).toBe(0);
});

test('X9: a proxy is only told of addresses that were judged, and by address', async () => {
  await using inner = await innerServer();
  const asked: string[] = [];
  await using proxy = await serveTcp((socket) => {
    socket.once('data', (head) => {
      asked.push(head.toString('latin1').split('\r\n')[0] ?? '');
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
  });
  await using dns = await serveDns((name) => (name === 'inner.example' ? [INNER] : ['127.0.0.1']));
  const guard = { allow: ['127.0.0.1'], resolve: dns.resolve };
  await using opened = open({ guard, proxies: `http://127.0.0.1:${proxy.port}` });
  await expect(opened.web.text(`http://inner.example:${inner.port}/`)).rejects.toMatchObject(REFUSED);
  await expect(opened.web.text(`http://${INNER}:${inner.port}/`)).rejects.toMatchObject(REFUSED);
  expect(asked).toEqual([]);
  await expect(opened.web.text('http://fine.example:8080/')).rejects.toMatchObject({ code: 'proxy' });
  expect(new Set(asked)).toEqual(new Set(['CONNECT 127.0.0.1:8080 HTTP/1.1']));
  expect(inner.connections).toBe(0);
});

test('X1, X9: a proxy that a task brings along is judged itself, in every spelling', async () => {
  await using inner = await innerServer();
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off' });
  for (const host of FORBIDDEN_HOSTS.filter((one) => !/^(?:127\.0\.0\.1|localhost)$/.test(one))) {
    const askBy = (proxy: string) =>
      webs.forAttempt({ signal: AbortSignal.timeout(60_000), source: 'article', proxy }).text('http://127.0.0.1:8080/');
    await expect(askBy(`user:pass@${host}:${inner.port}`), host).rejects.toMatchObject(REFUSED);
    // Here a host is not rewritten by the URL parser: what is no plain address is a name, which may not resolve.
    const code = expect.stringMatching(/^(?:forbidden_address|dns|invalid_params)$/);
    await expect(askBy(`socks5://${host}:${inner.port}`), host).rejects.toMatchObject({ code });
  }
  expect(inner.connections).toBe(0);
  await webs.close();
});

test('X10: open, closed and silent inner ports look the same', async () => {
  await using answering = await innerServer();
  await using opened = open();
  const seen = new Set<string>();
  for (const port of [answering.port, 1, 22, 5432, 6379]) {
    const error = await opened.web.text(`http://${INNER}:${port}/`).catch((thrown) => thrown);
    seen.add(`${error.code} ${error.message} ${error.cause} ${JSON.stringify(error.details)}`);
  }
  expect([...seen]).toEqual([
    'forbidden_address URL not allowed: it has to be http or https on port 80 or 443 of a public address. undefined undefined',
  ]);
});

test('X11: robots.txt and the sitemaps in it pass the same guard', async () => {
  await using inner = await innerServer();
  await using site = await serve((request, response) => {
    if (request.url === '/robots.txt')
      response.writeHead(302, { location: `http://${INNER}:${inner.port}/robots.txt` }).end();
    else response.end('<p>page</p>');
  });
  await using opened = open({ robots: 'on' });
  expect(await opened.web.text(`${site.origin}/page`)).toBe('<p>page</p>');
  await expect(opened.web.sitemaps(`http://${INNER}:${inner.port}/`)).resolves.toEqual([]);
  expect(inner.connections).toBe(0);
});

test('X1, X2: a browser-like client that opens its own sockets is held by the same guard', async () => {
  await using inner = await innerServer();
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off' });
  const web = webs.forAttempt({ signal: new AbortController().signal, source: 'x', policy: { identity: 'browser' } });
  await expect(web.text(`https://${INNER}:${inner.port}/`)).rejects.toMatchObject(REFUSED);
  await using dns = await serveDns(() => [INNER]);
  const named = createWeb({ guard: { allow: ['127.0.0.1'], resolve: dns.resolve }, robots: 'off' });
  const byName = named.forAttempt({
    signal: new AbortController().signal,
    source: 'x',
    policy: { identity: 'browser' },
  });
  await expect(byName.text(`https://inner.example:${inner.port}/`)).rejects.toMatchObject(REFUSED);
  expect(inner.connections).toBe(0);
  await Promise.all([webs.close(), named.close()]);
});
