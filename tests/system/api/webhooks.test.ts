// Webhooks over HTTP and from the command line: who may be registered, how what they get is signed, what is shown of it. W3, X7 and A12 of the fault
// catalogue; how deliveries fare is in webhooks.test.ts.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Arrived,
  INSTANCE,
  MAX,
  openWebhookWorld,
  type WebhookWorld,
} from '../../support/worlds/webhook-world.ts';

const MAIN = resolve(import.meta.dirname, '../../../src/cli/main.ts');
let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(() => world?.close());
beforeEach(() => world.reset());

test('W3: the end of a run arrives signed, with the request id, once; the secret is shown once and logged never', async () => {
  const hook = await world.register('/all');
  expect(hook.secret).toMatch(/^whsec_[\w+/]+=*$/);
  const reply = await world.api.call(
    'POST',
    '/jobs/submit',
    { articles: [{ url: 'https://example.com/w3' }, { url: 'https://example.com/gone/w3' }] },
    { 'x-request-id': 'asked-by-test' },
  );
  await world.until('it arrives', () => world.at('/all').length > 0);
  const [{ body, headers, event }] = world.at('/all') as [Arrived];
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
  const shown = [await world.api.call('GET', '/webhooks'), await world.api.call('GET', `/webhooks/${hook.id}`)];
  for (const one of shown) expect(one.text).toContain('whsec_********');
  const outputs = JSON.stringify([shown, world.api.lines, (await world.api.call('GET', '/metrics')).text]);
  expect(outputs).not.toContain(hook.secret.slice(6));
  await world.until('it is logged', () => world.api.lines.some((line) => line.event === 'webhook.delivered'));
  expect(world.at('/all')).toHaveLength(1);
  // The metrics keep what they read for two seconds, and they were asked above.
  await world.until('it is counted', async () =>
    /windrow_webhook_deliveries_total\{outcome="delivered"\} [1-9]/.test(
      (await world.api.call('GET', '/metrics')).text,
    ),
  );
});

test('W3: while a secret is replaced both sign', async () => {
  const hook = await world.register('/rotated');
  const { body: rotated } = await world.api.call('POST', `/webhooks/${hook.id}/rotate`, { overlap_hours: 1 });
  expect(rotated.secret).not.toBe(hook.secret);
  expect(rotated.old_secret_until).not.toBeNull();
  expect((await world.api.call('POST', `/webhooks/${hook.id}/test`)).status).toBe(202);
  await world.until('it arrives', () => world.at('/rotated').length === 1);
  await world.sql(`update windrow.webhooks set old_secret_until = now() - interval '1 second'`);
  await world.api.call('POST', `/webhooks/${hook.id}/test`);
  await world.until('the second one too', () => world.at('/rotated').length === 2);
  const [both, one] = world.at('/rotated') as [Arrived, Arrived];
  for (const secret of [hook.secret, rotated.secret]) new Webhook(secret).verify(both.body, both.headers);
  expect(one.headers['webhook-signature']!.split(' ')).toHaveLength(1);
  new Webhook(rotated.secret).verify(one.body, one.headers);
});

test('X7: private addresses are refused at registration by naming the field', async () => {
  world.names.set('inner.test', '10.0.0.1');
  for (const url of [
    'http://127.0.0.2/',
    'http://10.0.0.1/',
    'http://inner.test/',
    'http://me:pw@127.0.0.1/',
    'ftp://x/',
  ]) {
    const { status, body } = await world.api.call('POST', '/webhooks', { url, events: ['*'] });
    expect([status, body.errors?.[0]?.pointer], url).toEqual([422, '/url']);
    const run = await world.api.call('POST', '/jobs/submit', {
      articles: [{ url: 'https://example.com/x7' }],
      webhook_url: url,
    });
    expect([run.status, run.body.errors?.[0]?.pointer], url).toEqual([422, '/webhook_url']);
  }
});

test('a run can name an address of its own: told once, signed with the secret of the instance, visible, sent again', async () => {
  const url = `${world.site.origin}/own`;
  const runId = await world.api.submit(['/own-1'], { webhook_url: url });
  await world.until('it arrives', () => world.at('/own').length === 1);
  const [{ body, headers, event }] = world.at('/own') as [Arrived];
  const { secret } = (await world.api.call('GET', '/webhooks/secret')).body;
  expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  expect(event.data.run_id).toBe(runId);
  const page = (await world.api.call('GET', `/webhooks/runs/deliveries?run_id=${runId}`)).body;
  expect(page.deliveries).toMatchObject([{ url, type: 'run.completed', payload: event }]);
  await world.api.call('POST', `/webhooks/runs/deliveries/${page.deliveries[0].id}/redeliver`);
  await world.until('it arrives again', () => world.at('/own').length === 2);
  expect(world.at('/own')[1]!.headers['webhook-id']).toBe(headers['webhook-id']);
});

test('A12: a maximum that is passed, and misuse: each is refused with the field and what to do', async () => {
  const url = `${world.site.origin}/x`;
  const wrong: [object, string][] = [
    [{ url, events: [] }, '/events'],
    [{ url, events: ['run.done'] }, '/events/0'],
    [{ events: ['*'] }, '/url'],
    [{ url, events: ['*'], secret: 'hunter2' }, '/secret'],
    [{ url, events: ['*'], colour: 'red' }, '/colour'],
  ];
  for (const [body, pointer] of wrong) {
    const reply = await world.api.call('POST', '/webhooks', body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer]);
  }
  const own = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
  const hook = await world.register('/x', { secret: own, events: ['run.failed', 'run.failed'] });
  expect(hook).toMatchObject({ secret: own, events: ['run.failed'] });
  for (let n = 1; n < MAX; n++) await world.register(`/x${n}`);
  const full = await world.api.call('POST', '/webhooks', { url, events: ['*'] });
  expect(full.body.errors[0]).toMatchObject({ pointer: '/url', detail: expect.stringContaining('WEBHOOK_MAX') });
  const paths = ['whk_0000000000000000', 'nonsense', `${hook.id}/deliveries/dlv_1/redeliver`];
  expect((await world.api.call('GET', `/webhooks/${paths[0]}`)).status).toBe(404);
  expect((await world.api.call('DELETE', `/webhooks/${paths[1]}`)).status).toBe(404);
  expect((await world.api.call('POST', `/webhooks/${paths[2]}`)).status).toBe(404);
  expect((await world.api.call('DELETE', `/webhooks/${hook.id}`)).body).toEqual({ id: hook.id, deleted: true });
  expect((await world.api.call('GET', '/webhooks')).body).toMatchObject({ total: MAX - 1, max: MAX });
});

test('the command line adds a webhook, tries it, says why that failed, and shows it', async () => {
  const windrow = (...args: string[]): Promise<string> =>
    new Promise((done) => {
      const argv = [MAIN, 'webhooks', ...args, '--url', world.api.url];
      execFile(process.execPath, argv, { timeout: 180_000 }, (error, stdout, stderr) =>
        done(`${error ? 'failed ' : ''}${stdout}${stderr}`),
      );
    });
  const added = await windrow('add', `${world.site.origin}/cli`, '-e', 'run.failed');
  expect(added).toMatch(/^whk_[0-9a-f]{16}\nwhsec_\S+\n.*not shown again/s);
  const [id] = added.split('\n') as [string];
  world.answers['/cli'] = { status: 500 };
  expect(await windrow('test', id)).toMatch(/^failed .*The receiver answered 500\./s);
  expect(await windrow('deliveries', id)).toMatch(/webhook\.test\s+waiting\s+\d+\s+answered 500/);
});
