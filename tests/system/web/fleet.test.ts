// Four worker processes on one site that answers every fifth request with a 429, a 500, a reset or a captcha, through five proxies of which
// three are dead. Every page is obtained, every error has its class, and the site's own log shows that its pace was kept.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Server as ChainServer } from 'proxy-chain';
import { expect, test } from 'vitest';
import { freePort } from '../../support/own-servers.ts';
import { reportOf } from '../../support/processes.ts';
import { serve } from '../../support/web/servers.ts';

const redis = process.env.TEST_REDIS_URL;
const WORKERS = 4;
const PAGES = 120;
/** For each exit: two proxies answer. */
const PACE = { concurrency: 2, delayMs: 40 };
const EXITS = 2;
const FAULTS = ['429', '500', 'reset', 'captcha'] as const;
const EXPECTED: Record<(typeof FAULTS)[number], string> = {
  '429': 'rate_limited',
  '500': 'http_5xx',
  reset: 'network',
  captcha: 'captcha',
};

test('every reachable page is obtained, error classes are exact, and the pace holds across processes', async () => {
  if (redis === undefined) throw new Error('TEST_REDIS_URL is not set; run `npm test`');
  const starts: number[] = [];
  const injected: Record<string, string[]> = {};
  const visits = new Map<string, number>();
  let open = 0;
  let mostOpen = 0;

  await using site = await serve((request, response) => {
    starts.push(performance.now());
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on('close', () => {
      open -= 1;
    });
    const url = request.url ?? '';
    const visit = (visits.get(url) ?? 0) + 1;
    visits.set(url, visit);
    const page = Number(url.slice(1));
    // A fifth of the pages fail on their first visit; every kind of fault comes equally often.
    const fault = page % 5 === 0 && visit === 1 ? FAULTS[(page / 5) % FAULTS.length] : undefined;
    if (fault !== undefined) injected[url] = [...(injected[url] ?? []), fault];
    if (fault === '429') response.writeHead(429, { 'retry-after': '0' }).end();
    else if (fault === '500') response.writeHead(500).end();
    else if (fault === 'reset') request.socket.resetAndDestroy();
    else if (fault === 'captcha') response.end('<title>Robot check</title><p>Please verify you are a human</p>');
    else
      response
        .setHeader('content-type', 'text/html')
        .end(`<article>${'<p>A paragraph of the story.</p>'.repeat(20)}</article>`);
  });

  await using proxies = await fiveProxies();
  const prefix = `test-${randomUUID()}`;
  const reports = await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      const urls = Array.from({ length: PAGES / WORKERS }, (_, i) => `${site.origin}/${i * WORKERS + worker}`);
      const fleet = { redis, prefix, proxies: proxies.list, urls, pace: PACE };
      const script = fileURLToPath(new URL('../../support/web/fleet-worker.ts', import.meta.url));
      const child = fork(script, { env: { ...process.env, FLEET: JSON.stringify(fleet) } });
      return reportOf<{ outcomes: Record<string, string[]> }>(child);
    }),
  );

  const outcomes = Object.assign({}, ...reports.map((report) => report.outcomes)) as Record<string, string[]>;
  expect(Object.keys(outcomes)).toHaveLength(PAGES);
  for (const [url, seen] of Object.entries(outcomes)) {
    const faults = injected[new URL(url).pathname] ?? [];
    // A broken connection is mended within the attempt and then not seen at all.
    const expected = faults.filter((fault) => fault !== 'reset').map((fault) => EXPECTED[fault as '429']);
    // Nor is a dead proxy, unless three of three tries met one, or those that the broken connection had left.
    const isMet = (code: string) => code === 'proxy' || (code === 'network' && faults.includes('reset'));
    const answers = seen.filter((code) => !isMet(code));
    expect(answers, url).toEqual([...expected, 'ok']);
  }
  const total = Object.values(injected).flat().length;
  expect(total / PAGES).toBeCloseTo(0.2, 2);

  // The site's own log. A request travels through a proxy and a busy machine, so two starts may come closer than they left; over a
  // long stretch they may not, and no more are open at a time than agreed.
  expect(mostOpen).toBeLessThanOrEqual(PACE.concurrency * EXITS);
  const stretch = 40;
  for (let i = stretch; i < starts.length; i += 1) {
    expect((starts[i] ?? 0) - (starts[i - stretch] ?? 0)).toBeGreaterThan((PACE.delayMs / EXITS) * stretch * 0.5);
  }
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(
    (PACE.delayMs / EXITS) * (starts.length - EXITS) * 0.9,
  );
});

async function fiveProxies() {
  const alive = [new ChainServer({ port: 0, host: '127.0.0.1' }), new ChainServer({ port: 0, host: '127.0.0.1' })];
  await Promise.all(alive.map((server) => server.listen()));
  const dead = await Promise.all([freePort(), freePort(), freePort()]);
  const list = [...dead, ...alive.map(({ port }) => port)].map((port) => `http://127.0.0.1:${port}`).join(',');
  return {
    list,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(alive.map((server) => server.close(true)));
    },
  };
}
