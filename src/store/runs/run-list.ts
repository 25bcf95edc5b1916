// Runs of all kinds, newest first, with their status label. That of a job search depends on its sites, so ended searches are checked one page at a time,
// and a page of a rare status may be shorter than the limit and still have a cursor.
import type { Pool } from 'pg';
import type { Run } from '../../model/run/run.ts';
import { type RunLabel, runLabel } from '../../model/run/run-labels.ts';
import type { SiteTask } from '../../model/run/scrape-run.ts';
import { ofOwner } from '../postgres/of-owner.ts';
import { query } from '../postgres/pool.ts';
import { plainArray } from '../postgres/text.ts';
import { readThroughSpool } from '../submissions/spooled-runs.ts';
import { RUN_COLUMNS, type RunRow, toRun } from './runs.ts';

export interface ListedRun extends Run {
  trigger: string;
  word: RunLabel;
  /** What was requested, or the first entry of it. */
  about: string | null;
}

/** Runs that may have the status, by what their rows say; searches that have ended are looked into. */
const MAY_BE: Record<RunLabel, string> = {
  running: `status = 'running'`,
  cancelled: `status = 'cancelled'`,
  completed: `status = 'completed' and (failed = 0 or kind = 'posting')`,
  partial: `(status = 'completed' and failed > 0 or kind = 'posting' and status in ('completed', 'failed'))`,
  failed: `(status = 'failed' or kind = 'posting' and status = 'completed')`,
};

/** Rows read at a time: few at first, since most pages need no more, then more and more. */
const FIRST_CHUNK = 100;
const CHUNK = 500;
/** Runs looked at for one page, and when one that takes long is shorter: somebody waits for it. */
const LOOKED_AT_MAX = 5_000;
const LOOKED_AT_MIN = 500;
const PATIENCE_MS = 100;

export interface RunListQuery {
  kind: string | null;
  status: RunLabel | null;
  /** Runs with a task of this source. */
  source?: string | null;
  /** Runs whose id is this, or whose search term or entries contain it; of a large run the first entries are looked at. */
  text?: string | null;
  createdAfter?: Date | null;
  /** Only of this owner; null or left out: of everybody. */
  owner?: string | null;
  limit: number;
  /** Where the page before ended. */
  cursor: string | null;
}

export async function listAllRuns(
  pool: Pool,
  listQuery: RunListQuery,
): Promise<{ runs: ListedRun[]; nextCursor: string | null }> {
  const runs: ListedRun[] = [];
  const { status, source = null, text = null, createdAfter = null } = listQuery;
  const isFiltered = status !== null || source !== null || text !== null;
  let before = listQuery.cursor;
  const began = performance.now();
  let lookedAt = 0;
  while (lookedAt < (performance.now() - began < PATIENCE_MS ? LOOKED_AT_MAX : LOOKED_AT_MIN)) {
    const size = isFiltered ? Math.min(CHUNK, Math.max(FIRST_CHUNK, lookedAt)) : listQuery.limit + 1;
    lookedAt += size;
    const rows = await readChunk(pool, listQuery, before, size);
    for (const { seq, isMatch, ...run } of rows) {
      if (createdAfter !== null && run.createdAt < createdAfter) return { runs, nextCursor: null };
      if (!isMatch || (status !== null && run.word !== status)) {
        before = seq;
        continue;
      }
      if (runs.length === listQuery.limit) return { runs, nextCursor: before };
      runs.push(run);
      before = seq;
    }
    if (rows.length < size) return { runs, nextCursor: null };
  }
  return { runs, nextCursor: before };
}

/** With what it is about. */
const LISTED = `select r.seq, ${RUN_COLUMNS}, trigger,
  coalesce(r.options->>'search_term', l.ref->>'url', l.ref->>'company', l.ref->>'item', l.ref->>'site') as about`;
/** Entries of one run that are searched. */
const SEARCHED_MAX = 1_000;
const IS_MATCH = `($4::text is null or exists (
    select 1 from run_tasks e join tasks t on t.id = e.task_id where e.run_seq = r.seq and e.pos < ${SEARCHED_MAX} and t.source = $4))
  and ($5::text is null or r.id = $5 or strpos(lower(coalesce(r.options->>'search_term', '')), lower($5)) > 0 or exists (
    select 1 from run_tasks e where e.run_seq = r.seq and e.pos < ${SEARCHED_MAX} and strpos(lower(e.ref::text), lower($5)) > 0)) as is_match`;
const FIRST_ENTRY = 'left join run_tasks l on l.run_seq = r.seq and l.pos = 0';

type ListedRow = RunRow & { seq: string; trigger: string; about: string | null; is_match?: boolean };

async function readChunk(
  pool: Pool,
  { kind, status, source = null, text = null, owner = null }: RunListQuery,
  before: string | null,
  limit: number,
) {
  const rows = await query<ListedRow>(
    pool,
    `${LISTED}, ${IS_MATCH}
     from (select * from runs where ($1::text is null or kind = $1) and ($2::bigint is null or seq < $2) and ${status === null ? 'true' : MAY_BE[status]}
             and ${ofOwner(owner, '$6')}
           order by seq desc limit $3) r
     ${FIRST_ENTRY} order by r.seq desc`,
    [kind, before, limit, source, text, owner],
  );
  return withLabels(pool, rows);
}

export function getListedRun(pool: Pool, id: string): Promise<ListedRun | null> {
  return readThroughSpool(pool, id, {
    async written() {
      const rows = await query<ListedRow>(pool, `${LISTED} from runs r ${FIRST_ENTRY} where r.id = $1`, [id]);
      const [found] = await withLabels(pool, rows);
      if (!found) return null;
      const { seq: _, isMatch: __, ...run } = found;
      return run;
    },
    spooled: ({ run, submission }) => {
      const { url, company, item, site } = submission.tasks[0]?.ref ?? {};
      const about = submission.options.search_term ?? url ?? company ?? item ?? site;
      const word = runLabel(run, null);
      return { ...run, trigger: submission.trigger, word, about: about === undefined ? null : String(about) };
    },
  });
}

async function withLabels(pool: Pool, rows: ListedRow[]): Promise<(ListedRun & { seq: string; isMatch: boolean })[]> {
  const searches = rows.filter((row) => row.kind === 'posting' && row.status !== 'running').map((row) => row.seq);
  const sites = await endedSites(pool, searches);
  return rows.map(({ seq, trigger, about, is_match: isMatch = true, ...row }) => {
    const run = toRun(row);
    return { ...run, seq, isMatch, trigger, about, word: runLabel(run, sites.get(seq) ?? null) };
  });
}

/** As much of each site as its run's status follows from. */
async function endedSites(pool: Pool, seqs: string[]): Promise<Map<string, SiteTask[]>> {
  if (seqs.length === 0) return new Map();
  const rows = await query<Pick<SiteTask, 'site' | 'state' | 'found' | 'metadata'> & { run_seq: string }>(
    pool,
    `select l.run_seq, t.source as site, coalesce(o.state, 'waiting') as state,
            (select count(*)::int from (select 1 from task_items i where i.task_id = t.id limit 1) one) as found,
            jsonb_build_object('pages_requested', o.metadata->'pages_requested', 'pages_completed', o.metadata->'pages_completed') as metadata
     from run_tasks l join tasks t on t.id = l.task_id left join outcomes o on o.task_id = t.id
     where l.run_seq = any($1::bigint[]) order by l.run_seq, l.pos`,
    [plainArray(seqs)],
  );
  const all = rows.map(({ run_seq, ...site }) => ({ run_seq, site: { ...site, error: null, finishedAt: null } }));
  return new Map(
    [...Map.groupBy(all, (one) => one.run_seq)].map(([seq, found]) => [seq, found.map((one) => one.site)]),
  );
}
