import { expect, test } from 'vitest';
import { serve, serveTcp } from '../../tests/support/web/servers.ts';
import { createBrowserPool } from './browser/pool.ts';
import type { Attempt, WebOptions } from './web.ts';
import { createWeb } from './web.ts';

const never = new AbortController().signal;

function open(options: WebOptions = {}, attempt: Partial<Attempt> = {}) {
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'off', ...options });
  const web = () => webs.forAttempt({ signal: never, source: 'article', ...attempt });
  return { webs, web, [Symbol.asyncDispose]: () => webs.close() };
}

test('robots.txt is asked once and obeyed, on redirects too', async () => {
  await using site = await serve((request, response) => {
    if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /private\nSitemap: /map.xml');
    else if (request.url === '/way-in') response.writeHead(302, { location: '/private/page' }).end();
    else response.end('<p>page</p>');
  });
  await using opened = open({ robots: 'on' });
  const web = opened.web();
  expect(await web.text(`${site.origin}/open`)).toBe('<p>page</p>');
  await expect(web.text(`${site.origin}/private/page`)).rejects.toMatchObject({ code: 'robots', retry: 'never' });
  await expect(web.text(`${site.origin}/way-in`)).rejects.toMatchObject({ code: 'robots' });
  expect(await web.sitemaps(`${site.origin}/open`)).toEqual([`${site.origin}/map.xml`]);
  expect(site.log.map((line) => line.split(' ')[1])).toEqual(['/robots.txt', '/open', '/way-in']);
});

test('robots.txt is not asked for a source that is switched off, or that says why not', async () => {
  await using site = await serve((_, response) => response.end('x'));
  await using switched = open({ robots: 'off:article' });
  await switched.web().text(`${site.origin}/1`);
  await using reasoned = open({ robots: 'on' }, { policy: { ignoreRobots: 'an API, made to be called' } });
  await reasoned.web().text(`${site.origin}/2`);
  expect(site.log.map((line) => line.split(' ')[1])).toEqual(['/1', '/2']);
});

test('a crawl delay spaces the requests of all attempts', async () => {
  const starts: number[] = [];
  await using site = await serve((request, response) => {
    if (request.url === '/robots.txt') response.end('User-agent: *\nCrawl-delay: 0.1');
    else {
      starts.push(performance.now());
      response.end('x');
    }
  });
  await using opened = open({ robots: 'on', maxPaceWaitMs: 60_000 });
  const began = performance.now();
  await Promise.all([1, 2, 3, 4].map((n) => opened.web().text(`${site.origin}/${n}`)));
  // Three gaps of 100 ms. From before the first: on a busy machine that may arrive late, and the others not.
  expect((starts[3] ?? 0) - began).toBeGreaterThan(290);
});

test('after a 429 the host is left alone for as long as it asked, by everyone', async () => {
  let isThrottling = true;
  await using site = await serve((_, response) => {
    if (isThrottling) response.writeHead(429, { 'retry-after': '30' }).end();
    else response.end('x');
  });
  await using opened = open({ maxPaceWaitMs: 100 });
  await expect(opened.web().text(site.origin)).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 30_000 });
  isThrottling = false;
  const later = await opened
    .web()
    .text(site.origin)
    .catch((error) => error);
  expect(later).toMatchObject({ code: 'rate_limited', details: { paced: true } });
  expect(later.retryAfterMs).toBeGreaterThan(15_000);
  expect(site.log).toHaveLength(1);
});

test('two proxies are two exits: a site is asked twice as often, and a 429 stops one of them', async () => {
  let answers = 0;
  await using site = await serve((_, response) => {
    answers += 1;
    if (answers === 1) response.writeHead(429, { 'retry-after': '30' }).end();
    else response.end('x');
  });
  const proxies = 'a.example:1 b.example:2';
  const pace = { concurrency: 2, delayMs: 60_000 };
  await using opened = open({ proxies, hostMap: `*=${site.origin}`, maxPaceWaitMs: 100 }, { pace });
  const ask = () => opened.web().text('http://news.example/');
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 30_000 });
  expect(await ask()).toBe('x');
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited', details: { paced: true } });
  expect(site.log).toHaveLength(2);
});

test('an attempt goes on through the exit it began with', async () => {
  await using site = await serve((request, response) => {
    response.setHeader('set-cookie', 'seen=1; Path=/').end(request.headers.cookie ?? 'none');
  });
  await using opened = open({ proxies: 'a.example:1 b.example:2 c.example:3', hostMap: `*=${site.origin}` });
  const web = opened.web();
  const seen = [];
  for (let page = 0; page < 4; page += 1) seen.push(await web.text('http://news.example/'));
  expect(seen).toEqual(['none', 'seen=1', 'seen=1', 'seen=1']);
});

test('a connection that breaks is tried once more for a GET, and never for a POST', async () => {
  let connections = 0;
  await using site = await serveTcp((socket) => {
    connections += 1;
    socket.once('data', () => {
      if (connections % 2 === 1) socket.destroy();
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok');
    });
  });
  await using opened = open();
  expect(await opened.web().text(site.origin)).toBe('ok');
  await expect(opened.web().get(site.origin, { method: 'POST', body: 'x' })).rejects.toMatchObject({ code: 'network' });
  expect(connections).toBe(3);
});

test('cookies of one page are sent with the next of the same attempt, and not with those of another', async () => {
  await using site = await serve((request, response) => {
    response.setHeader('set-cookie', 'seen=1; Path=/').end(request.headers.cookie ?? 'none');
  });
  await using opened = open();
  const web = opened.web();
  expect(await web.text(site.origin)).toBe('none');
  expect(await web.text(site.origin)).toBe('seen=1');
  expect(await opened.web().text(site.origin)).toBe('none');
});

test('a consent page is answered once with its cookies, and then the page comes', async () => {
  await using sandbox = await serve((request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.headers.cookie?.includes('SOCS=')) response.end('<title>milk - Search</title><p>results</p>');
    else response.end('<title>Before you continue to Google Search</title>');
  });
  await using opened = open({ hostMap: `www.google.com=${sandbox.origin}` });
  expect(await opened.web().text('https://www.google.com/search?q=milk')).toContain('results');
  expect(sandbox.log).toHaveLength(2);
});

test('a challenge without a browser to pass it is a block that says so', async () => {
  await using site = await serve((_, response) => response.writeHead(503).end('<title>Just a moment...</title>'));
  await using opened = open();
  const web = opened.web();
  await expect(web.text(site.origin)).rejects.toMatchObject({
    code: 'blocked',
    details: { block: 'js_challenge', rule: 'cloudflare-title' },
  });
  await expect(web.page(site.origin)).rejects.toMatchObject({ code: 'unsupported_content' });
});

test('a challenge stays a block where the browser that was to pass it cannot be started', async () => {
  await using site = await serve((_, response) => response.writeHead(503).end('<title>Just a moment...</title>'));
  await using opened = open({ browser: createBrowserPool({ executablePath: '/nowhere/chromium' }) });
  await expect(opened.web().text(site.origin)).rejects.toMatchObject({
    code: 'blocked',
    details: { block: 'js_challenge', rule: 'cloudflare-title' },
  });
  await expect(opened.web().page(site.origin)).rejects.toMatchObject({ code: 'no_browser' });
});

test('an attempt knows the page that an error came from, and what it saw last', async () => {
  await using site = await serve((request, response) => {
    response.setHeader('content-type', 'text/HTML; charset=utf-8');
    if (request.url === '/robot') response.end('<p>Please verify you are a human</p>');
    else if (request.url === '/broken') response.writeHead(500).end('<p>oops</p>');
    else if (request.url === '/cut') response.destroy();
    else response.end('<p>fine</p>');
  });
  await using opened = open({ maxPaceWaitMs: 60_000 });
  const web = opened.web();
  expect(web.seen.page(null)).toBeNull();
  await expect(web.text(`${site.origin}/robot`)).rejects.toMatchObject({ code: 'captcha' });
  await web.text(`${site.origin}/fine`);
  expect(web.seen.page('captcha')).toMatchObject({ url: `${site.origin}/robot`, status: 200, mediaType: 'text/html' });
  expect(web.seen.page('layout_changed')).toMatchObject({ url: `${site.origin}/fine`, text: '<p>fine</p>' });
  await expect(web.text(`${site.origin}/broken`)).rejects.toMatchObject({ code: 'http_5xx' });
  expect(web.seen.page('http_5xx')).toMatchObject({ status: 500, text: '<p>oops</p>', picture: null });
  await expect(web.text(`${site.origin}/cut`)).rejects.toMatchObject({ code: 'network' });
  expect(web.seen.page('network')).toBeNull();
});

test('an attempt knows the secrets it went out with', async () => {
  await using site = await serve((_, response) => response.setHeader('set-cookie', 'id=cookie-value; Path=/').end('x'));
  await using opened = open({
    sourceSettings: new Map([
      ['article.app_key', 'setting-value'],
      ['indeed.token', 'of another'],
    ]),
  });
  const web = opened.web();
  await web.get(`${site.origin}/?api_key=url-value&page=2`, {
    headers: { authorization: 'Bearer header-value', accept: 'text/html' },
    body: { client_secret: 'body-value', q: 'welder' },
  });
  const secrets = web.seen.secrets();
  for (const one of ['cookie-value', 'setting-value', 'url-value', 'header-value', 'body-value'])
    expect(secrets).toContain(one);
  for (const one of ['of another', 'text/html', 'welder', '2']) expect(secrets).not.toContain(one);
});

test('what was done is counted per source', async () => {
  await using site = await serve((request, response) => {
    if (request.url === '/429') response.writeHead(429).end();
    else response.end('12345');
  });
  await using opened = open({ maxPaceWaitMs: 1 });
  await opened.web().text(site.origin);
  await opened
    .web()
    .text(`${site.origin}/429`)
    .catch(() => {});
  expect(opened.webs.totals().get('article')).toMatchObject({ requests: 2, bytes: 5, throttled: 1, captchas: 0 });
});

test('X7: a webhook is delivered where the guard allows, redirects are not followed', async () => {
  const bodies: string[] = [];
  await using site = await serve((request, response) => {
    request.on('data', (chunk) => bodies.push(String(chunk)));
    request.on('end', () =>
      response.writeHead(request.url === '/moved' ? 302 : 200, { location: '/elsewhere', 'retry-after': '5' }).end(),
    );
  });
  await using opened = open();
  const delivery = {
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
    timeoutMs: 60_000,
    signal: never,
  };
  expect(await opened.webs.deliver({ ...delivery, url: `${site.origin}/hook` })).toEqual({
    status: 200,
    retryAfterMs: 5_000,
  });
  expect(await opened.webs.deliver({ ...delivery, url: `${site.origin}/moved` })).toMatchObject({ status: 302 });
  await expect(opened.webs.deliver({ ...delivery, url: 'http://127.0.0.2/' })).rejects.toMatchObject({
    code: 'forbidden_address',
  });
  expect(site.log.map((line) => line.split(' ')[1])).toEqual(['/hook', '/moved']);
  expect(bodies).toEqual(['{"a":1}', '{"a":1}']);
});

test('W5: of what the receiver of a webhook answers only the status counts: an endless body is cut off, a slow one too', async () => {
  let sentBytes = 0;
  await using site = await serve((request, response) => {
    response.writeHead(202, { 'content-length': 10 * 1024 ** 3 });
    const more = (): void => {
      while (request.url === '/endless' && !response.destroyed && response.write(Buffer.alloc(64 * 1024)))
        sentBytes += 64 * 1024;
    };
    response.on('drain', more).flushHeaders();
    more();
  });
  await using opened = open();
  const delivery = { body: '{}', headers: {}, timeoutMs: 3_000, signal: never };
  const beganMs = performance.now();
  for (const path of ['/endless', '/slow'])
    expect(await opened.webs.deliver({ ...delivery, url: site.origin + path })).toMatchObject({ status: 202 });
  expect(sentBytes).toBeLessThan(16 * 1024 ** 2);
  expect(performance.now() - beganMs).toBeLessThan(60_000);
});

test('a receiver is refused before anything is sent to it, by the same rules', async () => {
  await using opened = open();
  await expect(opened.webs.checkReceiver('http://127.0.0.2/')).rejects.toMatchObject({ code: 'forbidden_address' });
  await expect(opened.webs.checkReceiver('http://user:word@example.com/')).rejects.toMatchObject({
    code: 'forbidden_address',
  });
  await expect(opened.webs.checkReceiver('not an address')).rejects.toMatchObject({ code: 'invalid_params' });
  await opened.webs.checkReceiver('http://127.0.0.1:9/');
});
