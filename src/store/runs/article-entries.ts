// What an article run has brought: its settled entries, in the order they were submitted.
import type { Pool } from 'pg';
import type { TaskError } from '../../model/task/messages.ts';
import { query } from '../postgres/pool.ts';
import { jsonList, pgJson, plainArray } from '../postgres/text.ts';
import { readThroughSpool, type SpooledRun } from '../submissions/spooled-runs.ts';

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

export interface EntryPage {
  runId: string;
  after: number;
  limit: number;
}

export async function articleEntries(pool: Pool, options: EntryPage): Promise<ArticleEntry[]> {
  const entries = await readThroughSpool(pool, options.runId, {
    written: () => writtenEntries(pool, options),
    spooled: (run) => spooledEntries(pool, run, options),
  });
  return entries ?? [];
}

/** Null: none, or not written. */
async function writtenEntries(pool: Pool, options: EntryPage): Promise<ArticleEntry[] | null> {
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
  return rows.length === 0 ? null : rows.map(toEntry);
}

/** Only what was stored before is there. */
async function spooledEntries(
  pool: Pool,
  { submission, isStored }: SpooledRun,
  { after, limit }: EntryPage,
): Promise<ArticleEntry[]> {
  const stored = submission.tasks.flatMap((task, pos) => (pos > after && isStored(task) ? [{ task, pos }] : []));
  const page = stored.slice(0, limit);
  const rows = await query<EntryRow>(
    pool,
    `select e.pos, e.ref, a.key as item_key, true as cached, 'done' as state, 0 as attempts, null::jsonb as error, null::timestamptz as finished_at,
            a.title, a.content, a.author, a.published_at, a.language, a.image, a.details, a.scraped_at
     from rows from (unnest($1::int[], $2::uuid[]), jsonb_array_elements($3::jsonb)) as e(pos, key, ref) join articles a on a.key = e.key order by e.pos`,
    [
      plainArray(page.map(({ pos }) => pos)),
      plainArray(page.map(({ task }) => task.key)),
      jsonList(page.map(({ task }) => pgJson(task.ref))),
    ],
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
