// Webhooks end to end, with real receivers on loopback: W1 W2 W3 W4 W6 W7, X7 X8, D1 and A12 of the fault catalogue (W5, endless answers, is in
// web/visit.test.ts). Retries wait for hours: where a test needs the next one, it makes its time come in the database.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Loop } from '../../src/orchestrator/loop.ts';
import { startWebhooks } from '../../src/orchestrator/webhooks.ts';
import { createWeb, type Webs } from '../../src/web/web.ts';
import { openSql, type Sql } from '../support/invariants.ts';
import { freshDatabase } from '../support/own-servers.ts';
import { serve, type TestServer } from '../support/web-servers.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');

interface Arrived {
  path: string;
  body: string;
  event: { type: string; timestamp: string; data: Record<string, unknown> };
  headers: Record<string, string>;
}

/** A busy machine may take long to answer itself, and what is not answered in time is sent again: short only where that is the point. */
const TIMEOUT_MS = 10_000;
const SHORT_TIMEOUT_MS = 400;
const MAX = 12;
const INSTANCE = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
/** What the names of this world mean at the moment. */
const names = new Map<string, string>();
let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
let webs: Webs;
let webhooks: Loop;
let sql: Sql;
let closeSql: () => Promise<void>;
let site: TestServer;
let arrived: Arrived[] = [];
/** Path → what to answer; 200 unless said. 0: nothing, ever. */
let answers: Record<string, { status: number; headers?: Record<string, string> }> = {};

function startLoops(timeoutMs = TIMEOUT_MS): void {
  webhooks = startWebhooks({
    store: world.store,
    send: (request) => webs.deliver(request),
    secret: async () => INSTANCE,
    timeoutMs,
    log: (level, event, fields) => world.lines.push({ level, event, ...fields }),
  });
}

beforeAll(async () => {
  site = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      arrived.push({ path: request.url!, body, headers, event: JSON.parse(body || 'null') });
      const { status = 200, headers: more = {} } = answers[request.url!] ?? {};
      if (status === -1) request.socket.resetAndDestroy();
      else if (status !== 0) response.writeHead(status, more).end('thank you');
    });
  });
  webs = createWeb({
    guard: {
      allow: ['127.0.0.1'],
      resolve: async (name) => {
        const address = names.get(name);
        if (!address) throw new Error('unknown');
        return [{ address }];
      },
    },
  });
  const problemOf = (url: string) =>
    webs.checkReceiver(url).then(
      () => null,
      () => 'cannot be sent to',
    );
  database = await freshDatabase();
  const receivers = { problemOf, secret: async () => INSTANCE, max: MAX };
  world = await startApiWorld({ receivers, databaseUrl: database.url });
  ({ sql, close: closeSql } = await openSql(database.url));
});
afterAll(async () => {
  await closeSql?.();
  await world?.stop();
  await webs?.close();
  await site?.[Symbol.asyncDispose]();
  await database?.drop();
});
beforeEach(async () => {
  arrived = [];
  answers = {};
  await sql('truncate windrow.webhooks, windrow.receivers, windrow.deliveries, windrow.source_states');
  startLoops();
});
afterEach(() => webhooks.stop());

async function register(path: string, more: object = {}) {
  const { status, body } = await world.call('POST', '/webhooks', { url: site.origin + path, events: ['*'], ...more });
  expect(status).toBe(201);
  return body as { id: string; secret: string };
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>, limitMs = 20_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}; ${JSON.stringify(arrived)}`);
    webhooks.wake();
    await sleep(20);
  }
}

const at = (path: string) => arrived.filter((one) => one.path === path);
const deliveriesOf = async (id: string) => (await world.call('GET', `/webhooks/${id}/deliveries`)).body.deliveries;
const makeDue = () => sql(`update windrow.deliveries set next_at = now() where state = 'waiting'`);
const rested = () => sql('update windrow.receivers set open_at = null');
const emit = (key: string, to?: { webhookId: string } | { url: string }) =>
  world.store.emit([{ key, type: 'postings.new', data: { n: 1 }, requestId: null, ...(to ? { to } : {}) }]);

test('W3: the end of a run arrives signed, with the request id, once; the secret is shown once and logged never', async () => {
  const hook = await register('/all');
  expect(hook.secret).toMatch(/^whsec_[\w+/]+=*$/);
  const reply = await world.call(
    'POST',
    '/jobs/submit',
    { articles: [{ url: 'https://example.com/w3' }, { url: 'https://example.com/gone/w3' }] },
    { 'x-request-id': 'asked-by-test' },
  );
  await until('it arrives', () => at('/all').length > 0);
  const [{ body, headers, event }] = at('/all') as [Arrived];
  expect(new Webhook(hook.secret).verify(body, headers)).toEqual(event);
  expect(() => new Webhook(INSTANCE).verify(body, headers)).toThrow(/matching signature/);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-request-id': 'asked-by-test' });
  expect(headers['webhook-id']).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(event).toMatchObject({
    type: 'run.completed',
    data: {
      run_id: reply.body.job_id,
      kind: 'article',
      status: 'partial',
      total: 2,
      completed: 1,
      failed: 1,
      request_id: 'asked-by-test',
      path: `/jobs/${reply.body.job_id}/results`,
    },
  });
  const shown = [await world.call('GET', '/webhooks'), await world.call('GET', `/webhooks/${hook.id}`)];
  for (const one of shown) expect(one.text).toContain('whsec_********');
  const outputs = JSON.stringify([shown, world.lines, (await world.call('GET', '/metrics')).text]);
  expect(outputs).not.toContain(hook.secret.slice(6));
  await until('it is logged', () => world.lines.some((line) => line.event === 'webhook.delivered'));
  expect(at('/all')).toHaveLength(1);
  // The metrics keep what they read for two seconds, and they were asked above.
  await until('it is counted', async () =>
    /windrow_webhook_deliveries_total\{outcome="delivered"\} [1-9]/.test((await world.call('GET', '/metrics')).text),
  );
});

test('W3: while a secret is replaced both sign', async () => {
  const hook = await register('/rotated');
  const { body: rotated } = await world.call('POST', `/webhooks/${hook.id}/rotate`, { overlap_hours: 1 });
  expect(rotated.secret).not.toBe(hook.secret);
  expect(rotated.old_secret_until).not.toBeNull();
  expect((await world.call('POST', `/webhooks/${hook.id}/test`)).status).toBe(202);
  await until('it arrives', () => at('/rotated').length === 1);
  await sql(`update windrow.webhooks set old_secret_until = now() - interval '1 second'`);
  await world.call('POST', `/webhooks/${hook.id}/test`);
  await until('the second one too', () => at('/rotated').length === 2);
  const [both, one] = at('/rotated') as [Arrived, Arrived];
  for (const secret of [hook.secret, rotated.secret]) new Webhook(secret).verify(both.body, both.headers);
  expect(one.headers['webhook-signature']!.split(' ')).toHaveLength(1);
  new Webhook(rotated.secret).verify(one.body, one.headers);
});

test('every way a run can end is told, also where everything was there already, and only what was asked for', async () => {
  await register('/failed', { events: ['run.failed'] });
  await register('/others', { events: ['run.completed', 'run.cancelled'] });
  const failed = await world.submit(['/gone/a']);
  const held = await world.submit(['/hold/b']);
  const done = await world.submit(['/c']);
  await world.ended(done);
  const again = await world.submit(['/c']);
  await world.call('DELETE', `/jobs/${held}`);
  await until('all are told', () => at('/failed').length === 1 && at('/others').length === 3);
  const told = arrived.map(({ event }) => `${event.type} ${event.data.run_id}`).sort();
  expect(told).toEqual(
    [`run.failed ${failed}`, `run.cancelled ${held}`, `run.completed ${done}`, `run.completed ${again}`].sort(),
  );
});

test('searches tell what their sites said, carts until when they can be read', async () => {
  await register('/kinds');
  const submit = (kind: string, itemKind: 'posting' | 'product', path: string, options: Record<string, unknown>) =>
    world.store.submit({
      runId: `manual_${randomUUID().replaceAll('-', '')}`,
      kind,
      itemKind,
      trigger: 'manual',
      requestId: null,
      options,
      tasks: [
        {
          id: randomUUID(),
          key: randomUUID(),
          source: 'indeed',
          lane: 'http',
          params: { url: `https://example.com${path}` },
          priority: 5,
          maxRetries: 0,
          timeoutSeconds: 60,
          ref: { site: 'indeed' },
        },
      ],
      maxAgeSeconds: 0,
      idempotency: null,
    });
  await submit('posting', 'posting', '/gone/search', {});
  await submit('cart', 'product', '/cart', { keep_seconds: 3_600 });
  world.wire.wake();
  await until('both arrive', () => at('/kinds').length === 2);
  const told = (kind: string) => at('/kinds').find(({ event }) => event.data.kind === kind)!.event;
  expect(told('posting')).toMatchObject({
    type: 'run.failed',
    data: { status: 'failed', site_name: ['indeed'], jobs_found: 0, message: 'indeed: 404 Not Found' },
  });
  const { finished_at, expires_at } = told('cart').data as Record<string, string>;
  expect(Date.parse(expires_at!) - Date.parse(finished_at!)).toBe(3_600_000);
  expect(await sql('select expires_at from windrow.deliveries where expires_at is not null')).toEqual([
    { expires_at: new Date(expires_at!) },
  ]);
});

test('D1: a result that is delivered ten times ends its run once, in one event', async () => {
  const { report } = world.wire;
  let reports = 0;
  world.wire.report = async (sent) => {
    reports += sent.length;
    await Promise.all(Array.from({ length: 5 }, () => report([...sent, ...sent])));
  };
  await register('/once');
  await world.submit(['/d1']);
  await until('it arrives', () => at('/once').length === 1);
  world.wire.report = report;
  await sleep(50);
  expect(reports).toBeGreaterThan(0);
  expect(await sql('select event_id from windrow.deliveries')).toHaveLength(1);
  expect(await emit('twice')).toBe(1);
  expect(await emit('twice')).toBe(0);
});

test('W1 W4: what fails is tried again under the same id, until it is dead and visible, and can be sent again', async () => {
  const hook = await register('/flaky');
  answers['/flaky'] = { status: 500 };
  await emit('w1');
  await until('the first attempt', async () => (await deliveriesOf(hook.id))[0]?.last_status === 500);
  const [waiting] = await deliveriesOf(hook.id);
  const delayMs = Date.parse(waiting.next_attempt_at) - Date.parse(waiting.last_attempt_at);
  expect(delayMs).toBeGreaterThan(4_900);
  expect(delayMs).toBeLessThan(60_000);
  answers['/flaky'] = { status: -1 };
  await makeDue();
  await until('the second attempt', async () => (await deliveriesOf(hook.id))[0].attempts === 2);
  await until('it is told', async () => (await deliveriesOf(hook.id))[0].last_error !== 'answered 500');
  await sql('update windrow.deliveries set attempts = 9, next_at = now()');
  await until('it is dead', async () => (await deliveriesOf(hook.id))[0].state === 'dead');
  expect((await deliveriesOf(hook.id))[0]).toMatchObject({ attempts: 10, next_attempt_at: null });
  answers = {};
  const { id } = (await deliveriesOf(hook.id))[0];
  const path = `/webhooks/${hook.id}/deliveries/${id}/redeliver`;
  expect((await world.call('POST', path)).body).toMatchObject({ id, state: 'waiting' });
  await until('it is delivered', async () => (await deliveriesOf(hook.id))[0].state === 'delivered');
  expect(new Set(at('/flaky').map((one) => one.headers['webhook-id'])).size).toBe(1);
  expect(at('/flaky').length).toBe(4);
});

test('W1: Retry-After is obeyed, and 410 ends it until the webhook is enabled again', async () => {
  const hook = await register('/busy');
  answers['/busy'] = { status: 503, headers: { 'retry-after': '3600' } };
  await emit('busy');
  await until('it waits', async () => (await deliveriesOf(hook.id))[0]?.last_status === 503);
  const [waiting] = await deliveriesOf(hook.id);
  expect(Date.parse(waiting.next_attempt_at) - Date.now()).toBeGreaterThan(3_500_000);
  expect((await world.call('GET', `/webhooks/${hook.id}`)).body.rests_until).not.toBeNull();
  answers['/busy'] = { status: 410 };
  await rested();
  await makeDue();
  await until('it is disabled', async () => !(await world.call('GET', `/webhooks/${hook.id}`)).body.enabled);
  expect((await world.call('GET', `/webhooks/${hook.id}`)).body.disabled_reason).toContain('410');
  expect(await emit('after')).toBe(0);
  expect((await world.call('POST', `/webhooks/${hook.id}/test`)).status).toBe(409);
  answers = {};
  await world.call('PATCH', `/webhooks/${hook.id}`, { enabled: true });
  expect((await world.call('POST', `/webhooks/${hook.id}/test`)).status).toBe(202);
  await until('it arrives', async () => at('/busy').at(-1)?.event.type === 'webhook.test');
});

async function restartLoops(timeoutMs: number): Promise<void> {
  await webhooks.stop();
  startLoops(timeoutMs);
}

test('W2: a receiver that does not answer is cut off', async () => {
  await restartLoops(SHORT_TIMEOUT_MS);
  const hook = await register('/hangs');
  answers['/hangs'] = { status: 0 };
  await emit('w2');
  await until('it is cut off', async () => /timeout/.test((await deliveriesOf(hook.id))[0]?.last_error ?? ''));
});

test('W6: what was committed before a crash is sent after it, and what was being sent is sent again', async () => {
  await webhooks.stop();
  const hook = await register('/crash');
  await emit('w6');
  // An instance that dies with the delivery in its hands: claimed, never finished.
  const limits = { proven: 10, others: 10, busy: new Map(), leaseSeconds: 30 };
  const [lost] = await world.store.claimDeliveries(limits);
  expect(lost?.webhookId).toBe(hook.id);
  expect(await world.store.claimDeliveries(limits)).toEqual([]);
  startLoops();
  await sleep(50);
  expect(at('/crash')).toEqual([]);
  answers['/crash'] = { status: 500 };
  await makeDue();
  await until('it is tried again', async () => (await deliveriesOf(hook.id))[0].last_status === 500);
  expect(at('/crash')[0]!.headers['webhook-id']).toBe(lost!.eventId);
  // The one that was thought dead wakes up: its word comes too late.
  const verdict = { state: 'dead', error: 'late', isGone: false } as const;
  await world.store.finishDeliveries([{ delivery: lost!, answer: { error: 'late' }, verdict }], Math.random);
  expect((await deliveriesOf(hook.id))[0]).toMatchObject({ state: 'waiting', attempts: 2, last_status: 500 });
  answers = {};
  await makeDue();
  await until('it arrives', async () => (await deliveriesOf(hook.id))[0].state === 'delivered');
});

test('W6: two instances send each delivery once', async () => {
  const first = webhooks;
  startLoops();
  await register('/both');
  await Promise.all(Array.from({ length: 40 }, (_, n) => emit(`both-${n}`)));
  await until('all arrive', () => at('/both').length >= 40);
  await Promise.all([first.stop(), webhooks.stop()]);
  startLoops();
  await sleep(50);
  expect(new Set(at('/both').map((one) => one.headers['webhook-id'])).size).toBe(40);
  expect(at('/both')).toHaveLength(40);
});

test('W7: hundreds of receivers that hang do not keep a healthy one waiting, and one that fails is left alone', async () => {
  await restartLoops(1_000);
  const healthy = await register('/healthy', { events: ['postings.new'] });
  await world.call('POST', `/webhooks/${healthy.id}/test`);
  await until('it has answered once', () => at('/healthy').length === 1);
  const failing = await register('/fails', { events: ['postings.new'] });
  answers['/hang'] = { status: 0 };
  answers['/fails'] = { status: 500 };
  for (let n = 0; n < 600; n++) names.set(`hang-${n}.test`, '127.0.0.1');
  await sql(
    `insert into windrow.webhooks (id, url, events, secrets) select 'hang-' || n, 'http://hang-' || n || '.test:' || $1 || '/hang', '{run.failed}', array[$2]
     from generate_series(0, 599) n`,
    [site.port, INSTANCE],
  );
  await world.store.emit([{ key: 'hanging', type: 'run.failed', data: {}, requestId: null }]);
  await until('their slots are full', () => at('/hang').length >= 120);
  await emit('healthy', { webhookId: healthy.id });
  await until('the healthy one is told', () => at('/healthy').length === 2);
  // Those that hang need five rounds of their slots; the healthy one, though it came last, has waited for none of them.
  expect(at('/hang').length).toBeLessThan(600);
  await Promise.all(Array.from({ length: 20 }, (_, n) => emit(`w7-${n}`, { webhookId: failing.id })));
  await until('the failing one rests', async () => {
    const { body } = await world.call('GET', `/webhooks/${failing.id}`);
    return body.failures_in_a_row >= 5 && body.rests_until !== null;
  });
  await sleep(50);
  expect(at('/fails').length).toBeLessThan(12);
});

test('X7: private addresses are refused at registration by naming the field', async () => {
  names.set('inner.test', '10.0.0.1');
  for (const url of [
    'http://127.0.0.2/',
    'http://10.0.0.1/',
    'http://inner.test/',
    'http://me:pw@127.0.0.1/',
    'ftp://x/',
  ]) {
    const { status, body } = await world.call('POST', '/webhooks', { url, events: ['*'] });
    expect([status, body.errors?.[0]?.pointer], url).toEqual([422, '/url']);
    const run = await world.call('POST', '/jobs/submit', {
      articles: [{ url: 'https://example.com/x7' }],
      webhook_url: url,
    });
    expect([run.status, run.body.errors?.[0]?.pointer], url).toEqual([422, '/webhook_url']);
  }
});

test('X7 X8: a redirect is not followed, and a name that came to mean a private address is refused at delivery', async () => {
  const hook = await register('/moved');
  answers['/moved'] = { status: 307, headers: { location: `${site.origin}/elsewhere` } };
  await emit('moved');
  await until('it has failed', async () => (await deliveriesOf(hook.id))[0]?.last_status === 307);
  expect((await deliveriesOf(hook.id))[0].last_error).toContain('redirects are not followed');
  names.set('turns.test', '127.0.0.1');
  const { body: turning } = await world.call('POST', '/webhooks', {
    url: `http://turns.test:${site.port}/turned`,
    events: ['postings.new'],
  });
  names.set('turns.test', '10.0.0.1');
  await emit('turned', { webhookId: turning.id });
  await until('it is refused', async () => (await deliveriesOf(turning.id))[0]?.last_error !== null);
  expect((await deliveriesOf(turning.id))[0]).toMatchObject({ state: 'waiting', last_status: null });
  expect([...at('/elsewhere'), ...at('/turned')]).toEqual([]);
});

test('a run can name an address of its own: told once, signed with the secret of the instance, visible, sent again', async () => {
  const url = `${site.origin}/own`;
  const runId = await world.submit(['/own-1'], { webhook_url: url });
  await until('it arrives', () => at('/own').length === 1);
  const [{ body, headers, event }] = at('/own') as [Arrived];
  const { secret } = (await world.call('GET', '/webhooks/secret')).body;
  expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  expect(event.data.run_id).toBe(runId);
  const page = (await world.call('GET', `/webhooks/runs/deliveries?run_id=${runId}`)).body;
  expect(page.deliveries).toMatchObject([{ url, type: 'run.completed', payload: event }]);
  await world.call('POST', `/webhooks/runs/deliveries/${page.deliveries[0].id}/redeliver`);
  await until('it arrives again', () => at('/own').length === 2);
  expect(at('/own')[1]!.headers['webhook-id']).toBe(headers['webhook-id']);
});

test('what it tells of is gone: it is not sent any more; too much for one receiver is dropped; the old is forgotten', async () => {
  await webhooks.stop();
  const hook = await register('/late');
  await world.store.emit([
    { key: 'late', type: 'run.completed', data: {}, requestId: null, expiresAt: new Date(Date.now() - 1_000) },
  ]);
  expect(await world.store.sweepDeliveries({ waitingMax: 100 })).toEqual({ expired: 1, dropped: 0 });
  for (let n = 0; n < 5; n++) await emit(`many-${n}`);
  expect(await world.store.sweepDeliveries({ waitingMax: 2 })).toEqual({ expired: 0, dropped: 3 });
  expect((await deliveriesOf(hook.id)).map((one: { state: string }) => one.state).sort()).toEqual([
    ...Array(3).fill('dead'),
    'expired',
    ...Array(2).fill('waiting'),
  ]);
  await sql(`update windrow.deliveries set ended_at = now() - interval '15 days' where ended_at is not null`);
  const retention = { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 100 };
  expect(await world.store.trim({ ...retention, deliveryDays: 14 })).toMatchObject({ deliveries: 4 });
  startLoops();
  await until('the others arrive', () => at('/late').length === 2);
});

test('a source that falls off is told once, and once when it is back', async () => {
  await register('/sources', { events: ['source.degraded', 'source.recovered'] });
  const outcomes = async (state: string, count: number) =>
    sql(
      `with made as (
         insert into windrow.tasks (id, key, source, lane, run_seq, message)
         select gen_random_uuid(), gen_random_uuid(), 'shaky', 'http', 0, '{}' from generate_series(1, $2::int) returning id
       ) insert into windrow.outcomes (task_id, state, attempts) select id, $1, 1 from made`,
      [state, count],
    );
  await outcomes('failed', 10);
  await Promise.all([world.store.tellSources({ minutes: 15 }), world.store.tellSources({ minutes: 15 })]);
  await world.store.tellSources({ minutes: 15 });
  await outcomes('done', 100);
  await world.store.tellSources({ minutes: 15 });
  await until('both arrive', () => at('/sources').length === 2);
  const told = at('/sources').map(({ event }) => [event.type, event.data.source, event.data.failed]);
  expect(told.sort()).toEqual([
    ['source.degraded', 'shaky', 10],
    ['source.recovered', 'shaky', 10],
  ]);
});

test('A12 and misuse: each is refused with the field and what to do', async () => {
  const url = `${site.origin}/x`;
  const wrong: [object, string][] = [
    [{ url, events: [] }, '/events'],
    [{ url, events: ['run.done'] }, '/events/0'],
    [{ events: ['*'] }, '/url'],
    [{ url, events: ['*'], secret: 'hunter2' }, '/secret'],
    [{ url, events: ['*'], colour: 'red' }, '/colour'],
  ];
  for (const [body, pointer] of wrong) {
    const reply = await world.call('POST', '/webhooks', body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer]);
  }
  const own = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
  const hook = await register('/x', { secret: own, events: ['run.failed', 'run.failed'] });
  expect(hook).toMatchObject({ secret: own, events: ['run.failed'] });
  for (let n = 1; n < MAX; n++) await register(`/x${n}`);
  const full = await world.call('POST', '/webhooks', { url, events: ['*'] });
  expect(full.body.errors[0]).toMatchObject({ pointer: '/url', detail: expect.stringContaining('WEBHOOK_MAX') });
  const paths = ['whk_0000000000000000', 'nonsense', `${hook.id}/deliveries/dlv_1/redeliver`];
  expect((await world.call('GET', `/webhooks/${paths[0]}`)).status).toBe(404);
  expect((await world.call('DELETE', `/webhooks/${paths[1]}`)).status).toBe(404);
  expect((await world.call('POST', `/webhooks/${paths[2]}`)).status).toBe(404);
  expect((await world.call('DELETE', `/webhooks/${hook.id}`)).body).toEqual({ id: hook.id, deleted: true });
  expect((await world.call('GET', '/webhooks')).body).toMatchObject({ total: MAX - 1, max: MAX });
});

test('the command line adds a webhook, tries it, says why that failed, and shows it', async () => {
  const windrow = (...args: string[]): Promise<string> =>
    new Promise((done) => {
      const argv = [MAIN, 'webhooks', ...args, '--url', world.url];
      execFile(process.execPath, argv, { timeout: 30_000 }, (error, stdout, stderr) =>
        done(`${error ? 'failed ' : ''}${stdout}${stderr}`),
      );
    });
  const added = await windrow('add', `${site.origin}/cli`, '-e', 'run.failed');
  expect(added).toMatch(/^whk_[0-9a-f]{16}\nwhsec_\S+\n.*not shown again/s);
  const [id] = added.split('\n') as [string];
  answers['/cli'] = { status: 500 };
  expect(await windrow('test', id)).toMatch(/^failed .*The receiver answered 500\./s);
  expect(await windrow('deliveries', id)).toMatch(/webhook\.test\s+waiting\s+1\s+answered 500/);
});
