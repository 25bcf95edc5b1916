// `npm run screenshots`: the pictures of README and docs, and with --all every screen of tests/browser/screens.ts, light and dark, 1440 and 390 pixels wide,
// from a server on the sandbox web with data of a minute ago. Needs Chromium (TEST_CHROMIUM, or where Debian puts it).
//   node tools/screenshots.ts                    docs/dashboard.png and others
//   node tools/screenshots.ts --all --to folder  to look at them one by one
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { createWindrow } from '../src/library/index.ts';
import { EXAMPLES, type Known } from '../tests/browser/screens.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const READY_MS = 60_000;
/** Charts are drawn, and clocks have begun. */
const SETTLE_MS = 1_500;
const SIZES = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
];
const DOCS: Record<string, string> = { overview: 'dashboard', runs: 'dashboard-runs', 'run-search': 'dashboard-run' };

interface Shot {
  name: string;
  path: string;
  ready: string;
  file: string;
  viewport: { width: number; height: number };
  colorScheme: 'light' | 'dark';
  scale: number;
}

async function take(browser: Browser, url: string, shot: Shot): Promise<void> {
  const { viewport, colorScheme, scale: deviceScaleFactor } = shot;
  const page = await browser.newPage({ viewport, colorScheme, deviceScaleFactor, reducedMotion: 'reduce' });
  page.setDefaultTimeout(READY_MS);
  await page.goto(url + shot.path);
  await page.locator(shot.ready).first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: shot.file });
  await page.close();
  console.log(shot.file);
}

/** Runs of every kind, some of which fail. */
async function makeSomething(url: string): Promise<Known> {
  const post = async (path: string, body: object) => {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    // biome-ignore lint/suspicious/noExplicitAny: answers of three routes
    return (await reply.json()) as any;
  };
  const stories = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ url: `https://orchard-review.example/news/story-${from + at}` }));
  const search = (search_term: string, site_name: string[]) =>
    post('/jobs/scrape', { site_name, search_term, location: 'Boston, MA' }).then(({ data }) => data.run_id as string);
  const cart = (items: string[]) => post('/cart', { items, zipcode: '10001' }).then(({ job_id }) => job_id as string);
  const articles = (list: object[]) => post('/jobs/submit', { articles: list }).then(({ job_id }) => job_id as string);
  const known = {
    articles: await articles([...stories(1, 4), { url: 'https://orchard-review.example/no/such/page' }]),
    search: await search('registered nurse', ['indeed', 'linkedin']),
    cart: await cart(['milk', 'eggs', 'bread']),
  };
  await Promise.all([
    search('python developer', ['glassdoor']),
    search('electrician', ['ziprecruiter', 'google-jobs']),
    articles(stories(20, 30)),
    cart(['rice', 'olive oil']),
    articles([{ url: 'https://orchard-review.example/gone/1' }]),
  ]);
  for (const id of Object.values(known)) await ended(url, id);
  return known;
}

async function ended(url: string, id: string): Promise<void> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until) {
    const run = (await (await fetch(`${url}/runs/${id}`)).json()) as { status: string };
    if (run.status !== 'running') return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${id} did not end within a minute`);
}

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    to: { type: 'string' },
    port: { type: 'string', default: '8471' },
  },
});
const executablePath = process.env.TEST_CHROMIUM ?? CHROMIUM.find(existsSync);
if (!executablePath)
  throw new Error('Chromium was not found. Install it, or say where it is: TEST_CHROMIUM=/path/to/chromium');
const home = mkdtempSync(join(tmpdir(), 'windrow-screenshots-'));
const windrow = await createWindrow({ home, sandbox: true, api: { port: Number(values.port) } });
const url = `http://127.0.0.1:${values.port}`;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const known = await makeSomething(url);
  const folder = resolve(ROOT, values.to ?? (values.all ? 'screenshots' : 'docs'));
  mkdirSync(folder, { recursive: true });
  for (const { name, path, ready } of EXAMPLES) {
    const of = { name, path: path(known), ready };
    if (values.all)
      for (const viewport of SIZES)
        for (const colorScheme of ['light', 'dark'] as const)
          await take(browser, url, {
            ...of,
            viewport,
            colorScheme,
            scale: 1,
            file: join(folder, `${name}-${viewport.width}-${colorScheme}.png`),
          });
    else if (DOCS[name])
      await take(browser, url, {
        ...of,
        viewport: { width: 1_280, height: 800 },
        colorScheme: 'light',
        scale: 1,
        file: join(folder, `${DOCS[name]}.png`),
      });
  }
} finally {
  await browser.close();
  await windrow.close();
  rmSync(home, { recursive: true, force: true });
}
