import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { EvidenceReport, PAGE_MAX_BYTES } from '../model/evidence/evidence.ts';
import { secretValues, withoutKnownSecrets } from '../model/evidence/page-secrets.ts';
import type { TaskMessage } from '../model/task/messages.ts';
import type { Seen, SeenPage } from '../web/seen.ts';
import { createAllowance } from './allowance.ts';
import { createEvidence, type EndedAttempt } from './evidence.ts';
import { createRecentPages } from './recent-pages.ts';

const TASK_ID = '019a1b2c-3d4e-7000-8a1b-2c3d4e5f6071';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

const taskOf = (more: Partial<TaskMessage> = {}): TaskMessage =>
  ({ task_id: TASK_ID, run_id: 'job_1', attempt: 2, scraper_type: 'indeed', params: {}, ...more }) as TaskMessage;

const pageOf = (text: string, more: Partial<SeenPage> = {}): SeenPage => ({
  url: 'https://jobs.example/search?q=welder',
  status: 200,
  mediaType: 'text/html',
  text,
  at: new Date(0),
  picture: null,
  ...more,
});

const seenOf = (page: SeenPage | null, secrets: string[] = []): Seen => ({ page: () => page, secrets: () => secrets });

const failed = (seen: Seen, code = 'layout_changed', task = taskOf()): EndedAttempt => ({
  task,
  worker: 'w1',
  result: { status: 'failed', error: { category: 'layout_changed', code, message: '', retryable: false } },
  seen,
});

function keeper() {
  const sent: EvidenceReport[] = [];
  const evidence = createEvidence({
    now: () => 0,
    send: async (one) => void sent.push(one),
    onError: (error) => {
      throw error;
    },
  });
  return { evidence, sent };
}

const textOf = (one: EvidenceReport | undefined): string =>
  gunzipSync(Buffer.from(one?.page ?? '', 'base64')).toString('utf8');

test('the page of a failed attempt is sent compressed, with a picture, in the shape of the contract', async () => {
  const { evidence, sent } = keeper();
  evidence.ended(failed(seenOf(pageOf('<p>Grüße</p>', { picture: async () => PNG }))));
  await evidence.flush();
  expect(sent).toHaveLength(1);
  expect(EvidenceReport.parse(JSON.parse(JSON.stringify(sent[0])))).toEqual(sent[0]);
  expect(sent[0]).toMatchObject({
    task_id: TASK_ID,
    attempt: 2,
    scraper_type: 'indeed',
    worker: 'w1',
    code: 'layout_changed',
    page_chars: 12,
    is_cut: false,
    screenshot: PNG.toString('base64'),
    left_out: [],
  });
  expect(textOf(sent[0])).toBe('<p>Grüße</p>');
});

test('what saw no page, or was stopped, leaves nothing', async () => {
  const { evidence, sent } = keeper();
  evidence.ended(failed(seenOf(null)));
  evidence.ended({ ...failed(seenOf(pageOf('x'))), seen: undefined });
  for (const code of ['cancelled', 'invalid_params', 'paced']) evidence.ended(failed(seenOf(pageOf('x')), code));
  await evidence.flush();
  expect(sent).toEqual([]);
});

test('a page that is too large is cut, or left out, and says so', async () => {
  const { evidence, sent } = keeper();
  evidence.ended(failed(seenOf(pageOf('a'.repeat(1_500_000)))));
  // Cannot be compressed: every character is another one.
  let at = 7;
  const noise = Array.from({ length: 1_500_000 }, () => {
    at = (at * 48_271) % 2_147_483_647;
    return String.fromCharCode(0x4e00 + (at % 20_000));
  }).join('');
  evidence.ended(failed(seenOf(pageOf(noise)), 'captcha'));
  await evidence.flush();
  const [long, dense] = sent;
  expect(long).toMatchObject({ is_cut: true, page_chars: 1_500_000 });
  expect(long?.left_out).toEqual(['Only the first 1000000 of 1500000 characters were kept.']);
  expect(textOf(long)).toHaveLength(1_000_000);
  expect(dense?.left_out).toEqual(['Only the first 60000 of 1500000 characters were kept.']);
  expect(Buffer.from(dense?.page ?? '', 'base64').length).toBeLessThanOrEqual(PAGE_MAX_BYTES);
  for (const one of sent) expect(EvidenceReport.safeParse(one).success).toBe(true);
});

test('secrets of ours are not in a page, in no spelling, and a page that shows one has no picture', async () => {
  const { evidence, sent } = keeper();
  const params = {
    url: 'https://user:pa%20ss@jobs.example/',
    proxy: 'proxy.example:8080:reseller:hunter2',
    headers: { 'x-tenant': 'tenant-42' },
    nested: { api_key: 'key-123"x' },
  };
  const shown =
    '<p>pa ss pa%20ss reseller hunter2 tenant-42 session-9</p>{"k":"key-123\\"x"} welder key-123%22x <b>fine</b>';
  evidence.ended(
    failed(
      seenOf(pageOf(shown, { picture: async () => PNG, url: 'https://jobs.example/?token=abc&s=session-9' }), [
        'session-9',
      ]),
      'captcha',
      taskOf({ params }),
    ),
  );
  await evidence.flush();
  const text = textOf(sent[0]);
  expect(text).toContain('welder');
  expect(text).toContain('<b>fine</b>');
  expect(text + sent[0]?.url).not.toMatch(/pa ss|pa%20ss|reseller|hunter2|tenant-42|session-9|key-123|abc/);
  expect(sent[0]).toMatchObject({
    screenshot: null,
    left_out: ['The screenshot was left out, since the page shows a secret.'],
  });
});

test('short values are no secrets to look for, and of overlapping ones nothing is left', () => {
  expect(withoutKnownSecrets('a page of abc', ['a', 'abc']).text).toBe('a page of abc');
  expect(withoutKnownSecrets('xlongvalue-tailx', ['value', 'longvalue-tail']).text).toBe('x[redacted]x');
  expect(secretValues({ q: 'welder', token: { a: ['deep-value'] } })).toEqual(['deep-value', 'deep-value']);
});

test('a picture that cannot be taken is said to be missing, and one of a page that is gone too', async () => {
  const { evidence, sent } = keeper();
  evidence.ended(failed(seenOf(pageOf('x', { picture: async () => null }))));
  evidence.ended(failed(seenOf(pageOf('y', { picture: () => Promise.reject(new Error('closed')) }))));
  await evidence.flush();
  const gone = { screenshot: null, left_out: ['No screenshot: the browser did not show the page any more.'] };
  expect(sent).toMatchObject([gone, gone]);
});

test('of a flood of equal failures some are kept, and others beside it are not hindered', async () => {
  const { evidence, sent } = keeper();
  for (let n = 0; n < 200; n++) evidence.ended(failed(seenOf(pageOf(`page ${n}`)), 'captcha'));
  evidence.ended(failed(seenOf(pageOf('another'))));
  await evidence.flush();
  expect(sent.filter((one) => one.code === 'captcha')).toHaveLength(20);
  expect(sent.filter((one) => one.code === 'layout_changed')).toHaveLength(1);
});

test('pages wait for their sending within a limit of characters', async () => {
  const { evidence, sent } = keeper();
  for (let n = 0; n < 20; n++)
    evidence.ended(failed(seenOf(pageOf('a'.repeat(1_000_000), { url: `https://${n}.example/` }))));
  await evidence.flush();
  expect(sent).toHaveLength(8);
});

test('an allowance fills up again with time', () => {
  let now = 0;
  const allowance = createAllowance({ now: () => now, burst: 3, everyMs: 100 });
  const taken = (kind: string, times: number) =>
    Array.from({ length: times }, () => allowance.take(kind)).filter(Boolean);
  expect(taken('a', 5)).toHaveLength(3);
  expect(taken('b', 1)).toHaveLength(1);
  now = 250;
  expect(taken('a', 5)).toHaveLength(2);
  now = 10_000;
  expect(taken('a', 5)).toHaveLength(3);
});

test('the page of an attempt that succeeded is there for a while, if it is asked for', async () => {
  const { evidence, sent } = keeper();
  const done = (n: number, host = 'jobs.example'): EndedAttempt => ({
    task: taskOf({ task_id: TASK_ID.replace('6071', String(7000 + n)) }),
    worker: 'w1',
    result: { status: 'success', error: null },
    seen: seenOf(pageOf(`page ${n}`, { url: `https://${host}/${n}` })),
  });
  for (const n of [1, 2, 3]) evidence.ended(done(n));
  evidence.ended(done(4, 'news.example'));
  const wish = { run_id: 'job_1', task_id: null, source: 'indeed', host: null };
  evidence.asked({ ...wish, task_id: TASK_ID.replace('6071', '7002') });
  evidence.asked({ ...wish, task_id: TASK_ID.replace('6071', '7002') });
  evidence.asked({ ...wish, task_id: TASK_ID.replace('6071', '7001') });
  evidence.asked({ ...wish, host: 'news.example' });
  evidence.asked({ ...wish, host: 'elsewhere.example' });
  await evidence.flush();
  expect(sent.map((one) => [one.code, textOf(one)])).toEqual([
    ['suspect', 'page 2'],
    ['suspect', 'page 4'],
  ]);
});

test('recent pages are bounded by characters and by sites', () => {
  const pages = createRecentPages();
  const one = (n: number, text: string) => ({
    task: taskOf({ task_id: String(n) }),
    worker: 'w',
    host: `${n}.example`,
    page: pageOf(text),
    seen: seenOf(null),
  });
  for (let n = 0; n < 300; n++) pages.remember(one(n, 'small'));
  const take = (n: number) => pages.take({ run_id: '', task_id: String(n), source: '', host: null });
  expect(take(199)).toBeNull();
  expect(take(200)).not.toBeNull();
  pages.remember(one(400, 'x'.repeat(1_999_990)));
  expect(take(299)).not.toBeNull();
  expect(take(250)).toBeNull();
  pages.remember(one(401, 'x'.repeat(3_000_000)));
  expect(take(400)).toBeNull();
  expect(take(401)).toBeNull();
});
