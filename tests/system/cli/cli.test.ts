// The command line as people and scripts use it: real processes, judged by exit code, stdout and stderr.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { type Ended, type RunOptions, runWindrow } from '../../support/windrow.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const LIMIT_MS = 280_000;

let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  folder = await mkdtemp(join(tmpdir(), 'windrow-cli-'));
  // As root the embedded server is another user, who has to pass through.
  await chmod(folder, 0o711);
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

const windrow = (args: string[], options: RunOptions = {}) => runWindrow(args, { cwd: folder, ...options });

const onSandbox = () => ({ WEB_HOST_MAP: `*=${sandbox.origin}` });
const jsonOf = (ended: Ended): Record<string, unknown> => JSON.parse(ended.stdout) as Record<string, unknown>;

describe('usage', () => {
  test('help names every command, and a command has examples', async () => {
    const all = await windrow(['--help']);
    expect(all.code).toBe(0);
    for (const name of ['up', 'demo', 'scrape', 'submit', 'runs', 'run', 'cancel', 'worker', 'doctor', 'config'])
      expect(all.stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    const one = await windrow(['help', 'worker']);
    expect(one.code).toBe(0);
    expect(one.stdout).toContain('Examples:');
    expect(one.stdout).toContain('--concurrency');
  });

  test('a misspelt command is refused with the right one', async () => {
    const ended = await windrow(['demoo']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('Did you mean demo?');
  });

  test('a wrong option is refused, as JSON where JSON was asked for', async () => {
    const ended = await windrow(['runs', '--limit', 'many', '--json']);
    expect(ended.code).toBe(2);
    expect(jsonOf(ended)).toMatchObject({ schema_version: 1, error: { code: 'invalid_usage' } });
  });

  test('a source with a name that none can have is refused, and nothing is written', async () => {
    const ended = await windrow(['source', 'new', 'Remote Harbour', '--dir', 'sources']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('"Remote Harbour" cannot be the name of a source');
    expect(await readdir(folder)).not.toContain('sources');
  });

  test('a plan is one document whose names are all of one form', async () => {
    const plan = jsonOf(await windrow(['plan', '--users', '30', '--workers', '5', '--over', '10', '--json']));
    expect(plan.input).toMatchObject({ users: 30, items_per_cart: 3, seconds_per_item: 3.7, arrival_seconds: 10 });
    // The pace of the shop as it is shipped, through the own address.
    expect(plan.input).toMatchObject({ pace: { concurrent: 2, gap_seconds: 1.06 }, exits: 1, machines: null });
    expect(plan.limit).toMatchObject({ by: 'pace', pace_per_second: 0.54, slots_per_second: 1.35 });
    const names: string[] = [];
    JSON.stringify(plan, (name, value) => {
      names.push(name);
      return value;
    });
    expect(names.filter((name) => !/^[a-z0-9_]*$/.test(name))).toEqual([]);
  });

  test('a plan says what limits and what to add', async () => {
    const crowd = ['plan', '--users', '300', '--workers', '50'];
    const few = await windrow([...crowd, '--exits', '2']);
    expect(few.stdout).toContain('Limit: pace.');
    expect(few.stdout).toContain('What to add: exits');
    const many = await windrow([...crowd, '--exits', '2', '--pace', 'off', '--machines', '3']);
    expect(many.stdout).toContain('Limit: machines. 9 workers');
  });

  test('a plan of a fleet says what it needs, what is full first, and which costs it has', async () => {
    const fleet = ['plan', 'fleet', '--pages-per-day', '100000000'];
    const plan = jsonOf(await windrow([...fleet, '--max-connections', '20', '--json']));
    expect(plan).toMatchObject({ pages_per_second: 1157.41, busiest_pages_per_second: 3472.22 });
    expect(plan.limits).toHaveLength(4);
    expect(plan).toMatchObject({ limits: [{ part: 'PostgreSQL: connections' }, {}, {}, {}] });
    const shown = await windrow([...fleet, '--max-connections', '20']);
    expect(shown.stdout).toContain('Not possible as it is: PostgreSQL: connections would be full.');
    const ended = await windrow([...fleet, '--costs', 'package.json'], { cwd: ROOT });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('--costs: package.json has no costs of a fleet.');
  });

  test('the version is one line', async () => {
    const ended = await windrow(['--version']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^windrow \d+\.\d+\.\d+ \(node 24\..*\)\n$/);
  });
});

describe('configuration', () => {
  test('every bad value is reported at once, with exit code 2, and no secret is shown', async () => {
    const env = { PORT: 'eight', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://me:hunter2@db/x', WORKER_CONCURENCY: '5' };
    const ended = await windrow(['up'], { env });
    expect(ended.code).toBe(2);
    for (const part of ['PORT=eight', 'LOG_LEVEL=loud', 'DATABASE_URL=***', 'a whole number from 0 to 65535'])
      expect(ended.stderr).toContain(part);
    expect(ended.stderr + ended.stdout).not.toContain('hunter2');
  });

  test('config shows the origin of each value, and a file is read', async () => {
    await writeFile(join(folder, 'windrow.env'), 'SCRAPE_TIMEOUT=7\nREDIS_URL=redis://:hunter2@r/0\n');
    const ended = await windrow(['config', '--json', '--port', '9001'], {
      env: { LOG_LEVEL: 'debug', WORKER_CONCURENCY: '5' },
    });
    await rm(join(folder, 'windrow.env'));
    expect(ended.code).toBe(0);
    expect(jsonOf(ended)).toMatchObject({
      settings: {
        port: { value: '9001', origin: 'flag --port' },
        logLevel: { value: 'debug', origin: 'env LOG_LEVEL' },
        scrapeTimeoutSeconds: { value: '7', origin: 'windrow.env SCRAPE_TIMEOUT' },
        redisUrl: { value: '***', origin: 'windrow.env REDIS_URL' },
        host: { value: '127.0.0.1', origin: 'default' },
      },
      warnings: [expect.stringContaining('Did you mean WORKER_CONCURRENCY?')],
      problems: [],
    });
    expect(ended.stdout).not.toContain('hunter2');
  });

  test('a role that lacks its servers says which settings it needs', async () => {
    const ended = await windrow(['orchestrator', '--json']);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toContain('DATABASE_URL');
    expect(ended.stdout).toContain('REDIS_URL');
  });

  test('listening to others without keys is refused', async () => {
    const ended = await windrow(['up', '--host', '0.0.0.0']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('API_KEYS');
  });
});

describe('scrape', () => {
  test('an article comes out as text, data on stdout and nothing else', async () => {
    const ended = await windrow(['scrape', 'article', 'https://harbour-courier.example/news/story-1'], {
      env: onSandbox(),
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('https://harbour-courier.example/news/story-1');
    expect(ended.stdout.length).toBeGreaterThan(500);
  });

  test('some pages that fail are reported, and the rest comes all the same', async () => {
    const urls = ['https://a.example/news/1', 'https://a.example/news/2?fault=404'];
    const ended = await windrow(['scrape', 'article', ...urls, '--json'], { env: onSandbox() });
    expect(ended.code).toBe(0);
    expect(jsonOf(ended)).toMatchObject({
      schema_version: 1,
      successful: 1,
      failed: 1,
      results: [{ url: urls[0] }],
      failed_articles: [{ url: urls[1], category: 'not_found', attempts: 1 }],
    });
  });

  test('addresses can be piped in, and lines come out', async () => {
    const input = '# two of them\nhttps://b.example/news/1\n\nhttps://b.example/news/2\n';
    const ended = await windrow(['scrape', 'article', '-f', '-', '--ndjson'], { env: onSandbox(), input });
    expect(ended.code).toBe(0);
    const lines = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { url: string });
    expect(lines.map((line) => line.url).sort()).toEqual(['https://b.example/news/1', 'https://b.example/news/2']);
  });

  test('a table has a header and a row a page', async () => {
    const ended = await windrow(['scrape', 'article', 'https://c.example/news/1', '--csv'], { env: onSandbox() });
    expect(ended.stdout.split('\n')[0]).toBe('url,title,author,published_at,language,image,content');
    expect(ended.stdout.split('\n')[1]).toMatch(/^https:\/\/c\.example\/news\/1,/);
  });

  test('it fails when every page failed', async () => {
    const ended = await windrow(['scrape', 'article', 'https://a.example/news/2?fault=404'], { env: onSandbox() });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('404');
  });

  test('what is no address is wrong usage', async () => {
    expect((await windrow(['scrape', 'article', 'ftp://a.example/'])).code).toBe(2);
    expect((await windrow(['scrape', 'article'])).code).toBe(2);
  });

  test('the inner network is not fetched from', async () => {
    const ended = await windrow(['scrape', 'article', `${sandbox.origin}/news/1`]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('URL not allowed');
  });

  test('Ctrl-C ends it with 130', async () => {
    const urls = ['https://d.example/news/1?fault=404', 'https://d.example/news/2?fault=hang'];
    const ended = await windrow(['scrape', 'article', ...urls], {
      env: onSandbox(),
      interruptAt: /404/,
      signal: 'SIGINT',
    });
    expect(ended.code).toBe(130);
  });
});

describe('a server and its clients', () => {
  test('up, submit, run, runs, cancel and doctor work together, and SIGTERM ends it in order', async () => {
    const home = join(folder, 'home');
    const env = { WINDROW_HOME: home };
    const server = spawn(process.execPath, [join(ROOT, 'src/cli/main.ts'), 'up', '--sandbox', '--port', '0'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    let log = '';
    server.stderr.resume();
    const ended = new Promise<number | null>((done) => server.once('close', done));
    await new Promise<void>((ready, failed) => {
      server.stdout.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (log.includes('"process.started"')) ready();
      });
      void ended.then(() => failed(new Error(`up ended early: ${log}`)));
    });
    try {
      const submitted = await windrow(
        ['submit', 'https://e.example/news/1', 'https://e.example/news/2?fault=404', '--watch', '--json'],
        { env },
      );
      expect(submitted.code, submitted.stderr).toBe(0);
      const lines = submitted.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const id = String(lines[0]?.job_id);
      expect(id).toMatch(/^job_[0-9a-f]{12}$/);
      expect(lines.at(-1)).toMatchObject({ job_id: id, status: 'COMPLETED', completed: 1, failed: 1, total: 2 });

      const run = await windrow(['run', id, '--json'], { env });
      expect(jsonOf(run)).toMatchObject({
        job_id: id,
        status: 'COMPLETED',
        results: [{ url: 'https://e.example/news/1' }],
      });
      expect((await windrow(['run', id], { env })).stdout).toMatch(new RegExp(`^${id}  partial$`, 'm'));
      const lined = await windrow(['run', id, '--ndjson'], { env });
      expect(lined.stdout.trim().split('\n')).toHaveLength(1);

      const runs = await windrow(['runs'], { env });
      expect(runs.stdout).toMatch(
        new RegExp(`^${id} +article +partial +2/2 +1 failed +[-0-9: ]+ +https://e.example/news/1 and 1 more$`, 'm'),
      );

      const again = await windrow(['cancel', id], { env });
      expect(again.code).toBe(1);
      const unknown = await windrow(['run', 'job_000000000000', '--json'], { env });
      expect(unknown.code).toBe(1);
      expect(jsonOf(unknown)).toMatchObject({ error: { code: 'unknown_id' } });

      const { url } = JSON.parse(log.split('\n').find((line) => line.includes('"process.started"'))!) as {
        url: string;
      };
      const search = async (body: object): Promise<string> => {
        const answer = await fetch(`${url}/jobs/scrape`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-request-id': 'trace-9' },
          body: JSON.stringify({ site_name: 'indeed', search_term: 'nurse', ...body }),
        });
        return ((await answer.json()) as { data: { run_id: string } }).data.run_id;
      };
      const searchId = await search({ results_wanted: 3 });
      const found = await windrow(['run', searchId, '--watch'], { env });
      expect(found).toMatchObject({ code: 0 });
      expect(found.stdout).toContain(
        `${searchId}  completed  3 postings, 1 of 1 pages\n  indeed: completed, 3 found\n`,
      );
      expect(found.stdout.match(/https:\/\/www\.indeed\.com\/viewjob/g)).toHaveLength(3);
      const rows = await windrow(['run', searchId, '--ndjson'], { env });
      expect(rows.stdout.trim().split('\n')).toHaveLength(3);
      const answer = await fetch(`${url}/cart`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ items: ['milk', 'nothing at all'], zipcode: '10001', max_products_per_item: 2 }),
      });
      const { job_id: cartId } = (await answer.json()) as { job_id: string };
      const cart = await windrow(['run', cartId, '--watch'], { env });
      expect(cart).toMatchObject({ code: 0 });
      expect(cart.stdout).toMatch(
        new RegExp(`^${cartId}  completed\n  milk: 2 found\n  nothing at all: 0 found\nITEM  PRICE .*\nmilk  \\$`),
      );
      const products = await windrow(['run', cartId, '--csv'], { env });
      expect(products.stdout).toMatch(/^item,title,price,[^\r]*\r\nmilk,[^\r]*\r\nmilk,[^\r]*\r\n$/);
      const gone = await windrow(['run', '00000000-0000-4000-8000-000000000000', '--json'], { env });
      expect(jsonOf(gone)).toMatchObject({ error: { code: 'unknown_id', message: 'Job ID not found or expired' } });
      // It has ended.
      expect(await windrow(['cancel', cartId], { env })).toMatchObject({ code: 1 });
      const kinds = jsonOf(await windrow(['runs', '--json'], { env })) as { runs: { kind: string }[] };
      expect(kinds.runs.map((one) => one.kind)).toEqual(['cart', 'posting', 'article']);
      const slow = await search({ results_wanted: 50, min_pause_seconds: 30, max_pause_seconds: 30 });
      expect(jsonOf(await windrow(['cancel', slow, '--json'], { env }))).toMatchObject({
        run_id: slow,
        status: 'cancelled',
      });
      expect(jsonOf(await windrow(['run', slow, '--json'], { env }))).toMatchObject({
        run_id: slow,
        status: 'cancelled',
      });

      const bad = await windrow(['submit', 'nonsense', '--json'], { env });
      expect(bad.code).toBe(2);
      expect(jsonOf(bad)).toMatchObject({
        error: { code: 'invalid_params', errors: [{ pointer: '/articles/0/url' }] },
      });

      const doctor = await windrow(['doctor', '--json', '--port', '0'], { env });
      expect(doctor.code).toBe(0);
      expect(doctor.stdout).toContain('embedded PostgreSQL');

      const second = await windrow(['up', '--port', '0'], { env });
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(String(server.pid));
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
    expect(
      log
        .trim()
        .split('\n')
        .every((line) => JSON.parse(line).event !== undefined),
    ).toBe(true);
    expect(log).toContain('"process.stopped"');
    // Every line that a request caused names it.
    for (const event of ['run.accepted', 'task.started', 'task.ended', 'task.done', 'run.settled'])
      expect(log).toMatch(new RegExp(`"event":"${event}".*"request_id":"trace-9"`));
  });

  test('a port in use is told before a database is started', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const home = join(folder, 'no-home');
    try {
      const ended = await windrow(['up', '--port', String(port), '--home', home]);
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toMatch(new RegExp(`Port ${port} is in use\\. Try --port \\d+\\.`));
      await expect(stat(home)).rejects.toMatchObject({ code: 'ENOENT' });
    } finally {
      other.close();
    }
  });

  test('a PostgreSQL that does not answer is named with its setting, without its password', async () => {
    const env = { DATABASE_URL: 'postgres://someone:geheim@127.0.0.1:1/windrow' };
    const ended = await windrow(['migrate'], { env });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('Cannot reach PostgreSQL at 127.0.0.1:1 (DATABASE_URL): connection refused');
    expect(ended.stdout + ended.stderr).not.toContain('geheim');
  });

  test('a client without a server says how to get one', async () => {
    const ended = await windrow(['runs', '--url', 'http://127.0.0.1:1', '--json']);
    expect(ended.code).toBe(1);
    expect(jsonOf(ended)).toMatchObject({
      error: { code: 'unavailable', message: expect.stringContaining('windrow up') },
    });
  });

  test('the demo runs to its end and leaves nothing', async () => {
    const ended = await windrow(['demo', '--json'], { env: { TMPDIR: folder } });
    expect(ended.code, ended.stderr).toBe(0);
    const { results, failed_articles } = jsonOf(ended) as { results: unknown[]; failed_articles: unknown[] };
    expect(results.length).toBeGreaterThan(40);
    expect(failed_articles.length).toBeGreaterThan(0);
    expect((await readdir(folder)).filter((name) => name.startsWith('windrow-'))).toEqual([]);
  });

  test('an interrupted demo cleans up and ends with 130', async () => {
    const ended = await windrow(['demo'], { env: { TMPDIR: folder }, interruptAt: /Submitting/, signal: 'SIGINT' });
    expect(ended.code).toBe(130);
    expect((await readdir(folder)).filter((name) => name.startsWith('windrow-'))).toEqual([]);
  });
});
