// Webhooks, their secrets and their deliveries. The API only writes and reads; an orchestrator sends.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { maySee } from '../../model/key/key.ts';
import { isSecret } from '../../model/webhook/webhook.ts';
import { within } from '../../observe/cached.ts';
import { DELIVERY_STATES } from '../../store/webhooks/delivery-log.ts';
import { eventIdOf } from '../../store/webhooks/webhook-events.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { newSecret, type Webhook } from '../../store/webhooks/webhooks.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { invalid } from '../validation/validators.ts';
import { checkReceiver } from './receiver-check.ts';
import {
  DELIVERY_EXAMPLE,
  DeliveryList,
  DeliveryView,
  deliveryView,
  RotateBody,
  SECRET_EXAMPLE,
  WEBHOOK_BODY_EXAMPLE,
  WEBHOOK_EXAMPLE,
  WebhookBody,
  WebhookList,
  WebhookPatch,
  WebhookView,
  webhookView,
} from './schemas.ts';

const TAG = 'Webhooks';
const LIST = 'deliveries';
const LIMIT_MS = 10_000;
/** In place of a webhook id: deliveries to the webhook_url of runs. */
const OF_RUNS = 'runs';
const WebhookParams = z.object({ webhook_id: z.string().max(80) });

type WebhookDeps = Needs<WebhookStore, 'receivers' | 'log'>;

export const webhooks = (deps: WebhookDeps): Route[] => [
  create(deps),
  list(deps),
  runSecret(deps),
  show(deps),
  change(deps),
  remove(deps),
  rotate(deps),
  test(deps),
  deliveries(deps),
  redeliver(deps),
];

const inTime = <T>(work: Promise<T>): Promise<T> => within(work, LIMIT_MS, 'The database');

const unknown = (id: string): AppError => new AppError('unknown_id', `There is no webhook ${id.slice(0, 80)}.`);

async function findWebhook({ store }: WebhookDeps, id: string, sees: string | null): Promise<Webhook> {
  const webhook = /^whk_[0-9a-f]{16}$/.test(id) ? await inTime(store.getWebhook(id)) : null;
  if (!webhook || !maySee(sees, webhook)) throw unknown(id);
  return webhook;
}

/** The secret of the caller if it gave one, else a new one. */
function secretOf(given: string | undefined): string {
  if (given === undefined) return newSecret();
  if (!isSecret(given))
    throw invalid([
      {
        pointer: '/secret',
        detail: 'has to be whsec_ and the base64 of 24 to 64 bytes. If left out, one is generated',
      },
    ]);
  return given;
}

function create(deps: WebhookDeps): Route {
  return route({
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    scope: 'submit',
    tag: TAG,
    summary: 'Create a webhook',
    description:
      'Deliveries are signed as in Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). Only this response shows the secret.',
    body: WebhookBody,
    bodyExample: WEBHOOK_BODY_EXAMPLE,
    replies: {
      201: json('The webhook, with its secret.', WebhookView, {
        ...WEBHOOK_EXAMPLE,
        last_success_at: null,
        secret: SECRET_EXAMPLE,
      }),
    },
    async handle({ body, id, sees }, reply) {
      const secret = secretOf(body.secret);
      await checkReceiver(deps, body.url, '/url');
      const { max } = deps.receivers;
      const webhook = await inTime(
        deps.store.createWebhook({
          url: body.url,
          events: [...new Set(body.events)],
          description: body.description ?? null,
          secret,
          requestId: id,
          owner: sees,
          max,
        }),
      );
      if (!webhook)
        throw invalid([
          { pointer: '/url', detail: `Too many webhooks: the limit is ${max}. Delete one, or raise WEBHOOK_MAX` },
        ]);
      deps.log.info('webhook.created', { webhook: webhook.id, events: webhook.events, request_id: id });
      reply.code(201).header('location', `/webhooks/${webhook.id}`).header('cache-control', 'no-store');
      return webhookView(webhook, secret);
    },
  });
}

function list({ store, receivers }: WebhookDeps): Route {
  return route({
    method: 'GET',
    path: '/webhooks',
    operationId: 'listWebhooks',
    scope: 'read',
    tag: TAG,
    summary: 'List webhooks, newest first',
    replies: {
      200: json('All webhooks.', WebhookList, { webhooks: [WEBHOOK_EXAMPLE], total: 1, max: 100 }),
    },
    async handle({ sees }) {
      const found = await inTime(store.listWebhooks(sees));
      return { webhooks: found.map((one) => webhookView(one)), total: found.length, max: receivers.max };
    },
  });
}

function runSecret({ receivers }: WebhookDeps): Route {
  return route({
    method: 'GET',
    path: '/webhooks/secret',
    operationId: 'getRunWebhookSecret',
    scope: 'admin',
    tag: TAG,
    summary: 'Get the secret that signs deliveries to the `webhook_url` of a run',
    replies: {
      200: json(
        'From WEBHOOK_SECRET, or generated by this installation on first use.',
        z.object({ secret: z.string() }),
        { secret: SECRET_EXAMPLE },
      ),
    },
    async handle(_request, reply) {
      reply.header('cache-control', 'no-store');
      return { secret: await inTime(receivers.secret()) };
    },
  });
}

function show(deps: WebhookDeps): Route {
  return route({
    method: 'GET',
    path: '/webhooks/:webhook_id',
    operationId: 'getWebhook',
    scope: 'read',
    tag: TAG,
    summary: 'Get a webhook and the state of its receiver',
    params: WebhookParams,
    replies: {
      200: json('The webhook.', WebhookView, WEBHOOK_EXAMPLE),
    },
    problems: ['unknown_id'],
    handle: async ({ params, sees }) => webhookView(await findWebhook(deps, params.webhook_id, sees)),
  });
}

function change(deps: WebhookDeps): Route {
  return route({
    method: 'PATCH',
    path: '/webhooks/:webhook_id',
    operationId: 'changeWebhook',
    scope: 'submit',
    tag: TAG,
    summary: 'Update, disable or enable a webhook',
    params: WebhookParams,
    body: WebhookPatch,
    bodyExample: { enabled: true },
    replies: {
      200: json('The updated webhook.', WebhookView, WEBHOOK_EXAMPLE),
    },
    problems: ['unknown_id'],
    async handle({ params, body, id, sees }) {
      const before = await findWebhook(deps, params.webhook_id, sees);
      if (body.url !== undefined) await checkReceiver(deps, body.url, '/url');
      const webhook = await inTime(
        deps.store.updateWebhook(before.id, {
          url: body.url ?? before.url,
          events: body.events ? [...new Set(body.events)] : before.events,
          description: body.description === undefined ? before.description : body.description,
          isEnabled: body.enabled ?? before.disabledAt === null,
        }),
      );
      if (!webhook) throw unknown(params.webhook_id);
      deps.log.info('webhook.changed', {
        webhook: webhook.id,
        enabled: webhook.disabledAt === null,
        request_id: id,
      });
      return webhookView(webhook);
    },
  });
}

function remove(deps: WebhookDeps): Route {
  return route({
    method: 'DELETE',
    path: '/webhooks/:webhook_id',
    operationId: 'deleteWebhook',
    scope: 'submit',
    tag: TAG,
    summary: 'Delete a webhook and its pending deliveries',
    params: WebhookParams,
    replies: {
      200: json('Deleted.', z.object({ id: z.string(), deleted: z.literal(true) }), {
        id: WEBHOOK_EXAMPLE.id,
        deleted: true,
      }),
    },
    problems: ['unknown_id'],
    async handle({ params, id, sees }) {
      const webhook = await findWebhook(deps, params.webhook_id, sees);
      await inTime(deps.store.deleteWebhook(webhook.id));
      deps.log.info('webhook.deleted', { webhook: webhook.id, request_id: id });
      return { id: webhook.id, deleted: true };
    },
  });
}

function rotate(deps: WebhookDeps): Route {
  return route({
    method: 'POST',
    path: '/webhooks/:webhook_id/rotate',
    operationId: 'rotateWebhookSecret',
    scope: 'submit',
    tag: TAG,
    summary: 'Rotate the secret (the old one signs too for a while)',
    description: 'Without a body a new secret is generated. Only this response shows it.',
    params: WebhookParams,
    body: RotateBody,
    bodyExample: { overlap_hours: 24 },
    replies: {
      200: json('The webhook, with its new secret.', WebhookView, {
        ...WEBHOOK_EXAMPLE,
        secret: SECRET_EXAMPLE,
        old_secret_until: '2026-02-05T10:00:00.000Z',
      }),
    },
    problems: ['unknown_id'],
    async handle({ params, body, id, sees }, reply) {
      const before = await findWebhook(deps, params.webhook_id, sees);
      const secret = secretOf(body?.secret);
      const overlapSeconds = (body?.overlap_hours ?? 24) * 3_600;
      const webhook = await inTime(deps.store.rotateSecret(before.id, { secret, overlapSeconds }));
      if (!webhook) throw unknown(params.webhook_id);
      deps.log.info('webhook.rotated', { webhook: webhook.id, request_id: id });
      reply.header('cache-control', 'no-store');
      return webhookView(webhook, secret);
    },
  });
}

function test(deps: WebhookDeps): Route {
  return route({
    method: 'POST',
    path: '/webhooks/:webhook_id/test',
    operationId: 'testWebhook',
    scope: 'submit',
    tag: TAG,
    summary: 'Send a test event (webhook.test)',
    params: WebhookParams,
    replies: {
      202: json('The delivery, now under way: find it in the list of deliveries.', DeliveryView, {
        ...DELIVERY_EXAMPLE,
        type: 'webhook.test',
        attempts: 0,
      }),
    },
    problems: ['unknown_id', 'webhook_disabled'],
    async handle({ params, id, sees }, reply) {
      const webhook = await findWebhook(deps, params.webhook_id, sees);
      const key = `test:${webhook.id}:${randomUUID()}`;
      const written = await inTime(
        deps.store.emit([
          {
            key,
            type: 'webhook.test',
            data: { webhook_id: webhook.id, message: 'This is a test event.' },
            requestId: id,
            to: { webhookId: webhook.id },
          },
        ]),
      );
      if (written === 0) throw new AppError('webhook_disabled');
      const [delivery] = await inTime(
        deps.store.listDeliveries({
          webhookId: webhook.id,
          state: null,
          eventId: eventIdOf(key),
          owner: sees,
          before: null,
          limit: 1,
        }),
      );
      if (!delivery) throw unknown(webhook.id);
      reply.code(202).header('location', `/webhooks/${webhook.id}/deliveries`);
      return deliveryView(delivery);
    },
  });
}

function deliveries(deps: WebhookDeps): Route {
  return route({
    method: 'GET',
    path: '/webhooks/:webhook_id/deliveries',
    operationId: 'listDeliveries',
    scope: 'read',
    tag: TAG,
    summary: 'List deliveries and their outcomes, newest first',
    description: '`/webhooks/runs/deliveries` lists those sent to the `webhook_url` of runs.',
    params: WebhookParams,
    query: z.strictObject({
      state: z.enum(DELIVERY_STATES).optional(),
      run_id: z.string().max(80).optional().meta({ description: 'Only deliveries about this run.' }),
      limit: z.int().min(1).max(1_000).default(100),
      cursor: z.string().max(200).optional(),
    }),
    replies: {
      200: json('A page of deliveries.', DeliveryList, { deliveries: [DELIVERY_EXAMPLE], next_cursor: null }),
    },
    problems: ['unknown_id', 'invalid_params'],
    async handle({ params: { webhook_id }, query: { state, run_id, limit, cursor }, sees }) {
      const webhookId = webhook_id === OF_RUNS ? null : (await findWebhook(deps, webhook_id, sees)).id;
      const found = await inTime(
        deps.store.listDeliveries({
          webhookId,
          state: state ?? null,
          eventId: run_id === undefined ? null : eventIdOf(`run:${run_id}`),
          owner: sees,
          before: decodeCursor(LIST, cursor, /^\d{1,18}$/),
          limit: limit + 1,
        }),
      );
      const page = found.slice(0, limit);
      const next = found.length > limit ? encodeCursor(LIST, page.at(-1)!.seq) : null;
      return { deliveries: page.map(deliveryView), next_cursor: next };
    },
  });
}

function redeliver(deps: WebhookDeps): Route {
  return route({
    method: 'POST',
    path: '/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
    operationId: 'redeliver',
    scope: 'submit',
    tag: TAG,
    summary: 'Redeliver now, with the same event id',
    params: z.object({ webhook_id: z.string().max(80), delivery_id: z.string().max(40) }),
    replies: {
      202: json('The delivery, now under way.', DeliveryView, DELIVERY_EXAMPLE),
    },
    problems: ['unknown_id', 'webhook_disabled'],
    async handle({ params: { webhook_id, delivery_id }, id, sees }, reply) {
      const webhook = webhook_id === OF_RUNS ? null : await findWebhook(deps, webhook_id, sees);
      if (webhook && webhook.disabledAt !== null) throw new AppError('webhook_disabled');
      const [, seq] = /^dlv_(\d{1,18})$/.exec(delivery_id) ?? [];
      const delivery = seq ? await inTime(deps.store.redeliver(webhook?.id ?? null, seq, sees)) : null;
      if (!delivery) throw new AppError('unknown_id', `This webhook has no delivery ${delivery_id.slice(0, 40)}.`);
      deps.log.info('webhook.redelivered', { webhook: webhook_id, delivery: delivery_id, request_id: id });
      reply.code(202);
      return deliveryView(delivery);
    },
  });
}
