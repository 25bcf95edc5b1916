// Webhooks: who is told of what, with which secret, and what came of each delivery. The API only writes and reads; an orchestrator sends.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { isSecret } from '../../model/webhook/webhook.ts';
import { within } from '../../observe/cached.ts';
import { DELIVERY_STATES } from '../../store/webhooks/delivery-log.ts';
import { eventIdOf } from '../../store/webhooks/webhook-events.ts';
import { newSecret, type Webhook } from '../../store/webhooks/webhooks.ts';
import type { ApiDeps } from '../deps.ts';
import { type Area, type Route, route } from '../http/route.ts';
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
/** Stands for the addresses that runs name themselves. */
const OF_RUNS = 'runs';
const WebhookParams = z.object({ webhook_id: z.string().max(80) });

export const webhooks: Area = (parts) => [
  create(parts),
  list(parts),
  runSecret(parts),
  show(parts),
  change(parts),
  remove(parts),
  rotate(parts),
  test(parts),
  deliveries(parts),
  redeliver(parts),
];

const inTime = <T>(work: Promise<T>): Promise<T> => within(work, LIMIT_MS, 'The store');

const unknown = (id: string): AppError => new AppError('unknown_id', `There is no webhook ${id.slice(0, 80)}.`);

async function findWebhook({ store }: ApiDeps, id: string): Promise<Webhook> {
  const webhook = /^whk_[0-9a-f]{16}$/.test(id) ? await inTime(store.getWebhook(id)) : null;
  if (!webhook) throw unknown(id);
  return webhook;
}

/** The caller's own where it is one, else a new one. */
function secretOf(given: string | undefined): string {
  if (given === undefined) return newSecret();
  if (!isSecret(given))
    throw invalid([
      { pointer: '/secret', detail: 'has to be whsec_ and the base64 of 24 to 64 bytes; leave it out and one is made' },
    ]);
  return given;
}

function create(parts: ApiDeps): Route {
  return route({
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    tag: TAG,
    summary: 'Be told when something happens',
    description:
      'Deliveries are signed as Standard Webhooks has it (`webhook-id`, `webhook-timestamp`, `webhook-signature`). This answer is the only one that shows the secret.',
    body: WebhookBody,
    bodyExample: WEBHOOK_BODY_EXAMPLE,
    replies: {
      201: {
        description: 'The webhook, with its secret.',
        schema: WebhookView,
        examples: { 'application/json': { ...WEBHOOK_EXAMPLE, last_success_at: null, secret: SECRET_EXAMPLE } },
      },
    },
    async handle({ body, id }, reply) {
      const secret = secretOf(body.secret);
      await checkReceiver(parts, body.url, '/url');
      const { max } = parts.receivers;
      const webhook = await inTime(
        parts.store.createWebhook({
          url: body.url,
          events: [...new Set(body.events)],
          description: body.description ?? null,
          secret,
          requestId: id,
          max,
        }),
      );
      if (!webhook)
        throw invalid([
          { pointer: '/url', detail: `is one too many: there are ${max} webhooks; delete one, or raise WEBHOOK_MAX` },
        ]);
      parts.log.info('webhook.created', { webhook: webhook.id, events: webhook.events, request_id: id });
      reply.code(201).header('location', `/webhooks/${webhook.id}`).header('cache-control', 'no-store');
      return webhookView(webhook, secret);
    },
  });
}

function list({ store, receivers }: ApiDeps): Route {
  return route({
    method: 'GET',
    path: '/webhooks',
    operationId: 'listWebhooks',
    tag: TAG,
    summary: 'The webhooks, newest first',
    replies: {
      200: {
        description: 'All of them.',
        schema: WebhookList,
        examples: { 'application/json': { webhooks: [WEBHOOK_EXAMPLE], total: 1, max: 100 } },
      },
    },
    async handle() {
      const found = await inTime(store.listWebhooks());
      return { webhooks: found.map((one) => webhookView(one)), total: found.length, max: receivers.max };
    },
  });
}

function runSecret({ receivers }: ApiDeps): Route {
  return route({
    method: 'GET',
    path: '/webhooks/secret',
    operationId: 'getRunWebhookSecret',
    tag: TAG,
    summary: 'The secret that deliveries to the `webhook_url` of a run are signed with',
    replies: {
      200: {
        description: 'From WEBHOOK_SECRET, or made by this installation when it was first needed.',
        schema: z.object({ secret: z.string() }),
        examples: { 'application/json': { secret: SECRET_EXAMPLE } },
      },
    },
    async handle(_request, reply) {
      reply.header('cache-control', 'no-store');
      return { secret: await inTime(receivers.secret()) };
    },
  });
}

function show(parts: ApiDeps): Route {
  return route({
    method: 'GET',
    path: '/webhooks/:webhook_id',
    operationId: 'getWebhook',
    tag: TAG,
    summary: 'One webhook, and how its receiver has been doing',
    params: WebhookParams,
    replies: {
      200: { description: 'The webhook.', schema: WebhookView, examples: { 'application/json': WEBHOOK_EXAMPLE } },
    },
    problems: ['unknown_id'],
    handle: async ({ params }) => webhookView(await findWebhook(parts, params.webhook_id)),
  });
}

function change(parts: ApiDeps): Route {
  return route({
    method: 'PATCH',
    path: '/webhooks/:webhook_id',
    operationId: 'changeWebhook',
    tag: TAG,
    summary: 'Change, disable or enable a webhook',
    params: WebhookParams,
    body: WebhookPatch,
    bodyExample: { enabled: true },
    replies: {
      200: {
        description: 'The webhook as it is now.',
        schema: WebhookView,
        examples: { 'application/json': WEBHOOK_EXAMPLE },
      },
    },
    problems: ['unknown_id'],
    async handle({ params, body, id }) {
      const before = await findWebhook(parts, params.webhook_id);
      if (body.url !== undefined) await checkReceiver(parts, body.url, '/url');
      const webhook = await inTime(
        parts.store.updateWebhook(before.id, {
          url: body.url ?? before.url,
          events: body.events ? [...new Set(body.events)] : before.events,
          description: body.description === undefined ? before.description : body.description,
          isEnabled: body.enabled ?? before.disabledAt === null,
        }),
      );
      if (!webhook) throw unknown(params.webhook_id);
      parts.log.info('webhook.changed', {
        webhook: webhook.id,
        enabled: webhook.disabledAt === null,
        request_id: id,
      });
      return webhookView(webhook);
    },
  });
}

function remove(parts: ApiDeps): Route {
  return route({
    method: 'DELETE',
    path: '/webhooks/:webhook_id',
    operationId: 'deleteWebhook',
    tag: TAG,
    summary: 'Delete a webhook, with everything that was still to be sent to it',
    params: WebhookParams,
    replies: {
      200: {
        description: 'It is gone.',
        schema: z.object({ id: z.string(), deleted: z.literal(true) }),
        examples: { 'application/json': { id: WEBHOOK_EXAMPLE.id, deleted: true } },
      },
    },
    problems: ['unknown_id'],
    async handle({ params, id }) {
      const webhook = await findWebhook(parts, params.webhook_id);
      await inTime(parts.store.deleteWebhook(webhook.id));
      parts.log.info('webhook.deleted', { webhook: webhook.id, request_id: id });
      return { id: webhook.id, deleted: true };
    },
  });
}

function rotate(parts: ApiDeps): Route {
  return route({
    method: 'POST',
    path: '/webhooks/:webhook_id/rotate',
    operationId: 'rotateWebhookSecret',
    tag: TAG,
    summary: 'Replace the secret; the one before it signs too for a while',
    description: 'Without a body a new secret is made. This answer is the only one that shows it.',
    params: WebhookParams,
    body: RotateBody,
    bodyExample: { overlap_hours: 24 },
    replies: {
      200: {
        description: 'The webhook, with its new secret.',
        schema: WebhookView,
        examples: {
          'application/json': {
            ...WEBHOOK_EXAMPLE,
            secret: SECRET_EXAMPLE,
            old_secret_until: '2026-02-05T10:00:00.000Z',
          },
        },
      },
    },
    problems: ['unknown_id'],
    async handle({ params, body, id }, reply) {
      const before = await findWebhook(parts, params.webhook_id);
      const secret = secretOf(body?.secret);
      const overlapSeconds = (body?.overlap_hours ?? 24) * 3_600;
      const webhook = await inTime(parts.store.rotateSecret(before.id, { secret, overlapSeconds }));
      if (!webhook) throw unknown(params.webhook_id);
      parts.log.info('webhook.rotated', { webhook: webhook.id, request_id: id });
      reply.header('cache-control', 'no-store');
      return webhookView(webhook, secret);
    },
  });
}

function test(parts: ApiDeps): Route {
  return route({
    method: 'POST',
    path: '/webhooks/:webhook_id/test',
    operationId: 'testWebhook',
    tag: TAG,
    summary: 'Send an event of type webhook.test',
    params: WebhookParams,
    replies: {
      202: {
        description: 'The delivery, which is under way; look it up among the deliveries.',
        schema: DeliveryView,
        examples: { 'application/json': { ...DELIVERY_EXAMPLE, type: 'webhook.test', attempts: 0 } },
      },
    },
    problems: ['unknown_id', 'webhook_disabled'],
    async handle({ params, id }, reply) {
      const webhook = await findWebhook(parts, params.webhook_id);
      const key = `test:${webhook.id}:${randomUUID()}`;
      const written = await inTime(
        parts.store.emit([
          {
            key,
            type: 'webhook.test',
            data: { webhook_id: webhook.id, message: 'It works.' },
            requestId: id,
            to: { webhookId: webhook.id },
          },
        ]),
      );
      if (written === 0) throw new AppError('webhook_disabled');
      const [delivery] = await inTime(
        parts.store.listDeliveries({
          webhookId: webhook.id,
          state: null,
          eventId: eventIdOf(key),
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

function deliveries(parts: ApiDeps): Route {
  return route({
    method: 'GET',
    path: '/webhooks/:webhook_id/deliveries',
    operationId: 'listDeliveries',
    tag: TAG,
    summary: 'What was sent, or is to be, and what came of it; newest first',
    description: '`/webhooks/runs/deliveries` has those to the `webhook_url` of runs.',
    params: WebhookParams,
    query: z.strictObject({
      state: z.enum(DELIVERY_STATES).optional(),
      run_id: z.string().max(80).optional().meta({ description: 'Only what tells of the end of this run.' }),
      limit: z.int().min(1).max(1_000).default(100),
      cursor: z.string().max(200).optional(),
    }),
    replies: {
      200: {
        description: 'A page of deliveries.',
        schema: DeliveryList,
        examples: { 'application/json': { deliveries: [DELIVERY_EXAMPLE], next_cursor: null } },
      },
    },
    problems: ['unknown_id', 'invalid_params'],
    async handle({ params: { webhook_id }, query: { state, run_id, limit, cursor } }) {
      const webhookId = webhook_id === OF_RUNS ? null : (await findWebhook(parts, webhook_id)).id;
      const found = await inTime(
        parts.store.listDeliveries({
          webhookId,
          state: state ?? null,
          eventId: run_id === undefined ? null : eventIdOf(`run:${run_id}`),
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

function redeliver(parts: ApiDeps): Route {
  return route({
    method: 'POST',
    path: '/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
    operationId: 'redeliver',
    tag: TAG,
    summary: 'Send a delivery again, now, under the same event id',
    params: z.object({ webhook_id: z.string().max(80), delivery_id: z.string().max(40) }),
    replies: {
      202: {
        description: 'The delivery, which is under way.',
        schema: DeliveryView,
        examples: { 'application/json': DELIVERY_EXAMPLE },
      },
    },
    problems: ['unknown_id', 'webhook_disabled'],
    async handle({ params: { webhook_id, delivery_id }, id }, reply) {
      const webhook = webhook_id === OF_RUNS ? null : await findWebhook(parts, webhook_id);
      if (webhook && webhook.disabledAt !== null) throw new AppError('webhook_disabled');
      const [, seq] = /^dlv_(\d{1,18})$/.exec(delivery_id) ?? [];
      const delivery = seq ? await inTime(parts.store.redeliver(webhook?.id ?? null, seq)) : null;
      if (!delivery)
        throw new AppError('unknown_id', `There is no delivery ${delivery_id.slice(0, 40)} of this webhook.`);
      parts.log.info('webhook.redelivered', { webhook: webhook_id, delivery: delivery_id, request_id: id });
      reply.code(202);
      return deliveryView(delivery);
    },
  });
}
