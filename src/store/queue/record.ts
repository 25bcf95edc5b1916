// Recording: a batch of outcomes settles tasks, stores items and moves runs in one transaction. The caller has taken the leases
// (see queue.ts) and decided each outcome; here they are only written.
//
// Order of locks everywhere: queue, leases, live, runs. Shares are read after the `live` rows are gone, in a statement of their own: a
// submission that shared a task holds its `live` row until commit, so by then its share is visible.

import { isFinal, type RunStatus, type RunUpdate } from '../../model/run/run.ts';
import type { TaskError } from '../../model/task/messages.ts';
import type { Tried } from '../../model/task/tried.ts';
import { type CrawledTask, growCrawls, markFailed } from '../crawls/grow.ts';
import type { Client } from '../postgres/pool.ts';
import { jsonList, pgJson, plainArray, textArray } from '../postgres/text.ts';
import { ARTICLES_MIN, articleRunsEnded } from '../quality/article-runs.ts';
import { TRACE_OPTION, tellEnded, URL_OPTION } from '../runs/run-events.ts';
import { addEarlierAttempts } from './earlier-attempts.ts';
import type { Lease } from './queue.ts';

export interface Settled {
  lease: Lease;
  state: 'done' | 'failed';
  attempts: number;
  error: TaskError | null;
  metadata: object | null;
  /** The attempt that went wrong. */
  tried?: Tried;
  /** Of a page of a crawl: what it is, and its links. */
  crawled?: Omit<CrawledTask, 'key' | 'runSeq'>;
}

/** Ends tasks and moves every run that waits for them; returns where those runs stand now. Runs that have ended stay as they are. */
export async function settle(client: Client, outcomes: Settled[]): Promise<RunUpdate[]> {
  if (outcomes.length === 0) return [];
  const ids = plainArray(outcomes.map((o) => o.lease.taskId));
  const dead = outcomes.filter((o) => o.state === 'failed');
  // Sent at once, done in this order.
  const [, { rows: shares }] = await Promise.all([
    // The holder of the lease owns the live row. Sorted: the index scan then locks in one order everywhere.
    client.query({
      name: 'end-live',
      text: 'delete from live where key = any($1::uuid[])',
      values: [plainArray(outcomes.map((o) => o.lease.key).sort())],
    }),
    client.query<Share>({
      name: 'shares-of',
      text: 'select task_id, run_seq, entries from shares where task_id = any($1::uuid[])',
      values: [ids],
    }),
    client.query({
      name: 'insert-outcomes',
      text: `insert into outcomes (task_id, state, attempts, error, metadata)
             select task_id, state, attempts, nullif(error, 'null'), nullif(metadata, 'null')
             from rows from (unnest($1::uuid[], $2::text[], $3::smallint[]), jsonb_array_elements($4::jsonb), jsonb_array_elements($5::jsonb))
               as o(task_id, state, attempts, error, metadata)`,
      values: [
        ids,
        plainArray(outcomes.map((o) => o.state)),
        plainArray(outcomes.map((o) => o.attempts)),
        jsonList(outcomes.map((o) => pgJson(o.error))),
        jsonList(outcomes.map((o) => pgJson(o.metadata))),
      ],
    }),
    dead.length > 0 ? insertDeadLetters(client, dead) : null,
    addEarlierAttempts(
      client,
      // The error of the last attempt is in the outcome.
      dead.map(({ lease, tried }) => ({ lease, ...(tried && { tried }) })),
    ),
  ]);
  const moves = movesOf(outcomes, shares);
  if (dead.length > 0)
    await markFailed(
      client,
      dead.map((o) => o.lease.key),
    );
  const crawled = outcomes.flatMap(({ lease, crawled: page }) =>
    page ? [{ ...page, key: lease.key, runSeq: lease.runSeq }] : [],
  );
  if (crawled.length > 0) {
    // All that will be moved, in the order of moving: pages are added under the lock of their run.
    await client.query(
      `select seq from runs where seq = any($1::bigint[]) and status = 'running' order by seq for update`,
      [plainArray([...moves.keys()])],
    );
    // Before the run is moved: it must not end by the page whose links go on.
    await growCrawls(client, crawled);
  }
  return moveRuns(client, moves);
}

function insertDeadLetters(client: Client, dead: Settled[]): Promise<unknown> {
  return client.query(
    `insert into dead_letters (task_id, source, category, code, owner)
     select t.id, t.source, d.category, d.code, r.owner from unnest($1::uuid[], $2::text[], $3::text[]) as d(id, category, code)
     join tasks t on t.id = d.id left join runs r on r.seq = t.run_seq
     on conflict do nothing`,
    [
      dead.map((o) => o.lease.taskId),
      textArray(dead.map((o) => o.error?.category ?? 'internal')),
      textArray(dead.map((o) => o.error?.code ?? o.error?.category ?? 'internal')),
    ],
  );
}

interface Share {
  task_id: string;
  run_seq: string;
  entries: number;
}

interface Move {
  done: number;
  failed: number;
  /** Null: nothing of it ended. */
  itemKey: string | null;
}

/** How far each run moves: the one that made a task, and every one that shares it. */
function movesOf(outcomes: Settled[], shares: Share[]): Map<string, Move> {
  const moves = new Map<string, Move>();
  const add = (runSeq: string, outcome: Settled, entries: number): void => {
    const move = moves.get(runSeq) ?? { done: 0, failed: 0, itemKey: outcome.lease.key };
    move[outcome.state] += entries;
    moves.set(runSeq, move);
  };
  const byTask = new Map(outcomes.map((outcome) => [outcome.lease.taskId, outcome]));
  for (const outcome of outcomes) add(outcome.lease.runSeq, outcome, 1);
  for (const share of shares) add(share.run_seq, byTask.get(share.task_id)!, share.entries);
  return moves;
}

interface RunRow {
  seq: string;
  id: string;
  kind: string;
  status: RunStatus;
  total: number;
  completed: number;
  failed: number;
  item_key: string | null;
  request_id: string | null;
  owner: string | null;
  traceparent: string | null;
  has_url: boolean;
  seconds: number;
}

/** Also ends those that have nothing left to wait for. */
export async function moveRuns(client: Client, moves: Map<string, Move>): Promise<RunUpdate[]> {
  const runs = [...moves].sort(([a], [b]) => Number(a) - Number(b));
  const { rows } = await client.query<RunRow>({
    name: 'move-runs',
    text: `with moved as (
             select * from unnest($1::bigint[], $2::int[], $3::int[], $4::uuid[]) as m(seq, done, failed, item_key)
           ), locked as (
             select r.seq from runs r join moved m on m.seq = r.seq where r.status = 'running' order by r.seq for update of r
           )
           update runs r set completed = r.completed + m.done, failed = r.failed + m.failed, updated_at = now(),
             status = case when r.completed + m.done + r.failed + m.failed < r.total then r.status
                           when r.completed + m.done = 0 then 'failed' else 'completed' end,
             finished_at = case when r.completed + m.done + r.failed + m.failed >= r.total then now() end
           from moved m, locked k where k.seq = m.seq and r.seq = k.seq and r.status = 'running'
           returning r.seq, r.id, r.kind, r.status, r.total, r.completed, r.failed, m.item_key, r.request_id, r.owner, (r.options ? '${URL_OPTION}') is true as has_url,
             r.options->>'${TRACE_OPTION}' as traceparent,
             extract(epoch from now() - r.created_at)::float8 as seconds`,
    values: [
      plainArray(runs.map(([seq]) => seq)),
      plainArray(runs.map(([, move]) => move.done)),
      plainArray(runs.map(([, move]) => move.failed)),
      plainArray(runs.map(([, move]) => move.itemKey)),
    ],
  });
  const ended = rows.filter((row) => isFinal(row.status));
  await tellEnded(
    client,
    ended.map((row) => ({ id: row.id, hasUrl: row.has_url })),
  );
  await articleRunsEnded(
    client,
    ended.filter((row) => row.kind === 'article' && row.total >= ARTICLES_MIN).map((row) => row.seq),
  );
  return rows.map((row) => ({
    runId: row.id,
    kind: row.kind,
    status: row.status,
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    itemId: row.item_key,
    requestId: row.request_id,
    ...(row.owner === null ? {} : { owner: row.owner }),
    ...(row.traceparent ? { traceparent: row.traceparent } : {}),
    ...(isFinal(row.status) ? { seconds: row.seconds } : {}),
  }));
}
