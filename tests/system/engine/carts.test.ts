// Carts through HTTP on the whole engine. The sandbox's log of hits says what was really asked of the shop.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { offersOf } from '../../../src/sandbox/shopping/catalogue.ts';
import { type CartUpdate, pollResults, submitCart } from '../../support/seed-polling-client.js';
import { type CartWorld, openCartWorld } from '../../support/worlds/cart-world.ts';

/** Milliseconds; a limit, not a wait. */
const SOON = 60_000;

let world: CartWorld;
beforeAll(async () => {
  world = await openCartWorld();
});
afterAll(async () => {
  await world?.close();
});
beforeEach(() => world.hold());

const FIELDS =
  'currency delivery image link old_price price price_text product_id rating reviews same_as scraped_at seller title unit unit_price zipcode';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the shop has, as the catalogue says and not as the page was read. */
const titlesOf = (item: string, zip: string) =>
  offersOf(item, { seed: 0, nowMs: Date.now(), zip }).map((offer) => offer.title);

test('a cart is answered at once, waits, and ends with the products of each item near the ZIP', async () => {
  const submitted = await world.call('POST', '/cart', { items: ['milk', ' held eggs '], zipcode: '10001-1234' });
  expect(submitted.status).toBe(202);
  expect(submitted.body).toMatchObject({ status: 'queued', reused: [] });
  expect(submitted.body.job_id).toMatch(UUID);
  expect(submitted.headers.get('location')).toBe(`/results/${submitted.body.job_id}`);
  expect(Number.isInteger(submitted.body.estimated_time) && submitted.body.estimated_time > 0).toBe(true);
  expect(submitted.body.estimated_time_p90).toBeGreaterThanOrEqual(submitted.body.estimated_time);
  expect(submitted.body.queue_position).toBe(0);

  const partial = await world.until(submitted.body.job_id, ({ status }) => status === 'processing');
  expect(partial.body).toMatchObject({ progress: '1/2 items completed' });
  expect(Object.keys(partial.body.results)).toEqual(['milk']);
  expect(Number(partial.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);

  world.letGo();
  const done = await world.done(submitted.body.job_id);
  expect(done.body.status).toBe('complete');
  expect(done.body.errors).toBeUndefined();
  expect(Object.keys(done.body.results).sort()).toEqual(['held eggs', 'milk']);
  expect(new Date(done.body.expires_at).getTime() - Date.now()).toBeGreaterThan(3_500_000);
  expect(done.headers.get('retry-after')).toBe('0');
  const known = titlesOf('milk', '10001');
  const found = done.body.results.milk as Record<string, unknown>[];
  expect(found).toHaveLength(Math.min(20, known.length));
  for (const product of found) {
    expect(Object.keys(product).sort().join(' ')).toBe(FIELDS);
    expect(product).toMatchObject({ zipcode: '10001', currency: 'USD', price: expect.any(Number) });
    expect(known).toContain(product.title);
  }
});

test('a cart behind others is told how many, and what it waits for', async () => {
  const first = await world.submit(['held one', 'held two'], '10002');
  const second = await world.submit(['held three'], '10002');
  const waiting = await world.until(
    second,
    ({ status, queue_position }) => status === 'queued' && queue_position === 1,
  );
  expect(Object.keys(waiting.body).sort()).toEqual([
    'estimated_time',
    'estimated_time_p90',
    'queue_position',
    'status',
    'waiting',
  ]);
  expect(['queue', 'slots_full', 'pace']).toContain(waiting.body.waiting.reason);
  world.letGo();
  await Promise.all([world.done(first), world.done(second)]);
});

test('of carts that come in one moment each is told of those before it', async () => {
  await using crowd = await openCartWorld();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => crowd.call('POST', '/cart', { items: [`held ${n}`], zipcode: '10019' })),
  );
  const positions = answers.map(({ body }) => body.queue_position);
  expect(Math.max(...positions)).toBeGreaterThanOrEqual(39);
  expect(new Set(positions).size).toBeGreaterThan(30);
});

test('of a crowd that comes while others wait nobody is counted twice', async () => {
  await using crowd = await openCartWorld();
  let carts = 0;
  // Again and again, so that some come while the board is being read.
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        crowd.call('POST', '/cart', { items: [`held ${round} ${n}`], zipcode: '10019' }),
      ),
    );
    carts += answers.length;
    expect(Math.max(...answers.map(({ body }) => body.queue_position))).toBeLessThan(carts);
    await sleep(600);
  }
});

test('everyone of a crowd can ask at once, and is told of the queue until there is something', async () => {
  await using crowd = await openCartWorld();
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, n) => crowd.call('POST', '/cart', { items: [`thing ${n}`], zipcode: '10020' })),
  );
  const polled = await Promise.all(answers.map(({ body }) => crowd.call('GET', `/results/${body.job_id}`)));
  expect(new Set(polled.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { body } of answers) expect((await crowd.done(body.job_id)).body.status).toBe('complete');
});

test('what is not there is never unchanged', async () => {
  const path = '/results/7b0c8f0e-6a55-4f7e-9b0f-0d3c8f6f2b1a';
  const tag = (await world.call('GET', path)).headers.get('etag')!;
  const again = await world.call('GET', path, undefined, { 'if-none-match': tag });
  expect([again.status, again.body?.status]).toEqual([404, 'not_found']);
});

test('bad carts are refused with what is wrong', async () => {
  const bad: [unknown, string][] = [
    [{ items: [], zipcode: '10001' }, '/items'],
    [{ items: ['  '], zipcode: '10001' }, '/items/0'],
    [{ items: [''], zipcode: '10001' }, '/items/0'],
    [{ items: Array.from({ length: 101 }, () => 'milk'), zipcode: '10001' }, '/items'],
    [{ items: ['milk'], zipcode: '1000' }, '/zipcode'],
    [{ items: ['milk'], zipcode: 10001 }, '/zipcode'],
    [{ items: ['milk'] }, '/zipcode'],
    [{ items: ['milk'], zipcode: '10001', max_products_per_item: 51 }, '/max_products_per_item'],
    [{ items: ['milk'], zipcode: '10001', max_products_per_item: 0 }, '/max_products_per_item'],
  ];
  for (const [body, pointer] of bad) {
    const answer = await world.call('POST', '/cart', body);
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_params']);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    // In words, each thing once: nobody has to read a regular expression.
    expect(answer.text).not.toContain('does not match the pattern');
  }
});

test('as many products as were asked for, from the same search', async () => {
  const few = await world.done(await world.submit(['flour'], '10003', { max_products_per_item: 2 }));
  expect(few.body.results.flour).toHaveLength(2);
  const more = await world.done(await world.submit(['flour'], '10003', { max_products_per_item: 6 }));
  expect(more.body.results.flour).toHaveLength(6);
  expect(world.hits('flour')).toBe(1);
});

test('carts that want the same at the same time share one search, and each gets all of it', async () => {
  const carts = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      world.submit([n % 2 ? 'held Rice' : '  HELD  rice ', `salt ${n % 4}`], '10004'),
    ),
  );
  await vi.waitFor(() => expect(world.hits('held rice')).toBe(1), SOON);
  const late = await world.submit(['held rice'], '10004');
  world.letGo();
  const answers = await Promise.all([...carts, late].map((id) => world.done(id)));
  const found = answers.map(({ body }) => JSON.stringify(Object.values(body.results)[0]));
  expect(new Set(found).size).toBe(1);
  expect(answers.every(({ body }) => body.status === 'complete')).toBe(true);
  expect(world.hits('held rice')).toBe(1);
  for (let n = 0; n < 4; n++) expect(world.hits(`salt ${n}`)).toBe(1);
});

test('another ZIP is another search', async () => {
  await world.done(await world.submit(['sugar'], '10005'));
  const elsewhere = await world.done(await world.submit(['sugar'], '94103'));
  expect(elsewhere.body.results.sugar[0].zipcode).toBe('94103');
  expect(world.hits('sugar')).toBe(2);
});

test('what was searched lately is reused and the reply says how old it is; what is older is searched again', async () => {
  await world.done(await world.submit(['butter'], '10006'));
  await world.sql(`update windrow.cart_search_results set scraped_at = scraped_at - interval '90 seconds'
    where products->0->'locality'->>'requested' = '10006'`);
  const reuse = await world.call('POST', '/cart', { items: ['Butter'], zipcode: '10006' });
  expect(reuse.body).toMatchObject({ status: 'complete', estimated_time: 0, queue_position: 0 });
  expect(reuse.body.reused).toEqual([{ item: 'Butter', age_seconds: expect.any(Number) }]);
  expect(reuse.body.reused[0].age_seconds).toBeGreaterThanOrEqual(90);
  expect(reuse.body.reused[0].age_seconds).toBeLessThan(600);
  expect((await world.call('GET', `/results/${reuse.body.job_id}`)).body.results.Butter.length).toBeGreaterThan(0);
  expect(world.hits('butter')).toBe(1);

  await world.sql(`update windrow.cart_search_results set scraped_at = scraped_at - interval '900 seconds'
    where products->0->'locality'->>'requested' = '10006'`);
  const again = await world.call('POST', '/cart', { items: ['butter'], zipcode: '10006' });
  expect(again.body).toMatchObject({ status: 'queued', reused: [] });
  await world.done(again.body.job_id);
  expect(world.hits('butter')).toBe(2);
});

test('an item that fails is an error beside what was found; a cart of which all failed has failed', async () => {
  const some = await world.done(await world.submit(['honey', 'gone jam'], '10007'));
  expect(some.body).toMatchObject({ status: 'complete', errors: { 'gone jam': expect.stringMatching(/\S/) } });
  expect(Object.keys(some.body.results)).toEqual(['honey']);
  const doubted = await world.done(await world.submit(['honey', 'doubted bread'], '10007'));
  expect(doubted.body.errors).toEqual({ 'doubted bread': 'blocked: captcha' });
  const all = await world.done(await world.submit(['gone jam', 'gone tea'], '10008'));
  expect(all.status).toBe(200);
  expect(all.body).toMatchObject({ status: 'failed', error: expect.stringContaining('gone tea') });
  expect(all.body.results).toBeUndefined();
});

test('an item that nobody sells is an empty list, is reused as one, and a list found earlier does not answer for it', async () => {
  const nothing = await world.done(await world.submit(['nothing of that name'], '10009'));
  expect(nothing.body).toMatchObject({ status: 'complete', results: { 'nothing of that name': [] } });
  const reused = await world.call('POST', '/cart', { items: ['nothing of that name'], zipcode: '10009' });
  expect(reused.body).toMatchObject({ status: 'complete', reused: [{ item: 'nothing of that name' }] });
  await world.done(await world.submit(['vinegar'], '10009'));
  await world.sql(`update windrow.cart_search_results set task_id = gen_random_uuid(), scraped_at = now() - interval '20 minutes',
    products = (select products from windrow.cart_search_results where key = (select key from windrow.tasks where message->'params'->>'item' = 'vinegar'))
    where key = (select key from windrow.tasks where message->'params'->>'item' = 'nothing of that name')`);
  const again = await world.done(await world.submit(['nothing of that name'], '10009'));
  expect(again.body.results).toEqual({ 'nothing of that name': [] });
});

test('items may be called anything', async () => {
  const odd = await world.done(await world.submit(['__proto__', 'constructor', '<b>"x"</b>', '牛乳'], '10010'));
  expect(odd.body.status).toBe('complete');
  expect(odd.text).toContain('"__proto__":[');
  expect(Object.keys(odd.body.results)).toEqual(expect.arrayContaining(['constructor', '<b>"x"</b>', '牛乳']));
});

test('an unknown cart, and one whose hour is over, are not found', async () => {
  for (const id of ['7b0c8f0e-6a55-4f7e-9b0f-0d3c8f6f2b1a', 'abc', 'job_000000000000', "' or 1=1 --"]) {
    const answer = await world.call('GET', `/results/${encodeURIComponent(id)}`);
    expect([answer.status, answer.body]).toEqual([
      404,
      { status: 'not_found', message: 'Job ID not found or expired' },
    ]);
  }
  const id = await world.submit(['oats'], '10011');
  expect((await world.done(id)).body.status).toBe('complete');
  await world.sql(`update windrow.runs set finished_at = finished_at - interval '59 minutes' where id = $1`, [id]);
  await sleep(1_100);
  expect((await world.call('GET', `/results/${id}`)).status).toBe(200);
  await world.sql(`update windrow.runs set finished_at = finished_at - interval '2 minutes' where id = $1`, [id]);
  await world.until(id, ({ status }) => status === 'not_found');
  expect((await world.call('GET', `/results/${id}`)).status).toBe(404);

  const options = { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, cartSeconds: 3_600 };
  expect(await world.store.trim({ ...options, batch: 1_000 })).toMatchObject({ carts: 1, tasks: 1 });
  expect(await world.sql('select 1 from windrow.runs where id = $1', [id])).toEqual([]);
  // Prices are history and stay.
  const history = await world.call('GET', '/analytics/prices?zipcode=10011&q=oats');
  expect(history.body.rows[0]).toMatchObject({ currency: 'USD' });
  expect(history.body.rows[0].prices).toBeGreaterThan(5);
});

test('a poll with the last ETag is 304 until something changes', async () => {
  const id = await world.submit(['held figs', 'dates'], '10012');
  const partial = await world.until(id, ({ status }) => status === 'processing');
  const tag = partial.headers.get('etag')!;
  for (const seen of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const same = await world.call('GET', `/results/${id}`, undefined, { 'if-none-match': seen });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', tag]);
    expect(same.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  world.letGo();
  await world.done(id);
  const changed = await world.call('GET', `/results/${id}`, undefined, { 'if-none-match': tag });
  expect([changed.status, changed.body.status]).toEqual([200, 'complete']);
});

test('a long poll is held until another item is done, or its time is over', async () => {
  const id = await world.submit(['held plums', 'pears'], '10013');
  const partial = await world.until(id, ({ status }) => status === 'processing');
  const began = performance.now();
  const nothing = await world.call('GET', `/results/${id}?wait=1`, undefined, {
    'if-none-match': partial.headers.get('etag')!,
  });
  expect(nothing.status).toBe(304);
  expect(performance.now() - began).toBeGreaterThan(950);
  const waiting = world.call('GET', `/results/${id}?wait=20`);
  await sleep(700);
  world.letGo();
  const letGoAt = performance.now();
  expect((await waiting).body.status).toBe('complete');
  expect(performance.now() - letGoAt).toBeLessThan(15_000);
  expect((await world.call('GET', `/results/${id}?wait=31`)).status).toBe(422);
});

test('a cart of 100 items does not delay a cart of 3 that comes after it, not even one that wants the last of them', async () => {
  await using busy = await openCartWorld({ slots: 1, answerMs: 25 });
  const large = await busy.submit(
    Array.from({ length: 100 }, (_, n) => `thing ${n}`),
    '10017',
  );
  await busy.until(large, ({ status }) => status === 'processing');
  const small = await busy.submit(['small one', 'small two', 'thing 99'], '10017');
  const asked = () =>
    busy.sandbox.log('www.google.com').map(({ path }) => new URL(path, 'http://x').searchParams.get('q')!);
  const before = asked().length;
  expect((await busy.done(small)).body.status).toBe('complete');
  // By the order in which the shop was asked: how long this machine takes to look says nothing.
  const last = Math.max(
    ...['small one', 'small two', 'thing 99'].map((item) => asked().findIndex((q) => q.startsWith(item))),
  );
  expect(last).toBeGreaterThan(0);
  expect(last - before).toBeLessThan(40);
  expect((await busy.done(large)).body.status).toBe('complete');
  expect(busy.hits('thing 99')).toBe(1);
});

test('the same Idempotency-Key is the same cart', async () => {
  const send = (items: string[]) =>
    world.call('POST', '/cart', { items, zipcode: '10014' }, { 'idempotency-key': 'cart-1' });
  const [first, second] = await Promise.all([send(['held nuts']), send(['held nuts'])]);
  expect(second.body.job_id).toBe(first.body.job_id);
  const headers = [first, second].map((answer) => answer.headers.get('idempotent-replay'));
  expect(headers.sort()).toEqual([null, 'true'].sort());
  const other = await send(['other nuts']);
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
  world.letGo();
  await world.done(first.body.job_id);
  expect((await send(['held nuts'])).body).toMatchObject({ job_id: first.body.job_id, status: 'complete' });
});

test('the polling client of the first description works unchanged', async () => {
  const realFetch = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => realFetch(new URL(path, world.url), init));
  try {
    const updates: CartUpdate[] = [];
    const ended = (count: number) =>
      vi.waitFor(() => expect(updates.filter(({ status }) => status !== 'processing')).toHaveLength(count), SOON);
    pollResults(await submitCart(['milk', 'held bread'], '10015'), (update) => updates.push(update));
    await vi.waitFor(() => expect(updates).not.toHaveLength(0), SOON);
    world.letGo();
    await ended(1);
    expect(updates.map(({ status }) => status)).toEqual(expect.arrayContaining(['processing', 'complete']));
    expect(Object.keys(updates.at(-1)!.results!).sort()).toEqual(['held bread', 'milk']);
    pollResults(await submitCart(['gone bread'], '10015'), (update) => updates.push(update));
    await ended(2);
    expect(updates.at(-1)).toMatchObject({ status: 'error', error: expect.stringContaining('gone bread') });
  } finally {
    vi.unstubAllGlobals();
  }
});

test('while the shop is paused there is a reason and no time; when it goes on there is a time again', async () => {
  await using held = await openCartWorld({ api: { cartSearchesPerSecond: 0.1, cartSource: 'google-shopping' } });
  await held.store.pauseSource('google-shopping', 'closed for stocktaking', 'key 1f0c');
  const id = await held.submit(
    Array.from({ length: 30 }, (_, n) => `thing ${n}`),
    '10018',
  );
  await vi.waitFor(async () => {
    const { body } = await held.call('GET', '/jobs/queue/status');
    expect(body.data.queues['http:medium']).toMatchObject({ waiting: 0, active: 0, paused: 30 });
  }, SOON);
  const { body } = await held.until(id, ({ waiting }) => waiting !== undefined);
  expect(body).toMatchObject({
    status: 'queued',
    estimated_time: null,
    estimated_time_p90: null,
    waiting: {
      reason: 'paused',
      message: expect.stringMatching(/^google-shopping was paused at .* by key 1f0c: closed for stocktaking$/),
    },
  });
  const submitted = await held.call('POST', '/cart', { items: ['thing 99'], zipcode: '10018' });
  expect(submitted.body).toMatchObject({ estimated_time: null, waiting: { reason: 'paused' } });
  await held.store.resumeSource('google-shopping');
  await held.store.unparkSource('google-shopping');
  expect((await held.done(id)).body.status).toBe('complete');
});

test('how right the waiting times were is a metric: by when carts ended, not by when someone looked', async () => {
  await using quiet = await openCartWorld();
  const { body } = await quiet.call('POST', '/cart', { items: ['cocoa'], zipcode: '10016' });
  const isOver = `select 1 from windrow.runs where id = $1 and status = 'completed'`;
  await vi.waitFor(async () => expect(await quiet.sql(isOver, [body.job_id])).toHaveLength(1), SOON);
  const seconds = body.estimated_time * 3;
  await quiet.sql('update windrow.runs set finished_at = created_at + make_interval(secs => $2) where id = $1', [
    body.job_id,
    seconds,
  ]);
  await vi.waitFor(async () => {
    await quiet.call('GET', '/results/7b0c8f0e-6a55-4f7e-9b0f-0d3c8f6f2b1a');
    const text = await quiet.metrics.registry.metrics();
    expect(/windrow_cart_wait_ratio_count (\d+)/.exec(text)?.[1]).toBe('1');
    expect(/windrow_cart_wait_ratio_sum (\S+)/.exec(text)?.[1]).toBe('3');
  }, SOON);
});
