// Webhooks in the API: schemas, examples, views. A secret is shown once, in the response that created it; it is masked everywhere else.
import { z } from 'zod';
import { ALL_EVENTS, EVENT_TYPES, SUBSCRIBABLE } from '../../model/webhook/webhook.ts';
import { DELIVERY_STATES, type Delivery } from '../../store/webhooks/delivery-log.ts';
import type { Webhook } from '../../store/webhooks/webhooks.ts';
import { nameSchemas } from '../validation/named.ts';

const MASK = 'whsec_********';
const URL_MAX = 2_000;

const Events = z
  .array(z.enum([...SUBSCRIBABLE, ALL_EVENTS]))
  .min(1)
  .max(SUBSCRIBABLE.length + 1)
  .meta({
    description: [
      `\`${ALL_EVENTS}\`: all events, also those of later versions.`,
      ...Object.entries(EVENT_TYPES).map(([type, sentence]) => `\`${type}\`: ${sentence}`),
    ].join(' '),
  });
/** Field of requests that start a run. */
export const RunWebhookUrl = z.string().min(1).max(URL_MAX).optional().meta({
  description:
    'Receives `run.completed`, `run.failed` or `run.cancelled` when the run has ended, signed with the secret from `GET /webhooks/secret`.',
});

const Url = z.string().min(1).max(URL_MAX).meta({ description: 'Receiver: http or https, a public address.' });
const Description = z.string().max(500).nullable();

export const WebhookBody = z.strictObject({
  url: Url,
  events: Events,
  secret: z.string().max(100).optional().meta({
    description:
      '`whsec_` and the base64 of 24 to 64 random bytes. If left out, one is generated and shown once, in the response.',
  }),
  description: Description.optional(),
});

export const WebhookPatch = z.strictObject({
  url: Url.optional(),
  events: Events.optional(),
  description: Description.optional(),
  enabled: z
    .boolean()
    .optional()
    .meta({ description: '`true` also enables a webhook that was disabled by a 410 response.' }),
});

export const RotateBody = z
  .strictObject({
    secret: z.string().max(100).optional(),
    overlap_hours: z
      .int()
      .min(0)
      .max(168)
      .optional()
      .meta({ description: 'Hours for which the old secret also signs. Default: 24.' }),
  })
  .nullable();

export const WebhookView = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  secret: z.string(),
  old_secret_until: z.string().nullable(),
  enabled: z.boolean(),
  disabled_at: z.string().nullable(),
  disabled_reason: z.string().nullable(),
  failures_in_a_row: z.number().int(),
  rests_until: z.string().nullable().meta({ description: 'After many failures, deliveries are paused until then.' }),
  last_success_at: z.string().nullable(),
  created_at: z.string(),
});

export const WebhookList = z.object({
  webhooks: z.array(WebhookView),
  total: z.number().int(),
  max: z.number().int().meta({ description: 'Maximum number of webhooks.' }),
});

export const DeliveryView = z.object({
  id: z.string(),
  event_id: z.string(),
  type: z.string(),
  url: z.string().nullable(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number().int(),
  last_status: z.number().int().nullable(),
  last_error: z.string().nullable(),
  last_attempt_at: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  request_id: z.string().nullable(),
  payload: z.looseObject({ type: z.string(), timestamp: z.string(), data: z.looseObject({}) }),
});

export const DeliveryList = z.object({ deliveries: z.array(DeliveryView), next_cursor: z.string().nullable() });
nameSchemas({ Webhook: WebhookView, Delivery: DeliveryView });

export const webhookView = (webhook: Webhook, secret = MASK) => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  secret,
  old_secret_until: webhook.oldSecretUntil?.toISOString() ?? null,
  enabled: webhook.disabledAt === null,
  disabled_at: webhook.disabledAt?.toISOString() ?? null,
  disabled_reason: webhook.disabledReason,
  failures_in_a_row: webhook.failures,
  rests_until: webhook.restsUntil?.toISOString() ?? null,
  last_success_at: webhook.lastSuccessAt?.toISOString() ?? null,
  created_at: webhook.createdAt.toISOString(),
});

export const deliveryView = (delivery: Delivery) => ({
  id: `dlv_${delivery.seq}`,
  event_id: delivery.event_id,
  type: delivery.type,
  url: delivery.url,
  state: delivery.state,
  attempts: delivery.attempts,
  last_status: delivery.last_status,
  last_error: delivery.last_error,
  last_attempt_at: delivery.last_at?.toISOString() ?? null,
  next_attempt_at: delivery.state === 'waiting' ? delivery.next_at.toISOString() : null,
  expires_at: delivery.expires_at?.toISOString() ?? null,
  created_at: delivery.created_at.toISOString(),
  ended_at: delivery.ended_at?.toISOString() ?? null,
  request_id: delivery.request_id,
  payload: JSON.parse(delivery.body),
});

export const WEBHOOK_BODY_EXAMPLE = {
  url: 'https://hooks.example.com/windrow',
  events: ['run.completed', 'run.failed'],
};

export const WEBHOOK_EXAMPLE = {
  id: 'whk_a1b2c3d4e5f60718',
  ...WEBHOOK_BODY_EXAMPLE,
  description: null,
  secret: MASK,
  old_secret_until: null,
  enabled: true,
  disabled_at: null,
  disabled_reason: null,
  failures_in_a_row: 0,
  rests_until: null,
  last_success_at: '2026-02-04T10:03:01.000Z',
  created_at: '2026-02-04T09:00:00.000Z',
};

export const SECRET_EXAMPLE = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const EVENT_EXAMPLE = {
  type: 'run.completed',
  timestamp: '2026-02-04T10:03:00.000Z',
  data: {
    run_id: 'manual_a1b2c3d4e5f60718',
    kind: 'posting',
    trigger: 'manual',
    status: 'completed',
    total: 1,
    cached: 0,
    completed: 1,
    failed: 0,
    site_name: ['indeed'],
    jobs_found: 48,
    message: null,
    created_at: '2026-02-04T10:02:15.000Z',
    finished_at: '2026-02-04T10:03:00.000Z',
    expires_at: null,
    request_id: 'req_5f0c2b9e8d714a36',
    path: '/jobs/scrape/manual_a1b2c3d4e5f60718',
  },
};

export const DELIVERY_EXAMPLE = {
  id: 'dlv_1204',
  event_id: 'evt_9f86d081884c7d659a2feaa0c55ad015',
  type: 'run.completed',
  url: 'https://hooks.example.com/windrow',
  state: 'waiting',
  attempts: 2,
  last_status: 500,
  last_error: 'answered 500',
  last_attempt_at: '2026-02-04T10:03:06.000Z',
  next_attempt_at: '2026-02-04T10:08:31.000Z',
  expires_at: null,
  created_at: '2026-02-04T10:03:00.000Z',
  ended_at: null,
  request_id: 'req_5f0c2b9e8d714a36',
  payload: EVENT_EXAMPLE,
};
