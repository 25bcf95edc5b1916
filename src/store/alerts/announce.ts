// Announces new postings: a batch leaves the queue, is compared with all alerts, and becomes matches and events, in one transaction. After a crash each
// posting was announced once or still waits.
// What a reader would get wrong: a job on a second board is not new. `postings.new` has only the first posting of a group; an alert matches the first one
// that fits, which may be a later one (the alert asks for a board, or only that board shows the salary).
import type { Pool } from 'pg';
import { chunksOf, type Notice } from '../../model/posting/notice.ts';
import { type Client, transaction } from '../postgres/pool.ts';
import { plainArray, textArray } from '../postgres/text.ts';
import { NOTICE_COLUMNS, type NoticeRow, noticeOf } from '../postings/notices.ts';
import { CONDITIONS } from '../postings/posting-list.ts';
import { type NewEvent, wantedTypes, writeDeliveries } from '../webhooks/webhook-events.ts';
import { alertName } from './alerts.ts';

export interface Announced {
  /** Left the queue. */
  taken: number;
  /** Of a job that no board showed before. */
  news: number;
  matches: number;
}

/** One transaction at a time: readers of matches continue from the last number they saw, so numbers have to become visible in order. */
const LOCK_KEY = 7_246_309;
/** Of the notices in an event: with its envelope it stays under the 20 kB that receivers expect. */
const EVENT_BYTES = 16_000;
/** Alerts whose events are made and written together. */
const ALERTS_AT_ONCE = 200;
const NOTHING: Announced = { taken: 0, news: 0, matches: 0 };

interface Due {
  seq: string;
  key: string;
  earlier: string[];
}

export async function announcePostings(pool: Pool, options: { batch: number }): Promise<Announced> {
  return transaction(pool, async (client) => {
    const { rows: lock } = await client.query<{ ours: boolean }>('select pg_try_advisory_xact_lock($1) as ours', [
      LOCK_KEY,
    ]);
    if (!lock[0]?.ours) return NOTHING;
    const { rows: due } = await client.query<Due>(
      `with taken as materialized (select seq from announcements order by seq limit $1)
       delete from announcements a using taken t where a.seq = t.seq returning a.seq, a.key, a.earlier::text[]`,
      [options.batch],
    );
    if (due.length === 0) return NOTHING;
    due.sort((a, b) => Number(a.seq) - Number(b.seq));
    const wanted = await wantedTypes(client, ['postings.new', 'alert.matched']);
    const matched = await matchAlerts(client, due, wanted.has('alert.matched'));
    const news = due.filter((one) => one.earlier.length === 0);
    const told = new Set(matched.flatMap((one) => one.keys ?? []));
    if (wanted.has('postings.new')) for (const { key } of news) told.add(key);
    const notices = await noticesOf(client, [...told]);
    if (wanted.has('postings.new')) await writeDeliveries(client, newsEvents(news, notices));
    for (let at = 0; at < matched.length; at += ALERTS_AT_ONCE) {
      const some = matched.slice(at, at + ALERTS_AT_ONCE);
      await writeDeliveries(client, matchEvents(some, notices, wanted.has('alert.matched')));
    }
    return { taken: due.length, news: news.length, matches: matched.reduce((sum, one) => sum + one.count, 0) };
  });
}

interface Matched {
  id: string;
  name: string;
  webhook_url: string | null;
  owner: string | null;
  count: number;
  /** Null without a webhook_url. */
  keys: string[] | null;
}

const is = (column: string, condition: (value: string) => string): string =>
  `(a.${column} is null or ${condition(`a.${column}`)})`;

/** An alert `a` matches a posting `p`; cheap conditions come first. */
const MATCHES = [
  is('sources', CONDITIONS.sources),
  is('remote_type', CONDITIONS.remoteType),
  is('currency', CONDITIONS.currency),
  is('min_salary', CONDITIONS.minSalary),
  is('posted_after', CONDITIONS.postedAfter),
  is('q', CONDITIONS.q),
  is('company', CONDITIONS.company),
  is('location', CONDITIONS.location),
].join(' and ');

/**
 * Few statements for any number of alerts: those that need a word are found by the words of the postings, the others are compared one by one. The earlier
 * postings of a group are compared too: an alert that matches one of those already has this job.
 */
async function matchAlerts(client: Client, due: Due[], isAnyoneTold: boolean): Promise<Matched[]> {
  // Estimates of what is in a list of words are far off: compiling such a plan costs more than running it, and lists of candidates belong in memory.
  await client.query(`select set_config('jit', 'off', true), set_config('work_mem', '32MB', true)`);
  const { rows } = await client.query<Matched>(
    `with due as materialized (
       select pos, key, earlier::uuid[] as earlier from unnest($1::uuid[], $2::text[]) with ordinality as d(key, earlier, pos)
     ), batch as materialized (
       -- The joining makes the vector a value of its own: from the table it would be unpacked again for every alert.
       select key, source, remote_type, posted_at, salary_annual, currency, search_vector || '' as search_vector
       from postings where key in (select key from due union select unnest(earlier) from due)
     ), words as materialized (
       select p.key, w.lexeme from batch p, unnest(p.search_vector) as w
     ), candidates as materialized (
       select distinct a.id, w.key from alerts a cross join unnest(a.anchors) as n(lexeme) join words w on w.lexeme = n.lexeme where a.active
     ), matched as materialized (
       select a.id, p.key from candidates c join alerts a on a.id = c.id join batch p on p.key = c.key where ${MATCHES}
       union all
       select a.id, p.key from alerts a cross join batch p where a.active and a.anchors = '{}' and ${MATCHES}
     ), echoes as materialized (
       select distinct m.id, d.key from due d cross join unnest(d.earlier) as e(key) join matched m on m.key = e.key
     ), written as (
       insert into alert_matches (alert_id, posting_key)
       select m.id, m.key from due d join matched m on m.key = d.key
       where not exists (select 1 from echoes e where e.id = m.id and e.key = m.key)
       order by d.pos
       on conflict do nothing returning alert_id, posting_key
     )
     select a.id, a.name, a.webhook_url, a.owner, count(*)::int as count,
       case when $3 or a.webhook_url is not null then array_agg(w.posting_key::text) end as keys
     from written w join alerts a on a.id = w.alert_id group by a.id`,
    [plainArray(due.map((one) => one.key)), textArray(due.map((one) => plainArray(one.earlier))), isAnyoneTold],
  );
  return rows;
}

interface Told {
  notice: Notice;
  runId: string | null;
  requestId: string | null;
}

async function noticesOf(client: Client, keys: string[]): Promise<Map<string, Told>> {
  if (keys.length === 0) return new Map();
  const { rows } = await client.query<NoticeRow & { key: string; run_id: string | null; request_id: string | null }>(
    `select p.key, ${NOTICE_COLUMNS}, case when r.owner is null then r.id end as run_id, case when r.owner is null then r.request_id end as request_id
     from postings p left join tasks t on t.id = p.task_id left join runs r on r.seq = t.run_seq where p.key = any($1::uuid[])`,
    [plainArray(keys)],
  );
  return new Map(rows.map((row) => [row.key, { notice: noticeOf(row), runId: row.run_id, requestId: row.request_id }]));
}

/** One event per run with new postings, in parts if there are many. */
function newsEvents(news: Due[], notices: Map<string, Told>): NewEvent[] {
  const found = news.flatMap(({ key, seq }) => {
    const told = notices.get(key);
    return told ? [{ ...told, seq }] : [];
  });
  return [...Map.groupBy(found, (one) => one.runId)].flatMap(([runId, all]) =>
    chunksOf(all, EVENT_BYTES).map((chunk) => ({
      key: `postings.new:${chunk[0]!.seq}`,
      type: 'postings.new' as const,
      requestId: chunk[0]!.requestId,
      data: { run_id: runId, count: chunk.length, postings: chunk.map((one) => one.notice) },
    })),
  );
}

/** To the webhook_url of the alert, and to webhooks that subscribe to all alerts. */
function matchEvents(matched: Matched[], notices: Map<string, Told>, isSubscribed: boolean): NewEvent[] {
  return matched.flatMap(({ id, name, webhook_url, owner, keys }) => {
    const found = (keys ?? []).flatMap((key) => notices.get(key) ?? []);
    return chunksOf(found, EVENT_BYTES).flatMap((chunk) => {
      const event = {
        key: `alert:${id}:${chunk[0]!.notice.job_hash}:${chunk[0]!.notice.first_seen_at}`,
        type: 'alert.matched' as const,
        // Of whoever asked for the run, who need not be the owner of the alert.
        requestId: owner === null ? chunk[0]!.requestId : null,
        owner,
        data: {
          alert_id: alertName(id),
          name,
          count: chunk.length,
          postings: chunk.map((one) => one.notice),
        },
      };
      return [
        ...(isSubscribed ? [event] : []),
        ...(webhook_url === null ? [] : [{ ...event, to: { url: webhook_url } }]),
      ];
    });
  });
}
