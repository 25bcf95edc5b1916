// The programs of examples/ that are not tested elsewhere, as a reader would run them: processes of their own, on one server and the sandbox web.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/own-servers.ts';
import { forNode } from '../../support/processes.ts';
import { serve } from '../../support/web/servers.ts';
import { type Ended, type RunOptions, runProgram } from '../../support/windrow.ts';
import { type DashboardWorld, openDashboardWorld } from '../../support/worlds/dashboard-world.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const EXAMPLES = join(ROOT, 'examples');
const LONGEST = 60;
/** The sandbox need not be spared. */
const QUICK = { concurrency: 4, delayMs: 0 };

let world: DashboardWorld;
let folder: string;

beforeAll(async () => {
  [world, folder] = await Promise.all([
    openDashboardWorld({ web: { allowPrivate: ['127.0.0.1'], pace: { indeed: QUICK, linkedin: QUICK } } }),
    mkdtemp(join(tmpdir(), 'windrow-examples-')),
  ]);
});
afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

type Given = Pick<RunOptions, 'env' | 'interruptAt'>;

const own = (given: Given) => ({
  interruptAt: given.interruptAt,
  cwd: folder,
  env: { ...forNode(), HOME: folder, WINDROW_URL: world.url, ...given.env },
});

function node(name: string, args: string[], given: Given = {}): Promise<Ended> {
  const entries = join(ROOT, 'tests/support/roles/register-windrow.ts');
  return runProgram(process.execPath, ['--import', entries, join(EXAMPLES, name), ...args], own(given));
}

function python(name: string, args: string[]): Promise<Ended> {
  const env = { PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
  return runProgram(process.env.TEST_PYTHON!, [join(EXAMPLES, name), ...args], own({ env }));
}

test('jobs of two boards become rows of a CSV file, and a second morning adds only what is new', async () => {
  const args = ['registered nurse', 'Boston', 'jobs.csv'];
  const first = await python('jobs-to-csv.py', args);
  expect(first).toEqual({ code: 0, stdout: '50 new jobs in jobs.csv\n', stderr: '' });
  const [head, ...rows] = (await readFile(join(folder, 'jobs.csv'), 'utf8')).trim().split('\r\n');
  expect(head).toMatch(/^job_hash,source,title,company,/);
  expect(rows.filter((row) => /,(indeed|linkedin),.*Nurse/.test(row))).toHaveLength(50);

  // Yesterday's file had all but three of them.
  await writeFile(join(folder, 'jobs.csv'), `${[head, ...rows.slice(3)].join('\r\n')}\r\n`);
  expect((await python('jobs-to-csv.py', args)).stdout).toBe('3 new jobs in jobs.csv\n');
});

test('the price watch shows what changed since the last run', async () => {
  const basket = ['10001', 'eggs', 'nothing at all'];
  const first = await node('price-watch.ts', basket);
  expect({ ...first, stdout: first.stdout.replace(/[\d.]+ USD at .+/g, 'PRICE') }).toEqual({
    code: 0,
    stdout: 'eggs: PRICE\nnothing at all: not found\n',
    stderr: '',
  });
  const file = join(folder, 'prices.json');
  const prices = JSON.parse(await readFile(file, 'utf8')) as Record<string, { price: number }>;
  await writeFile(file, JSON.stringify({ ...prices, eggs: { ...prices.eggs, price: 99 } }));
  const { stdout } = await node('price-watch.ts', basket);
  expect(stdout).toMatch(/^eggs: [\d.]+ USD at .+, was 99\.00 USD at .+\nnothing at all: not found\n$/);
});

test('articles become Markdown files with front matter, and a page that is gone is told', async () => {
  const pages = ['https://www.bbc.com/news/story-1', 'https://plain-divs.example/news/story-2'];
  const gone = 'https://www.bbc.com/news/story-3?fault=404';
  const { code, stdout, stderr } = await node('articles-to-markdown.ts', ['notes', ...pages, gone]);
  expect(stderr).toContain(`${gone} failed (not_found)`);
  expect(code).toBe(1);
  const files = await readdir(join(folder, 'notes'));
  expect(stdout.trim().split('\n').sort()).toEqual(files.map((name) => join('notes', name)).sort());
  const texts = await Promise.all(files.map((name) => readFile(join(folder, 'notes', name), 'utf8')));
  expect(texts.map((one) => one.split('\n')[1]).sort()).toEqual(pages.map((url) => `url: "${url}"`).sort());
  for (const one of texts) expect(one).toMatch(/^---\nurl: ".+"\ntitle: ".+"\n[\s\S]*?\n---\n\n# .+\n\n[\s\S]{400,}$/);
});

test('the company watcher tells of new positions in the terminal and in Slack, and takes its webhook away', async () => {
  const told: string[] = [];
  await using slack = await serve(async (request, response) => {
    told.push((JSON.parse(await text(request)) as { text: string }).text);
    response.end('ok');
  });
  const config = { scraper_type: 'greenhouse', board: 'northwick-20' };
  await world.call('POST', '/companies', { name: 'Northwick', scraping_config: config });
  const { code, stdout, stderr } = await node('company-watcher.ts', [], {
    env: { PORT: String(await freePort()), SLACK_WEBHOOK_URL: slack.origin },
    interruptAt: /at Northwick/,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^.+ at Northwick https:\/\/\S+\n/);
  expect(told.join('\n')).toContain(stdout.split('\n')[0]);
  expect((await world.call('GET', '/webhooks')).webhooks).toEqual([]);
});

test('each example is short, and in the list', async () => {
  const list = await readFile(join(EXAMPLES, 'README.md'), 'utf8');
  const names = (await readdir(EXAMPLES)).filter((name) => name !== 'README.md');
  expect(names.filter((name) => !list.includes(`](${name})`))).toEqual([]);
  // A whole worker is more than a small program.
  const programs = names.filter((name) => /\.(ts|py)$/.test(name) && name !== 'worker.py');
  expect(programs).toHaveLength(6);
  for (const name of programs)
    expect((await readFile(join(EXAMPLES, name), 'utf8')).split('\n').length, name).toBeLessThanOrEqual(LONGEST);
});
