// A worker as the API shows it: what it says of itself, and whether somebody drained it.
import { z } from 'zod';
import type { WorkerBeat } from '../../model/task/messages.ts';
import type { WorkerDrain } from '../../store/workers/drains.ts';
import { nameSchemas } from '../validation/named.ts';

export const Worker = z.object({
  worker: z.string(),
  host: z.string(),
  pid: z.number().int(),
  version: z.string(),
  lanes: z.array(z.string()),
  slots: z.number().int(),
  busy: z.number().int(),
  rss_bytes: z.number().int(),
  started_at: z.string(),
  last_seen_at: z.string(),
  draining: z.boolean().meta({ description: 'It takes no more tasks: it was drained, or it is about to stop.' }),
  drain: z
    .object({ since: z.string(), reason: z.string().nullable(), by: z.string().nullable() })
    .nullable()
    .meta({ description: 'Who drained it; null when nobody did. It is ended by resuming the worker.' }),
});
nameSchemas({ Worker });

export const WORKER_EXAMPLE = {
  worker: 'host-1.4711',
  host: 'host-1',
  pid: 4711,
  version: '0.1.0',
  lanes: ['http', 'browser'],
  slots: 50,
  busy: 12,
  rss_bytes: 120_000_000,
  started_at: '2026-02-04T10:00:00.000Z',
  last_seen_at: '2026-02-04T10:35:00.000Z',
  draining: false,
  drain: null,
};

export function workerViews(beats: readonly WorkerBeat[], drains: readonly WorkerDrain[]): z.infer<typeof Worker>[] {
  const byName = new Map(drains.map((drain) => [drain.worker, drain]));
  return beats.map(({ sent_at, ...beat }) => {
    const drain = byName.get(beat.worker);
    return {
      ...beat,
      last_seen_at: sent_at,
      drain: drain ? { since: drain.askedAt.toISOString(), reason: drain.reason, by: drain.askedBy } : null,
    };
  });
}
