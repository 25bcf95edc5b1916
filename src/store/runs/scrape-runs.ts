// Reading runs over job sites: where each site stands, and the postings they brought, in the order they came.
import type { Pool } from 'pg';
import type { Posting } from '../../model/posting/posting.ts';
import type { EarlierAttempts, SiteTask } from '../../model/run/scrape-run.ts';
import type { ResultMetadata, TaskError } from '../../model/task/messages.ts';
import { query } from '../postgres/pool.ts';
import { readThroughSpool } from '../submissions/spooled-runs.ts';

export interface SiteRow {
  site: string;
  state: SiteTask['state'];
  found: number;
  error: TaskError | null;
  metadata: ResultMetadata | null;
  finished_at: Date | null;
  retry_at: Date | null;
  earlier: EarlierAttempts | null;
}

export const SITE_TASKS = `
  select t.source as site, coalesce(o.state, case when s.task_id is not null then 'running' when h.paused_at is not null then 'paused' else 'waiting' end) as state,
         (select count(*)::int from task_items i where i.task_id = t.id) as found, o.error, o.metadata, o.finished_at,
         case when q.attempt > 0 and not q.parked then coalesce(q.due_at, now()) end as retry_at,
         case when e.task_id is not null then to_jsonb(e) - 'attempts' end as earlier
  from runs r join run_tasks l on l.run_seq = r.seq join tasks t on t.id = l.task_id
  left join outcomes o on o.task_id = t.id left join leases s on s.task_id = t.id
     left join queue q on q.task_id = t.id
     left join earlier_attempts e on e.task_id = t.id
     left join source_holds h on h.source = t.source
  where r.id = $1 order by l.pos`;

export const toSiteTask = ({ finished_at, retry_at, ...row }: SiteRow): SiteTask => ({
  ...row,
  finishedAt: finished_at,
  retryAt: retry_at,
});

export async function siteTasks(pool: Pool, runId: string): Promise<SiteTask[]> {
  const tasks = await readThroughSpool(pool, runId, {
    async written() {
      const rows = await query<SiteRow & Record<string, unknown>>(pool, SITE_TASKS, [runId]);
      return rows.length === 0 ? null : rows.map(toSiteTask);
    },
    spooled: ({ submission }) => submission.tasks.map((task) => ({ site: task.source, ...NOT_BEGUN })),
  });
  return tasks ?? [];
}

const NOT_BEGUN = { state: 'waiting', found: 0, error: null, metadata: null, finishedAt: null } as const;

export async function scrapeMode(pool: Pool, runId: string): Promise<'async' | 'sync'> {
  const mode = await readThroughSpool(pool, runId, {
    async written() {
      const text = `select coalesce(options->>'mode', '') as mode from runs where id = $1`;
      return (await query<{ mode: string }>(pool, text, [runId]))[0]?.mode ?? null;
    },
    spooled: ({ submission }) => String(submission.options.mode),
  });
  return mode === 'sync' ? 'sync' : 'async';
}

export interface PostingEntry {
  /** Where in the run: the site's place, then the posting's within it. */
  at: [site: number, pos: number];
  posting: Posting;
}

export async function runPostings(
  pool: Pool,
  options: { runId: string; after: [site: number, pos: number]; limit: number },
): Promise<PostingEntry[]> {
  const rows = await query<{ site: number; pos: number; data: Posting }>(
    pool,
    `select l.pos as site, i.pos, p.data
     from runs r join run_tasks l on l.run_seq = r.seq join task_items i on i.task_id = l.task_id join postings p on p.key = i.item_key
     where r.id = $1 and (l.pos, i.pos) > ($2::int, $3::int)
     order by l.pos, i.pos limit $4`,
    [options.runId, ...options.after, options.limit],
  );
  return rows.map((row) => ({ at: [row.site, row.pos], posting: row.data }));
}
