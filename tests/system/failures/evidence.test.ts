// Evidence of failures over the API: the page that a failed attempt saw comes from a worker that has no database, and is shown so that nothing in it can run.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../../src/model/errors.ts';
import type { EvidenceReport } from '../../../src/model/evidence/evidence.ts';
import { defineSource } from '../../../src/sources/define.ts';
import { createS3Files } from '../../../src/store/evidence/s3-files.ts';
import { createWeb, type Webs } from '../../../src/web/web.ts';
import { createEvidence } from '../../../src/worker/evidence.ts';
import { runHere } from '../../../src/worker/run-source.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { startS3 } from '../../support/web/s3-server.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

/** Reads a page and finds that nothing in it is as it should be. */
const lost = defineSource({
  name: 'article',
  title: 'Lost',
  kind: 'article',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 50, delayMs: 0 },
  params: z.object({ url: z.string(), api_key: z.string().optional() }),
  // biome-ignore lint/correctness/useYield: it never comes to that
  async *scrape({ url }, web) {
    await web.text(url);
    throw new AppError('layout_changed', 'nothing on the page matches .card');
  },
});

const HOSTILE = `<!doctype html><html><head><meta http-equiv="refresh" content="0;url=http://evil.example/"></head>
<body onload="alert(1)"><script>document.title = 'ran'</script><p>Grüße, key secret-42</p></body></html>`;

let site: Server;
let webs: Webs;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let client: pg.Client;
let world: ApiWorld;
const limits = { days: 30, maxBytes: 1_000_000_000, perCause: 5 };

function worldWith(databaseUrl: string, files: ReturnType<typeof createS3Files> | null) {
  let wire: ApiWorld['wire'] | undefined;
  const evidence = createEvidence({
    send: (one) => wire!.sendEvidence(one),
    onError: (error) => {
      throw error;
    },
  });
  return startApiWorld({
    databaseUrl,
    evidenceFiles: files,
    orchestrator: { evidence: { limits, files } },
    worker: {
      evidence,
      runSource: runHere(() => lost),
      webFor: (source, signal) => webs.forAttempt({ source: source.name, signal }),
    },
  }).then((opened) => {
    wire = opened.wire;
    return opened;
  });
}

beforeAll(async () => {
  site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.url?.startsWith('/robot')) response.end('<title>Robot check</title>Please verify you are a human');
    else if (request.url?.startsWith('/gone')) response.writeHead(404).end('<h1>No such page</h1>');
    else response.end(HOSTILE);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  webs = createWeb({ hostMap: `example.com=${origin}`, robots: 'off', maxPaceWaitMs: 60_000 });
  database = await freshDatabase();
  world = await worldWith(database.url, null);
  client = new pg.Client({ connectionString: database.url, options: '-c search_path=windrow,public' });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await world?.stop();
  await webs?.close();
  site?.close();
  await database?.drop();
});
beforeEach(async () => {
  await client.query('delete from dead_letters');
  const { rows } = await client.query<{ id: string }>('select id from evidence');
  await world.store.forgetEvidence(rows.map((row) => row.id));
});

async function letterOf(on: ApiWorld, path: string) {
  const job = await on.submit([path]);
  await on.ended(job);
  const { body } = await on.call('GET', `/dead-letters?run_id=${job}`);
  return body.dead_letters[0].task_id as string;
}

async function evidenceOf(on: ApiWorld, taskId: string) {
  await expect
    .poll(async () => (await on.call('GET', `/dead-letters/${taskId}`)).body.evidence.length, { timeout: 20_000 })
    .toBeGreaterThan(0);
  return (await on.call('GET', `/dead-letters/${taskId}`)).body;
}

test('a dead letter shows the page that its attempt saw, without the secrets of its task', async () => {
  const taskId = await letterOf(world, '/hostile?token=secret-42');
  const letter = await evidenceOf(world, taskId);
  expect(letter.evidence).toMatchObject([
    {
      task_id: taskId,
      attempt: 1,
      source: 'article',
      code: 'layout_changed',
      worker: 'w1',
      url: 'https://example.com/hostile?token=[redacted]',
      status: 200,
      page: { media_type: 'text/html', is_cut: false },
      screenshot: null,
      left_out: [],
    },
  ]);
  const [one] = letter.evidence;
  expect((await world.call('GET', `/evidence/${one.id}`)).body).toEqual(one);
  const page = await world.call('GET', one.page.path);
  expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(page.text).toBe(HOSTILE.replace('secret-42', '[redacted]'));
  expect((await world.call('GET', `${one.id}/screenshot`.replace(/^/, '/evidence/'))).status).toBe(404);
  const { body } = await world.call('GET', '/dead-letters/groups');
  expect(body.groups).toMatchObject([{ evidence: { id: one.id }, sample: { evidence: [{ id: one.id }] } }]);
});

test('as a document it is in a sandbox, and no other site may use it', async () => {
  const { evidence } = await evidenceOf(world, await letterOf(world, '/hostile'));
  const reply = await world.call('GET', `${evidence[0].page.path}?as=document`);
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = reply.headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(expect.arrayContaining(['sandbox', "default-src 'none'", "form-action 'none'"]));
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(reply.headers.get('content-disposition')).toBe(`inline; filename="${evidence[0].id}.html"`);
});

test('a block and an error of the site have their page too', async () => {
  // Tried again, and again: the page is there after the first attempt.
  const job = await world.submit(['/robot']);
  await expect.poll(async () => (await world.call('GET', '/evidence?code=captcha')).body.evidence.length).toBe(1);
  expect((await world.call('DELETE', `/jobs/${job}`)).status).toBe(200);
  const gone = await evidenceOf(world, await letterOf(world, '/gone'));
  expect(gone.evidence[0]).toMatchObject({ code: 'not_found', status: 404 });
  expect((await world.call('GET', gone.evidence[0].page.path)).text).toBe('<h1>No such page</h1>');
  const { body } = await world.call('GET', '/evidence?code=not_found&limit=1');
  expect((await world.call('GET', '/evidence')).body.evidence).toHaveLength(2);
  expect(body.evidence).toEqual(gone.evidence);
  const first = await world.call('GET', '/evidence?limit=1');
  const second = await world.call('GET', `/evidence?limit=1&cursor=${first.body.next_cursor}`);
  expect([...first.body.evidence, ...second.body.evidence].map((one) => one.code)).toEqual(['not_found', 'captcha']);
  expect(second.body.next_cursor).toBeNull();
});

test('of one cause the newest are kept, and the size of all is counted to the byte', async () => {
  const job = await world.submit(Array.from({ length: 12 }, (_, n) => `/hostile/${n}`));
  await world.ended(job);
  await expect
    .poll(async () => (await client.query('select max(seq) - min(seq) as n, count(*)::int as c from evidence')).rows[0])
    .toMatchObject({ c: limits.perCause });
  const sizes = `select (select bytes from evidence_size) as counted, (select coalesce(sum(length(bytes)), 0) from evidence_files)::bigint as real`;
  await expect.poll(async () => (await world.wire.readEvidence(1)).evidence.length).toBe(0);
  const { rows } = await client.query(sizes);
  expect(rows[0].counted).toBe(rows[0].real);
  const half = { days: 30, maxBytes: Number(rows[0].real) / 2, batch: 100 };
  const old = await world.store.oldEvidence(half);
  // All pages are of about the same size.
  expect(old).toHaveLength(3);
  await client.query(`update evidence set stored_at = now() - interval '31 days'`);
  expect(await world.store.oldEvidence({ ...half, maxBytes: 1e9 })).toHaveLength(limits.perCause);
  expect(await world.store.forgetEvidence(old.map((one) => one.id))).toBe(3);
  const left = (await client.query(sizes)).rows[0];
  expect(left.counted).toBe(left.real);
});

test('what is not valid is refused, and what comes twice is stored once', async () => {
  const { evidence } = await evidenceOf(world, await letterOf(world, '/hostile'));
  const [one] = evidence;
  const again = {
    type: 'evidence',
    id: one.id,
    task_id: one.task_id,
    run_id: one.run_id,
    attempt: 1,
    scraper_type: 'article',
    worker: 'foreign',
    code: 'x',
    url: 'https://example.com/\0',
    status: 200,
    media_type: '',
    captured_at: one.captured_at,
    page: 'bm90IGd6aXA=',
    page_chars: 3,
    is_cut: false,
    screenshot: Buffer.from('<script>').toString('base64'),
    left_out: [],
  } satisfies EvidenceReport;
  const other = { ...again, id: one.id.replace(/^.{8}/, '00000000'), attempt: 7 };
  await world.wire.sendEvidence({ ...again, page: '!' });
  await world.wire.sendEvidence(again);
  await world.wire.sendEvidence(other);
  await expect.poll(async () => (await world.call('GET', `/evidence/${other.id}`)).status).toBe(200);
  expect((await world.call('GET', `/evidence/${one.id}`)).body).toEqual(one);
  const { body } = await world.call('GET', `/evidence/${other.id}`);
  expect(body).toMatchObject({
    url: 'https://example.com/',
    screenshot: null,
    left_out: ['The screenshot is neither PNG nor JPEG.'],
  });
  expect(await world.call('GET', body.page.path)).toMatchObject({ status: 422, body: { code: 'unreadable' } });
});

test('with S3 the files are there and nowhere else, and go with their row', async () => {
  const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret-of-the-bucket', region: 'us-east-1' };
  await using s3 = await startS3({ buckets: ['evidence'], ...keys });
  const own = await freshDatabase();
  const files = createS3Files({ ...keys, endpoint: s3.url, bucket: 'evidence', prefix: 'w' });
  const other = await worldWith(own.url, files);
  try {
    // While the storage is away it waits on the wire.
    s3.fail(500, 4);
    const { evidence } = await evidenceOf(other, await letterOf(other, '/hostile'));
    expect([...s3.objects.keys()]).toEqual([`evidence/w/${evidence[0].id}/page`]);
    expect((await other.call('GET', evidence[0].page.path)).text).toBe(HOSTILE);
    const job = await other.submit(Array.from({ length: 8 }, (_, n) => `/hostile/${n}`));
    await other.ended(job);
    await expect.poll(async () => (await other.wire.readEvidence(1)).evidence.length, { timeout: 20_000 }).toBe(0);
    await expect.poll(() => s3.objects.size).toBe(limits.perCause);
    s3.objects.clear();
    const [left] = (await other.call('GET', '/evidence')).body.evidence;
    expect(await other.call('GET', left.page.path)).toMatchObject({ status: 404, body: { code: 'unknown_id' } });
  } finally {
    await other.stop();
    await own.drop();
  }
});
