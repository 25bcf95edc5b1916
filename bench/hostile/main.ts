// What a hostile page costs everybody else, with `windrow up` as it is shipped: pages that loop, backtrack or fill the memory for ever, and pages that once took a
// reader 6 to 45 s; boards of companies that did. How long until such a page has ended, how long a run of 20 articles takes beside it and alone, and the slowest answer of /livez.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../../tests/support/http-client.ts';
import { freePort } from '../../tests/support/own-servers.ts';
import { Roles } from '../../tests/support/processes.ts';
import { HOSTILE, HOSTILE_BOARDS, page } from '../../tests/support/web/hostile.ts';
import { serve } from '../../tests/support/web/servers.ts';
import { found } from '../found.ts';
import { median, row } from '../peers.ts';

const ARTICLES = 20;
const ALONE = 5;
/** Beside it: half of the time that a page may take. */
const PROMISED = { endMs: 10_000, livezMs: 100, besideMs: 2_500 };

const names = Object.keys(HOSTILE);
const boards = Object.keys(HOSTILE_BOARDS);
const home = mkdtempSync(join(tmpdir(), 'windrow-bench-hostile-'));
const roles = new Roles();
const site = await serve((request, response) => {
  const { pathname } = new URL(request.url!, 'http://a.test');
  const board = HOSTILE_BOARDS[boards[Number(pathname.split('/board/')[1])] ?? ''];
  if (board) {
    response.end(board.answer());
    return;
  }
  response.setHeader('content-type', 'text/html; charset=utf-8');
  const hostile = HOSTILE[names[Number(pathname.split('/hostile/')[1])] ?? ''];
  response.end(hostile ? hostile() : pathname.startsWith('/story') ? page('', '') : pathname.split('/')[1]);
});
const client = new HttpClient(`http://127.0.0.1:${await freePort()}`);
let fresh = 0;

async function ended(articles: { url: string }[]): Promise<number> {
  const began = performance.now();
  const { runId } = await client.submit({ articles });
  while ((await client.status(runId)).status === 'running') await sleep(10);
  return performance.now() - began;
}
/** A company's board that one of them is, scraped once. */
async function boardEnded(number: number): Promise<number> {
  const url = `https://board-${number}.example/board/${number}`;
  const company = `Board ${number}`;
  const body = { name: company, website: url, scraping_config: HOSTILE_BOARDS[boards[number]!]!.settings(url) };
  await client.call('POST', '/companies', { body });
  const began = performance.now();
  const { json } = await client.call('POST', `/companies/${company}/scrape`, { body: { incremental: false } });
  const { run_id: runId } = json.data as { run_id: string };
  const statusOf = async () => (await client.call('GET', `/runs/${runId}`)).json.status;
  for (let status = await statusOf(); status === 'queued' || status === 'running'; status = await statusOf()) {
    await sleep(10);
  }
  return performance.now() - began;
}
const ordinary = (): Promise<number> =>
  ended(Array.from({ length: ARTICLES }, () => ({ url: `https://news-${fresh % 10}.example/story/${fresh++}` })));

/** The slowest answer of /livez until it is told to stop. */
function watchLivez(): () => Promise<number> {
  let isOver = false;
  const watching = (async () => {
    let slowest = 0;
    while (!isOver) {
      const asked = performance.now();
      await client.call('GET', '/livez');
      slowest = Math.max(slowest, performance.now() - asked);
      await sleep(5);
    }
    return slowest;
  })();
  return () => {
    isOver = true;
    return watching;
  };
}

const slowest = { end: 0, livez: 0, beside: 0 };
const seconds = (ms: number): string => (ms / 1_000).toFixed(2);
try {
  const up = roles.start(['up'], {
    env: {
      WINDROW_HOME: home,
      PORT: new URL(client.origin).port,
      WEB_HOST_MAP: `*=${site.origin}`,
      WEB_ROBOTS: 'off',
      WINDROW_SOURCES: resolve(import.meta.dirname, '../../tests/support/roles/hostile-sources.ts'),
      LOG_LEVEL: 'warn',
    },
  });
  await up.waitForHttp(`${client.origin}/livez`);
  for (let warm = 0; warm < 10; warm++) await ordinary();
  const alone: number[] = [];
  for (let n = 0; n < ALONE; n++) alone.push(await ordinary());
  const usual = median(alone);
  row('page', 'ends after s', 'a run beside it, s', 'slowest /livez ms');
  row('---', '---', '---', '---');
  row('none', '', seconds(usual), '');
  const pages = [
    ...['loop', 'backtrack', 'fill'].map(
      (act) => [act, () => ended([{ url: `https://hostile.example/${act}` }])] as const,
    ),
    ...names.map((name, index) => [name, () => ended([{ url: `https://news.example/hostile/${index}` }])] as const),
    ...boards.map((name, index) => [name, () => boardEnded(index)] as const),
  ];
  for (const [name, begin] of pages) {
    const stop = watchLivez();
    const hostile = begin();
    await sleep(300);
    const beside = await ordinary();
    const endMs = await hostile;
    const livezMs = await stop();
    row(name, seconds(endMs), seconds(beside), livezMs);
    slowest.end = Math.max(slowest.end, endMs);
    slowest.livez = Math.max(slowest.livez, livezMs);
    slowest.beside = Math.max(slowest.beside, beside);
  }
  found('the longest until a hostile page has ended', slowest.end, 'ms', { atMost: PROMISED.endMs });
  found('the slowest /livez beside one', slowest.livez, 'ms', { atMost: PROMISED.livezMs });
  found('the longest run of 20 articles beside one', slowest.beside, 'ms', { atMost: PROMISED.besideMs });
} finally {
  await roles.reap();
  await site[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
}
process.exit();
