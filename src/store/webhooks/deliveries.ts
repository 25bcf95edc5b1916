// Deliveries: claim due ones, store outcomes. A claim moves `next_at` to the end of a lease, so that the deliveries of a crashed process are sent again;
// the attempt number is the fencing token that keeps a slow attempt from overwriting a later one.
// Receivers are handled one by one, each with its oldest delivery: a thousand deliveries to a failing receiver do not block the others.
import type { Pool } from 'pg';
import {
  BREAKER_FAILURES,
  type DeliveryAnswer,
  type DeliveryVerdict,
  receiverAfter,
} from '../../model/webhook/webhook.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { pgText, plainArray, textArray } from '../postgres/text.ts';

export interface ClaimedDelivery {
  seq: string;
  eventId: string;
  type: string;
  receiver: string;
  webhookId: string | null;
  /** Null: the webhook was deleted or disabled meanwhile. */
  url: string | null;
  body: string;
  requestId: string | null;
  traceparent: string | null;
  /** Since it was first written, or last asked to be sent again; the first is 1. */
  attempt: number;
  token: number;
  expiresAt: Date | null;
  /** Empty: signed with the instance's. */
  secrets: string[];
  /** Its receiver answered the last time. */
  isProven: boolean;
}

interface ClaimedRow {
  seq: string;
  event_id: string;
  type: string;
  receiver: string;
  webhook_id: string | null;
  url: string | null;
  body: string;
  request_id: string | null;
  traceparent: string | null;
  attempts: number;
  attempts_before: number;
  expires_at: Date | null;
  secrets: string[] | null;
  proven: boolean;
}

/** At the same time, by one process. */
const PER_RECEIVER = 4;

export interface ClaimLimits {
  /** Deliveries to receivers that answered the last time, and to all others. */
  proven: number;
  others: number;
  /** What this process has in hand already, by receiver. */
  busy: ReadonlyMap<string, number>;
  leaseSeconds: number;
}

export async function claimDeliveries(pool: Pool, limits: ClaimLimits): Promise<ClaimedDelivery[]> {
  // The limit is a constant, and rows are found by an array of keys: otherwise the planner expects millions and reads the whole table for four.
  const rows = await query<ClaimedRow & Record<string, unknown>>(pool, {
    name: 'claim-deliveries',
    text: `with ready as (
       select r.id, r.failures >= ${BREAKER_FAILURES} as failing, r.failures = 0 and r.ok_at is not null as proven,
              case when r.failures >= ${BREAKER_FAILURES} then 1 else ${PER_RECEIVER} end - coalesce(b.n, 0) as room
       from receivers r left join unnest($1::text[], $2::int[]) as b(id, n) on b.id = r.id
       where r.open_at is null or r.open_at <= now()
     ), due as (
       select d.seq, d.next_at, ready.*, row_number() over (partition by ready.id order by d.next_at) as turn from ready cross join lateral (
         select seq, next_at from deliveries where receiver = ready.id and state = 'waiting' and next_at <= now()
         order by next_at limit ${PER_RECEIVER} for update skip locked
       ) d where ready.room > 0
     ), picked as (
       select * from (select *, row_number() over (partition by proven order by next_at) as place from due where turn <= room) d
       where place <= case when proven then $3::int else $4::int end
     ), probed as (
       -- One at a time, also among several orchestrators.
       update receivers set open_at = now() + make_interval(secs => $5) where id = any (array(select id from picked where failing))
     ), claimed as (
       update deliveries d set attempts = d.attempts + 1, next_at = now() + make_interval(secs => $5), last_at = now()
       where d.seq = any (array(select seq from picked)) returning d.*
     )
     select c.seq, c.event_id, c.type, c.receiver, c.webhook_id, c.body, c.request_id, c.traceparent, c.attempts, c.attempts_before, c.expires_at, p.proven,
            case when c.webhook_id is null then c.url when w.disabled_at is null then w.url end as url,
            case when w.old_secret_until > now() then w.secrets else w.secrets[1:1] end as secrets
     from claimed c join picked p on p.seq = c.seq left join webhooks w on w.id = c.webhook_id`,
    values: [
      textArray([...limits.busy.keys()]),
      plainArray([...limits.busy.values()]),
      limits.proven,
      limits.others,
      limits.leaseSeconds,
    ],
  });
  return rows.map((row) => ({
    seq: row.seq,
    eventId: row.event_id,
    type: row.type,
    receiver: row.receiver,
    webhookId: row.webhook_id,
    url: row.url,
    body: row.body,
    requestId: row.request_id,
    traceparent: row.traceparent,
    attempt: row.attempts - row.attempts_before,
    token: row.attempts,
    expiresAt: row.expires_at,
    secrets: row.secrets ?? [],
    isProven: row.proven,
  }));
}

export interface DeliveryOutcome {
  delivery: ClaimedDelivery;
  answer: DeliveryAnswer;
  verdict: DeliveryVerdict;
}

/** Of the attempt that counts: the last one, unless it was under way when the delivery was asked for anew. What comes of that one would end the new ones. */
const IS_CURRENT = 'd.attempts = f.token and f.token > d.attempts_before';

export function finishDeliveries(pool: Pool, outcomes: DeliveryOutcome[], random: () => number): Promise<void> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ seq: string }>(
      `update deliveries d set state = f.state, last_status = f.status, last_error = f.error,
         next_at = case when f.state = 'waiting' then now() + f.delay_ms * interval '1 millisecond' else d.next_at end,
         ended_at = case when f.state <> 'waiting' then now() end
       from unnest($1::bigint[], $2::int[], $3::text[], $4::int[], $5::text[], $6::bigint[]) as f(seq, token, state, status, error, delay_ms)
       where d.seq = f.seq and ${IS_CURRENT} and (d.state = 'waiting' or f.state = 'delivered') returning d.seq`,
      [
        plainArray(outcomes.map(({ delivery }) => delivery.seq)),
        plainArray(outcomes.map(({ delivery }) => delivery.token)),
        textArray(outcomes.map(({ verdict }) => verdict.state)),
        plainArray(outcomes.map(({ answer }) => ('status' in answer ? answer.status : null))),
        textArray(
          outcomes.map(({ verdict }) => ('error' in verdict ? pgText(verdict.error.slice(0, ERROR_MAX)) : null)),
        ),
        plainArray(outcomes.map(({ verdict }) => ('delayMs' in verdict ? verdict.delayMs : null))),
      ],
    );
    const written = new Set(rows.map((row) => row.seq));
    const counted = outcomes.filter(({ delivery }) => written.has(delivery.seq));
    await moveReceivers(client, counted, random);
    await disableGone(client, counted);
    await countOutcomes(client, counted);
  });
}

const ERROR_MAX = 500;

async function moveReceivers(client: Client, outcomes: DeliveryOutcome[], random: () => number): Promise<void> {
  const ids = [...new Set(outcomes.map(({ delivery }) => delivery.receiver))].sort();
  const { rows } = await client.query<{ id: string; failures: number }>(
    'select id, failures from receivers where id = any($1::text[]) order by id for update',
    [textArray(ids)],
  );
  const known = rows.map((row) => {
    let state = { failures: row.failures, restMs: 0 };
    let hasAnswered = false;
    for (const { delivery, answer, verdict } of outcomes) {
      if (delivery.receiver !== row.id) continue;
      state = receiverAfter(state.failures, answer, random);
      hasAnswered ||= verdict.state === 'delivered';
    }
    return { id: row.id, ...state, hasAnswered };
  });
  await client.query(
    `update receivers r set failures = n.failures, ok_at = case when n.ok then now() else r.ok_at end,
       open_at = case when n.rest_ms > 0 then now() + n.rest_ms * interval '1 millisecond' end
     from unnest($1::text[], $2::int[], $3::bigint[], $4::boolean[]) as n(id, failures, rest_ms, ok) where r.id = n.id`,
    [
      textArray(known.map((one) => one.id)),
      plainArray(known.map((one) => one.failures)),
      plainArray(known.map((one) => one.restMs)),
      known.map((one) => one.hasAnswered),
    ],
  );
}

/** Who answers 410 wants to hear no more, whatever else is on its way there. */
async function disableGone(client: Client, outcomes: DeliveryOutcome[]): Promise<void> {
  const gone = outcomes.flatMap(({ delivery: { webhookId }, verdict }) =>
    webhookId !== null && verdict.state === 'dead' && verdict.isGone ? [webhookId] : [],
  );
  if (gone.length === 0) return;
  await client.query(
    `update webhooks set disabled_at = now(), disabled_reason = 'the receiver answered 410 Gone', updated_at = now()
     where id = any($1::text[]) and disabled_at is null`,
    [textArray(gone)],
  );
}

async function countOutcomes(client: Client, outcomes: DeliveryOutcome[]): Promise<void> {
  const counts = Map.groupBy(outcomes, ({ verdict }) => (verdict.state === 'waiting' ? 'retried' : verdict.state));
  for (const [outcome, ofIt] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    await client.query('update delivery_totals set count = count + $2 where outcome = $1', [outcome, ofIt.length]);
}

export async function returnDeliveries(pool: Pool, deliveries: ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await query(
    pool,
    `update deliveries d set attempts = d.attempts - 1, next_at = now()
     from unnest($1::bigint[], $2::int[]) as f(seq, token) where d.seq = f.seq and ${IS_CURRENT} and d.state = 'waiting'`,
    [plainArray(deliveries.map((one) => one.seq)), plainArray(deliveries.map((one) => one.token))],
  );
}

const SWEEP_BATCH = 1_000;

export async function sweepDeliveries(
  pool: Pool,
  { waitingMax }: { waitingMax: number },
): Promise<{ expired: number; dropped: number }> {
  const expired = await endWaiting(pool, {
    which: 'expires_at <= now() order by expires_at',
    values: [],
    state: 'expired',
    reason: 'the results of the run are no longer stored',
    limit: SWEEP_BATCH,
  });
  const crowded = await query<{ receiver: string; n: number }>(
    pool,
    `select receiver, count(*)::int as n from deliveries where state = 'waiting' group by 1 having count(*) > $1`,
    [waitingMax],
  );
  let dropped = 0;
  for (const { receiver, n } of crowded) {
    // Those that are furthest from being tried again have failed most often.
    dropped += await endWaiting(pool, {
      which: 'receiver = $2 order by next_at desc',
      values: [receiver],
      state: 'dead',
      reason: 'too many deliveries were waiting for this receiver',
      limit: Math.min(n - waitingMax, SWEEP_BATCH),
    });
  }
  return { expired, dropped };
}

interface Ending {
  /** Of those that wait; its own parameter is the second. */
  which: string;
  values: unknown[];
  state: 'expired' | 'dead';
  reason: string;
  limit: number;
}

async function endWaiting(pool: Pool, { which, values, state, reason, limit }: Ending): Promise<number> {
  const rows = await query<{ n: number }>(
    pool,
    `with ended as (
       update deliveries set state = '${state}', ended_at = now(), last_error = $1
       where seq = any (array(select seq from deliveries where state = 'waiting' and ${which} limit ${limit} for update skip locked)) returning 1
     ), counted as (
       update delivery_totals set count = count + (select count(*) from ended) where outcome = '${state}' and exists (select 1 from ended)
     )
     select count(*)::int as n from ended`,
    [reason, ...values],
  );
  return rows[0]!.n;
}

export interface DeliveryTotals {
  outcomes: Record<string, number>;
  waiting: number;
}

export async function deliveryTotals(pool: Pool): Promise<DeliveryTotals> {
  const rows = await query<{ outcome: string; count: string }>(pool, 'select outcome, count from delivery_totals');
  const [waiting] = await query<{ n: number }>(
    pool,
    `select count(*)::int as n from deliveries where state = 'waiting'`,
  );
  return { outcomes: Object.fromEntries(rows.map((row) => [row.outcome, Number(row.count)])), waiting: waiting!.n };
}
