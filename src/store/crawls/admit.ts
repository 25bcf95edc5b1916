// Pages of crawls become tasks, the shallowest first, as far as there is room: a large crawl has some hundred tasks in the queue and not all of its pages. Any
// number of instances may do it at once. Also ends what a crawl still waits for, when its time or its bytes are used up.
// Order of locks: the lock of cancels (shared, queue/cancel.ts), then the run. A key is of one run, so claiming it waits for nobody.
import type { Pool } from 'pg';
import type { CrawlOptions } from '../../model/crawl/crawl.ts';
import { newTaskId } from '../../model/ids.ts';
import type { RunUpdate } from '../../model/run/run.ts';
import { BANDS, bandOf, priorityDelayMs } from '../../model/task/band.ts';
import { hostLineOf } from '../../model/task/line.ts';
import type { TaskBody } from '../../model/task/messages.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { jsonList, pgJson, plainArray, textArray } from '../postgres/text.ts';
import { CANCEL_LOCK } from '../queue/cancel.ts';
import { moveRuns } from '../queue/record.ts';
import { TRACE_OPTION } from '../runs/run-events.ts';
import { type CrawlTask, taskParams } from './new-crawl.ts';

export interface Admitted {
  /** Pages that became tasks. */
  pages: number;
  /** Of runs that ended with it. */
  updates: RunUpdate[];
}

/** Tasks of one crawl that may be waiting or out; it is filled up when half of them have ended. */
const WINDOW = 200;
const CRAWLS_AT_ONCE = 100;

export async function admitPages(pool: Pool): Promise<Admitted> {
  const due = await query<{ run_seq: string }>(
    pool,
    `select c.run_seq from crawls c join runs r on r.seq = c.run_seq
     where c.is_open and (r.status <> 'running'
       or exists (select 1 from crawl_pages p where p.run_seq = c.run_seq and p.state = 'waiting')
         and (c.admitted - r.completed - r.failed <= $1 or ${IS_SPENT}))
     order by c.run_seq limit $2`,
    [WINDOW / 2, CRAWLS_AT_ONCE],
  );
  const admitted: Admitted = { pages: 0, updates: [] };
  for (const { run_seq: runSeq } of due) {
    const one = await transaction(pool, (client) => admitOne(client, runSeq));
    admitted.pages += one.pages;
    admitted.updates.push(...one.updates);
  }
  return admitted;
}

const IS_SPENT = `(c.bytes >= (c.options->>'maxBytes')::bigint or r.created_at < now() - make_interval(secs => (c.options->>'maxSeconds')::int)) is true`;

interface CrawlRow {
  run_id: string;
  status: string;
  request_id: string | null;
  traceparent: string | null;
  options: CrawlOptions;
  task: CrawlTask;
  room: number;
  is_spent: boolean;
}

const NOTHING: Admitted = { pages: 0, updates: [] };

async function admitOne(client: Client, runSeq: string): Promise<Admitted> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [CANCEL_LOCK]);
  const { rows } = await client.query<CrawlRow>(
    `select r.id as run_id, r.status, r.request_id, r.options->>'${TRACE_OPTION}' as traceparent, c.options, c.task,
            ${WINDOW} - (c.admitted - r.completed - r.failed) as room, ${IS_SPENT} as is_spent
     from runs r join crawls c on c.run_seq = r.seq where r.seq = $1 and c.is_open for update of r skip locked`,
    [runSeq],
  );
  const crawl = rows[0];
  // Somebody else is at it.
  if (!crawl) return NOTHING;
  if (crawl.status !== 'running') {
    await client.query('update crawls set is_open = false where run_seq = $1', [runSeq]);
    return NOTHING;
  }
  if (crawl.is_spent) return { pages: 0, updates: await endSpent(client, runSeq) };
  return { pages: await makeTasks(client, runSeq, crawl), updates: [] };
}

/** What is under way ends by itself; a run of which nothing is under way ends now. */
async function endSpent(client: Client, runSeq: string): Promise<RunUpdate[]> {
  const { rowCount } = await client.query(
    `update crawl_pages set state = 'left_out', reason = 'budget' where run_seq = $1 and state = 'waiting'`,
    [runSeq],
  );
  await client.query('update runs set total = total - $2 where seq = $1', [runSeq, rowCount]);
  await client.query(`update crawls c set left_out = left_out + $2, pages = pages - $2 where run_seq = $1`, [
    runSeq,
    rowCount,
  ]);
  return moveRuns(client, new Map([[runSeq, { done: 0, failed: 0, itemKey: null }]]));
}

async function makeTasks(client: Client, runSeq: string, crawl: CrawlRow): Promise<number> {
  const { rows: pages } = await client.query<{
    key: string;
    pos: number;
    url: string;
    is_sitemap: boolean;
    depth: number;
  }>(
    `select key, pos, url, is_sitemap, depth from crawl_pages where run_seq = $1 and state = 'waiting' order by depth, pos limit $2`,
    [runSeq, Math.max(0, crawl.room)],
  );
  if (pages.length === 0) return 0;
  const { task, options } = crawl;
  const now = new Date();
  const rows = pages.map((page) => {
    const taskId = newTaskId();
    const { hostname: host } = new URL(page.url);
    const message: TaskBody = {
      task_id: taskId,
      run_id: crawl.run_id,
      scraper_type: task.source,
      params: taskParams(options, { url: page.url, isSitemap: page.is_sitemap, isFirst: false }),
      priority: task.priority,
      created_at: now.toISOString(),
      timeout: task.timeoutSeconds,
      max_retries: task.maxRetries,
      request_id: crawl.request_id,
      ...(crawl.traceparent ? { traceparent: crawl.traceparent } : {}),
    };
    return { ...page, taskId, host, line: hostLineOf(host, task.line), message };
  });
  await client.query({
    name: 'admit-pages',
    text: `with page as materialized (
             select * from rows from (unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::text[]), json_array_elements($8::json))
               with ordinality as p(key, task_id, pos, url, host, line, message, place)
           ), owned as (insert into live (key, task_id) select key, task_id from page
           ), kept as (
             insert into tasks (id, key, source, lane, run_seq, message) select task_id, key, $9, $10, $1, message from page
           ), entered as (
             insert into run_tasks (run_seq, pos, task_id, item_key, ref)
             select $1, pos, task_id, key, jsonb_build_object('url', url) from page
           ), queued as (
             insert into queue (task_id, key, run_seq, lane, line, host, band, turn)
             select task_id, key, $1, $10, line, host, $11, $12::bigint + place from page
           ), moved as (
             update crawl_pages p set state = 'queued' from page where p.key = page.key
           )
           update crawls set admitted = admitted + (select count(*) from page) where run_seq = $1`,
    values: [
      runSeq,
      plainArray(rows.map((row) => row.key)),
      plainArray(rows.map((row) => row.taskId)),
      plainArray(rows.map((row) => row.pos)),
      textArray(rows.map((row) => row.url)),
      textArray(rows.map((row) => row.host)),
      textArray(rows.map((row) => row.line)),
      jsonList(rows.map((row) => pgJson(row.message))),
      task.source,
      task.lane,
      BANDS.indexOf(bandOf(task.priority)),
      now.getTime() + priorityDelayMs(task.priority),
    ],
  });
  return rows.length;
}
