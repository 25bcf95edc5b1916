// Reads runs and their results. The counters are in the row of the run, so status costs the same at one task and at a hundred thousand.
import type { Pool } from 'pg';
import type { Run, RunStatus } from '../../model/run/run.ts';
import type { TaskError } from '../../model/task/messages.ts';
import { query } from '../postgres/pool.ts';

export interface RunRow {
  id: string;
  kind: string;
  status: RunStatus;
  total: number;
  cached: number;
  completed: number;
  failed: number;
  request_id: string | null;
  created_at: Date;
  updated_at: Date;
  finished_at: Date | null;
}

export const RUN_COLUMNS =
  'id, kind, status, total, cached, completed, failed, request_id, created_at, updated_at, finished_at';

export const toRun = (row: RunRow): Run => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  total: row.total,
  cached: row.cached,
  completed: row.completed,
  failed: row.failed,
  requestId: row.request_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  finishedAt: row.finished_at,
});

export async function getRun(pool: Pool, id: string): Promise<Run | null> {
  const rows = await query<RunRow>(pool, `select ${RUN_COLUMNS} from runs where id = $1`, [id]);
  return rows[0] ? toRun(rows[0]) : null;
}

export interface RunPage {
  runs: Run[];
  total: number;
  /** Pass back as `cursor` for the runs after these; null at the end. */
  nextCursor: string | null;
}

export interface RunPageQuery {
  kind: string;
  status: RunStatus | null;
  limit: number;
  skip: number;
  cursor: string | null;
}

export async function listRuns(pool: Pool, options: RunPageQuery): Promise<RunPage> {
  const rows = await query<RunRow & { seq: string }>(
    pool,
    `select seq, ${RUN_COLUMNS} from runs
     where kind = $1 and ($2::text is null or status = $2) and ($3::bigint is null or seq < $3)
     order by seq desc limit $4 offset $5`,
    [options.kind, options.status, options.cursor, options.limit + 1, options.cursor === null ? options.skip : 0],
  );
  const counted = await query<{ n: number }>(
    pool,
    'select count(*)::int as n from runs where kind = $1 and ($2::text is null or status = $2)',
    [options.kind, options.status],
  );
  const page = rows.slice(0, options.limit);
  const more = rows.length > options.limit;
  return { runs: page.map(toRun), total: counted[0]!.n, nextCursor: more ? page.at(-1)!.seq : null };
}

/** One settled entry of an article run: an article or a failure. */
export interface ArticleEntry {
  pos: number;
  ref: { url: string; source?: string | null; category?: string | null };
  cached: boolean;
  state: 'done' | 'failed';
  itemKey: string;
  attempts: number;
  error: TaskError | null;
  finishedAt: Date | null;
  article: {
    title: string | null;
    content: string;
    author: string | null;
    published_at: string | null;
    language: string | null;
    image: string | null;
    details: Record<string, unknown> | null;
    scraped_at: Date;
  } | null;
}

interface EntryRow {
  pos: number;
  ref: ArticleEntry['ref'];
  item_key: string;
  cached: boolean;
  state: ArticleEntry['state'];
  attempts: number;
  error: TaskError | null;
  finished_at: Date | null;
  title: string | null;
  content: string | null;
  author: string | null;
  published_at: string | null;
  language: string | null;
  image: string | null;
  details: Record<string, unknown> | null;
  scraped_at: Date | null;
}

export async function articleEntries(
  pool: Pool,
  options: { runId: string; after: number; limit: number },
): Promise<ArticleEntry[]> {
  const rows = await query<EntryRow>(
    pool,
    `select l.pos, l.ref, l.item_key, l.task_id is null as cached, coalesce(o.state, 'done') as state, coalesce(o.attempts, 0) as attempts,
            o.error, o.finished_at, a.title, a.content, a.author, a.published_at, a.language, a.image, a.details, a.scraped_at
     from runs r join run_tasks l on l.run_seq = r.seq
     left join outcomes o on o.task_id = l.task_id
     left join articles a on a.key = l.item_key and coalesce(o.state, 'done') = 'done'
     where r.id = $1 and l.pos > $2 and (l.task_id is null or o.state in ('done', 'failed'))
     order by l.pos limit $3`,
    [options.runId, options.after, options.limit],
  );
  return rows.map(toEntry);
}

function toEntry(row: EntryRow): ArticleEntry {
  const { title, author, published_at, language, image, details } = row;
  return {
    pos: row.pos,
    ref: row.ref,
    cached: row.cached,
    state: row.state,
    itemKey: row.item_key,
    attempts: row.attempts,
    error: row.error,
    finishedAt: row.finished_at,
    article:
      row.content === null || row.scraped_at === null
        ? null
        : { title, content: row.content, author, published_at, language, image, details, scraped_at: row.scraped_at },
  };
}
