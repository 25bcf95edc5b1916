// What the browser pool costs next to bare playwright-core in the same run, on a page with thirty images and three style sheets: pages per second
// with a fresh context each (as most code does it), with one page reused, and through web.page(); and memory per kept context.
// `node bench/web/browser.ts [pages]`; CHROMIUM_PATH or /usr/bin/chromium.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createBrowserPool } from '../../src/web/browser/pool.ts';
import { markedProcesses, memoryBytes } from '../../src/web/browser/process-tree.ts';
import { createWeb } from '../../src/web/web.ts';
import { found } from '../found.ts';

const pages = Number(process.argv[2] ?? 25);
const executablePath = process.env.CHROMIUM_PATH ?? process.env.TEST_CHROMIUM ?? '/usr/bin/chromium';
const site = fork(fileURLToPath(new URL('./server.ts', import.meta.url)));
const [{ port }] = (await once(site, 'message')) as [{ port: number }];
const origin = `http://127.0.0.1:${port}`;
const mark = '--windrow-bench-browser';

const bare = await chromium.launch({ executablePath, args: [mark], chromiumSandbox: process.getuid?.() !== 0 });
const fresh = await rate(async (url) => {
  const context = await bare.newContext();
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  const text = await page.content();
  await context.close();
  return text;
});
const bareContexts = [await bare.newContext()];
const keptPage = await bareContexts[0]!.newPage();
const reused = await rate(async (url) => {
  await keptPage.goto(url, { waitUntil: 'domcontentloaded' });
  return keptPage.content();
});
const bareMb = await perContext(
  () => memoryBytes(markedProcesses(mark)),
  async (url) => {
    const context = await bare.newContext();
    await (await context.newPage()).goto(url, { waitUntil: 'domcontentloaded' });
  },
);
await bare.close();

const pool = createBrowserPool({ executablePath, maxContexts: 8 });
const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, browser: pool });
const web = () =>
  webs.forAttempt({ signal: new AbortController().signal, source: 'bench', pace: { concurrency: 8, delayMs: 0 } });
const ours = await rate(async (url) => (await web().page(url)).text);
const oursMb = await perContext(
  () => memoryBytes(pool.pids.map((pid) => ({ pid }))),
  async (url, i) => {
    const other = webs.forAttempt({ signal: new AbortController().signal, source: `bench ${i}` });
    await other.page(url);
  },
);
await webs.close();
site.disconnect();

console.log(
  `pages/s: bare, fresh context ${fresh.toFixed(1)}; bare, one page reused ${reused.toFixed(1)}; web.page() ${ours.toFixed(1)}`,
);
found('web.page() next to a fresh context', ours / fresh, 'times', { atLeast: 1.5 });
found('web.page() next to one page reused', ours / reused, 'times');
console.log(`memory per kept context: bare ${bareMb.toFixed(0)} MB, web.page() ${oursMb.toFixed(0)} MB (PSS)`);

async function rate(show: (url: string) => Promise<string>): Promise<number> {
  for (let i = 0; i < 3; i += 1) await show(`${origin}/cards/warm-${i}`);
  const began = performance.now();
  for (let i = 0; i < pages; i += 1) {
    if (!(await show(`${origin}/cards/${i}`)).includes('card 24')) throw new Error('a page came back short');
  }
  return pages / ((performance.now() - began) / 1000);
}

async function perContext(bytes: () => number, open: (url: string, i: number) => Promise<void>): Promise<number> {
  const count = 4;
  const before = bytes();
  for (let i = 0; i < count; i += 1) await open(`${origin}/cards/context-${i}`, i);
  return (bytes() - before) / count / 1024 / 1024;
}
