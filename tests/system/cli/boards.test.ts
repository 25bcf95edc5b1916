// Searches of job boards from the command line: real processes against the replicas of the boards.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { type Ended, type RunOptions, runWindrow } from '../../support/windrow.ts';

let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  folder = await mkdtemp(join(tmpdir(), 'windrow-boards-'));
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** Pages of the public Indeed need no key; the map sends every host to the replicas. */
const scrape = (args: string[], options: RunOptions = {}): Promise<Ended> =>
  runWindrow(['scrape', ...args], {
    cwd: folder,
    ...options,
    env: { WEB_HOST_MAP: `*=${sandbox.origin}`, MAX_RETRY_ATTEMPTS: '0', ...options.env },
  });
const inAustin = ['--location', 'Austin, TX'];

interface Document {
  status: string;
  jobs_found: number;
  sites: { site_name: string; status: string; jobs_found: number; error: { category: string } | null }[];
  jobs: { source: string; title: string; job_hash: string; job_url: string }[];
}
const documentOf = (ended: Ended): Document => JSON.parse(ended.stdout) as Document;

test('a search of two sites is one table, as many from each as were wanted', async () => {
  const ended = await scrape(['indeed', 'software engineer', ...inAustin, '--results', '20', '--sites', 'linkedin']);
  expect(ended.code).toBe(0);
  const [head, ...rows] = ended.stdout.trimEnd().split('\n');
  expect(head).toMatch(/^TITLE +COMPANY +LOCATION +SALARY +POSTED +SITE +URL$/);
  // A job that both sites have is one row.
  const sites = rows.map((row) => / {2}([a-z]+(?:, [a-z]+)?) {2,20}https:\/\//.exec(row)?.[1]?.split(', ') ?? []);
  for (const site of ['indeed', 'linkedin']) expect(sites.filter((both) => both.includes(site))).toHaveLength(20);
  expect(sites.filter((both) => both.length === 2).length).toBeGreaterThan(0);
  expect(ended.stderr).toContain('40 postings from 2 of 2 sites');
});

test('what a site has no use for is said, and the rest comes', async () => {
  const ended = await scrape(['bayt', 'engineer', '--results', '3', '--easy-apply', '--json']);
  expect(ended.code).toBe(0);
  expect(documentOf(ended)).toMatchObject({
    schema_version: 1,
    status: 'succeeded',
    jobs_found: 3,
    sites: [{ site_name: 'bayt', warnings: [expect.stringContaining('easy_apply')] }],
  });
});

test('a site that fails is named, and what the others found is a result', async () => {
  // Nothing listens on the discard port: one site is down.
  const search = ['indeed', 'engineer', '--results', '5', '--sites', 'linkedin', '--json'];
  const env = { WEB_HOST_MAP: `*.linkedin.com=${sandbox.origin},*.indeed.com=http://127.0.0.1:9` };
  const ended = await scrape(search, { env });
  expect(ended.code).toBe(0);
  const document = documentOf(ended);
  expect(document.status).toBe('partial');
  expect(document.sites).toMatchObject([
    { site_name: 'indeed', status: 'failed', jobs_found: 0, error: { category: 'network' } },
    { site_name: 'linkedin', status: 'done', jobs_found: 5, error: null },
  ]);
  const text = await scrape(search.slice(0, -1), { env });
  expect(text.code).toBe(0);
  expect(text.stderr).toMatch(/failed indeed: /);
  expect(text.stderr).toContain('5 postings from 1 of 2 sites');
});

test('it fails when every site failed, and says why of each', async () => {
  const ended = await scrape(['indeed', 'engineer #blocked', '--sites', 'linkedin,glassdoor']);
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  for (const site of ['indeed', 'linkedin', 'glassdoor']) expect(ended.stderr).toContain(`failed ${site}: `);
});

test('every problem of a search is named at once, by its option, before anything is fetched', async () => {
  const before = sandbox.stats().requests;
  const bad = ['--results', '0', '--hours-old', 'soon', '--job-type', 'never', '--sites', 'monster'];
  const ended = await scrape(['indeed', 'engineer', ...bad, '--proxies', 'a:1,ftp://me:hunter2@b:2']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  for (const part of ['--results has', '--hours-old has', '--job-type has', '"monster"', '--proxies (entry 2) has'])
    expect(ended.stderr).toContain(part);
  expect(ended.stderr).not.toContain('hunter2');
  expect(sandbox.stats().requests).toBe(before);
});

test('a search without a term, or in two formats, is wrong usage', async () => {
  expect((await scrape(['indeed'])).code).toBe(2);
  expect((await scrape(['indeed', 'x', '--json', '--ndjson'])).code).toBe(2);
  expect((await scrape(['indeed', ' '])).code).toBe(2);
});

test('rows go to a file, the table to the terminal', async () => {
  const file = join(folder, 'out.csv');
  const ended = await scrape(['linkedin', 'engineer', ...inAustin, '--results', '4', '--csv', file]);
  expect(ended.code).toBe(0);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toMatch(/^title,company,location,/);
  expect(lines).toHaveLength(5);
  expect(ended.stdout.trimEnd().split('\n')).toHaveLength(5);
  expect(ended.stderr).toContain(`4 rows in ${file}`);
});

test('a file that cannot be written is known before anything is fetched', async () => {
  const ended = await scrape(['linkedin', 'engineer', '--csv', join(folder, 'no', 'such', 'out.csv')]);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('ENOENT');
});

test('a disk that is full is said, and no success', async () => {
  const ended = await scrape(['linkedin', 'engineer', ...inAustin, '--results', '4', '--csv', '/dev/full']);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('Cannot write /dev/full (ENOSPC)');
});

test('lines and rows on stdout are data and nothing else', async () => {
  const lines = await scrape(['linkedin', 'engineer', ...inAustin, '--results', '4', '--ndjson']);
  const postings = lines.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Document['jobs'][number]);
  expect(postings).toHaveLength(4);
  expect(new Set(postings.map((posting) => posting.job_hash)).size).toBe(4);
  const table = await scrape(['linkedin', 'engineer', ...inAustin, '--results', '2', '--csv']);
  expect(table.stdout.trimEnd().split('\n')[0]).toMatch(/^title,company,/);
});

test('an interrupted search shows what it had found and ends with 130', async () => {
  const ended = await scrape(['linkedin', 'engineer', '--results', '1000', '--ndjson'], {
    interruptAt: /"linkedin"/,
    signal: 'SIGINT',
  });
  expect(ended.code).toBe(130);
  const lines = ended.stdout.trim().split('\n');
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThan(1_000);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('job_hash');
});

test('proxies are read from a file, and a proxy nobody may reach is an error without its password', async () => {
  await writeFile(join(folder, 'proxies.txt'), '# mine\nhttp://me:hunter2@127.0.0.1:9\n');
  const ended = await scrape(['linkedin', 'engineer', '--proxies', `@${join(folder, 'proxies.txt')}`, '--json'], {
    env: { WEB_HOST_MAP: '', WEB_ROBOTS: 'off' },
  });
  expect(ended.code).toBe(1);
  expect(documentOf(ended).sites[0]).toMatchObject({ status: 'failed', jobs_found: 0 });
  expect(ended.stdout + ended.stderr).not.toContain('hunter2');
});

test('help of a board shows its options and examples', async () => {
  const ended = await runWindrow(['scrape', 'indeed', '--help'], { cwd: folder });
  expect(ended.code).toBe(0);
  for (const part of ['--location', '--sites', '--hours-old', '--csv [file]', 'Examples:', 'google-jobs'])
    expect(ended.stdout).toContain(part);
});
