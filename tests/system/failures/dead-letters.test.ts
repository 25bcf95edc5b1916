// The workbench of dead letters: groups by cause, attempts, dry runs, edits, and retries in steps that neither lose a letter nor retry one twice.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freshDatabase } from '../../support/own-servers.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let client: pg.Client;
let world: ApiWorld;

beforeAll(async () => {
  database = await freshDatabase();
  world = await startApiWorld({ databaseUrl: database.url });
  client = new pg.Client({ connectionString: database.url, options: '-c search_path=windrow,public' });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await world?.stop();
  await database?.drop();
});
beforeEach(async () => {
  await client.query('delete from dead_letters');
});

const count = async (text: string): Promise<number> =>
  (await client.query<{ n: number }>(`select count(*)::int as n from ${text}`)).rows[0]!.n;

/** Letters of tasks that never ran, as many as there may be. */
const insertLetters = (many: number, source: string, code: string) =>
  client.query(
    `with made as (
       insert into tasks (id, key, source, lane, run_seq, message)
       select gen_random_uuid(), gen_random_uuid(), $2, 'http', 0, json_build_object('params', json_build_object('url', 'https://example.com/gone/' || $3 || n),
         'priority', 5, 'max_retries', 0, 'timeout', 60, 'run_id', 'job_000000000000')
       from generate_series(1, $1::int) n returning id
     ), ended as (
       insert into outcomes (task_id, state, attempts, error)
       select id, 'failed', 1, json_build_object('category', 'not_found', 'code', $3::text, 'message', 'gone', 'retryable', false) from made
     )
     insert into dead_letters (task_id, source, category, code, died_at)
     select id, $2, 'not_found', $3, now() - interval '1 hour' from made`,
    [many, source, code],
  );

test('dead letters are grouped by source and cause, with their number, first and last time and a sample', async () => {
  await world.ended(await world.submit(['/gone/g1', '/gone/g2']));
  await insertLetters(5, 'indeed', 'layout_changed');
  const { body } = await world.call('GET', '/dead-letters/groups');
  expect(body.total).toBe(7);
  expect(body.groups).toMatchObject([
    { source: 'indeed', code: 'layout_changed', count: 5, sample: { tried: [{ error: { code: 'layout_changed' } }] } },
    {
      source: 'article',
      category: 'not_found',
      code: 'not_found',
      count: 2,
      sample: {
        params: { url: expect.stringContaining('/gone/g') },
        tried: [{ attempt: 1, worker: 'w1', error: { code: 'not_found', message: '404 Not Found' } }],
      },
    },
  ]);
  const [, articles] = body.groups;
  expect(Date.parse(articles.first_died_at)).toBeLessThanOrEqual(Date.parse(articles.last_died_at));
  const tried = articles.sample.tried[0];
  expect(Date.parse(tried.started_at)).toBeLessThanOrEqual(Date.parse(tried.ended_at));
  const one = await world.call('GET', '/dead-letters/groups?source=indeed');
  expect(one.body).toMatchObject({ total: 5, groups: [{ source: 'indeed' }] });
  await client.query(`delete from dead_letters where source = 'indeed'`);
  await world.store.foldDeadLetterCounts();
  expect((await world.call('GET', '/dead-letters/groups')).body).toMatchObject({ total: 2, groups: [{ count: 2 }] });
  expect(await count('dead_letter_counts')).toBe(1);
});

test('every attempt of a task is kept with its times and error', async () => {
  world.site.isThrottling = true;
  const job = await world.submit(['/throttled/a1']);
  try {
    await world.ended(job);
  } finally {
    world.site.isThrottling = false;
  }
  const { body } = await world.call('GET', `/dead-letters?run_id=${job}`);
  expect(body.dead_letters).toHaveLength(1);
  const { body: letter } = await world.call('GET', `/dead-letters/${body.dead_letters[0].task_id}`);
  expect(letter.tried.length).toBeGreaterThan(1);
  letter.tried.forEach((one: object, index: number) => {
    const error = { category: 'rate_limited', code: 'rate_limited', message: '429 Too Many Requests' };
    expect(one).toMatchObject({ attempt: index + 1, worker: 'w1', error });
  });
});

test('a dry run says how many and which, and changes nothing', async () => {
  await insertLetters(3, 'article', 'not_found');
  await insertLetters(2, 'article', 'timeout');
  const dry = await world.call('POST', '/dead-letters/retry', { code: 'timeout', dry_run: true });
  expect(dry).toMatchObject({ status: 200, body: { dry_run: true, matching: 2 } });
  expect(dry.body.task_ids).toHaveLength(2);
  expect((await world.call('POST', '/dead-letters/retry?dry_run=1', { all: true })).body.matching).toBe(5);
  const byAge = { died_before: new Date(Date.now() - 60_000).toISOString(), dry_run: true };
  expect((await world.call('POST', '/dead-letters/retry', byAge)).body.matching).toBe(5);
  expect((await world.call('POST', '/dead-letters/retry', { ...byAge, died_before: '2020-01-01' })).body.matching).toBe(
    0,
  );
  expect((await world.call('DELETE', '/dead-letters?code=not_found&dry_run=1')).body).toMatchObject({ matching: 3 });
  const [id] = dry.body.task_ids;
  expect((await world.call('POST', `/dead-letters/${id}/retry?dry_run=1`)).body).toMatchObject({ task_ids: [id] });
  expect(await count('dead_letters')).toBe(5);
});

test('a letter is retried with edited input, which the source checks, and the input before stays visible', async () => {
  const job = await world.submit(['/gone/e1']);
  await world.ended(job);
  const [letter] = (await world.call('GET', `/dead-letters?run_id=${job}`)).body.dead_letters;
  const path = `/dead-letters/${letter.task_id}/retry`;
  const refused = await world.call('POST', path, { params: { url: 5 } });
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/params/url' }] } });
  const again = await world.call('POST', path, { params: { url: 'https://example.com/gone/e2' } });
  expect(again).toMatchObject({ status: 202, body: { retried: 1 } });
  expect((await world.ended(again.body.job_id)).status).toBe('FAILED');
  const [dead] = (await world.call('GET', `/dead-letters?run_id=${again.body.job_id}`)).body.dead_letters;
  expect((await world.call('GET', `/dead-letters/${dead.task_id}`)).body).toMatchObject({
    params: { url: 'https://example.com/gone/e2' },
    edited_from: { url: 'https://example.com/gone/e1' },
  });
  const good = await world.call('POST', `/dead-letters/${dead.task_id}/retry`, {
    params: { url: 'https://example.com/e3' },
  });
  expect((await world.ended(good.body.job_id)).status).toBe('COMPLETED');
  const { body } = await world.call('GET', `/jobs/${good.body.job_id}/results`);
  expect(body.results).toMatchObject([{ url: 'https://example.com/e3' }]);
});

test('of many requests for the same letters at the same time each letter is retried by one', async () => {
  await insertLetters(200, 'article', 'not_found');
  const before = await count('tasks');
  // What fails again meanwhile is a new letter, and not meant.
  const body = { code: 'not_found', died_before: new Date(Date.now() - 60_000).toISOString() };
  const replies = await Promise.all(Array.from({ length: 8 }, () => world.call('POST', '/dead-letters/retry', body)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202, 404]));
  const retried = replies.reduce((sum, reply) => sum + (reply.body.retried ?? 0), 0);
  for (const reply of replies) if (reply.status === 202) await world.ended(reply.body.job_id);
  // None was retried by two, and none is lost.
  expect({ retried, tasks: (await count('tasks')) - before, letters: await count('dead_letters') }).toEqual({
    retried: 200,
    tasks: 200,
    letters: 200,
  });
});

test('a crash while letters are queued again leaves every one of them where it was', async () => {
  await insertLetters(20, 'article', 'not_found');
  const tasks = await count('tasks');
  await client.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$;
    create trigger crash before delete on dead_letters for each statement execute function fail()`);
  try {
    expect((await world.call('POST', '/dead-letters/retry', { all: true })).status).toBe(500);
  } finally {
    await client.query('drop function fail cascade');
  }
  expect({ letters: await count('dead_letters'), tasks: await count('tasks') }).toEqual({ letters: 20, tasks });
});

test('a large group is retried in steps, and what fails again meanwhile is not taken once more', async () => {
  await insertLetters(2_300, 'article', 'not_found');
  const steps: number[] = [];
  for (let body: Record<string, unknown> = { code: 'not_found' }, hasMore = true; hasMore; ) {
    const step = await world.call('POST', '/dead-letters/retry', body);
    expect(step.status).toBe(202);
    steps.push(step.body.retried);
    // All of them are dead again before the next step.
    await world.ended(step.body.job_id);
    hasMore = step.body.has_more;
    if (hasMore) body = { ...body, died_before: step.body.died_before };
  }
  expect(steps).toEqual([1_000, 1_000, 300]);
  expect(await count('dead_letters')).toBe(2_300);
  for (let hasMore = true; hasMore; )
    hasMore = (await world.call('DELETE', '/dead-letters?source=article')).body.has_more;
  expect(await count('dead_letters')).toBe(0);
});
