// Deliveries of webhooks end to end, with real receivers on loopback: W1 W2 W4 W6 W7, X7 X8 and D1 of the fault catalogue (W3 is in api-webhooks.test.ts,
// W5, endless answers, in web/visit.test.ts).
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { INSTANCE, openWebhookWorld, type WebhookWorld } from '../../support/worlds/webhook-world.ts';

const SHORT_TIMEOUT_MS = 400;
let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(() => world?.close());
beforeEach(() => world.reset());

test('every way a run can end is told, also where everything was there already, and only what was asked for', async () => {
  await world.register('/failed', { events: ['run.failed'] });
  await world.register('/others', { events: ['run.completed', 'run.cancelled'] });
  const failed = await world.api.submit(['/gone/a']);
  const held = await world.api.submit(['/hold/b']);
  const done = await world.api.submit(['/c']);
  await world.api.ended(done);
  const again = await world.api.submit(['/c']);
  await world.api.call('DELETE', `/jobs/${held}`);
  await world.until('all are told', () => world.at('/failed').length === 1 && world.at('/others').length === 3);
  const told = world.arrived.map(({ event }) => `${event.type} ${event.data.run_id}`).sort();
  expect(told).toEqual(
    [`run.failed ${failed}`, `run.cancelled ${held}`, `run.completed ${done}`, `run.completed ${again}`].sort(),
  );
});

test('searches tell what their sites said, carts until when they can be read', async () => {
  await world.register('/kinds');
  const submit = (kind: string, itemKind: 'posting' | 'product', path: string, options: Record<string, unknown>) =>
    world.api.store.submit({
      runId: `manual_${randomUUID().replaceAll('-', '')}`,
      kind,
      itemKind,
      trigger: 'manual',
      requestId: null,
      options,
      tasks: [
        {
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
  world.api.wire.wake();
  await world.until('both arrive', () => world.at('/kinds').length === 2);
  const told = (kind: string) => world.at('/kinds').find(({ event }) => event.data.kind === kind)!.event;
  expect(told('posting')).toMatchObject({
    type: 'run.failed',
    data: { status: 'failed', site_name: ['indeed'], jobs_found: 0, message: 'indeed: 404 Not Found' },
  });
  const { finished_at, expires_at } = told('cart').data as Record<string, string>;
  expect(Date.parse(expires_at!) - Date.parse(finished_at!)).toBe(3_600_000);
  expect(await world.sql('select expires_at from windrow.deliveries where expires_at is not null')).toEqual([
    { expires_at: new Date(expires_at!) },
  ]);
});

test('D1: a result that is delivered ten times ends its run once, in one event', async () => {
  const { report } = world.api.wire;
  let reports = 0;
  world.api.wire.report = async (sent) => {
    reports += sent.length;
    await Promise.all(Array.from({ length: 5 }, () => report([...sent, ...sent])));
  };
  await world.register('/once');
  await world.api.submit(['/d1']);
  await world.until('it arrives', () => world.at('/once').length === 1);
  world.api.wire.report = report;
  await sleep(50);
  expect(reports).toBeGreaterThan(0);
  expect(await world.sql('select event_id from windrow.deliveries')).toHaveLength(1);
  expect(await world.emit('twice')).toBe(1);
  expect(await world.emit('twice')).toBe(0);
});

test('W1 W4: what fails is tried again under the same id, until it is dead and visible, and can be sent again', async () => {
  const hook = await world.register('/flaky');
  world.answers['/flaky'] = { status: 500 };
  await world.emit('w1');
  await world.until('the first attempt', async () => (await world.deliveriesOf(hook.id))[0]?.last_status === 500);
  const [waiting] = await world.deliveriesOf(hook.id);
  const delayMs = Date.parse(waiting.next_attempt_at) - Date.parse(waiting.last_attempt_at);
  expect(delayMs).toBeGreaterThan(4_900);
  expect(delayMs).toBeLessThan(60_000);
  world.answers['/flaky'] = { status: -1 };
  await world.makeDue();
  await world.until('the second attempt', async () => (await world.deliveriesOf(hook.id))[0].attempts === 2);
  await world.until('it is told', async () => (await world.deliveriesOf(hook.id))[0].last_error !== 'answered 500');
  await world.sql('update windrow.deliveries set attempts = 9, next_at = now()');
  await world.until('it is dead', async () => (await world.deliveriesOf(hook.id))[0].state === 'dead');
  expect((await world.deliveriesOf(hook.id))[0]).toMatchObject({ attempts: 10, next_attempt_at: null });
  world.answers = {};
  const { id } = (await world.deliveriesOf(hook.id))[0];
  const path = `/webhooks/${hook.id}/deliveries/${id}/redeliver`;
  expect((await world.api.call('POST', path)).body).toMatchObject({ id, state: 'waiting' });
  await world.until('it is delivered', async () => (await world.deliveriesOf(hook.id))[0].state === 'delivered');
  expect(new Set(world.at('/flaky').map((one) => one.headers['webhook-id'])).size).toBe(1);
  expect(world.at('/flaky').length).toBe(4);
});

test('what is asked for again while an attempt is under way is not ended by what comes of that attempt', async () => {
  const hook = await world.register('/again');
  await world.loop.stop();
  await world.emit('again');
  const { store } = world.api;
  const limits = { proven: 10, others: 10, busy: new Map<string, number>(), leaseSeconds: 60 };
  const [delivery] = await store.claimDeliveries(limits);
  const [{ id }] = await world.deliveriesOf(hook.id);
  await world.api.call('POST', `/webhooks/${hook.id}/deliveries/${id}/redeliver`);
  const delivered = { delivery: delivery!, verdict: { state: 'delivered' as const }, answer: { status: 200 } };
  await store.finishDeliveries([delivered], Math.random);
  expect((await world.deliveriesOf(hook.id))[0]).toMatchObject({ state: 'waiting', attempts: 1 });
  world.startLoop();
  await world.until('it is delivered', async () => (await world.deliveriesOf(hook.id))[0].state === 'delivered');
  expect((await world.deliveriesOf(hook.id))[0].attempts).toBe(2);
});

test('W1: Retry-After is obeyed, and 410 ends it until the webhook is enabled again', async () => {
  const hook = await world.register('/busy');
  world.answers['/busy'] = { status: 503, headers: { 'retry-after': '3600' } };
  await world.emit('busy');
  await world.until('it waits', async () => (await world.deliveriesOf(hook.id))[0]?.last_status === 503);
  const [waiting] = await world.deliveriesOf(hook.id);
  expect(Date.parse(waiting.next_attempt_at) - Date.now()).toBeGreaterThan(3_500_000);
  expect((await world.api.call('GET', `/webhooks/${hook.id}`)).body.rests_until).not.toBeNull();
  world.answers['/busy'] = { status: 410 };
  await world.rested();
  await world.makeDue();
  await world.until('it is disabled', async () => !(await world.api.call('GET', `/webhooks/${hook.id}`)).body.enabled);
  expect((await world.api.call('GET', `/webhooks/${hook.id}`)).body.disabled_reason).toContain('410');
  expect(await world.emit('after')).toBe(0);
  expect((await world.api.call('POST', `/webhooks/${hook.id}/test`)).status).toBe(409);
  world.answers = {};
  await world.api.call('PATCH', `/webhooks/${hook.id}`, { enabled: true });
  expect((await world.api.call('POST', `/webhooks/${hook.id}/test`)).status).toBe(202);
  await world.until('it arrives', async () => world.at('/busy').at(-1)?.event.type === 'webhook.test');
});

test('W2: a receiver that does not answer is cut off', async () => {
  await world.restartLoop(SHORT_TIMEOUT_MS);
  const hook = await world.register('/hangs');
  world.answers['/hangs'] = { status: 0 };
  await world.emit('w2');
  await world.until('it is cut off', async () =>
    /timeout/.test((await world.deliveriesOf(hook.id))[0]?.last_error ?? ''),
  );
});

test('W6: what was committed before a crash is sent after it, and what was being sent is sent again', async () => {
  await world.loop.stop();
  const hook = await world.register('/crash');
  await world.emit('w6');
  // An instance that dies with the delivery in its hands: claimed, never finished.
  const limits = { proven: 10, others: 10, busy: new Map(), leaseSeconds: 30 };
  const [lost] = await world.api.store.claimDeliveries(limits);
  expect(lost?.webhookId).toBe(hook.id);
  expect(await world.api.store.claimDeliveries(limits)).toEqual([]);
  world.startLoop();
  await sleep(50);
  expect(world.at('/crash')).toEqual([]);
  world.answers['/crash'] = { status: 500 };
  await world.makeDue();
  await world.until('it is tried again', async () => (await world.deliveriesOf(hook.id))[0].last_status === 500);
  expect(world.at('/crash')[0]!.headers['webhook-id']).toBe(lost!.eventId);
  // The one that was thought dead wakes up: its word comes too late.
  const verdict = { state: 'dead', error: 'late', isGone: false } as const;
  await world.api.store.finishDeliveries([{ delivery: lost!, answer: { error: 'late' }, verdict }], Math.random);
  expect((await world.deliveriesOf(hook.id))[0]).toMatchObject({ state: 'waiting', attempts: 2, last_status: 500 });
  world.answers = {};
  await world.makeDue();
  await world.until('it arrives', async () => (await world.deliveriesOf(hook.id))[0].state === 'delivered');
});

test('W6: two instances send each delivery once', async () => {
  const first = world.loop;
  world.startLoop();
  await world.register('/both');
  await Promise.all(Array.from({ length: 40 }, (_, n) => world.emit(`both-${n}`)));
  await world.until('all arrive', () => world.at('/both').length >= 40);
  await Promise.all([first.stop(), world.loop.stop()]);
  world.startLoop();
  await sleep(50);
  expect(new Set(world.at('/both').map((one) => one.headers['webhook-id'])).size).toBe(40);
  expect(world.at('/both')).toHaveLength(40);
});

test('W7: hundreds of receivers that hang do not keep a healthy one waiting', async () => {
  // Long enough that those that hang are still at it when the healthy one is told, on a busy machine too.
  await world.restartLoop(30_000);
  const healthy = await world.register('/healthy', { events: ['postings.new'] });
  await world.api.call('POST', `/webhooks/${healthy.id}/test`);
  await world.until('it has answered once', () => world.at('/healthy').length === 1);
  world.answers['/hang'] = { status: 0 };
  for (let n = 0; n < 600; n++) world.names.set(`hang-${n}.test`, '127.0.0.1');
  await world.sql(
    `insert into windrow.webhooks (id, url, events, secrets) select 'hang-' || n, 'http://hang-' || n || '.test:' || $1 || '/hang', '{run.failed}', array[$2]
     from generate_series(0, 599) n`,
    [world.site.port, INSTANCE],
  );
  await world.api.store.emit([{ key: 'hanging', type: 'run.failed', data: {}, requestId: null }]);
  await world.until('their slots are full', () => world.at('/hang').length >= 120);
  await world.emit('healthy', { webhookId: healthy.id });
  await world.until('the healthy one is told', () => world.at('/healthy').length === 2);
  // Those that hang need five rounds of their slots; the healthy one, though it came last, has waited for none of them.
  expect(world.at('/hang').length).toBeLessThan(600);
});

test('W7: a receiver that fails is left alone for a while', async () => {
  const failing = await world.register('/fails', { events: ['postings.new'] });
  world.answers['/fails'] = { status: 500 };
  await Promise.all(Array.from({ length: 20 }, (_, n) => world.emit(`w7-${n}`, { webhookId: failing.id })));
  await world.until('the failing one rests', async () => {
    const { body } = await world.api.call('GET', `/webhooks/${failing.id}`);
    return body.failures_in_a_row >= 5 && body.rests_until !== null;
  });
  await sleep(50);
  expect(world.at('/fails').length).toBeLessThan(12);
});

test('X7 X8: a redirect is not followed, and a name that came to mean a private address is refused at delivery', async () => {
  const hook = await world.register('/moved');
  world.answers['/moved'] = { status: 307, headers: { location: `${world.site.origin}/elsewhere` } };
  await world.emit('moved');
  await world.until('it has failed', async () => (await world.deliveriesOf(hook.id))[0]?.last_status === 307);
  expect((await world.deliveriesOf(hook.id))[0].last_error).toContain('redirects are not followed');
  world.names.set('turns.test', '127.0.0.1');
  const { body: turning } = await world.api.call('POST', '/webhooks', {
    url: `http://turns.test:${world.site.port}/turned`,
    events: ['postings.new'],
  });
  world.names.set('turns.test', '10.0.0.1');
  await world.emit('turned', { webhookId: turning.id });
  await world.until('it is refused', async () => (await world.deliveriesOf(turning.id))[0]?.last_error !== null);
  expect((await world.deliveriesOf(turning.id))[0]).toMatchObject({ state: 'waiting', last_status: null });
  expect([...world.at('/elsewhere'), ...world.at('/turned')]).toEqual([]);
});

test('what it tells of is gone: it is not sent any more; too much for one receiver is dropped; the old is forgotten', async () => {
  await world.loop.stop();
  const hook = await world.register('/late');
  await world.api.store.emit([
    { key: 'late', type: 'run.completed', data: {}, requestId: null, expiresAt: new Date(Date.now() - 1_000) },
  ]);
  expect(await world.api.store.sweepDeliveries({ waitingMax: 100 })).toEqual({ expired: 1, dropped: 0 });
  for (let n = 0; n < 5; n++) await world.emit(`many-${n}`);
  expect(await world.api.store.sweepDeliveries({ waitingMax: 2 })).toEqual({ expired: 0, dropped: 3 });
  expect((await world.deliveriesOf(hook.id)).map((one: { state: string }) => one.state).sort()).toEqual([
    ...Array(3).fill('dead'),
    'expired',
    ...Array(2).fill('waiting'),
  ]);
  await world.sql(`update windrow.deliveries set ended_at = now() - interval '15 days' where ended_at is not null`);
  const retention = { runDays: 30, deadLetterDays: 30, idempotencyHours: 24, articleDays: 0, batch: 100 };
  expect(await world.api.store.trim({ ...retention, deliveryDays: 14 })).toMatchObject({ deliveries: 4 });
  world.startLoop();
  await world.until('the others arrive', () => world.at('/late').length === 2);
});

test('a source that falls off is told once, and once when it is back', async () => {
  await world.register('/sources', { events: ['source.degraded', 'source.recovered'] });
  const outcomes = async (state: string, count: number) =>
    world.sql(
      `with made as (
         insert into windrow.tasks (id, key, source, lane, run_seq, message)
         select gen_random_uuid(), gen_random_uuid(), 'shaky', 'http', 0, '{}' from generate_series(1, $2::int) returning id
       ) insert into windrow.outcomes (task_id, state, attempts) select id, $1, 1 from made`,
      [state, count],
    );
  await outcomes('failed', 10);
  await Promise.all([world.api.store.tellSources({ minutes: 15 }), world.api.store.tellSources({ minutes: 15 })]);
  await world.api.store.tellSources({ minutes: 15 });
  await outcomes('done', 100);
  await world.api.store.tellSources({ minutes: 15 });
  await world.until('both arrive', () => world.at('/sources').length === 2);
  const told = world.at('/sources').map(({ event }) => [event.type, event.data.source, event.data.failed]);
  expect(told.sort()).toEqual([
    ['source.degraded', 'shaky', 10],
    ['source.recovered', 'shaky', 10],
  ]);
});
