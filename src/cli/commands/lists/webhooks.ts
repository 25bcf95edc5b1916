// `windrow webhooks …`: who is told of what, and what came of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { AppError } from '../../../model/errors.ts';
import { clientCommand } from '../../client/client.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { columns, type Terminal, timeText } from '../../terminal/terminal.ts';
import { type At, type ClientOptions, openClient } from './about-one.ts';

interface WebhookView {
  id: string;
  url: string;
  events: string[];
  secret: string;
  enabled: boolean;
  disabled_reason: string | null;
  failures_in_a_row: number;
  rests_until: string | null;
  last_success_at: string | null;
}

interface DeliveryView {
  id: string;
  type: string;
  state: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
  created_at: string;
}

export const make = () =>
  new Command('webhooks')
    .description('Who is told when something happens, and what came of it.')
    .helpOption('-h, --help', 'show this help')
    .addCommand(list())
    .addCommand(add())
    .addCommand(one('test', 'Sends an event of type webhook.test and says what came of it.', test))
    .addCommand(deliveries())
    .addCommand(redeliver())
    .addCommand(one('rotate', 'Replaces the secret; the one before it signs too for a day.', rotate))
    .addCommand(one('enable', 'Enables a webhook again.', (at, path) => set(at, path, true)))
    .addCommand(
      one('disable', 'Disables a webhook; what still waits for it is given up.', (at, path) => set(at, path, false)),
    )
    .addCommand(one('remove', 'Deletes a webhook, with what was still to be sent to it.', remove))
    .addCommand(secret());

const pathOf = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

/** A command about one webhook. */
function one(name: string, about: string, act: (at: At, path: string) => Promise<void>): Command {
  return clientCommand({
    name,
    about,
    examples: [[`windrow webhooks ${name} whk_a1b2c3d4e5f60718`, 'an id of `windrow webhooks list`']],
  })
    .argument('<id>', 'id of the webhook')
    .action(async (id: string, options: ClientOptions) => act(await openClient(options), pathOf(id)));
}

const standing = (webhook: WebhookView): string => {
  if (!webhook.enabled) return `disabled: ${webhook.disabled_reason ?? ''}`;
  if (webhook.rests_until) return `failing, rests until ${timeText(webhook.rests_until)}`;
  return webhook.failures_in_a_row > 0 ? 'failing' : webhook.last_success_at ? 'ok' : 'not told yet';
};

function list(): Command {
  return clientCommand({
    name: 'list',
    about: 'Lists the webhooks.',
    examples: [['windrow webhooks list --json', 'for a program']],
  }).action(async (options: ClientOptions) => {
    const { client, terminal } = await openClient(options);
    const found = await client.get<{ webhooks: WebhookView[] }>('/webhooks');
    if (options.json) return terminal.document(found);
    if (found.webhooks.length === 0) return terminal.say('There are none; `windrow webhooks add` makes one.');
    const rows = found.webhooks.map((webhook) => [
      webhook.id,
      webhook.url,
      webhook.events.join(','),
      standing(webhook),
    ]);
    for (const line of columns([['WEBHOOK', 'URL', 'EVENTS', 'STANDING'], ...rows])) terminal.out(line);
  });
}

function add(): Command {
  return clientCommand({
    name: 'add',
    about: 'Registers an address to be told, and shows its secret: once.',
    examples: [
      ['windrow webhooks add https://hooks.example.com/windrow', 'everything'],
      ['windrow webhooks add https://hooks.example.com/windrow -e run.completed -e run.failed', 'only these'],
    ],
  })
    .argument('<url>', 'where to: http or https, a public address')
    .option('-e, --event <type...>', 'an event to be told of; all of them unless given')
    .option('--description <text>', 'for people')
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
  terminal.say('The second line is the secret that deliveries are signed with. Keep it: it is not shown again.');
}

const TEST_LIMIT_MS = 15_000;
const POLL_MS = 300;

/** Waits for the first attempt: that is what the asker wants to know. */
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
        ? 'Nothing was heard of it yet; is an orchestrator running, and does the receiver rest? See `windrow webhooks deliveries`.'
        : `The receiver ${/^answered/.test(delivery.last_error) ? '' : 'could not be told: '}${delivery.last_error}.`,
    );
  if (!options.json) terminal.say(`Delivered: answered ${delivery.last_status}.`);
}

function deliveries(): Command {
  return clientCommand({
    name: 'deliveries',
    about: 'Lists what was sent, or is to be, and what came of it.',
    examples: [
      ['windrow webhooks deliveries whk_a1b2c3d4e5f60718 --state dead', 'what was given up'],
      ['windrow webhooks deliveries runs', 'to addresses that runs named (webhook_url)'],
    ],
  })
    .argument('<id>', 'id of the webhook, or `runs`')
    .option('--state <state>', 'waiting, delivered, dead or expired')
    .option('-n, --limit <number>', 'how many', wholeNumber(1, 1_000), 20)
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
      const head = ['DELIVERY', 'AT (UTC)', 'EVENT', 'STATE', 'ATTEMPTS', 'ANSWER', 'NEXT (UTC)'];
      for (const line of columns([head, ...rows])) terminal.out(line.trimEnd());
      if (found.next_cursor) terminal.say('There are more; ask for them with --limit.');
    });
}

function redeliver(): Command {
  return clientCommand({
    name: 'redeliver',
    about: 'Sends a delivery again, now.',
    examples: [['windrow webhooks redeliver whk_a1b2c3d4e5f60718 dlv_1204', 'ids of `windrow webhooks deliveries`']],
  })
    .argument('<id>', 'id of the webhook, or `runs`')
    .argument('<delivery>', 'id of the delivery')
    .action(async (id: string, delivery: string, options: ClientOptions) => {
      const { client, terminal } = await openClient(options);
      const sent = await client.send<DeliveryView>(
        'POST',
        `${pathOf(id)}/deliveries/${encodeURIComponent(delivery)}/redeliver`,
      );
      if (options.json) terminal.document(sent);
      else terminal.say(`${sent.id} is being sent.`);
    });
}

async function rotate({ client, terminal, options }: At, path: string): Promise<void> {
  showSecret(terminal, options, await client.send<WebhookView>('POST', `${path}/rotate`));
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
    about: 'Shows the secret that deliveries to the webhook_url of runs are signed with.',
    examples: [['windrow webhooks secret', 'the same for all runs of this server']],
  }).action(async (options: ClientOptions) => {
    const { client, terminal } = await openClient(options);
    const found = await client.get<{ secret: string }>('/webhooks/secret');
    if (options.json) terminal.document(found);
    else terminal.out(found.secret);
  });
}
