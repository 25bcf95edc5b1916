// How long the queue was and how old its oldest task, over the last hours: noted by an orchestrator, so a page that was just opened has it too.
import { z } from 'zod';
import { within } from '../../observe/cached.ts';
import { createKept } from '../../observe/kept.ts';
import { HISTORY_HOURS, type QueueHistoryStore } from '../../store/queue/queue-history.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { nameSchemas } from '../validation/named.ts';

const LIMIT_MS = 5_000;
const DEFAULT_HOURS = 6;
const MINUTE_S = 60;
/** More than a chart is wide. */
const POINTS_MAX = 480;

const Point = z.object({
  at: z.string(),
  waiting: z.number().int(),
  active: z.number().int(),
  delayed: z.number().int(),
  held: z.number().int(),
  oldest_waiting_seconds: z.number().nullable(),
});
nameSchemas({ QueuePoint: Point });
const History = z.object({
  every_seconds: z.number().int().meta({ description: 'Each point is the highest of this time.' }),
  points: z
    .array(Point)
    .meta({ description: 'The oldest first. Where no orchestrator was running, points are missing.' }),
});

export const queueHistory = (deps: Needs<QueueHistoryStore>): Route[] => [show(deps)];

function show({ store }: Needs<QueueHistoryStore>): Route {
  // A new point comes once a minute, however many pages ask.
  const kept = createKept<z.infer<typeof History>>({ isKept: ({ points }) => points.length > 0, freshMs: 10_000 });
  return route({
    method: 'GET',
    path: '/jobs/queue/history',
    operationId: 'getQueueHistory',
    scope: 'read',
    tag: 'Queue',
    summary: 'Get how long the queue was and how old its oldest task, over the last hours',
    query: z.strictObject({
      hours: z.int().min(1).max(HISTORY_HOURS).default(DEFAULT_HOURS).meta({ description: 'How far back.' }),
    }),
    replies: {
      200: json('The points.', History, {
        every_seconds: 60,
        points: [
          {
            at: '2026-02-04T10:34:00.000Z',
            waiting: 120,
            active: 50,
            delayed: 3,
            held: 0,
            oldest_waiting_seconds: 4.2,
          },
        ],
      }),
    },
    problems: ['invalid_params'],
    handle: ({ query: { hours } }) => kept(String(hours), () => read(hours)),
  });

  async function read(hours: number): Promise<z.infer<typeof History>> {
    const every = Math.ceil((hours * 3_600) / POINTS_MAX / MINUTE_S) * MINUTE_S;
    const points = await within(store.queueHistory(hours, every), LIMIT_MS, 'The database');
    return {
      every_seconds: every,
      points: points.map(({ at, oldestSeconds, ...counts }) => ({
        at: at.toISOString(),
        ...counts,
        oldest_waiting_seconds: oldestSeconds,
      })),
    };
  }
}
