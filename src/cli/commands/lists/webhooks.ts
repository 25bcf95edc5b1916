// `windrow webhooks …`: webhooks and their deliveries.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { DeliveryView as ApiDeliveryView, WebhookView as ApiWebhookView } from '../../../api/webhooks/schemas.ts';
import { AppError } from '../../../model/errors.ts';
import { clientCommand } from '../../client/client.ts';
import { noun } from '../../command.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { type Terminal, timeText } from '../../terminal/terminal.ts';
import { type At, type ClientOptions, openClient } from './about-one.ts';
import { changeCommand } from './change.ts';
import { fieldRows } from './read-command.ts';

type WebhookView = z.infer<typeof ApiWebhookView>;

type DeliveryView = z.infer<typeof ApiDeliveryView>;

export const make = () =>
  noun({
    name: 'webhooks',
    about: 'Webhooks and their deliveries.',
    verbs: [
      list(),
      add(),
      one('show', 'Shows a webhook, its events and how its deliveries go.', show),
      changeCommand({
        noun: 'webhooks',
        argument: ['id', 'webhook id'],
        fields: 'url, events, description, enabled',
        examples: [[`whk_a1b2c3d4e5f60718 --set 'events=["run.failed"]'`, 'only this event']],
      }),
      one('test', 'Sends a test event (webhook.test) and shows the response.', test),
      deliveries(),
      redeliver(),
      one('rotate', 'Rotates the secret. The old one also signs for one more day.', rotate),
      one('enable', 'Enables a webhook again.', (at, path) => set(at, path, true)),
      one('disable', 'Disables a webhook and drops its pending deliveries.', (at, path) => set(at, path, false)),
      one('remove', 'Deletes a webhook and its pending deliveries.', remove),
      secret(),
    ],
  });

const pathOf = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

/** A command about one webhook. */
function one(name: string, about: string, act: (at: At, path: string) => Promise<void>): Command {
  return clientCommand({
    name,
    about,
    examples: [[`windrow webhooks ${name} whk_a1b2c3d4e5f60718`, 'an id from `windrow webhooks list`']],
  })
    .argument('<id>', 'webhook id')
    .action(async (id: string, options: ClientOptions) => act(await openClient(options), pathOf(id)));
}

const standing = (webhook: WebhookView): string => {
  if (!webhook.enabled) return `disabled: ${webhook.disabled_reason ?? ''}`;
  if (webhook.rests_until) return `failing, paused until ${timeText(webhook.rests_until)}`;
  return webhook.failures_in_a_row > 0 ? 'failing' : webhook.last_success_at ? 'ok' : 'no delivery yet';
};

function list(): Command {
  return clientCommand({
    name: 'list',
    about: 'Lists webhooks.',
    examples: [['windrow webhooks list --json', 'as JSON']],
  }).action(async (options: ClientOptions) => {
    const { client, terminal } = await openClient(options);
    const found = await client.get<{ webhooks: WebhookView[] }>('/webhooks');
    if (options.json) return terminal.document(found);
    if (found.webhooks.length === 0)
      return terminal.say('No webhooks. Add one with: windrow webhooks add https://hooks.example.com/windrow');
    const rows = found.webhooks.map((webhook) => [
      webhook.id,
      webhook.url,
      webhook.events.join(','),
      standing(webhook),
    ]);
    terminal.table([['WEBHOOK', 'URL', 'EVENTS', 'STATE'], ...rows]);
  });
}

function add(): Command {
  return clientCommand({
    name: 'add',
    about: 'Creates a webhook and shows its secret. The secret is shown only once.',
    examples: [
      ['windrow webhooks add https://hooks.example.com/windrow', 'all events'],
      ['windrow webhooks add https://hooks.example.com/windrow -e run.completed -e run.failed', 'only these events'],
    ],
  })
    .argument('<url>', 'receiver URL: http or https, a public address')
    .option('-e, --event <type...>', 'event type (default: all events)')
    .option('--description <text>', 'free text')
    .action(async (url: string, options: ClientOptions & { event?: string[]; description?: string }) => {
      const { client, terminal } = await openClient(options);
      const webhook = await client.send<WebhookView>('POST', '/webhooks', {
        url,
        events: options.event ?? ['*'],
        ...(options.description === undefined ? {} : { description: options.description }),
      });
      showSecret(terminal, options, webhook);
    });
}

function showSecret(terminal: Terminal, options: ClientOptions, webhook: WebhookView): void {
  if (options.json) {
    terminal.document(webhook);
    return;
  }
  terminal.out(webhook.id);
  terminal.out(webhook.secret);
  terminal.say('The second line is the secret that signs deliveries. Keep it: it is not shown again.');
}

const TEST_LIMIT_MS = 15_000;
const POLL_MS = 300;

/** Waits for the outcome of the first attempt. */
async function test({ client, terminal, options }: At, path: string): Promise<void> {
  const sent = await client.send<DeliveryView>('POST', `${path}/test`);
  const until = performance.now() + TEST_LIMIT_MS;
  let delivery = sent;
  while (delivery.state === 'waiting' && delivery.last_error === null && performance.now() < until) {
    await sleep(POLL_MS);
    const { deliveries: found } = await client.get<{ deliveries: DeliveryView[] }>(`${path}/deliveries`);
    delivery = found.find((candidate) => candidate.id === sent.id) ?? delivery;
  }
  if (options.json) terminal.document(delivery);
  if (delivery.state !== 'delivered')
    throw new AppError(
      'network',
      delivery.last_error === null
        ? 'No response yet. Check that an orchestrator is running, and see `windrow webhooks deliveries`.'
        : `The receiver ${/^answered/.test(delivery.last_error) ? '' : 'did not get it: '}${delivery.last_error}.`,
    );
  if (!options.json) terminal.say(`Delivered: answered ${delivery.last_status}.`);
}

function deliveries(): Command {
  return clientCommand({
    name: 'deliveries',
    about: 'Lists deliveries and their outcomes, newest first.',
    examples: [
      ['windrow webhooks deliveries whk_a1b2c3d4e5f60718 --state dead', 'deliveries that failed for good'],
      ['windrow webhooks deliveries runs', 'deliveries to the webhook_url of runs'],
    ],
  })
    .argument('<id>', 'webhook id, or `runs`')
    .option('--state <state>', 'waiting, delivered, dead or expired')
    .option('-n, --limit <number>', 'maximum number', wholeNumber(1, 1_000), 20)
    .action(async (id: string, options: ClientOptions & { state?: string; limit: number }) => {
      const { client, terminal } = await openClient(options);
      const query = new URLSearchParams({
        limit: String(options.limit),
        ...(options.state ? { state: options.state } : {}),
      });
      const found = await client.get<{ deliveries: DeliveryView[]; next_cursor: string | null }>(
        `${pathOf(id)}/deliveries?${query}`,
      );
      if (options.json) return terminal.document(found);
      const rows = found.deliveries.map((delivery) => [
        delivery.id,
        timeText(delivery.created_at),
        delivery.type,
        delivery.state,
        String(delivery.attempts),
        delivery.last_error ?? (delivery.last_status === null ? '' : String(delivery.last_status)),
        timeText(delivery.next_attempt_at),
      ]);
      const head = ['DELIVERY', 'AT (UTC)', 'EVENT', 'STATE', 'ATTEMPTS', 'RESPONSE', 'NEXT (UTC)'];
      terminal.table([head, ...rows]);
      if (found.next_cursor) terminal.say('There are more. Show them with --limit.');
    });
}

function redeliver(): Command {
  return clientCommand({
    name: 'redeliver',
    about: 'Sends a delivery again now.',
    examples: [['windrow webhooks redeliver whk_a1b2c3d4e5f60718 dlv_1204', 'ids from `windrow webhooks deliveries`']],
  })
    .argument('<id>', 'webhook id, or `runs`')
    .argument('<delivery>', 'delivery id')
    .action(async (id: string, delivery: string, options: ClientOptions) => {
      const { client, terminal } = await openClient(options);
      const sent = await client.send<DeliveryView>(
        'POST',
        `${pathOf(id)}/deliveries/${encodeURIComponent(delivery)}/redeliver`,
      );
      if (options.json) terminal.document(sent);
      else terminal.say(`Sending ${sent.id}.`);
    });
}

async function rotate({ client, terminal, options }: At, path: string): Promise<void> {
  showSecret(terminal, options, await client.send<WebhookView>('POST', `${path}/rotate`));
}

async function show({ client, terminal, options }: At, path: string): Promise<void> {
  const webhook = await client.get<WebhookView>(path);
  if (options.json) terminal.document(webhook);
  else terminal.table([...fieldRows(webhook), ['state', standing(webhook)]]);
}

async function set({ client, terminal, options }: At, path: string, enabled: boolean): Promise<void> {
  const webhook = await client.send<WebhookView>('PATCH', path, { enabled });
  if (options.json) terminal.document(webhook);
  else terminal.say(enabled ? 'Enabled.' : 'Disabled.');
}

async function remove({ client, terminal, options }: At, path: string): Promise<void> {
  const gone = await client.send<{ id: string }>('DELETE', path);
  if (options.json) terminal.document(gone);
  else terminal.say(`Deleted ${gone.id}.`);
}

function secret(): Command {
  return clientCommand({
    name: 'secret',
    about: 'Shows the secret that signs deliveries to the webhook_url of runs.',
    examples: [['windrow webhooks secret', 'one secret for all runs of this server']],
  }).action(async (options: ClientOptions) => {
    const { client, terminal } = await openClient(options);
    const found = await client.get<{ secret: string }>('/webhooks/secret');
    if (options.json) terminal.document(found);
    else terminal.out(found.secret);
  });
}
