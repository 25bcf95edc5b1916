// An attempt that goes on where an earlier one stopped, on the sandbox and through the real web layer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../src/model/errors.ts';
import type { Posting } from '../../src/model/posting/posting.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { BOARD_SOURCES } from '../../src/sources/boards/index.ts';
import { CAREER_SOURCES } from '../../src/sources/careers/index.ts';
import type { Web, WebRequest } from '../../src/web/port.ts';
import { createWeb, type Webs } from '../../src/web/web.ts';
import { collectNotes } from '../../src/worker/notes.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
let sandbox: Sandbox;
let webs: Webs;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW_MS });
  webs = createWeb({
    hostMap: `*=${sandbox.origin}`,
    guard: { allow: ['127.0.0.1'] },
    timeoutMs: 60_000,
    maxPaceWaitMs: 60_000,
  });
});
afterAll(async () => {
  await webs.close();
  await sandbox.close();
});

interface Attempt {
  ids: string[];
  code: string | null;
  /** Requests that were made, by URL and body. */
  asked: string[];
  checkpoint: unknown;
  incomplete: string[];
  pages: [requested: number, completed: number];
}

/** `fault`: the error of a request, told by URL, body and how many were made before. */
async function attempt(
  name: string,
  params: Record<string, unknown>,
  { from, fault }: { from?: unknown; fault?: (request: string, made: number) => ErrorCode | null } = {},
): Promise<Attempt> {
  const source = [...BOARD_SOURCES, ...CAREER_SOURCES].find((one) => one.name === name)!;
  const web = webs.forAttempt({
    signal: AbortSignal.timeout(120_000),
    source: name,
    pace: { concurrency: 4, delayMs: 0 },
    policy: source.policy ?? {},
  });
  const asked: string[] = [];
  const get: Web['get'] = async (url: string, request?: WebRequest) => {
    const shown = `${url} ${JSON.stringify(request?.body ?? '')}`;
    asked.push(shown);
    const code = fault?.(shown, asked.length) ?? null;
    if (code !== null) throw new AppError(code);
    return web.get(url, request);
  };
  const { ledger } = web;
  const noted = collectNotes(from, () => ({
    requested: ledger.pagesRequested,
    completed: ledger.pagesCompleted,
  }));
  const found: Posting[] = [];
  let code: string | null = null;
  const wrapped = new Proxy(web, { get: (target, key) => (key === 'get' ? get : Reflect.get(target, key, target)) });
  try {
    for await (const posting of source.scrape(source.params.parse(params), wrapped, noted.notes))
      found.push(posting as Posting);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    code = thrown.code;
  }
  return {
    ids: found.map((one) => one.external_id),
    code,
    asked,
    // It crosses the wire.
    checkpoint: noted.checkpoint() && JSON.parse(JSON.stringify(noted.checkpoint())),
    incomplete: noted.metadata().incomplete ?? [],
    pages: [ledger.pagesRequested, ledger.pagesCompleted],
  };
}

const together = (...attempts: Attempt[]) => [...new Set(attempts.flatMap((one) => one.ids))].sort();

test.each([
  ['one query', 'silverdale-120', true, 70],
  ['a site that has to be asked in parts', 'silverdale-2600', false, 80],
])('a Workday board goes on where a time-out stopped it: %s', async (_, token, details, until) => {
  const params = { host: `${token}.wd5.myworkdayjobs.com`, site: 'External', details };
  const whole = await attempt('workday', params);
  const first = await attempt('workday', params, { fault: (_url, made) => (made > until ? 'task_timeout' : null) });
  expect(first.code).toBe('task_timeout');
  expect(first.ids.length).toBeGreaterThan(0);
  const second = await attempt('workday', params, { from: first.checkpoint });
  expect([second.code, second.incomplete]).toEqual([null, []]);
  expect(together(first, second)).toEqual(whole.ids.toSorted());
  // The page that was being read, and the one before it; the first page of the site tells how many there are.
  const again = first.ids.filter((id) => second.ids.includes(id)).length;
  expect(again).toBeLessThanOrEqual(40);
  expect(second.asked.length).toBeLessThan(whole.asked.length - first.asked.length / 2);
});

test('what could not be read before a time-out is told by the attempt that goes on', async () => {
  const params = { company: 'shrink-silverdale-440', details: false };
  const lists = (url: string) => /offset=300/.test(url);
  const first = await attempt('smartrecruiters', params, { fault: (url) => (lists(url) ? 'task_timeout' : null) });
  expect(first.code).toBe('task_timeout');
  const second = await attempt('smartrecruiters', params, { from: first.checkpoint });
  expect(second.asked.some((url) => /offset=0\b/.test(url))).toBe(false);
  expect(second.incomplete).toContain('the list changed while it was read');
});

const search = { search_term: 'nurse', results_wanted: 60 };
const startOf = (url: string) => Number(/[?&]start=(\d+)/.exec(url)?.[1] ?? 0);

test('one bad page does not end an Indeed search, and the missing rows are told', async () => {
  const whole = await attempt('indeed', search);
  expect(whole.ids).toHaveLength(60);
  const starts = whole.asked.map(startOf);
  for (const code of ['http_5xx', 'timeout', 'layout_changed'] as const) {
    const second = starts[1]!;
    const bad = await attempt('indeed', search, { fault: (url) => (startOf(url) === second ? code : null) });
    expect([bad.code, bad.incomplete]).toEqual([null, [`a page could not be read: ${code}`]]);
    expect(bad.ids.length).toBeGreaterThan(30);
    expect(bad.pages[0] - bad.pages[1]).toBe(1);
  }
});

test('an Indeed search that was blocked on its third page goes on there', async () => {
  const whole = await attempt('indeed', search);
  const [, , third] = whole.asked.map(startOf);
  const first = await attempt('indeed', search, { fault: (url) => (startOf(url) === third ? 'blocked' : null) });
  expect(first.code).toBe('blocked');
  const second = await attempt('indeed', search, { from: first.checkpoint });
  expect(startOf(second.asked[0]!)).toBe(third);
  expect(second.code).toBeNull();
  expect([...first.ids, ...second.ids]).toEqual(whole.ids);
});

test.each(['linkedin', 'glassdoor', 'ziprecruiter', 'naukri', 'bayt', 'bdjobs'])(
  '%s goes on with the page that failed',
  async (name) => {
    const params = { search_term: 'engineer', results_wanted: 70 };
    const whole = await attempt(name, params);
    expect(whole.ids).toHaveLength(70);
    const last = whole.asked.at(-1)!;
    const first = await attempt(name, params, { fault: (url) => (url === last ? 'blocked' : null) });
    expect(first.code).toBe('blocked');
    const second = await attempt(name, params, { from: first.checkpoint });
    expect(second.code).toBeNull();
    expect([...first.ids, ...second.ids]).toEqual(whole.ids);
    expect(second.asked.length).toBeLessThan(whole.asked.length);
  },
);

test('a checkpoint of another shape is a start from the beginning', async () => {
  const { ids } = await attempt('indeed', { ...search, results_wanted: 5 }, { from: { place: { at: 'somewhere' } } });
  expect(ids).toHaveLength(5);
});
