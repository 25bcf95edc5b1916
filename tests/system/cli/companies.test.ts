// The commands about companies, alerts and schedules, as processes of their own that talk to a server.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CompanyWorld, openCompanyWorld } from '../../support/worlds/company-world.ts';

const MAIN = resolve(import.meta.dirname, '../../../src/cli/main.ts');
let world: CompanyWorld;
let url: string;
let folder: string;
beforeAll(async () => {
  world = await openCompanyWorld({ now: () => Date.UTC(2026, 8, 1, 7) });
  url = await world.api.listen({ port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'windrow-cli-'));
});
afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

function windrow(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [MAIN, ...args, '--url', url], { timeout: 180_000 }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr }),
    );
  });
}

test('a career page is found, added, scraped, and its positions are listed', async () => {
  const alerted = await windrow('alerts', 'add', 'Ours', '--company', 'aldermoor', '--json');
  const { id } = JSON.parse(alerted.stdout);
  const added = await windrow('companies', 'add', 'https://boards.greenhouse.io/aldermoor');
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain('98 % greenhouse board=aldermoor');
  const scraped = await windrow('companies', 'scrape', 'Aldermoor', '--wait', '--json');
  const { sessions } = JSON.parse(scraped.stdout);
  expect(sessions).toMatchObject([{ company: 'aldermoor', status: 'completed' }]);
  const listed = await windrow('positions', '--new-since', '1d', '--json');
  expect(JSON.parse(listed.stdout).total).toBe(sessions[0].new);
  const rows = await windrow('positions', '--company', 'aldermoor', '--csv');
  expect(rows.stdout).toMatch(/^title,company,/);
  const lines = (await windrow('positions', '--ndjson', '-n', '2')).stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).company)).toEqual(['aldermoor', 'aldermoor']);
  expect((await windrow('positions', '--csv', '--json')).code).toBe(2);
  // An orchestrator announces, or this does.
  await windrow('trigger', 'new-postings');
  await world.announced();
  const matched = await windrow('alerts', 'matches', id, '--json');
  expect(JSON.parse(matched.stdout).matches).toHaveLength(sessions[0].new);
  expect((await windrow('alerts', 'list')).stdout).toMatch(/alr_\w+\s+Ours\s+company=aldermoor\s+\d{4}-/);
  expect((await windrow('alerts', 'remove', id)).stderr).toContain(`Deleted ${id}.`);
  const again = await windrow('trigger', 'company', 'aldermoor', '--wait');
  expect(again.stdout).toMatch(/aldermoor\s+completed\s+\d+\s+0\s+0\s+\d+\s+0/);
});

test('a file is imported row by row, and a refused row makes the command fail', async () => {
  const file = join(folder, 'companies.yaml');
  await writeFile(
    file,
    '- name: One\n  scraping_config: {scraper_type: ashby, board: one}\n- name: Two\n  scraping_config: {scraper_type: ashby, bored: two}\n',
  );
  const imported = await windrow('companies', 'import', file);
  expect(imported.code).toBe(1);
  expect(imported.stdout).toMatch(/^1\s+One\s+created$/m);
  expect(imported.stdout).toMatch(/^2\s+Two\s+refused\s+scraping_config.bored: is not a setting of ashby; /m);
  const sessions = await windrow('companies', 'sessions', '--company', 'aldermoor');
  expect(sessions.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s+aldermoor\s+completed/m);
  expect(imported.stderr).toContain('1 created, 0 updated, 0 unchanged, 1 refused.');
  expect((await windrow('companies', 'list', '--q', 'one')).stdout).toMatch(
    /One\s+active\s+0\s+unknown\s+never\s+ashby board=one/,
  );
});

test('schedules are shown, paused, resumed and run; unknown ones are an error', async () => {
  expect((await windrow('schedules', 'list')).stdout).toMatch(/daily-companies\s+companies\.scrape\s+0 7 \* \* \* UTC/);
  expect((await windrow('schedules', 'pause', 'daily-companies')).stderr).toContain('Paused.');
  expect(JSON.parse((await windrow('schedules', 'resume', 'daily-companies', '--json')).stdout)).toMatchObject({
    enabled: true,
  });
  expect((await windrow('trigger', 'stale')).stderr).toContain('0 stale positions closed');
  expect((await windrow('schedules', 'show', 'stale-positions')).stdout).toContain('done');
  expect((await windrow('schedules', 'show', 'nothing')).code).toBe(1);
  const when = await windrow('schedules', 'add', 'indeed', '--payload', '{"search_term":"nurse"}');
  expect([when.code, when.stderr]).toEqual([2, 'windrow: Give --every <minutes> or --cron <expression>.\n']);
  const search = await windrow('schedules', 'add', 'greenhouse', '--every', '60', '--payload', '{"board":"aldermoor"}');
  const started = await windrow('schedules', 'run', search.stdout.trim());
  expect(started.stderr).toContain(`windrow run ${started.stdout.trim()}`);
  expect((await windrow('schedules', 'remove', search.stdout.trim())).code).toBe(0);
  expect((await windrow('companies', 'scrape')).code).toBe(2);
});

test('what a built-in schedule did can be scheduled again once it is removed, and is triggered all the same', async () => {
  const { schedules } = await (await fetch(`${url}/schedules?task=positions.stale`)).json();
  for (const { id } of schedules) expect((await windrow('schedules', 'remove', id)).code).toBe(0);
  const gone = await windrow('trigger', 'stale');
  expect([gone.code, gone.stderr]).toEqual([
    1,
    "windrow: The schedule stale-positions was deleted. Add it again with: windrow schedules add positions.stale --cron '0 4 * * *'\n",
  ]);
  const added = await windrow('schedules', 'add', 'positions.stale', '--cron', '0 4 * * *');
  expect(added.code, added.stderr).toBe(0);
  expect((await windrow('trigger', 'stale')).stderr).toContain('0 stale positions closed');
  expect((await windrow('schedules', 'show', added.stdout.trim())).stdout).toMatch(/positions\.stale.*\n.*done/);
  const wrong = await windrow('schedules', 'add', 'cleanup', '--every', '60', '--payload', '{"incremental":true}');
  expect(wrong.stderr).toContain('--payload: incremental is not a known field. cleanup has no parameters');
});

test('a page is read by what was named, where that reads pages', async () => {
  const address = 'https://aldermoor-jsonld.hiring.example/careers';
  const added = await windrow(
    'companies',
    'add',
    address,
    '--name',
    'By name',
    '--set',
    'scraper_type=static',
    '--json',
  );
  expect(JSON.parse(added.stdout).scraping_config).toEqual({ scraper_type: 'static', url: address });
});

test('an alert asks for sources that there are', async () => {
  expect((await windrow('alerts', 'preview', '--source', 'greenhouse,lever')).code).toBe(0);
  const { code, stderr } = await windrow('alerts', 'add', 'Ours', '--source', 'greenhouse,leever');
  expect(code).toBe(2);
  expect(stderr).toContain('"leever" is not a source of postings. Known sources: indeed, ');
});

test('a refusal about one field is said once', async () => {
  const { code, stderr } = await windrow('positions', '--remote-type', 'moon');
  expect(code).toBe(2);
  expect(stderr).toBe('windrow: --remote-type has to be one of remote, hybrid, onsite, unknown\n');
});
