// Writing what was planned: runs, their entries, new tasks and their queue rows in one statement, so that a batch costs one round trip however many tables it
// touches. The same statement can look and claim first: then it is the only one, and commits by itself.
import type { Pool } from 'pg';
import { BANDS, bandOf } from '../../model/task/band.ts';
import { hostLineOf, lineOf } from '../../model/task/line.ts';
import type { TaskBody } from '../../model/task/messages.ts';
import { type Client, queryUnless } from '../postgres/pool.ts';
import { jsonList, pgJson, plainArray, textArray } from '../postgres/text.ts';
import { TRACE_OPTION } from '../runs/run-events.ts';
import type { Entry, Plan } from './plan.ts';
import type { NewTask, Submission } from './submit.ts';

/** Someone claimed a key of ours between our look and our claim. */
const DIVISION_BY_ZERO = '22012';
const DEADLOCK = '40P01';

/** Returns the number of each run, in the order of the plans. Runs are numbered in that order; entries name their run by its place in it. */
export async function writeRows(client: Client, plans: Plan[]): Promise<string[]> {
  if (plans.length === 0) return [];
  const { rows } = await client.query<{ seq: string }>({
    name: 'write-submissions',
    text: WRITE,
    values: valuesOf(plans),
  });
  const shared = plans.flatMap(({ entries }) => entries.filter((entry) => entry.taskId !== null && !entry.isNew));
  if (shared.length > 0) await raisePriority(client, shared);
  return rows.map((row) => row.seq);
}

/** The same rows, and their claims, in a transaction of its own. Writes nothing and answers false when somebody wants or has stored any of it already. */
export async function writeRowsIfNew(pool: Pool, table: string, plans: Plan[]): Promise<boolean> {
  const rows = await queryUnless<{ seq: string; is_done: number }>(pool, [DIVISION_BY_ZERO, DEADLOCK], {
    name: `write-new-submissions-${table}`,
    text: writeIfNew(table),
    values: valuesOf(plans),
  });
  return rows !== null && rows.length > 0;
}

function valuesOf(plans: Plan[]): string[] {
  const entries = plans.flatMap((plan, index) =>
    plan.entries.map((entry, pos) => ({ place: index + 1, pos, submission: plan.submission, ...entry })),
  );
  const now = new Date().toISOString();
  return [
    textArray(plans.map((p) => p.submission.runId)),
    textArray(plans.map((p) => p.submission.kind)),
    textArray(plans.map((p) => p.submission.trigger)),
    textArray(plans.map((p) => p.accepted.status)),
    plainArray(plans.map((p) => p.accepted.total)),
    plainArray(plans.map((p) => p.accepted.cached)),
    textArray(plans.map((p) => p.submission.requestId)),
    plainArray(plans.map((p) => p.submission.acceptedAt?.toISOString() ?? null)),
    jsonList(plans.map(({ submission }) => pgJson(optionsOf(submission)))),
    plainArray(entries.map((e) => e.place)),
    plainArray(entries.map((e) => e.pos)),
    plainArray(entries.map((e) => e.taskId)),
    plainArray(entries.map((e) => e.task.key)),
    plainArray(entries.map((e) => e.isNew)),
    textArray(entries.map((e) => e.task.source)),
    textArray(entries.map((e) => e.task.lane)),
    plainArray(entries.map((e) => BANDS.indexOf(bandOf(e.task.priority)))),
    plainArray(entries.map((e) => e.turn)),
    jsonList(entries.map((e) => pgJson(e.task.ref))),
    jsonList(entries.map((e) => (e.isNew ? pgJson(bodyOf(e, e.submission.acceptedAt?.toISOString() ?? now)) : 'null'))),
    textArray(linesOf(entries)),
    textArray(entries.map((e) => e.task.host ?? null)),
    textArray(plans.map((p) => p.submission.owner ?? null)),
  ];
}

/** Of a run with many tasks of one host these stand in the line of their source; the others would only be in the way of other hosts there. */
const IN_LINE_OF_SOURCE = 16;

function linesOf(entries: { place: number; task: NewTask; submission: Submission }[]): string[] {
  const seen = new Map<string, number>();
  return entries.map(({ place, task: { source, host }, submission: { owner, tasks } }) => {
    const line = lineOf(source, owner);
    if (!host || tasks.length <= IN_LINE_OF_SOURCE) return line;
    const key = `${place} ${host}`;
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return before < IN_LINE_OF_SOURCE ? line : hostLineOf(host, line);
  });
}

const writing = (look: string, onlyIf: string, check: string): string => `
  with entry as materialized (
    select * from rows from (
      unnest($10::int[], $11::int[], $12::uuid[], $13::uuid[], $14::boolean[], $15::text[], $16::text[], $17::smallint[], $18::bigint[], $21::text[],
        $22::text[]),
      jsonb_array_elements($19::jsonb), json_array_elements($20::json)
    ) as e(place, pos, task_id, key, is_new, source, lane, band, turn, line, host, ref, message)
  ), ${look} written as (
    insert into runs (id, kind, trigger, status, total, cached, completed, request_id, owner, options, created_at, finished_at)
    select id, kind, trigger, status, total, cached, cached, request_id, owner, options, coalesce(accepted_at, now()), case when status <> 'running' then now() end
    from rows from (
      unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::text[], $8::timestamptz[], $23::text[]),
      jsonb_array_elements($9::jsonb)
    ) with ordinality as r(id, kind, trigger, status, total, cached, request_id, accepted_at, owner, options, place)
    where ${onlyIf} order by place
    returning seq
  ), numbers as materialized (
    select array_agg(seq order by seq) as seqs from written having count(*) > 0
  ), links as (
    insert into run_tasks (run_seq, pos, task_id, item_key, ref) select seqs[place], pos, task_id, key, ref from entry, numbers
  ), kept as (
    insert into tasks (id, key, source, lane, run_seq, message) select task_id, key, source, lane, seqs[place], message from entry, numbers where is_new
  ), queued as (
    insert into queue (task_id, key, run_seq, lane, line, host, band, turn)
    select task_id, key, seqs[place], lane, line, host, band, turn from entry, numbers where is_new
  ), joined as (
    insert into shares (task_id, run_seq, entries)
    select task_id, seqs[place], count(*) from entry, numbers where not is_new and task_id is not null group by 1, 2
  )
  select seq, ${check} as is_done from written order by seq`;

const WRITE = writing('', 'true', '1');

/**
 * The looks at `live` and the items are one by one (a scalar subquery each): joined, they would be planned once for tables of another size. Keys are claimed in
 * one order everywhere. Should one of them be taken after all, the division fails and with it the whole statement.
 */
const writeIfNew = (table: string): string =>
  writing(
    `looked as materialized (
      select not exists (
        select 1 from entry e where (select true from live l where l.key = e.key) or (select true from ${table} i where i.key = e.key)
      ) as is_new
    ), claimed as (
      insert into live (key, task_id) select key, task_id from entry where (select is_new from looked) order by key
      on conflict do nothing returning 1
    ),`,
    '(select is_new from looked)',
    '1 / ((select count(*) from claimed) = cardinality($13::uuid[]))::int',
  );

/** A waiting task becomes as urgent as the most urgent run that shares it, and as early as the earliest. One that is being dispatched at this moment is on its way already. */
async function raisePriority(client: Client, shared: Entry[]): Promise<void> {
  await client.query({
    name: 'raisePriority',
    text: `with wanted as (
             select task_id, min(band) as band, min(turn) as turn from unnest($1::uuid[], $2::smallint[], $3::bigint[]) as w(task_id, band, turn) group by 1
           ), slower as (
             select q.task_id, least(q.band, w.band) as band, least(q.turn, w.turn) as turn from queue q join wanted w on w.task_id = q.task_id
             where q.band > w.band or q.turn > w.turn for update of q skip locked
           )
           update queue set band = slower.band, turn = slower.turn from slower where queue.task_id = slower.task_id`,
    values: [
      plainArray(shared.map((s) => s.taskId)),
      plainArray(shared.map((s) => BANDS.indexOf(bandOf(s.task.priority)))),
      plainArray(shared.map((s) => s.turn)),
    ],
  });
}

function bodyOf({ taskId, task, submission: run }: Entry & { submission: Submission }, createdAt: string): TaskBody {
  return {
    task_id: taskId!,
    run_id: run.runId,
    scraper_type: task.source,
    params: task.params,
    priority: task.priority,
    created_at: createdAt,
    timeout: task.timeoutSeconds,
    max_retries: task.maxRetries,
    ...(task.backoff ? { backoff: task.backoff } : {}),
    request_id: run.requestId,
    ...(run.traceparent ? { traceparent: run.traceparent } : {}),
  };
}

const optionsOf = ({ options, traceparent }: Submission): object =>
  traceparent ? { ...options, [TRACE_OPTION]: traceparent } : options;
