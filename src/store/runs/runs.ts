// Reads runs and their results. The counters are in the row of the run, so status costs the same at one task and at a hundred thousand.
import type { Pool } from 'pg';
import type { Run, RunStatus } from '../../model/run/run.ts';
import { ofOwner } from '../postgres/of-owner.ts';
import { query } from '../postgres/pool.ts';
import { readThroughSpool } from '../submissions/spooled-runs.ts';

export interface RunRow {
  id: string;
  kind: string;
  status: RunStatus;
  total: number;
  cached: number;
  completed: number;
  failed: number;
  request_id: string | null;
  owner: string | null;
  created_at: Date;
  updated_at: Date;
  finished_at: Date | null;
}

export const RUN_COLUMNS =
  'id, kind, status, total, cached, completed, failed, request_id, owner, created_at, updated_at, finished_at';

export const toRun = (row: RunRow): Run => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  total: row.total,
  cached: row.cached,
  completed: row.completed,
  failed: row.failed,
  requestId: row.request_id,
  owner: row.owner,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  finishedAt: row.finished_at,
});

export function getRun(pool: Pool, id: string): Promise<Run | null> {
  return readThroughSpool(pool, id, {
    async written() {
      const rows = await query<RunRow>(pool, `select ${RUN_COLUMNS} from runs where id = $1`, [id]);
      return rows[0] ? toRun(rows[0]) : null;
    },
    spooled: ({ run }) => run,
  });
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
  /** Only of this owner; null or left out: of everybody. */
  owner?: string | null;
}

export async function listRuns(pool: Pool, options: RunPageQuery): Promise<RunPage> {
  const rows = await query<RunRow & { seq: string }>(
    pool,
    `select seq, ${RUN_COLUMNS} from runs
     where kind = $1 and ($2::text is null or status = $2) and ($3::bigint is null or seq < $3) and ${ofOwner(options.owner, '$6')}
     order by seq desc limit $4 offset $5`,
    [
      options.kind,
      options.status,
      options.cursor,
      options.limit + 1,
      options.cursor === null ? options.skip : 0,
      options.owner ?? null,
    ],
  );
  const counted = await query<{ n: number }>(
    pool,
    `select count(*)::int as n from runs where kind = $1 and ($2::text is null or status = $2) and ${ofOwner(options.owner, '$3')}`,
    [options.kind, options.status, options.owner ?? null],
  );
  const page = rows.slice(0, options.limit);
  const more = rows.length > options.limit;
  return { runs: page.map(toRun), total: counted[0]!.n, nextCursor: more ? page.at(-1)!.seq : null };
}
