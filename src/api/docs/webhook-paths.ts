// Events that webhooks receive, in the `webhooks` section of the OpenAPI document: one entry per event.
import { EVENT_TYPES } from '../../model/webhook/webhook.ts';
import { EVENT_EXAMPLE } from '../webhooks/schemas.ts';

const HEADERS = {
  'webhook-id': 'Id of the event: the same for every attempt and every receiver.',
  'webhook-timestamp': 'Time of this attempt in Unix seconds. Refuse it if older than five minutes.',
  'webhook-signature':
    'One or two signatures, `v1,<base64>` each: HMAC-SHA256 of `webhook-id.webhook-timestamp.body`, with the decoded bytes after `whsec_` as key.',
};

const parameters = Object.entries(HEADERS).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

export const EVENT_PATHS = Object.fromEntries(
  Object.entries(EVENT_TYPES).map(([type, sentence]) => [
    type,
    {
      post: {
        operationId: `on${type.replace(/(^|[._])(\w)/g, (_all, _dot, letter: string) => letter.toUpperCase())}`,
        tags: ['Webhooks'],
        summary: `The event ${type}`,
        description: sentence,
        parameters,
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['type', 'timestamp', 'data'],
                properties: {
                  type: { const: type },
                  timestamp: { type: 'string', format: 'date-time' },
                  data: { type: 'object' },
                },
              },
              ...(type === EVENT_EXAMPLE.type ? { example: EVENT_EXAMPLE } : {}),
            },
          },
        },
        responses: {
          '2XX': { description: 'Delivered. Any other response, also a redirect, is retried for three days.' },
          '410': { description: 'The webhook is disabled.' },
        },
      },
    },
  ]),
);
