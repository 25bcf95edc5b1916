// Proxies as they are run by others: proxy-chain with a password, an HTTPS proxy, SOCKS5 with a password, and Debian's tinyproxy where it is
// installed. What leaves through each is a page over http and one over https; the proxy sees an address, never a name.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { Server as ChainServer } from 'proxy-chain';
import { expect, test } from 'vitest';
import { createWeb } from '../../../src/web/web.ts';
import { freePort } from '../../support/own-servers.ts';
import { serve, serveTcp } from '../../support/web/servers.ts';
import { serveSocks } from '../../support/web/socks.ts';

const pem = (name: string) => readFileSync(new URL(`../../support/certs/${name}.pem`, import.meta.url), 'utf8');
const tls = { key: pem('site.key'), cert: pem('site.cert') };
const never = new AbortController().signal;
const page = () => serve((_, response) => response.end('<p>through</p>'));
const securePage = () =>
  serve((_, response) => response.end('<p>through tls</p>'), {
    scheme: 'https',
    create: (listener) => createHttpsServer(tls, listener),
  });

interface Running extends AsyncDisposable {
  url: string;
  label: string;
  /** What the proxy was asked to connect to. */
  targets?: string[];
}

async function chain(): Promise<Running> {
  const targets: string[] = [];
  const server = new ChainServer({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction: ({ username, password, hostname, port }) => {
      targets.push(`${hostname}:${port}`);
      return { requestAuthentication: username !== 'user' || password !== 'p@ss' };
    },
  });
  await server.listen();
  return {
    url: `http://user:p%40ss@127.0.0.1:${server.port}`,
    label: `127.0.0.1:${server.port}`,
    targets,
    [Symbol.asyncDispose]: async () => {
      await server.close(true);
    },
  };
}

/** TLS in front of proxy-chain: an HTTPS proxy. */
async function secureChain(): Promise<Running> {
  const inner = await chain();
  const innerPort = Number(new URL(inner.url).port);
  const front = createTlsServer(tls, (socket) => {
    const upstream = connectTcp(innerPort, '127.0.0.1');
    socket.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => socket.destroy()).pipe(socket);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const { port } = front.address() as { port: number };
  return {
    ...inner,
    url: `https://user:p%40ss@127.0.0.1:${port}`,
    label: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      front.close();
      await inner[Symbol.asyncDispose]();
    },
  };
}

async function socks(): Promise<Running> {
  const server = await serveSocks('user', 'p@ss');
  return {
    url: `socks5://user:p%40ss@127.0.0.1:${server.port}`,
    label: `127.0.0.1:${server.port}`,
    targets: server.targets,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function tinyproxy(): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'windrow-tinyproxy-'));
  const port = await freePort();
  const config = `Port ${port}\nListen 127.0.0.1\nTimeout 30\nMaxClients 20\nBasicAuth user secret\nLogFile "${folder}/log"\nPidFile "${folder}/pid"\n`;
  writeFileSync(join(folder, 'conf'), config);
  const child: ChildProcess = spawn('/usr/bin/tinyproxy', ['-d', '-c', join(folder, 'conf')], { stdio: 'ignore' });
  await listening(port);
  return {
    url: `http://user:secret@127.0.0.1:${port}`,
    label: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const kinds: [string, () => Promise<Running>][] = [
  ['proxy-chain with a password', chain],
  ['an HTTPS proxy', secureChain],
  ['SOCKS5 with a password', socks],
  ...(existsSync('/usr/bin/tinyproxy') ? [['tinyproxy', tinyproxy] as [string, () => Promise<Running>]] : []),
];

test.each(kinds)('a page over http and one over https through %s', async (_, start) => {
  await using plain = await page();
  await using secure = await securePage();
  await using proxy = await start();
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', proxies: proxy.url, ca: tls.cert });
  const web = webs.forAttempt({ signal: never, source: 'article' });
  expect(await web.text(plain.origin)).toBe('<p>through</p>');
  expect(await web.text(secure.origin.replace('127.0.0.1', 'localhost'))).toBe('<p>through tls</p>');
  expect(web.ledger.proxyUsed).toBe(proxy.label);
  for (const target of proxy.targets ?? []) expect(target).toMatch(/127\.0\.0\.1:\d+$/);
  await webs.close();
});

test.each(kinds)('a wrong password at %s is a proxy error that names host and port only', async (_, start) => {
  await using plain = await page();
  await using proxy = await start();
  const wrong = proxy.url.replace(/:[^:@]+@/, ':wrong-password@');
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', proxies: wrong, ca: tls.cert });
  const web = webs.forAttempt({ signal: never, source: 'article' });
  const error = await web.text(plain.origin).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'proxy', retry: 'later' });
  expect(error.message).toContain(proxy.label);
  expect(error.message).not.toContain('wrong-password');
  expect(plain.log).toEqual([]);
  await webs.close();
});

test('three of five proxies are dead: every page still comes, and the dead are left out after their first failure', async () => {
  await using plain = await page();
  await using one = await chain();
  await using two = await chain();
  await using silent = await serveTcp((socket) => socket.end());
  const dead = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  const proxies = [...dead, one.url, `http://127.0.0.1:${silent.port}`, two.url].join(',');
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', proxies, sessions: { poolSize: 5 } });
  const used = new Set<string | null>();
  for (let i = 0; i < 40; i += 1) {
    const web = webs.forAttempt({ signal: never, source: 'article' });
    expect(await web.text(`${plain.origin}/${i}`)).toBe('<p>through</p>');
    used.add(web.ledger.proxyUsed);
  }
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const web = webs.forAttempt({ signal: never, source: 'article', pace: { concurrency: 20, delayMs: 0 } });
      expect(await web.text(`${plain.origin}/p${i}`)).toBe('<p>through</p>');
      used.add(web.ledger.proxyUsed);
    }),
  );
  expect(plain.log).toHaveLength(60);
  expect(used).toEqual(new Set([one.label, two.label]));
  // One that was left out long enough is tried again: on a slow machine perhaps now.
  let pages = 0;
  const dyingAt = async () => {
    await webs.forAttempt({ signal: never, source: 'article' }).text(`${plain.origin}/again${++pages}`);
    return webs.proxies().filter(({ isDead }) => isDead).length;
  };
  await expect.poll(dyingAt).toBe(3);
  await webs.close();
});

test('robots.txt is fetched past dead proxies too', async () => {
  await using site = await serve((request, response) => {
    response.end(request.url === '/robots.txt' ? 'User-agent: *\nDisallow: /private' : '<p>page</p>');
  });
  await using one = await chain();
  const dead = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, proxies: [...dead, one.url].join(',') });
  const web = webs.forAttempt({ signal: never, source: 'article' });
  expect(await web.text(`${site.origin}/page`)).toBe('<p>page</p>');
  await expect(web.text(`${site.origin}/private`)).rejects.toMatchObject({ code: 'robots' });
  await webs.close();
});

test('a proxy that a task brings along is used for that task, and its connections serve the next', async () => {
  await using site = await page();
  await using proxy = await chain();
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off' });
  for (let n = 0; n < 20; n++) {
    const web = webs.forAttempt({ signal: never, source: 'article', proxy: proxy.url });
    await web.text(`${site.origin}/${n}`);
    expect(web.ledger.proxyUsed).toBe(proxy.label);
  }
  // One connection, or some more that undici opens while another is settling; without reuse it would be twenty.
  expect(proxy.targets?.length).toBeLessThan(10);
  await webs.close();
});

test('a site that blocks is asked from the next tier, with a fresh visitor', async () => {
  await using proxy = await chain();
  await using site = await serve((_, response) => {
    // The direct visitor is met with a captcha, whoever comes through the proxy with the page.
    if ((proxy.targets ?? []).length === 0) response.writeHead(403, { 'x-datadome': 'protected' }).end();
    else response.end('<p>welcome</p>');
  });
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', proxies: `direct; ${proxy.url}` });
  const first = webs.forAttempt({ signal: never, source: 'article' });
  await expect(first.text(site.origin)).rejects.toMatchObject({
    code: 'captcha',
    details: { rule: 'datadome-header' },
  });
  expect(first.ledger).toMatchObject({ captchaEncountered: true, blocks: 1, proxyUsed: null });
  const second = webs.forAttempt({ signal: never, source: 'article' });
  expect(await second.text(site.origin)).toBe('<p>welcome</p>');
  expect(second.ledger.proxyUsed).toBe(proxy.label);
  await webs.close();
});

async function listening(port: number): Promise<void> {
  await expect
    .poll(
      () =>
        new Promise<boolean>((resolve) => {
          const socket = connectTcp(port, '127.0.0.1');
          socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
          socket.once('connect', () => socket.destroy());
        }),
      { timeout: 60_000, interval: 50 },
    )
    .toBe(true);
}
