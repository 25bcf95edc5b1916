// A page of another origin in a real browser, with everything a page can send: it reads nothing of ours and changes nothing (A10). Its host name then comes
// to mean our own address, which helps it as little.
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve } from '../support/web/servers.ts';
import { type ApiWorld, startApiWorld } from '../system/api/api-world.ts';

const EVIL = 'evil.example';
let world: ApiWorld;
let browser: Browser;
beforeAll(async () => {
  world = await startApiWorld({ isWithWorker: false });
  browser = await chromium.launch({
    executablePath: process.env.TEST_CHROMIUM!,
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${EVIL} 127.0.0.1`],
  });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const BODY = '{"articles":[{"url":"https://example.com/planted"}]}';

/** Runs in the page: how each attempt ended. `script`: of our dashboard. */
const ATTEMPTS = `async ([api, body, script]) => {
  const outcome = (work) => work.then((value) => 'read ' + value, (error) => 'failed ' + error.name);
  const text = (init) => fetch(api + '/jobs/submit', init).then(async (reply) => reply.type + ' ' + (await reply.text()));
  const plain = { 'content-type': 'text/plain' };
  const element = (name, attribute) => new Promise((resolve, reject) => {
    const node = document.createElement(name);
    node.onload = () => resolve('load');
    node.onerror = () => reject(new Error());
    node[attribute] = api + (name === 'img' ? '/favicon.ico' : script);
    document.body.append(node);
  });
  return {
    read: await outcome(fetch(api + '/jobs/').then((reply) => reply.text())),
    post: await outcome(text({ method: 'POST', headers: { 'content-type': 'application/json' }, body })),
    plain: await outcome(text({ method: 'POST', headers: plain, body })),
    opaque: await outcome(text({ method: 'POST', mode: 'no-cors', headers: plain, body })),
    remove: await outcome(fetch(api + '/jobs/job_000000000000', { method: 'DELETE' })),
    image: await outcome(element('img', 'src')),
    script: await outcome(element('script', 'src')),
    socket: await outcome(new Promise((resolve, reject) => {
      const socket = new WebSocket(api.replace('http', 'ws') + '/ws');
      socket.onopen = () => resolve('open');
      socket.onerror = () => reject(new Error());
    })),
    beacon: String(navigator.sendBeacon(api + '/jobs/submit', body)),
  };
}`;

test('A10: a page of another origin can neither read nor post, nor listen, nor show a page of ours in a frame', async () => {
  await using site = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<body>evil'));
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`http://${EVIL}:${site.port}/`);
  const ours = await world.call('GET', '/');
  const script = /src="(\/ui\/assets\/[^"]+\.js)"/.exec(ours.text)![1];
  expect((await world.call('GET', script!)).status).toBe(200);
  const outcomes = await page.evaluate(`(${ATTEMPTS})(${JSON.stringify([world.url, BODY, script])})`);
  expect(outcomes).toEqual({
    read: 'failed TypeError',
    post: 'failed TypeError',
    plain: 'failed TypeError',
    // Sent, and answered with 403, of which the page sees nothing.
    opaque: 'read opaque ',
    remove: 'failed TypeError',
    image: 'failed Error',
    script: 'failed Error',
    socket: 'failed Error',
    beacon: 'true',
  });
  const [framed] = await Promise.all([
    page.waitForResponse((reply) => reply.url() === `${world.url}/`),
    page.evaluate(`document.body.innerHTML = '<iframe src="${world.url}/"></iframe>'`),
  ]);
  expect(framed.status()).toBe(403);
  // A form that leads away from the page, as text that reads as JSON.
  const [form] = await Promise.all([
    page.waitForResponse(
      (reply) => reply.url() === `${world.url}/jobs/submit` && reply.request().isNavigationRequest(),
    ),
    page.evaluate(`(() => {
      document.body.innerHTML = '<form method=post enctype=text/plain action="${world.url}/jobs/submit"><input name=a></form>';
      document.querySelector('input').name = ${JSON.stringify(BODY.slice(0, -1))} + ',"x":"';
      document.querySelector('input').value = '"}';
      setTimeout(() => document.forms[0].submit());
    })()`),
  ]);
  expect(form.status()).toBe(403);
  await page.close();
  expect((await world.call('GET', '/jobs/')).body.total).toBe(0);
});

test('A10: a page whose name came to mean our address reads nothing', async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const rebound = `http://${EVIL}:${new URL(world.url).port}`;
  const answer = await page.goto(`${rebound}/`);
  expect(answer!.status()).toBe(403);
  // Of the same origin for the browser, so it may read the answer: a refusal.
  const seen = await page.evaluate(`fetch('/jobs/').then(async (reply) => [reply.status, await reply.text()])`);
  expect(seen).toEqual([403, expect.stringContaining('forbidden_origin')]);
  const posted = await page.evaluate(
    `fetch('/jobs/submit', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(BODY)} }).then((reply) => reply.status)`,
  );
  expect(posted).toBe(403);
  await page.close();
  expect((await world.call('GET', '/jobs/')).body.total).toBe(0);
});
