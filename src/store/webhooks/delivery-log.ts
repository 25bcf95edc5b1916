// What was sent and what came of it, for people; and sending it again.
import type { Pool } from 'pg';
import { ofOwner } from '../postgres/of-owner.ts';
import { query, transaction } from '../postgres/pool.ts';

export const DELIVERY_STATES = ['waiting', 'delivered', 'dead', 'expired'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface Delivery {
  seq: string;
  event_id: string;
  type: string;
  url: string | null;
  state: DeliveryState;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  last_at: Date | null;
  next_at: Date;
  expires_at: Date | null;
  created_at: Date;
  ended_at: Date | null;
  request_id: string | null;
  body: string;
}

const COLUMNS = `d.seq, d.event_id, d.type, coalesce(d.url, w.url) as url, d.state, d.attempts, d.last_status, d.last_error, d.last_at, d.next_at,
  d.expires_at, d.created_at, d.ended_at, d.request_id, d.body`;

/** A webhook's, or with null those to addresses that runs named. */
const ofWebhook = (id: string | null): string =>
  id === null ? 'd.webhook_id is null and $1::text is null' : 'd.webhook_id = $1';

export async function listDeliveries(
  pool: Pool,
  options: {
    webhookId: string | null;
    state: DeliveryState | null;
    eventId: string | null;
    /** Of deliveries to addresses that runs named: only of runs of this owner; null: of all. */
    owner: string | null;
    before: string | null;
    limit: number;
  },
): Promise<Delivery[]> {
  return query<Delivery & Record<string, unknown>>(
    pool,
    `select ${COLUMNS} from deliveries d left join webhooks w on w.id = d.webhook_id
     where ${ofWebhook(options.webhookId)} and ($2::text is null or d.state = $2) and ($3::text is null or d.event_id = $3)
       and ($4::bigint is null or d.seq < $4) and ${ofOwner(options.webhookId === null ? options.owner : null, '$6', 'd.owner')} order by d.seq desc limit $5`,
    [
      options.webhookId,
      options.state,
      options.eventId,
      options.before,
      options.limit,
      options.webhookId === null ? options.owner : null,
    ],
  );
}

export async function redeliver(
  pool: Pool,
  webhookId: string | null,
  seq: string,
  owner: string | null,
): Promise<Delivery | null> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ receiver: string }>(
      `update deliveries d set state = 'waiting', next_at = now(), attempts_before = attempts, ended_at = null, expires_at = null
       where d.seq = $2 and ${ofWebhook(webhookId)} and ($3::text is null or d.webhook_id is not null or d.owner = $3) returning d.receiver`,
      [webhookId, seq, owner],
    );
    if (!rows[0]) return null;
    // Whoever asks for it knows why it should work now.
    await client.query('update receivers set open_at = null where id = $1', [rows[0].receiver]);
    const { rows: shown } = await client.query<Delivery>(
      `select ${COLUMNS} from deliveries d left join webhooks w on w.id = d.webhook_id where d.seq = $1`,
      [seq],
    );
    return shown[0] ?? null;
  });
}
