// Announcing on a real database, two loops with connections of their own: each new posting once, whatever dies; alerts, their matches and files.
import { appendFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAtomFeed, parseRssFeed } from 'feedsmith';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Posting } from '../../../src/model/posting/posting.ts';
import { groupPostings, meetingKeys } from '../../../src/model/posting/same-posting.ts';
import { createAlertFiles } from '../../../src/orchestrator/alerts/alert-files.ts';
import { createAnnounce } from '../../../src/orchestrator/alerts/announce.ts';
import type { AlertSearch } from '../../../src/store/alerts/alerts.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type Draft, pay, place, posting, prose, save } from '../../support/worlds/postings.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let stores: [Store, Store];
let pool: pg.Pool;
let folder: string;

beforeAll(async () => {
  database = await freshDatabase();
  stores = [
    await openStore({ connection: database.url, connectTimeoutMs: 30_000 }),
    await openStore({ connection: database.url, connectTimeoutMs: 30_000 }),
  ];
  pool = createPool({ connection: database.url, connectTimeoutMs: 30_000 });
  folder = await mkdtemp(join(tmpdir(), 'windrow-alerts-'));
});
afterAll(async () => {
  await Promise.all([...stores.map((store) => store.close()), pool.end()]);
  await database.drop();
  await rm(folder, { recursive: true });
});
beforeEach(() =>
  pool.query('truncate postings, announcements, alerts, alert_matches, webhooks, deliveries, receivers cascade'),
);

const signal = AbortSignal.timeout(600_000);
const regroup = () => stores[0].regroupPostings({ meetingKeys, groupPostings }, { batch: 500, maxCompared: 5_000 });
const announce = (store: Store = stores[0]) => createAnnounce({ store, onAnnounced: () => {} })(signal, () => {});
const process = async () => {
  await regroup();
  await announce();
};
const input = (search: AlertSearch, more: object = {}) => ({
  name: JSON.stringify(search),
  search,
  active: true,
  webhookUrl: null,
  file: null,
  ...more,
});
const alert = async (search: AlertSearch, more: object = {}) =>
  (await stores[0].createAlert(input(search, more), { max: 100_000, owner: null }))!;
const one = (draft: Draft): Posting => posting({ description: prose(draft.external_id), ...draft });
const matchesOf = async (id: string) =>
  (await stores[0].alertMatches(id, { before: null, limit: 1_000 })).map(({ notice }) => notice.title);
const subscribe = (...events: string[]) =>
  pool.query(`insert into webhooks (id, url, events, secrets) values ('wh_test', 'https://example.com/', $1, '{x}')`, [
    events,
  ]);
/** What was told, event by event: the titles in it. */
const told = async (type: string) =>
  (await pool.query<{ body: string }>('select body from deliveries where type = $1 order by seq', [type])).rows.map(
    ({ body }) => (JSON.parse(body).data.postings as { title: string }[]).map(({ title }) => title),
  );

test('a job is announced with its first posting, and another board that shows it is no news', async () => {
  await subscribe('postings.new');
  const all = await alert({});
  await save(pool, one({ source: 'indeed', external_id: 'a' }));
  await process();
  await save(
    pool,
    posting({ source: 'linkedin', external_id: 'x', description: prose('a') }),
    one({ source: 'bayt', external_id: 'c', title: 'Cook' }),
    posting({ source: 'glassdoor', external_id: 'c', title: 'Cook', description: prose('c') }),
  );
  await process();
  // Scraped again, changed or not, it is the same posting.
  await save(pool, one({ source: 'indeed', external_id: 'a', title: 'Senior Software Engineer' }));
  await process();
  expect(await told('postings.new')).toEqual([['Software Engineer'], ['Cook']]);
  expect(await matchesOf(all.id)).toEqual(['Cook', 'Senior Software Engineer']);
  await pool.query(`update alert_matches set announced_at = now() - interval '91 days'`);
  const days = { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, alertDays: 90 };
  expect(await stores[0].trim({ ...days, batch: 100 })).toMatchObject({ matches: 2 });
});

test('an alert hears of the first posting that matches it, on whichever board', async () => {
  const onLinkedin = await alert({ source: 'linkedin' });
  const paid = await alert({ min_salary: 100_000 });
  await save(pool, one({ source: 'indeed', external_id: 'a' }));
  await process();
  expect(await matchesOf(onLinkedin.id)).toEqual([]);
  const late = await alert({ q: 'engineer' });
  const copy = { title: 'Software Engineer', description: prose('a'), salary: pay(120_000, 150_000) };
  await save(pool, posting({ source: 'linkedin', external_id: 'b', ...copy }));
  await process();
  await save(pool, posting({ source: 'glassdoor', external_id: 'c', ...copy }));
  await process();
  expect(await matchesOf(onLinkedin.id)).toHaveLength(1);
  expect(await matchesOf(paid.id)).toHaveLength(1);
  // The job was there before the alert was.
  expect(await matchesOf(late.id)).toEqual([]);
});

test('alerts match as the list of postings does', async () => {
  const drafts: Draft[] = [
    {
      source: 'indeed',
      external_id: '1',
      title: 'Registered Nurse',
      company: 'Harbour Hospital',
      location: 'Boston',
      locations: [place('Boston')],
      salary: pay(40, 55, { interval: 'hour' }),
    },
    {
      source: 'bayt',
      external_id: '2',
      title: 'Data Engineer',
      company: 'IT',
      location: 'Paris, France',
      remote_type: 'remote',
      salary: pay(50_000, 60_000, { currency: 'EUR' }),
      posted_at: '2026-10-01T00:00:00.000Z',
    },
    {
      source: 'naukri',
      external_id: '3',
      title: 'Cook',
      company: "O'Neil & Sons",
      location: 'Acme Street',
      posted_at: null,
    },
  ];
  const searches: AlertSearch[] = [
    {},
    { q: 'nurses' },
    { q: '"data engineer"' },
    { q: 'nurse or cook' },
    { q: '-nurse' },
    { q: 'engineer -data' },
    { q: 'hospital boston' },
    { company: 'it' },
    { company: "o'neil" },
    { location: 'paris' },
    { location: 'acme' },
    { company: 'acme' },
    { source: 'indeed,bayt' },
    { remote_type: 'remote' },
    { currency: 'EUR' },
    { min_salary: 70_000 },
    { posted_after: '2026-11-01T00:00:00.000Z' },
    {
      q: 'engineer',
      company: 'it',
      location: 'france',
      remote_type: 'remote',
      source: 'bayt',
      currency: 'EUR',
      min_salary: 1,
    },
  ];
  const alerts = await Promise.all(searches.map((search) => alert(search)));
  await save(pool, ...drafts.map(one));
  await process();
  for (const [at, { source, remote_type, posted_after, min_salary, ...words }] of searches.entries()) {
    const filter = {
      ...words,
      ...(source && { sources: source.split(',') }),
      ...(remote_type && { remoteType: remote_type as 'remote' }),
      ...(posted_after && { postedAfter: posted_after }),
      ...(min_salary && { minSalary: min_salary }),
    };
    const listed = await stores[0].listPostings({
      ...filter,
      order: 'first_seen_at',
      descending: true,
      after: null,
      limit: 10,
    } as never);
    const found = (await matchesOf(alerts[at]!.id)).sort();
    expect(found, JSON.stringify(searches[at])).toEqual(listed.map(({ posting }) => posting.title).sort());
    expect(await stores[0].previewSearch(searches[at]!, filter as never, { max: 10, shown: 1 })).toMatchObject({
      count: listed.length,
      newest: listed.slice(0, 1).map(({ posting: { title } }) => ({ title })),
    });
  }
  expect(await matchesOf(alerts[1]!.id)).toEqual(['Registered Nurse']);
  await expect(alert({ q: 'the of' })).rejects.toMatchObject({ errors: [{ pointer: '/search/q' }] });
});

test('postings from before, paused alerts: nothing', async () => {
  await subscribe('*');
  // As before the migration, and then through the part of it that is about them.
  await pool.query('alter table postings drop column is_new');
  await save(pool, one({ source: 'indeed', external_id: 'old' }));
  const migration = await readFile(new URL('../../../src/store/migrations/009-alerts.sql', import.meta.url), 'utf8');
  await pool.query(migration.slice(0, migration.indexOf('create table')));
  const paused = await alert({}, { active: false });
  await process();
  expect(await told('postings.new')).toEqual([]);
  await save(pool, one({ source: 'indeed', external_id: 'new', title: 'Cook' }));
  await process();
  await stores[0].updateAlert(paused.id, input({}), { newToken: false });
  await process();
  expect(await told('postings.new')).toEqual([['Cook']]);
  expect(await matchesOf(paused.id)).toEqual([]);
});

test('two loops and a crash in between: each posting once, to everyone', async () => {
  await subscribe('*');
  const alerts = [await alert({}), await alert({ q: 'cook' }, { webhookUrl: 'https://example.org/hook' })];
  const count = 700;
  await save(
    pool,
    ...Array.from({ length: count }, (_, n) => one({ source: 'indeed', external_id: `${n}`, title: `Cook ${n}` })),
  );
  while ((await regroup()).looked > 0);
  // The first batch dies when everything is written but the commit: the last statement fails.
  await pool.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$;
    create trigger crash before insert on deliveries for each row when (new.url is not null) execute function fail()`);
  await expect(announce()).rejects.toThrow('crash');
  await pool.query('drop trigger crash on deliveries; drop function fail');
  await Promise.all([announce(stores[0]), announce(stores[1]), announce(stores[0])]);
  await announce();
  const titles = Array.from({ length: count }, (_, n) => `Cook ${n}`).sort();
  for (const { id } of alerts) expect((await matchesOf(id)).sort()).toEqual(titles);
  expect((await told('postings.new')).flat().sort()).toEqual(titles);
  // To the webhook that takes everything once for each alert, and to the address of the second.
  expect((await told('alert.matched')).flat().sort()).toEqual([...titles, ...titles, ...titles].sort());
  const { rows } = await pool.query<{ most: number }>('select max(length(body)) as most from deliveries');
  expect(rows[0]!.most).toBeLessThan(20_000);
});

test('a file has each match once, after a crash with half a line, and after it was taken away', async () => {
  const path = join(folder, 'cooks.ndjson');
  const failures: string[] = [];
  const writers = new Map(
    stores.map((store) => [
      store,
      createAlertFiles({ store, folder, maxBytes: 1e9, onWritten: () => {}, onFailed: (file) => failures.push(file) }),
    ]),
  );
  const write = (store: Store) => writers.get(store)!(signal);
  const linesIn = async (file: string) =>
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).title as string);
  const { id } = await alert({ q: 'cook' }, { file: 'cooks.ndjson' });
  // In the way of another file: that one fails, and is said to once by each.
  await alert({}, { file: 'sub.ndjson' });
  await mkdir(join(folder, 'sub.ndjson'));
  await save(
    pool,
    one({ source: 'indeed', external_id: '1', title: 'Cook \u2028\n"1"' }),
    one({ source: 'indeed', external_id: '2', title: 'Cook 2' }),
  );
  await process();
  await write(stores[0]);
  const before = await linesIn(path);
  expect(before).toHaveLength(2);
  // Died after writing, before the store knew; and in the middle of a line.
  await pool.query('update alerts set file_seq = 0');
  await appendFile(path, '{"match":99999,"announced_at":"2026');
  await save(pool, one({ source: 'indeed', external_id: '3', title: 'Cook 3' }));
  await process();
  await Promise.all([write(stores[0]), write(stores[1])]);
  expect(await linesIn(path)).toEqual([...before, 'Cook 3']);
  await rename(path, join(folder, 'taken'));
  await save(pool, one({ source: 'indeed', external_id: '4', title: 'Cook 4' }));
  await process();
  await write(stores[1]);
  expect(await linesIn(path)).toEqual(['Cook 4']);
  expect(await matchesOf(id)).toHaveLength(4);
  await expect(alert({}, { file: 'Cooks.ndjson' })).rejects.toMatchObject({ errors: [{ pointer: '/file' }] });
  // Another folder, as on another machine, has none of it.
  const other = await mkdtemp(join(folder, 'other-'));
  await createAlertFiles({ store: stores[1], folder: other, maxBytes: 1e9, onWritten: () => {}, onFailed: () => {} })(
    signal,
  );
  await expect(readFile(join(other, 'cooks.ndjson'))).rejects.toThrow('ENOENT');
  expect(failures).toEqual(['sub.ndjson', 'sub.ndjson']);
});

describe('through HTTP', () => {
  const KEY = 'a-long-enough-key';
  let world: ApiWorld;
  beforeAll(async () => {
    world = await startApiWorld({ databaseUrl: database.url, isWithWorker: false, apiKeys: [KEY], maxAlerts: 3 });
  });
  afterAll(() => world?.stop());
  const call = (method: string, path: string, body?: unknown) => world.call(method, path, body, { 'x-api-key': KEY });
  const pointersOf = async (method: string, path: string, body: unknown) => {
    const { status, body: problem } = await call(method, path, body);
    expect(status).toBe(422);
    return (problem.errors as { pointer: string }[]).map(({ pointer }) => pointer);
  };

  test('an alert is made, looked at, changed and deleted', async () => {
    const made = await call('POST', '/alerts', { name: ' Cooks ', search: { q: 'cook', posted_after: '2026-01-01' } });
    expect(made.status).toBe(201);
    const path = made.headers.get('location')!;
    expect(made.body).toMatchObject({
      name: 'Cooks',
      active: true,
      file: null,
      webhook_url: null,
      last_matched_at: null,
    });
    expect(made.body.search).toEqual({ q: 'cook', posted_after: '2026-01-01T00:00:00.000Z' });
    await save(pool, ...['1', '2', '3'].map((id) => one({ source: 'indeed', external_id: id, title: `Cook ${id}` })));
    expect((await call('POST', '/postings/process')).body.data).toEqual({ grouped: 3, announced: 3, matches: 3 });
    const { body: first } = await call('GET', `${path}/matches?limit=2`);
    const { body: rest } = await call('GET', `${path}/matches?limit=2&cursor=${first.next_cursor}`);
    const titles = [...first.matches, ...rest.matches].map(
      ({ posting }: { posting: { title: string } }) => posting.title,
    );
    expect([titles.sort(), rest.next_cursor]).toEqual([['Cook 1', 'Cook 2', 'Cook 3'], null]);
    const shown = (await call('GET', path)).body;
    expect(shown).toMatchObject({ matches: 3, latest: [{}, {}, {}], last_matched_at: expect.any(String) });
    const paused = (await call('PATCH', path, { active: false, new_feed_token: true })).body;
    expect(paused).toMatchObject({ active: false, name: 'Cooks', search: shown.search });
    expect(paused.feed_url).not.toBe(shown.feed_url);
    expect((await call('GET', '/alerts')).body).toMatchObject({ total: 1, alerts: [{ id: shown.id }] });
    const previewed = await call('POST', '/alerts/preview', { search: { q: 'cook', location: 'austin' } });
    expect(previewed.body).toMatchObject({ matching: 3, has_more: false, newest: [{}, {}, {}] });
    expect((await call('DELETE', path)).status).toBe(200);
    for (const gone of [path, `${path}/matches`]) expect((await call('GET', gone)).status).toBe(404);
  });

  test('what is wrong with an alert is named', async () => {
    const good = { name: 'x', search: {} };
    expect(await pointersOf('POST', '/alerts', { search: {} })).toEqual(['/name']);
    expect(await pointersOf('POST', '/alerts', { ...good, name: '  ' })).toEqual(['/name']);
    expect(await pointersOf('POST', '/alerts', { ...good, search: { source: 'indeeed' } })).toEqual(['/search/source']);
    expect(await pointersOf('POST', '/alerts', { ...good, search: { title: 'x' } })).toEqual(['/search/title']);
    expect(await pointersOf('POST', '/alerts', { ...good, search: { q: 'the', posted_after: 'now' } })).toEqual([
      '/search/posted_after',
    ]);
    expect(await pointersOf('POST', '/alerts', { ...good, search: { q: 'the' } })).toEqual(['/search/q']);
    expect(await pointersOf('POST', '/alerts/preview', { search: { company: '!!' } })).toEqual(['/search/company']);
    for (const file of [
      '../x.ndjson',
      '/etc/x.ndjson',
      'a/b.ndjson',
      '.x.ndjson',
      'x.sh',
      'x\u0000.ndjson',
      `${'x'.repeat(90)}.ndjson`,
    ])
      expect(await pointersOf('POST', '/alerts', { ...good, file }), file).toEqual(['/file']);
    const inner = { ...good, webhook_url: 'http://169.254.169.254/latest' };
    expect(await pointersOf('POST', '/alerts', inner)).toEqual(['/webhook_url']);
    for (const file of [null, 'x.ndjson', 'x.csv'])
      expect((await call('POST', '/alerts', { ...good, file })).status).toBe(201);
    expect((await call('POST', '/alerts', good)).body.detail).toContain('ALERTS_MAX');
    expect((await call('GET', '/alerts/alr_x')).status).toBe(404);
  });

  test('the feed is read with its token and nothing else, and costs nothing while nothing is new', async () => {
    const { body } = await call('POST', '/alerts', { name: 'A <b>', search: {} });
    const feedPath = (body.feed_url as string).slice(world.url.length);
    const read = (path: string, headers: Record<string, string> = {}) => world.call('GET', path, undefined, headers);
    await save(pool, one({ source: 'indeed', external_id: '1', title: '</title><script>x</script>' }));
    await process();
    const atom = await read(feedPath);
    expect([atom.status, atom.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(parseAtomFeed(atom.text)).toMatchObject({
      title: { value: 'A <b>' },
      entries: [{ title: { value: '</title><script>x</script> – Acme Inc.' } }],
    });
    expect((await read(feedPath, { 'if-none-match': atom.headers.get('etag')! })).status).toBe(304);
    expect(parseRssFeed((await read(`${feedPath}&format=rss`)).text).items).toHaveLength(1);
    await save(pool, one({ source: 'indeed', external_id: '2', title: 'Cook' }));
    await process();
    expect((await read(feedPath, { 'if-none-match': atom.headers.get('etag')! })).status).toBe(200);
    for (const path of [feedPath.replace(/token=.*/, ''), `${feedPath}x`, feedPath.replace(/token=../, 'token=__')])
      expect((await read(path)).status).toBe(401);
    expect((await call('GET', feedPath.replace(/token=.*/, ''))).status).toBe(401);
    expect(JSON.stringify(world.lines)).not.toContain(feedPath.split('token=')[1]);
  });
});
