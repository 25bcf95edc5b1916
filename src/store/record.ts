// Recording: a batch of outcomes settles tasks, stores items and moves runs in one transaction. The caller has taken the leases
// (see queue.ts) and decided each outcome; here they are only written.
//
// Order of locks everywhere: queue, leases, live, runs. Links are read after the `live` rows are gone, in a statement of their own: a
// submission that shared a task holds its `live` row until commit, so by then its link is visible.
import type { Article } from '../model/article.ts';
import type { TaskError } from '../model/messages.ts';
import type { RunStatus, RunUpdate } from '../model/run.ts';
import type { Client } from './pool.ts';
import type { Lease } from './queue.ts';
import { pgJson, pgText } from './text.ts';

export interface Settled {
  lease: Lease;
  state: 'done' | 'failed';
  attempts: number;
  error: TaskError | null;
  metadata: object | null;
}

export interface StoredArticle {
  key: string;
  taskId: string;
  article: Article;
}

export async function upsertArticles(client: Client, articles: StoredArticle[]): Promise<void> {
  if (articles.length === 0) return;
  // One statement may not touch a row twice; the last one scraped wins. Sorted so that two recorders lock in one order.
  const byKey = new Map(articles.map((one) => [one.key, one]));
  const rows = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  await client.query({
    name: 'upsert-articles',
    text: `insert into articles (key, url, title, content, author, published_at, language, image, task_id, scraped_at)
           select *, now() from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
             $9::uuid[])
           on conflict (key) do update set url = excluded.url, title = excluded.title, content = excluded.content,
             author = excluded.author, published_at = excluded.published_at, language = excluded.language,
             image = excluded.image, task_id = excluded.task_id, scraped_at = excluded.scraped_at`,
    values: [
      rows.map((r) => r.key),
      rows.map((r) => pgText(r.article.url)),
      rows.map((r) => pgText(r.article.title)),
      rows.map((r) => pgText(r.article.content)),
      rows.map((r) => pgText(r.article.author)),
      rows.map((r) => pgText(r.article.published_at)),
      rows.map((r) => pgText(r.article.language)),
      rows.map((r) => pgText(r.article.image)),
      rows.map((r) => r.taskId),
    ],
  });
}

/** Ends tasks and moves every run that waits for them; returns where those runs stand now. Runs that have ended stay as they are. */
export async function settle(client: Client, outcomes: Settled[]): Promise<RunUpdate[]> {
  if (outcomes.length === 0) return [];
  const ids = outcomes.map((o) => o.lease.taskId);
  const keys = outcomes.map((o) => o.lease.key).sort();
  await client.query({
    name: 'end-live',
    text: `with ended as (
             select key from live where key = any($1::uuid[]) and task_id = any($2::uuid[]) order by key for update
           ) delete from live using ended where live.key = ended.key`,
    values: [keys, ids],
  });
  await client.query({
    name: 'settle-tasks',
    text: `update tasks set state = s.state, attempts = s.attempts, error = s.error, metadata = s.metadata, finished_at = now()
           from unnest($1::uuid[], $2::text[], $3::smallint[], $4::jsonb[], $5::jsonb[]) as s(id, state, attempts, error, metadata)
           where tasks.id = s.id and tasks.state = 'live'`,
    values: [
      ids,
      outcomes.map((o) => o.state),
      outcomes.map((o) => o.attempts),
      outcomes.map((o) => (o.error ? pgJson(o.error) : null)),
      outcomes.map((o) => (o.metadata ? pgJson(o.metadata) : null)),
    ],
  });
  const dead = outcomes.filter((o) => o.state === 'failed');
  if (dead.length > 0) {
    await client.query(
      `insert into dead_letters (task_id, source, category)
       select t.id, t.source, d.category from unnest($1::uuid[], $2::text[]) as d(id, category) join tasks t on t.id = d.id
       on conflict do nothing`,
      [dead.map((o) => o.lease.taskId), dead.map((o) => o.error?.category ?? 'internal')],
    );
  }
  return moveRuns(client, outcomes);
}

interface RunRow {
  id: string;
  kind: string;
  status: RunStatus;
  total: number;
  completed: number;
  failed: number;
  item_key: string | null;
}

async function moveRuns(client: Client, outcomes: Settled[]): Promise<RunUpdate[]> {
  const { rows } = await client.query<RunRow>({
    name: 'move-runs',
    text: `with moved as (
             select l.run_seq, count(*) filter (where o.state = 'done')::int as done,
                    count(*) filter (where o.state = 'failed')::int as failed, (array_agg(l.item_key))[1] as item_key
             from unnest($1::uuid[], $2::text[]) as o(task_id, state) join run_tasks l on l.task_id = o.task_id
             group by l.run_seq
           ), locked as (
             select r.seq from runs r join moved m on m.run_seq = r.seq where r.status = 'running' order by r.seq for update of r
           )
           update runs r set completed = r.completed + m.done, failed = r.failed + m.failed, updated_at = now(),
             status = case when r.completed + m.done + r.failed + m.failed < r.total then r.status
                           when r.completed + m.done = 0 then 'failed' else 'completed' end,
             finished_at = case when r.completed + m.done + r.failed + m.failed >= r.total then now() end
           from moved m, locked k where k.seq = m.run_seq and r.seq = k.seq and r.status = 'running'
           returning r.id, r.kind, r.status, r.total, r.completed, r.failed, m.item_key`,
    values: [outcomes.map((o) => o.lease.taskId), outcomes.map((o) => o.state)],
  });
  return rows.map((row) => ({
    runId: row.id,
    kind: row.kind,
    status: row.status,
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    itemId: row.item_key,
  }));
}
