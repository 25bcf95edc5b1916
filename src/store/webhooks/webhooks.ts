// Webhooks: who wants to be told of what. Secrets leave this file only to sign (deliveries.ts) and, once, to whoever created or rotated them.
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { query, transaction } from '../postgres/pool.ts';
import { pgText, textArray } from '../postgres/text.ts';

export interface Webhook {
  id: string;
  /** Null: told of everything, and kept by those who see everything. */
  owner: string | null;
  url: string;
  events: string[];
  description: string | null;
  /** Until then the secret before the last rotation signs too. */
  oldSecretUntil: Date | null;
  disabledAt: Date | null;
  disabledReason: string | null;
  createdAt: Date;
  /** Failures in a row, and until when it is left alone for them. */
  failures: number;
  restsUntil: Date | null;
  lastSuccessAt: Date | null;
}

export interface WebhookInput {
  url: string;
  events: string[];
  description: string | null;
}

interface WebhookRow {
  id: string;
  owner: string | null;
  url: string;
  events: string[];
  description: string | null;
  old_secret_until: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  created_at: Date;
  failures: number | null;
  open_at: Date | null;
  ok_at: Date | null;
}

const SHOWN = `
  w.id, w.owner, w.url, w.events, w.description, case when w.old_secret_until > now() then w.old_secret_until end as old_secret_until,
  w.disabled_at, w.disabled_reason, w.created_at, r.failures, case when r.open_at > now() then r.open_at end as open_at, r.ok_at
  from webhooks w left join receivers r on r.id = w.id`;

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  owner: row.owner,
  url: row.url,
  events: row.events,
  description: row.description,
  oldSecretUntil: row.old_secret_until,
  disabledAt: row.disabled_at,
  disabledReason: row.disabled_reason,
  createdAt: row.created_at,
  failures: row.failures ?? 0,
  restsUntil: row.open_at,
  lastSuccessAt: row.ok_at,
});

/** `whsec_` and the base64 of the key, as Standard Webhooks has it. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export async function createWebhook(
  pool: Pool,
  input: WebhookInput & { secret: string; requestId: string | null; owner: string | null; max: number },
): Promise<Webhook | null> {
  const id = `whk_${randomBytes(8).toString('hex')}`;
  const isCreated = await transaction(pool, async (client) => {
    // Two at once must not both be the last one.
    await client.query('lock table webhooks in share row exclusive mode');
    const { rowCount } = await client.query(
      `insert into webhooks (id, url, events, description, secrets, request_id, owner)
       select $1, $2, $3::text[], $4, array[$5], $6, $8 where (select count(*) from webhooks) < $7`,
      [
        id,
        input.url,
        textArray(input.events),
        pgText(input.description),
        input.secret,
        input.requestId,
        input.max,
        input.owner,
      ],
    );
    if (rowCount === 1) await client.query('insert into receivers (id) values ($1)', [id]);
    return rowCount === 1;
  });
  return isCreated ? getWebhook(pool, id) : null;
}

export async function getWebhook(pool: Pool, id: string): Promise<Webhook | null> {
  const [row] = await query<WebhookRow & Record<string, unknown>>(pool, `select ${SHOWN} where w.id = $1`, [id]);
  return row ? toWebhook(row) : null;
}

export async function listWebhooks(pool: Pool, owner: string | null): Promise<Webhook[]> {
  const rows = await query<WebhookRow & Record<string, unknown>>(
    pool,
    `select ${SHOWN} where ($1::text is null or w.owner = $1) order by w.created_at desc, w.id`,
    [owner],
  );
  return rows.map(toWebhook);
}

export async function updateWebhook(
  pool: Pool,
  id: string,
  input: WebhookInput & { isEnabled: boolean },
): Promise<Webhook | null> {
  await transaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update webhooks set url = $2, events = $3::text[], description = $4, updated_at = now(),
         disabled_at = case when $5 then null else coalesce(disabled_at, now()) end,
         disabled_reason = case when $5 then null else coalesce(disabled_reason, 'disabled by hand') end
       where id = $1`,
      [id, input.url, textArray(input.events), pgText(input.description), input.isEnabled],
    );
    if (rowCount === 0) return;
    if (input.isEnabled) await client.query('update receivers set failures = 0, open_at = null where id = $1', [id]);
  });
  return getWebhook(pool, id);
}

export async function deleteWebhook(pool: Pool, id: string): Promise<boolean> {
  return transaction(pool, async (client) => {
    const { rowCount } = await client.query('delete from webhooks where id = $1', [id]);
    await client.query('delete from deliveries where webhook_id = $1', [id]);
    await client.query('delete from receivers where id = $1', [id]);
    return rowCount === 1;
  });
}

export async function rotateSecret(
  pool: Pool,
  id: string,
  { secret, overlapSeconds }: { secret: string; overlapSeconds: number },
): Promise<Webhook | null> {
  await query(
    pool,
    `update webhooks set secrets = array[$2, secrets[1]], old_secret_until = now() + make_interval(secs => $3), updated_at = now() where id = $1`,
    [id, secret, overlapSeconds],
  );
  return getWebhook(pool, id);
}

const INSTANCE_SECRET = 'webhook_secret';

export async function instanceSecret(pool: Pool): Promise<string> {
  await query(pool, 'insert into marks (name, value) values ($1, $2) on conflict do nothing', [
    INSTANCE_SECRET,
    newSecret(),
  ]);
  const [row] = await query<{ value: string }>(pool, 'select value from marks where name = $1', [INSTANCE_SECRET]);
  return row!.value;
}
