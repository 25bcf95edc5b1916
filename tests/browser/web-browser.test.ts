// X6, H8 and H10 of the fault list, on a real Chromium: a page can neither reach the inner network nor outlive its deadline, and no crash
// leaves anything behind. 127.0.0.1 is opened and plays the public web, 127.0.0.2 is the inner network.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { pictureType } from '../../src/model/evidence/evidence.ts';
import { article } from '../../src/sources/article/article.ts';
import { createBrowserPool } from '../../src/web/browser/pool.ts';
import { processTable } from '../../src/web/browser/process-tree.ts';
import { createWeb, type WebOptions } from '../../src/web/web.ts';
import { serve, serveTcp } from '../support/web/servers.ts';

const executablePath = process.env.TEST_CHROMIUM;
const pool = (more: Parameters<typeof createBrowserPool>[0] = {}) =>
  createBrowserPool({ ...(executablePath === undefined ? {} : { executablePath }), ...more });
const browser = pool();
// All pages are of one host, which a busy machine makes look slow: whoever is to wait for his turn waits.
const MAX_PACE_WAIT_MS = 60_000;
const OPEN: WebOptions = { guard: { allow: ['127.0.0.1'] }, robots: 'off', maxPaceWaitMs: MAX_PACE_WAIT_MS };
const shared = createWeb({ ...OPEN, browser });
afterAll(() => shared.close());

const never = new AbortController().signal;
const attempt = (webs = shared, timeoutMs = 240_000) =>
  webs.forAttempt({ signal: never, source: 'article', timeoutMs });
const html = (response: ServerResponse, text: string) => response.setHeader('content-type', 'text/html').end(text);
const site = (pages: (request: IncomingMessage) => string) =>
  serve((request, response) => html(response, pages(request)));
const inner = () => serveTcp((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret'), '127.0.0.2');

test('a page is shown as its scripts make it, with cookies kept for the next one', async () => {
  await using news = await serve((request, response) => {
    response.setHeader('set-cookie', 'visit=1; Path=/');
    html(
      response,
      `<div id="a"></div><p>${request.headers.cookie ?? 'none'}</p><script>a.textContent = 'made by ' + 'script'</script>`,
    );
  });
  const web = attempt();
  const first = await web.page(`${news.origin}/1`, { waitFor: '#a' });
  expect(first).toMatchObject({ url: `${news.origin}/1`, status: 200 });
  expect(first.text).toContain('made by script');
  expect((await web.page(`${news.origin}/2`)).text).toContain('visit=1');
  expect(web.ledger.browserMs).toBeGreaterThan(0);
});

test('user agent and client hints of the browser say the same, and nothing says headless', async () => {
  await using news = await site(
    () => '<p>hello</p><script>document.title = navigator.userAgent + " " + navigator.webdriver</script>',
  );
  const page = await attempt().page(news.origin);
  const headers = news.requests[0]?.headers ?? {};
  const version = /Chrome\/(\d+)/.exec(headers['user-agent'] ?? '')?.[1];
  expect(headers['sec-ch-ua']).toContain(`"Chromium";v="${version}"`);
  expect(headers['user-agent']).toContain('Linux');
  expect(headers['sec-ch-ua-platform']).toBe('"Linux"');
  expect(JSON.stringify(headers)).not.toMatch(/headless/i);
  expect(page.text).toContain(`<title>${headers['user-agent']} false</title>`);
});

test('X6: nothing on a page reaches the inner network', async () => {
  await using secret = await inner();
  const target = `127.0.0.2:${secret.port}`;
  await using news = await site(
    () => `<link rel="prefetch" href="http://${target}/p"><link rel="preconnect" href="http://${target}"><link rel="stylesheet" href="http://${target}/s">
      <img src="http://${target}/i"><iframe src="http://${target}/f"></iframe><iframe src="file:///etc/passwd"></iframe>
      <iframe src="view-source:http://${target}/"></iframe><object data="http://${target}/o"></object>
      <div id="out"></div>
      <script>
        const tell = (text) => {
          out.textContent += text + ';';
          if (out.textContent.split(';').length > 2) setTimeout(() => { const d = document.createElement('p'); d.id = 'done'; document.body.append(d); }, 500);
        };
        fetch('http://${target}/x').then((r) => r.text()).then(tell, () => tell('fetch refused'));
        navigator.sendBeacon('http://${target}/b');
        try { const s = new WebSocket('ws://${target}/'); s.onopen = () => tell('socket open'); s.onerror = () => tell('socket refused'); } catch { tell('socket refused'); }
        try { new RTCPeerConnection({ iceServers: [{ urls: 'stun:${target}' }] }).createDataChannel('x'); } catch {}
      </script>`,
  );
  const page = await attempt().page(news.origin, { waitFor: '#done' });
  expect(page.text).toContain('fetch refused');
  expect(page.text).toContain('socket refused');
  expect(page.text).not.toContain('secret');
  expect(page.text).not.toContain('root:');
  expect(secret.connections).toBe(0);
});

test('X4, X6: redirects, meta refresh, scripts and direct addresses to the inner network are refused', async () => {
  await using secret = await inner();
  const target = `http://127.0.0.2:${secret.port}/`;
  await using news = await serve((request, response) => {
    if (request.url === '/302') response.writeHead(302, { location: target }).end();
    else if (request.url === '/meta')
      html(response, `<meta http-equiv="refresh" content="0;url=${target}"><p>waiting</p>`);
    else html(response, `<p>moving</p><script>location.href = '${target}'</script>`);
  });
  const web = attempt();
  for (const address of [
    target,
    'file:///etc/passwd',
    'view-source:file:///etc/passwd',
    'data:text/html,x',
    'chrome://version',
  ]) {
    await expect(web.page(address), address).rejects.toMatchObject({ code: 'forbidden_address' });
  }
  for (const path of ['/302', '/meta', '/js']) {
    const shown = await web.page(`${news.origin}${path}`).then(
      ({ text }) => text,
      (error) => error.code,
    );
    expect(shown, path).not.toContain('secret');
  }
  expect(secret.connections).toBe(0);
});

test('H8: loops, alerts, pop-ups, downloads, service workers and sockets end with the page', async () => {
  await using news = await serve((request, response) => {
    if (request.url === '/loop') html(response, '<p>x</p><script>for (;;) {}</script>');
    else if (request.url === '/alerts')
      html(response, '<script>for (let i = 0; i < 50; i++) alert(i)</script><p>after the alerts</p>');
    else if (request.url === '/popups') {
      html(response, '<p>pop</p><script>for (let i = 0; i < 30; i++) window.open("/popup" + i)</script>');
    } else if (request.url === '/download') {
      response
        .writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename=a.zip' })
        .end('PK');
    } else if (request.url === '/worker') {
      html(
        response,
        '<p id="w"></p><script>navigator.serviceWorker?.register("/sw.js").then(() => w.textContent = "registered", () => w.textContent = "no worker") ?? (w.textContent = "no worker")</script>',
      );
    } else if (request.url === '/ask') {
      html(
        response,
        '<p id="g"></p><script>navigator.geolocation.getCurrentPosition(() => g.textContent = "told", () => g.textContent = "denied")</script>',
      );
    } else html(response, 'x');
  });
  const web = attempt();
  const began = performance.now();
  await expect(attempt(shared, 1_500).page(`${news.origin}/loop`)).rejects.toMatchObject({ code: 'timeout' });
  // Its own deadline of 1.5 s, not the minutes of the others.
  expect(performance.now() - began).toBeLessThan(60_000);
  expect((await web.page(`${news.origin}/alerts`)).text).toContain('after the alerts');
  expect((await web.page(`${news.origin}/popups`)).text).toContain('pop');
  await expect(web.page(`${news.origin}/download`)).rejects.toMatchObject({ code: 'unsupported_content' });
  await web.page(`${news.origin}/worker`, { waitFor: '#w' });
  await sleep(50);
  expect(news.log.filter((line) => line.includes('/sw.js'))).toEqual([]);
  expect((await web.page(`${news.origin}/ask`, { waitFor: '#g' })).text).not.toContain('<p id="g">told');
});

test('a cancelled attempt closes its page', async () => {
  const abort = new AbortController();
  await using news = await serve((_, response) => {
    response.setHeader('content-type', 'text/html').write('<p>never ends');
    setTimeout(() => abort.abort(), 50);
  });
  const web = shared.forAttempt({ signal: abort.signal, source: 'article', timeoutMs: 120_000 });
  const began = performance.now();
  await expect(web.page(news.origin)).rejects.toMatchObject({ code: 'cancelled' });
  expect(performance.now() - began).toBeLessThan(60_000);
});

test('plain HTTP first, a browser where only that gets through, and the choice is remembered', async () => {
  await using news = await serve((request, response) => {
    const isBrowser = (request.headers['sec-ch-ua'] ?? '') !== '';
    if (isBrowser) html(response, '<title>Story</title><article>the story</article>');
    else {
      response.statusCode = 503;
      html(response, '<title>Just a moment...</title>');
    }
  });
  const web = attempt();
  expect(await web.text(`${news.origin}/1`)).toContain('the story');
  expect(await web.text(`${news.origin}/2`)).toContain('the story');
  const plain = news.requests.filter(
    ({ headers }) => headers['sec-ch-ua'] === undefined && headers['user-agent']?.includes('Windrow'),
  );
  expect(plain.map(({ url }) => url)).toEqual(['/1']);
});

test('an article that only its scripts write is read as they write it', async () => {
  const prose =
    'The council decided on Tuesday to rebuild the old bridge, which has been closed since the spring floods. '.repeat(
      8,
    );
  await using news = await site(
    () =>
      `<title>Bridge to be rebuilt</title><div id="app"></div><script>app.innerHTML = '<article><h1>Bridge to be rebuilt</h1><p>' + ${JSON.stringify(prose)} + '</p></article>'</script>`,
  );
  const items: unknown[] = [];
  for await (const item of article.scrape({ url: `${news.origin}/bridge` }, attempt())) items.push(item);
  expect(items).toMatchObject([{ title: 'Bridge to be rebuilt', content: expect.stringContaining('spring floods') }]);
});

test('hosts of the host map are answered from there, and nothing else is reachable', async () => {
  await using sandbox = await serve((request, response) => {
    if (request.url === '/data.json')
      response.setHeader('access-control-allow-origin', '*').end('{"a":"from the sandbox"}');
    else
      html(
        response,
        '<p id="d"></p><script>fetch("/data.json").then((r) => r.json()).then((j) => { d.textContent = j.a; d.className = "done"; })</script>',
      );
  });
  const options: WebOptions = {
    hostMap: `shop.example=${sandbox.origin}`,
    robots: 'off',
    browser: pool(),
    maxPaceWaitMs: MAX_PACE_WAIT_MS,
  };
  const webs = createWeb(options);
  const page = await attempt(webs).page('https://shop.example/', { waitFor: '.done' });
  expect(page.text).toContain('from the sandbox');
  expect(sandbox.log).toEqual(['GET / shop.example', 'GET /data.json shop.example']);
  await webs.close();
});

test('a consent page is answered by pressing its button, and of what fails there is a picture until another page is shown', async () => {
  await using news = await serve((request, response) => {
    if (request.url === '/robot') html(response, '<title>Robot check</title><p>Please verify you are a human</p>');
    else if (request.headers.cookie?.includes('asked=1'))
      html(response, '<title>News</title><article>the story</article>');
    else {
      const button = `<button class="reject-all" onclick="document.cookie = 'asked=1'; document.title = 'done'">Reject all</button>`;
      html(response, `<title>We value your privacy</title>${button}`);
    }
  });
  const webs = createWeb({ ...OPEN, browser: pool() });
  expect((await attempt(webs).page(`${news.origin}/story`)).text).toContain('the story');
  const web = attempt(webs);
  await expect(web.page(`${news.origin}/robot`)).rejects.toMatchObject({ code: 'captcha' });
  const blamed = web.seen.page('captcha');
  expect(blamed).toMatchObject({ url: `${news.origin}/robot`, mediaType: 'text/html' });
  expect(pictureType((await blamed?.picture?.()) ?? new Uint8Array())).toBe('image/png');
  await webs.close();
  expect(await blamed?.picture?.()).toBeNull();
});

test('a page without what was waited for is a changed layout, with its text and a picture', async () => {
  await using news = await site(() => '<p>other markup</p>');
  const web = attempt(shared, 10_000);
  await expect(web.page(news.origin, { waitFor: '.card' })).rejects.toMatchObject({
    code: 'layout_changed',
    message: 'nothing on the page matches .card',
  });
  const blamed = web.seen.page('layout_changed');
  expect(blamed?.text).toContain('other markup');
  expect(pictureType((await blamed?.picture?.()) ?? new Uint8Array())).toBe('image/png');
});

test('images and fonts are not loaded', async () => {
  await using news = await site(
    () => '<img src="/a.png"><img src="/b.jpg?x=1"><link rel="icon" href="/f.ico"><p>text</p>',
  );
  await attempt().page(news.origin);
  await sleep(50);
  expect(news.log.filter((line) => /\.(png|jpg|ico)/.test(line))).toEqual([]);
});

test('a browser is replaced after its share of pages', async () => {
  await using news = await site(() => '<p>x</p>');
  const short = pool({ recycle: { pages: 3 } });
  const webs = createWeb({ ...OPEN, browser: short });
  const mains = new Set<number>();
  for (let i = 0; i < 7; i += 1) {
    await attempt(webs).page(`${news.origin}/${i}`);
    mains.add(Math.min(...short.pids));
  }
  expect(mains.size).toBeGreaterThanOrEqual(2);
  await webs.close();
  await expect.poll(() => short.pids).toEqual([]);
});

test('H10: after a hundred of its processes were killed the next page comes, and nothing is left of any browser', async () => {
  await using news = await site(() => '<p>still here</p>');
  const own = pool({ maxPages: 1 });
  const webs = createWeb({ ...OPEN, browser: own });
  let killed = 0;
  const seen = new Set<number>();
  for (let round = 0; killed < 100; round += 1) {
    const pages = Array.from({ length: 4 }, async (_, i) => {
      const shown = attempt(webs, 10_000).page(`${news.origin}/${round}-${i}`);
      return shown.then(
        ({ text }) => text.includes('still here'),
        (error) => error.code,
      );
    });
    await pages[0];
    // Everything at once, and in every other round all but the main process.
    const pids = own.pids.slice(round % 2);
    killed += pids.length;
    for (const pid of own.pids) seen.add(pid);
    for (const pid of pids) kill(pid);
    const outcomes = await Promise.all(pages);
    for (const outcome of outcomes) expect([true, 'network', 'timeout', 'internal', 'no_browser']).toContain(outcome);
  }
  expect((await attempt(webs).page(news.origin)).text).toContain('still here');
  await webs.close();
  await expect.poll(() => own.pids).toEqual([]);
  // Of ours: others on this machine have their own.
  await expect.poll(() => processTable().filter(({ isZombie, pid }) => isZombie && seen.has(pid))).toEqual([]);
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Ended with its parent.
  }
}
