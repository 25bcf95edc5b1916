// Writing what was planned: runs, their entries, new tasks and their queue rows in one statement, so that a batch costs one round trip however many tables it
// touches.
import { BANDS, bandOf } from '../../model/task/band.ts';
import type { TaskBody } from '../../model/task/messages.ts';
import type { Client } from '../postgres/pool.ts';
import { jsonList, pgJson, plainArray, textArray } from '../postgres/text.ts';
import type { Entry, Plan } from './plan.ts';
import type { NewTask, Submission } from './submit.ts';

/** Returns the number of each run, in the order of the plans. Runs are numbered in that order; entries name their run by its place in it. */
export async function writeRows(client: Client, plans: Plan[]): Promise<string[]> {
  if (plans.length === 0) return [];
  const entries = plans.flatMap((plan, index) =>
    plan.entries.map((entry, pos) => ({ place: index + 1, pos, ...entry })),
  );
  const made = plans.flatMap(({ submission, entries: all }, index) =>
    all
      .filter((entry) => entry.isNew)
      .map(({ task, taskId, turn }) => ({ place: index + 1, id: taskId!, task, turn, submission })),
  );
  const createdAt = new Date().toISOString();
  const shared = entries.filter((entry) => entry.taskId !== null && !entry.isNew);
  const { rows } = await client.query<{ seq: string }>({
    name: 'write-submissions',
    text: WRITE,
    values: [
      textArray(plans.map((p) => p.submission.runId)),
      textArray(plans.map((p) => p.submission.kind)),
      textArray(plans.map((p) => p.submission.trigger)),
      textArray(plans.map((p) => p.accepted.status)),
      plainArray(plans.map((p) => p.accepted.total)),
      plainArray(plans.map((p) => p.accepted.cached)),
      textArray(plans.map((p) => p.submission.requestId)),
      jsonList(plans.map((p) => pgJson(p.submission.options))),
      plainArray(entries.map((e) => e.place)),
      plainArray(entries.map((e) => e.pos)),
      plainArray(entries.map((e) => e.taskId)),
      plainArray(entries.map((e) => e.task.key)),
      jsonList(entries.map((e) => pgJson(e.task.ref))),
      plainArray(made.map((m) => m.place)),
      plainArray(made.map((m) => m.id)),
      plainArray(made.map((m) => m.task.key)),
      textArray(made.map((m) => m.task.source)),
      textArray(made.map((m) => m.task.lane)),
      plainArray(made.map((m) => BANDS.indexOf(bandOf(m.task.priority)))),
      plainArray(made.map((m) => m.turn)),
      jsonList(made.map((m) => pgJson(bodyOf(m, m.submission.acceptedAt?.toISOString() ?? createdAt)))),
      plainArray(shared.map((s) => s.place)),
      plainArray(shared.map((s) => s.taskId)),
      plainArray(plans.map((p) => p.submission.acceptedAt?.toISOString() ?? null)),
    ],
  });
  if (shared.length > 0) await raisePriority(client, shared);
  return rows.map((row) => row.seq);
}

const WRITE = `
  with written as (
    insert into runs (id, kind, trigger, status, total, cached, completed, request_id, options, created_at, finished_at)
    select id, kind, trigger, status, total, cached, cached, request_id, options, coalesce(accepted_at, now()), case when status <> 'running' then now() end
    from rows from (
      unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::text[], $24::timestamptz[]), jsonb_array_elements($8::jsonb)
    ) with ordinality as r(id, kind, trigger, status, total, cached, request_id, accepted_at, options, place)
    order by place
    returning seq
  ), numbers as (
    select array_agg(seq order by seq) as seqs from written
  ), links as (
    insert into run_tasks (run_seq, pos, task_id, item_key, ref)
    select (select seqs from numbers)[place], pos, task_id, key, ref
    from rows from (unnest($9::int[], $10::int[], $11::uuid[], $12::uuid[]), jsonb_array_elements($13::jsonb)) as e(place, pos, task_id, key, ref)
  ), made as (
    select (select seqs from numbers)[place] as run_seq, id, key, source, lane, message, band, turn
    from rows from (
      unnest($14::int[], $15::uuid[], $16::uuid[], $17::text[], $18::text[], $19::smallint[], $20::bigint[]), json_array_elements($21::json)
    ) as t(place, id, key, source, lane, band, turn, message)
  ), kept as (
    insert into tasks (id, key, source, lane, run_seq, message) select id, key, source, lane, run_seq, message from made
  ), queued as (
    insert into queue (task_id, key, run_seq, lane, band, turn) select id, key, run_seq, lane, band, turn from made
  ), joined as (
    insert into shares (task_id, run_seq, entries)
    select task_id, (select seqs from numbers)[place], count(*) from unnest($22::int[], $23::uuid[]) as s(place, task_id) group by 1, 2
  )
  select seq from written order by seq`;

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

export interface MadeTask {
  id: string;
  task: NewTask;
  submission: Submission;
}

export function bodyOf({ id, task, submission: run }: MadeTask, createdAt: string): TaskBody {
  return {
    task_id: id,
    run_id: run.runId,
    scraper_type: task.source,
    params: task.params,
    priority: task.priority,
    created_at: createdAt,
    timeout: task.timeoutSeconds,
    max_retries: task.maxRetries,
    ...(task.backoff ? { backoff: task.backoff } : {}),
    request_id: run.requestId,
  };
}
