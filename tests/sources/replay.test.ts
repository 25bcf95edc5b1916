// Every built-in source on its replica with an archive, and then again from the archive alone: it reads the same, and says where pages are missing.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replayTask } from '../../src/cli/commands/scraping/replay-task.ts';
import type { Posting } from '../../src/model/posting/posting.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { createRegistry } from '../../src/source-modules/registry.ts';
import { SOURCES } from '../../src/sources/built-in.ts';
import { readArchive } from '../../src/web/archive/read-archive.ts';
import { createWeb } from '../../src/web/web.ts';
import { runAttempt } from '../../src/worker/attempt.ts';
import { runHere } from '../../src/worker/run-source.ts';
import { runWindrow } from '../support/windrow.ts';
import { APP_KEY, CASES, KEYS as COMMON_KEYS } from '../support/worlds/every-source.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const registry = createRegistry({ sources: [], problems: [] });
let sandbox: Sandbox;
let home: string;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW_MS });
  home = mkdtempSync(join(tmpdir(), 'windrow-replay-'));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(home, { recursive: true, force: true });
});

/** A client of its own: the token that another file of this process got would not be in the archive. */
const KEYS = new Map([...COMMON_KEYS, ['kroger.client_id', 'replayed']]);
let tasks = 0;
/** As a worker does it. */
async function archived(
  name: string,
  params: Record<string, unknown>,
  keys = KEYS,
): Promise<{ id: string; items: number }> {
  const id = `task-${++tasks}`;
  const webs = createWeb({
    hostMap: `*=${sandbox.origin}`,
    guard: { allow: ['127.0.0.1'] },
    paces: new Map([[name, { concurrency: 100, delayMs: 0 }]]),
    sourceSettings: keys,
    archive: { dir: join(home, 'archive') },
  });
  let items = 0;
  const count = (result: object): void => {
    for (const value of Object.values(result)) if (Array.isArray(value)) items += value.length;
  };
  const result = await runAttempt({
    task: {
      task_id: id,
      run_id: 'run-1',
      scraper_type: name,
      params,
      priority: 5,
      created_at: new Date().toISOString(),
      timeout: 120,
      retry_count: 0,
      max_retries: 0,
      request_id: null,
      attempt: 1,
      suspect: false,
    },
    runSource: runHere((of) => SOURCES.get(of)),
    worker: 'test',
    stop: new AbortController(),
    webFor: ({ policy }, signal) =>
      webs.forAttempt({ source: name, signal, runId: 'run-1', taskId: id, ...(policy && { policy }) }),
    onPart: count,
  });
  count(result);
  await webs.close();
  expect(result.error).toBeNull();
  return { id, items };
}

const filesOf = (): string[] => readdirSync(join(home, 'archive')).map((name) => join(home, 'archive', name));

async function again(
  id: string,
  changed: (task: Awaited<ReturnType<typeof readArchive>>['tasks'][0]) => void = () => {},
) {
  const { tasks: found, robots } = await readArchive(filesOf(), id);
  expect(found).toHaveLength(1);
  changed(found[0]!);
  const before = sandbox.log().length;
  const [replayed, ...others] = await replayTask(found[0]!, { registry, robots, settings: new Map() });
  expect(others).toEqual([]);
  expect(sandbox.log().length).toBe(before);
  return replayed!;
}

test.each(CASES)('%s %j reads the same from the archive, without a request', async (name, params, keys) => {
  const { id, items } = await archived(name, params, keys ? new Map([...KEYS, APP_KEY]) : KEYS);
  expect(items).toBeGreaterThan(0);
  const replayed = await again(id);
  expect(replayed).toMatchObject({ source: name, error: null, missing: [], before: items, now: items });
  expect(replayed.differences).toEqual([]);
});

test('pages of a career site: what was read otherwise is shown field by field, what is missing by its address', async () => {
  const url = 'https://oakhaven-40-list.hiring.example/careers';
  const fields = { title: 'h3 a', url: 'h3 a@href', location: '.place', department: '.team' };
  const params = {
    url,
    item: 'li.job',
    fields,
    details: true,
    detail_fields: { description: '.text' },
    headers: { 'x-tenant': 'hunter2' },
  };
  const { id, items } = await archived('static', params);
  const same = await again(id);
  expect(same).toMatchObject({ differences: [], missing: [], before: items, now: items });
  expect(JSON.stringify(same)).not.toContain('hunter2');
  const other = await again(id, (task) => {
    (task.items[0] as Posting).title = 'As it was';
    task.items.pop();
  });
  expect(other.differences).toEqual([
    expect.objectContaining({
      what: 'changed',
      fields: [expect.objectContaining({ field: 'title', before: 'As it was' })],
    }),
    expect.objectContaining({ what: 'new' }),
  ]);
  const cut = await again(id, ({ exchanges }) => {
    for (const key of [...exchanges.keys()].slice(1, 3)) exchanges.delete(key);
  });
  expect(cut.missing).toHaveLength(2);
  for (const request of cut.missing) expect(request).toMatch(/^GET https:\/\/oakhaven-40-list\.hiring\.example\//);
});

test('windrow replay shows a task, and a run as JSON', async () => {
  const { id, items } = await archived('lever', { site: 'northwick-30' });
  const shown = await runWindrow(['replay', id, '--home', home], { cwd: home });
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.stdout).toContain(`lever {"site":"northwick-30"}: ${items} items then, ${items} now, the same`);
  expect(shown.stderr).toContain('1 task, 1 the same, 0 different');
  const run = await runWindrow(['replay', 'run-1', '--home', home, '--json'], { cwd: home });
  const document = JSON.parse(run.stdout) as { tasks: { task_id: string; missing: string[] }[] };
  expect(document.tasks).toHaveLength(tasks);
  const none = await runWindrow(['replay', 'run-2', '--home', home], { cwd: home });
  expect(none).toMatchObject({ code: 1, stderr: expect.stringMatching(/has nothing of run-2\. Was WEB_ARCHIVE on/) });
});
