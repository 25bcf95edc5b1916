// Lists of quality checks, newest first, and the verdicts of runs.
import type { Pool } from 'pg';
import { type Judged, type QualityFinding, type QualityVerdict, worst } from '../../model/quality/judge.ts';
import type { Measure } from '../../model/quality/measure.ts';
import { ofOwner } from '../postgres/of-owner.ts';
import { query } from '../postgres/pool.ts';
import { textArray } from '../postgres/text.ts';

export type HeldState = 'held' | 'accepted' | 'rejected' | 'superseded';

export interface QualityCheck extends Judged {
  id: string;
  runId: string;
  taskId: string | null;
  source: string;
  kind: string;
  about: string | null;
  measure: Measure;
  state: HeldState | null;
  heldItems: number;
  decidedAt: Date | null;
  at: Date;
}

export interface QualityQuery {
  source?: string | undefined;
  verdict?: QualityVerdict | undefined;
  state?: HeldState | undefined;
  /** Of their runs; null or left out: everybody's. */
  owner?: string | null;
  limit: number;
  /** Only older ones. */
  before: string | null;
}

/** Pairs of a run ($1: ids) and a check: those of its own tasks, and of tasks that it shares with another run. */
export const CHECKS_OF_RUNS = `(
  select q.run_id, q.id as check_id from quality_checks q where q.run_id = any($1::text[])
  union
  select r.id as run_id, q.id as check_id from runs r join run_tasks l on l.run_seq = r.seq join quality_checks q on q.task_id = l.task_id
  where r.id = any($1::text[]) and r.kind <> 'article')`;

const COLUMNS = `c.id, c.run_id, c.task_id, c.source, c.kind, c.about, c.verdict, c.measure, c.findings, c.state, c.decided_at, c.at,
  (select coalesce(sum(jsonb_array_length(h.items)), 0)::int from held_items h where h.task_id = c.task_id) as held_items`;

interface CheckRow {
  id: string;
  run_id: string;
  task_id: string | null;
  source: string;
  kind: string;
  about: string | null;
  verdict: QualityVerdict;
  measure: Measure;
  findings: QualityFinding[];
  state: HeldState | null;
  decided_at: Date | null;
  at: Date;
  held_items: number;
}

const toCheck = (row: CheckRow): QualityCheck => ({
  id: row.id,
  runId: row.run_id,
  taskId: row.task_id,
  source: row.source,
  kind: row.kind,
  about: row.about,
  verdict: row.verdict,
  measure: row.measure,
  findings: row.findings,
  state: row.state,
  heldItems: row.held_items,
  decidedAt: row.decided_at,
  at: row.at,
});

export async function listQuality(
  pool: Pool,
  { source, verdict, state, owner = null, limit, before }: QualityQuery,
): Promise<QualityCheck[]> {
  const rows = await query<CheckRow & Record<string, unknown>>(
    pool,
    `select ${COLUMNS} from quality_checks c
     where ($1::text is null or c.source = $1) and ($2::text is null or c.verdict = $2) and ($3::text is null or c.state = $3)
       and ($4::bigint is null or c.id < $4) and ${ofOwner(owner, '$6', 'c.owner')}
     order by c.id desc limit $5`,
    [source ?? null, verdict ?? null, state ?? null, before, limit, owner],
  );
  return rows.map(toCheck);
}

const CHECKS_MAX = 1_000;

/** Those of one run, the worst first. */
export async function qualityOfRun(pool: Pool, runId: string): Promise<QualityCheck[]> {
  const rows = await query<CheckRow & Record<string, unknown>>(
    pool,
    `select ${COLUMNS} from ${CHECKS_OF_RUNS} x join quality_checks c on c.id = x.check_id
     order by c.verdict = 'suspect' desc, c.verdict = 'succeeded', c.id limit ${CHECKS_MAX}`,
    [textArray([runId])],
  );
  // A task that it shares is shown as its own: another run may be another owner's.
  return rows.map((row) => ({ ...toCheck(row), runId }));
}

const FINDINGS_MAX = 20;

/** Of each run that has any: the worst verdict, and what was found. */
export async function qualityOfRuns(
  pool: Pool,
  runIds: readonly string[],
): Promise<Map<string, { verdict: QualityVerdict; findings: (QualityFinding & { source: string })[] }>> {
  if (runIds.length === 0) return new Map();
  const rows = await query<{
    run_id: string;
    source: string;
    verdict: QualityVerdict;
    findings: QualityFinding[];
  }>(
    pool,
    `select x.run_id, c.source, c.verdict, c.findings from ${CHECKS_OF_RUNS} x join quality_checks c on c.id = x.check_id order by c.id`,
    [textArray(runIds)],
  );
  return new Map(
    [...Map.groupBy(rows, (row) => row.run_id)].map(([runId, checks]) => [
      runId,
      {
        verdict: worst(checks.map((check) => check.verdict)),
        findings: checks
          .flatMap(({ source, findings }) => findings.map((finding) => ({ source, ...finding })))
          .slice(0, FINDINGS_MAX),
      },
    ]),
  );
}
