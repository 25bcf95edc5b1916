// `windrow dead-letters` against a server: what went wrong, the page that was seen, retries in steps.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, runWindrow } from '../../support/windrow.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

let world: ApiWorld;
let folder: string;
beforeAll(async () => {
  const limits = { days: 30, maxBytes: 1_000_000_000, perCause: 100 };
  world = await startApiWorld({ orchestrator: { evidence: { limits, files: null } } });
  folder = mkdtempSync(join(tmpdir(), 'windrow-letters-'));
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const windrow = (...args: string[]) =>
  runWindrow(['dead-letters', ...args], { cwd: folder, env: { WINDROW_URL: world.url } });
const well = ({ code, stdout, stderr }: Ended): string => {
  expect(code, stderr).toBe(0);
  return stdout.trim();
};
const jsonOf = (ended: Ended) => JSON.parse(well(ended));
const fail = async (...paths: string[]) => world.ended(await world.submit(paths));

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

test('a letter is found, shown with its page and screenshot, retried with edited input, and deleted', async () => {
  await fail('/gone/1', '/gone/2');
  const groups = well(await windrow('groups'));
  expect(groups).toMatch(/^COUNT +SOURCE +CAUSE/);
  expect(groups).toMatch(/^2 +article +not_found .* no +.*404 Not Found$/m);
  const [head, first] = well(await windrow('list', '--code', 'not_found')).split('\n');
  expect(head).toMatch(/^TASK +SOURCE +CAUSE +TRIES/);
  expect(first).toMatch(/ article +not_found +1 .* https:\/\/example\.com\/gone\/\d$/);
  const id = first!.split(' ', 1)[0]!;

  const none = await windrow('show', id, '--page');
  expect(none).toMatchObject({ code: 1, stdout: '' });
  expect(none.stderr).toContain(`No page of dead letter ${id} was saved.`);
  await world.wire.sendEvidence({
    type: 'evidence',
    id,
    task_id: id,
    run_id: 'job_1',
    attempt: 1,
    scraper_type: 'article',
    worker: 'w1',
    code: 'not_found',
    url: 'https://example.com/gone',
    status: 404,
    media_type: 'text/html',
    captured_at: new Date().toISOString(),
    page: gzipSync('<h1>Grüße</h1>').toString('base64'),
    page_chars: 14,
    is_cut: false,
    screenshot: PNG.toString('base64'),
    left_out: [],
  });
  await expect.poll(async () => (await world.call('GET', `/evidence/${id}`)).status).toBe(200);
  const shown = well(await windrow('show', id));
  expect(shown).toContain('attempt 1 on w1');
  expect(shown).toContain('not_found: 404 Not Found');
  expect(shown).toContain('saw https://example.com/gone (status 404)');
  expect(well(await windrow('show', id, '--page'))).toBe('<h1>Grüße</h1>');
  const saved = await windrow('show', id, '--screenshot', 'page.png');
  expect(saved.stderr).toContain('Wrote page.png');
  expect(readFileSync(join(folder, 'page.png'))).toEqual(PNG);
  expect(jsonOf(await windrow('show', id, '--json'))).toMatchObject({ task_id: id, evidence: [{ attempt: 1 }] });

  const dry = await windrow('retry', id, '--set', 'url=https://example.com/moved', '--dry-run');
  expect(well(dry)).toBe(id);
  expect(dry.stderr).toContain('1 dead letter would be retried.');
  const wrong = await windrow('retry', id, '--set', 'url=null');
  expect(wrong).toMatchObject({ code: 2 });
  const run = well(await windrow('retry', id, '--set', 'url=https://example.com/moved'));
  expect(await world.ended(run)).toMatchObject({ status: 'COMPLETED' });

  const [left] = jsonOf(await windrow('list', '--json')).dead_letters;
  expect((await windrow('delete', left.task_id)).stderr).toContain('1 deleted.');
  expect((await windrow('list')).stderr).toContain('No dead letters match.');
});

test('many are retried and deleted step by step, and nothing is done without saying which', async () => {
  const nothing = await windrow('retry');
  expect(nothing).toMatchObject({ code: 2 });
  expect(nothing.stderr).toContain('Say which');
  expect((await windrow('retry', 'x', '--all')).stderr).toContain('not both');
  expect((await windrow('retry', '--all', '--set', 'url=x')).stderr).toContain('--set needs the id');

  await fail(...Array.from({ length: 1_200 }, (_, n) => `/gone/many-${n}`));
  expect(jsonOf(await windrow('retry', '--source', 'article', '--dry-run', '--json')).matching).toBe(1_200);
  const retried = jsonOf(await windrow('retry', '--code', 'not_found', '--json'));
  expect(retried).toMatchObject({ retried: 1_200, run_ids: [expect.anything(), expect.anything()] });
  for (const run of retried.run_ids) await world.ended(run);
  expect(jsonOf(await windrow('delete', '--all', '--dry-run', '--json')).matching).toBe(1_200);
  expect(jsonOf(await windrow('delete', '--all', '--json'))).toMatchObject({ removed: 1_200 });
  expect((await windrow('retry', '--all')).stderr).toContain('No dead letters match.');
});
