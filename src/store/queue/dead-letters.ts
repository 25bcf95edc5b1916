// Tasks that ran out of attempts, kept for a person. Trying one again makes a new run: the runs that ended with the failure stay ended.
// What a reader would get wrong: there may be a million of them. Groups come from counts that triggers keep (026-dead-letter-groups.sql), and a list by source
// or cause is put together from the newest of each group, which one index finds.
import type { Pool } from 'pg';
import type { TaskBody, TaskError } from '../../model/task/messages.ts';
import type { Tried } from '../../model/task/tried.ts';
import { type Client, query } from '../postgres/pool.ts';
import { plainArray } from '../postgres/text.ts';

/** Which letters; what is null or left out does not matter. */
export interface LetterFilter {
  source?: string | null;
  category?: string | null;
  code?: string | null;
  /** Those that this run asked for. */
  runId?: string | null;
  diedAfter?: Date | null;
  diedBefore?: Date | null;
  /** Of whose runs they are; everybody's. */
  owner?: string | null;
}

export interface DeadLetter {
  taskId: string;
  key: string;
  source: string;
  lane: string;
  params: Record<string, unknown>;
  priority: number;
  maxRetries: number;
  timeoutSeconds: number;
  backoff: TaskBody['backoff'];
  runId: string;
  attempts: number;
  error: TaskError | null;
  diedAt: Date;
  /** The same to the microsecond, for the cursor: letters of one transaction died at one time. */
  diedAtText: string;
  /** Kind of the run that made it; null once that run is gone. */
  runKind: string | null;
  /** If it was made by trying dead letters again with another input: what the input was before. */
  editedFrom: Record<string, unknown> | null;
  tried: Tried[];
  /** Where it was asked for. */
  traceparent?: string | undefined;
}

interface DeadLetterRow {
  task_id: string;
  key: string;
  source: string;
  lane: string;
  message: TaskBody;
  attempts: number;
  error: TaskError | null;
  died_at: Date;
  died_at_text: string;
  run_kind: string | null;
  edited_from: Record<string, unknown> | null;
  tried: Tried[] | null;
}

const toDeadLetter = (row: DeadLetterRow): DeadLetter => ({
  taskId: row.task_id,
  key: row.key,
  source: row.source,
  lane: row.lane,
  params: row.message.params,
  priority: row.message.priority,
  maxRetries: row.message.max_retries,
  timeoutSeconds: row.message.timeout,
  backoff: row.message.backoff,
  runId: row.message.run_id,
  attempts: row.attempts,
  error: row.error,
  diedAt: row.died_at,
  diedAtText: row.died_at_text,
  runKind: row.run_kind,
  editedFrom: row.edited_from,
  tried: row.tried ?? [],
  traceparent: row.message.traceparent,
});

/** The newest of the letters that match, without their contents. */
const MATCHING = `
  select d.task_id, d.died_at from (
    select source, category, code from dead_letter_counts
    where ($1::text is null or source = $1) and ($2::text is null or category = $2) and ($3::text is null or code = $3) and $4::text is null
    group by 1, 2, 3 having sum(n) > 0
  ) g cross join lateral (
    select l.task_id, l.died_at from dead_letters l
    where l.source = g.source and l.category = g.category and l.code = g.code
      and l.died_at > coalesce($5::timestamptz, '-infinity') and l.died_at < coalesce($6::timestamptz, 'infinity')
      and (l.died_at, l.task_id) < (coalesce($7::timestamptz, 'infinity'), coalesce($8::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by l.died_at desc, l.task_id desc limit $9
  ) d
  union
  select l.task_id, l.died_at from runs r join run_tasks w on w.run_seq = r.seq join dead_letters l on l.task_id = w.task_id
  where r.id = $4 and ($1::text is null or l.source = $1) and ($2::text is null or l.category = $2) and ($3::text is null or l.code = $3)
    and l.died_at > coalesce($5::timestamptz, '-infinity') and l.died_at < coalesce($6::timestamptz, 'infinity')
    and (l.died_at, l.task_id) < (coalesce($7::timestamptz, 'infinity'), coalesce($8::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  order by died_at desc, task_id desc limit $9`;

/** The same for one owner, who has fewer of them: found by the index of owners. */
const MATCHING_OF_OWNER = `
  select l.task_id, l.died_at from dead_letters l
  where l.owner = $10 and ($1::text is null or l.source = $1) and ($2::text is null or l.category = $2) and ($3::text is null or l.code = $3)
    and ($4::text is null or exists (select 1 from runs r join run_tasks w on w.run_seq = r.seq where r.id = $4 and w.task_id = l.task_id))
    and l.died_at > coalesce($5::timestamptz, '-infinity') and l.died_at < coalesce($6::timestamptz, 'infinity')
    and (l.died_at, l.task_id) < (coalesce($7::timestamptz, 'infinity'), coalesce($8::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  order by l.died_at desc, l.task_id desc limit $9`;

const matching = ({ owner = null }: LetterFilter): string => (owner === null ? MATCHING : MATCHING_OF_OWNER);

function matchingValues(filter: LetterFilter, before: { diedAt: string; taskId: string } | null, limit: number) {
  const { source = null, category = null, code = null, runId = null, diedAfter = null, diedBefore = null } = filter;
  return [
    source,
    category,
    code,
    runId,
    diedAfter?.toISOString() ?? null,
    diedBefore?.toISOString() ?? null,
    before?.diedAt ?? null,
    before?.taskId ?? null,
    limit,
    ...(filter.owner == null ? [] : [filter.owner]),
  ];
}

const COLUMNS = `d.task_id, t.key, t.source, t.lane, t.message, o.attempts, o.error, d.died_at,
    to_char(d.died_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as died_at_text, r.kind as run_kind, r.options->'edited_from' as edited_from,
    e.attempts as tried`;
const JOINED = `join tasks t on t.id = d.task_id join outcomes o on o.task_id = d.task_id left join runs r on r.seq = t.run_seq
  left join earlier_attempts e on e.task_id = d.task_id`;

export async function listDeadLetters(
  pool: Pool,
  options: LetterFilter & { limit: number; before: { diedAt: string; taskId: string } | null },
): Promise<DeadLetter[]> {
  const rows = await query<DeadLetterRow>(
    pool,
    `select ${COLUMNS} from (${matching(options)}) d ${JOINED} order by d.died_at desc, d.task_id desc`,
    matchingValues(options, options.before, options.limit),
  );
  return rows.map(toDeadLetter);
}

export async function matchingDeadLetters(
  pool: Pool,
  filter: LetterFilter,
  limit: number,
): Promise<{ taskId: string; diedAt: Date }[]> {
  const rows = await query<{ task_id: string; died_at: Date }>(
    pool,
    matching(filter),
    matchingValues(filter, null, limit),
  );
  return rows.map((row) => ({ taskId: row.task_id, diedAt: row.died_at }));
}

/** Counts no further than `upTo`: by age or by run they have to be looked at one by one. */
export async function countMatchingDeadLetters(pool: Pool, filter: LetterFilter, upTo: number): Promise<number> {
  const { source = null, category = null, code = null } = filter;
  if (!filter.runId && !filter.diedAfter && !filter.diedBefore && !filter.owner) {
    const rows = await query<{ count: number }>(
      pool,
      `select coalesce(sum(n), 0)::int as count from dead_letter_counts
       where ($1::text is null or source = $1) and ($2::text is null or category = $2) and ($3::text is null or code = $3)`,
      [source, category, code],
    );
    return rows[0]!.count;
  }
  const rows = await query<{ count: number }>(
    pool,
    `select count(*)::int as count from (${matching(filter)}) d`,
    matchingValues(filter, null, upTo),
  );
  return rows[0]!.count;
}

export async function countDeadLetters(pool: Pool): Promise<{ source: string; count: number }[]> {
  return query(
    pool,
    'select source, sum(n)::int as count from dead_letter_counts group by source having sum(n) > 0 order by source',
  );
}

export interface DeadLetterGroup {
  source: string;
  category: string;
  code: string;
  count: number;
  firstDiedAt: Date;
  lastDiedAt: Date;
  /** The newest one. */
  sampleTaskId: string;
}

const GROUPS_OF_OWNER = `select source, category, code, count(*)::int as count, min(died_at) as first_died_at, max(died_at) as last_died_at,
    (array_agg(task_id order by died_at desc, task_id desc))[1] as sample
  from dead_letters
  where owner = $5 and ($1::text is null or source = $1) and ($2::text is null or category = $2) and ($3::text is null or code = $3)
  group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit $4`;

/** The largest first. The first and the last of each are found by the index. */
export async function deadLetterGroups(
  pool: Pool,
  {
    source = null,
    category = null,
    code = null,
    owner = null,
  }: Pick<LetterFilter, 'source' | 'category' | 'code' | 'owner'>,
  limit: number,
): Promise<DeadLetterGroup[]> {
  const rows = await query<{
    source: string;
    category: string;
    code: string;
    count: number;
    first_died_at: Date;
    last_died_at: Date;
    sample: string;
  }>(
    pool,
    owner !== null
      ? GROUPS_OF_OWNER
      : `select g.source, g.category, g.code, g.count, f.died_at as first_died_at, l.died_at as last_died_at, l.task_id as sample
     from (
       select source, category, code, sum(n)::int as count from dead_letter_counts
       where ($1::text is null or source = $1) and ($2::text is null or category = $2) and ($3::text is null or code = $3)
       group by 1, 2, 3 having sum(n) > 0 order by 4 desc, 1, 2, 3 limit $4
     ) g cross join lateral (
       select d.died_at from dead_letters d where d.source = g.source and d.category = g.category and d.code = g.code
       order by d.died_at, d.task_id limit 1
     ) f cross join lateral (
       select d.died_at, d.task_id from dead_letters d where d.source = g.source and d.category = g.category and d.code = g.code
       order by d.died_at desc, d.task_id desc limit 1
     ) l order by g.count desc, g.source, g.category, g.code`,
    [source, category, code, limit, ...(owner === null ? [] : [owner])],
  );
  return rows.map((row) => ({
    source: row.source,
    category: row.category,
    code: row.code,
    count: row.count,
    firstDiedAt: row.first_died_at,
    lastDiedAt: row.last_died_at,
    sampleTaskId: row.sample,
  }));
}

/** Adds the differences up to one row for each cause. Who counts meanwhile sees the rows before or the rows after. */
export async function foldDeadLetterCounts(pool: Pool): Promise<void> {
  await query(
    pool,
    `with old as (delete from dead_letter_counts returning *)
     insert into dead_letter_counts select source, category, code, sum(n) from old group by 1, 2, 3 having sum(n) <> 0`,
  );
}

export async function getDeadLetters(pool: Pool, taskIds: string[], owner: string | null): Promise<DeadLetter[]> {
  const rows = await query<DeadLetterRow>(
    pool,
    `select ${COLUMNS} from dead_letters d ${JOINED} where d.task_id = any($1::uuid[]) and ($2::text is null or d.owner = $2)`,
    [plainArray(taskIds), owner],
  );
  return rows.map(toDeadLetter);
}

const TAKE = `with gone as (
    select task_id from dead_letters where task_id = any($1::uuid[]) and ($2::text is null or owner = $2) order by task_id for update
  )
  delete from dead_letters d using gone where d.task_id = gone.task_id returning d.task_id`;

export async function removeDeadLetters(pool: Pool, taskIds: string[], owner: string | null): Promise<string[]> {
  const rows = await query<{ task_id: string }>(pool, TAKE, [plainArray(taskIds), owner]);
  return rows.map((row) => row.task_id);
}

/** In the transaction that tries them again: of two that try the same letter, one gets it. Returns how many were there. */
export async function takeDeadLetters(client: Client, taskIds: string[]): Promise<number> {
  const { rowCount } = await client.query(TAKE, [plainArray(taskIds), null]);
  return rowCount ?? 0;
}
