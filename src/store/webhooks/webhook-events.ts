// Writing the outbox. Call `emit` within the transaction that makes the event true: it commits with it or not at all. It is cheap where nobody
// listens (one look at a small table for a whole batch of events), so it may be called from the paths that record thousands of tasks a second.
//
//   await emit(client, [{ key: `run:${id}`, type: 'run.completed', data: { run_id: id }, requestId }]);
//
// The `key` is what makes it one event: emitted again, with the same key, it reaches nobody twice.
import { keyOf } from '../../model/ids.ts';
import { ALL_EVENTS, type EventType, eventBody } from '../../model/webhook/webhook.ts';
import type { Client } from '../postgres/pool.ts';
import { pgText, plainArray, textArray } from '../postgres/text.ts';

export interface NewEvent {
  key: string;
  type: EventType;
  /** Thin: ids, counts, where to read more; snake_case, together under 20 kB. Sent as `{"type", "timestamp", "data"}`. */
  data: Record<string, unknown>;
  requestId: string | null;
  /** The span that it follows from. */
  traceparent?: string | null;
  /** Only webhooks of this owner are told, and those that are told of everything; null or left out: all. */
  owner?: string | null;
  /** Not sent after this. */
  expiresAt?: Date | null;
  /** Instead of every webhook that subscribed: one of them, or an address (signed with the instance's secret). The caller has had it checked. */
  to?: { webhookId: string } | { url: string };
}

/** Which of these types somebody has subscribed to: ask before gathering what is costly to gather. */
export async function wantedTypes(client: Client, types: readonly EventType[]): Promise<Set<EventType>> {
  const { rows } = await client.query<{ events: string[] }>({
    name: 'webhooks-for',
    text: 'select events from webhooks where disabled_at is null and events && $1::text[]',
    values: [textArray([...types, ALL_EVENTS])],
  });
  const asked = new Set(rows.flatMap((row) => row.events));
  return new Set(asked.has(ALL_EVENTS) ? types : types.filter((type) => asked.has(type)));
}

/** Returns how many deliveries were written. */
export async function emit(client: Client, events: NewEvent[]): Promise<number> {
  const open = events.filter((event) => event.to === undefined).map((event) => event.type);
  const wanted = open.length > 0 ? await wantedTypes(client, [...new Set(open)]) : new Set<EventType>();
  return writeDeliveries(
    client,
    events.filter((event) => event.to !== undefined || wanted.has(event.type)),
  );
}

/** A receiver that a run names is known by its origin: many runs name addresses of one server. */
const receiverOf = (url: string): string => new URL(url).origin;

/** For callers that have asked `wantedTypes` themselves. */
export async function writeDeliveries(client: Client, events: NewEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const at = new Date();
  const urls = events.map(({ to }) => (to && 'url' in to ? to.url : null));
  const { rowCount } = await client.query(
    `with events as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $10::text[], $11::text[])
         as e(event_id, type, body, request_id, expires_at, webhook_id, url, origin, traceparent, owner)
     ), told as (
       select e.event_id, e.type, e.body, e.request_id, e.expires_at, w.id as receiver, w.id as webhook_id, null::text as url, e.traceparent, null::text as owner
       from events e join webhooks w on w.disabled_at is null and e.url is null
         and case when e.webhook_id is null then w.events && array[e.type, $9] and (w.owner is null or e.owner is null or w.owner = e.owner) else w.id = e.webhook_id end
       union all
       select e.event_id, e.type, e.body, e.request_id, e.expires_at, e.origin, null, e.url, e.traceparent, e.owner from events e where e.url is not null
     ), known as (
       insert into receivers (id) select distinct receiver from told order by 1 on conflict do nothing
     )
     insert into deliveries (event_id, type, body, request_id, expires_at, receiver, webhook_id, url, traceparent, owner) select * from told
     on conflict do nothing`,
    [
      textArray(events.map((event) => eventIdOf(event.key))),
      textArray(events.map((event) => event.type)),
      textArray(events.map((event) => eventBody(event.type, at, event.data))),
      textArray(events.map((event) => pgText(event.requestId))),
      plainArray(events.map(({ expiresAt }) => (expiresAt ? `"${expiresAt.toISOString()}"` : null))),
      textArray(events.map(({ to }) => (to && 'webhookId' in to ? to.webhookId : null))),
      textArray(urls),
      textArray(urls.map((url) => url && receiverOf(url))),
      ALL_EVENTS,
      textArray(events.map(({ traceparent }) => traceparent ?? null)),
      textArray(events.map(({ owner }) => owner ?? null)),
    ],
  );
  return rowCount ?? 0;
}

/** No dots: they separate the parts of what is signed. */
export const eventIdOf = (key: string): string => `evt_${keyOf(key).replaceAll('-', '')}`;
