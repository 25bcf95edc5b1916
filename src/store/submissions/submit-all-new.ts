// The short way in: most submissions ask for what nobody has asked for lately. If that holds for a whole batch, one statement finds it out, claims, writes and
// commits: one round trip instead of three, which is most of what a small batch costs. If it does not, nothing is written and the batch goes the long way
// (plan.ts). What a reader would get wrong: an item that is stored at this very moment is not seen, and is then scraped once more than needed.
import type { Pool } from 'pg';
import { newTaskId } from '../../model/ids.ts';
import { BANDS, bandOf } from '../../model/task/band.ts';
import { itemTableOf } from '../items/items.ts';
import { queryUnless } from '../postgres/pool.ts';
import { jsonList, pgJson, plainArray, textArray } from '../postgres/text.ts';
import { acceptedWith, inTurn } from './plan.ts';
import { bodyOf, type MadeTask } from './rows.ts';
import type { Accepted, Submission } from './submit.ts';

/** After a batch that was not fresh the next ones are likely not to be either. */
const NOT_TRIED = 20;
/** What PostgreSQL holds in memory at a time; more than a usual batch has. */
const MAX_TASKS = 2_000;

const DEADLOCK = '40P01';
/** Someone claimed a key of ours between our look and our claim. */
const DIVISION_BY_ZERO = '22012';

/** For submissions of one kind, without Idempotency-Key and without more to write along. Answers with null when the batch has to go the long way. */
export function createSubmitFresh(pool: Pool): (batch: Submission[]) => Promise<Accepted[] | null> {
  let notTried = 0;
  return async (batch) => {
    const table = canBeFresh(batch) ? itemTableOf(batch[0]!.itemKind) : null;
    if (table === null || notTried-- > 0) return null;
    const rows = await queryUnless(pool, [DIVISION_BY_ZERO, DEADLOCK], {
      name: `submit-fresh-${table}`,
      text: submitTo(table),
      values: valuesOf(batch),
    });
    notTried = rows?.length ? 0 : NOT_TRIED;
    return rows?.length
      ? batch.map((submission) => acceptedWith(submission, { ageOf: () => null, makes: () => true }))
      : null;
  };
}

function canBeFresh(batch: Submission[]): boolean {
  const keys = new Set<string>();
  let tasks = 0;
  for (const { tasks: wanted } of batch) {
    if (wanted.length === 0) return false;
    tasks += wanted.length;
    for (const { key } of wanted) keys.add(key);
  }
  return keys.size === tasks && tasks <= MAX_TASKS;
}

function valuesOf(batch: Submission[]): string[] {
  const nowMs = Date.now();
  const createdAt = new Date(nowMs).toISOString();
  const made: (MadeTask & { place: number; pos: number; turn: number })[] = [];
  batch.forEach((submission, index) => {
    const place = index + 1;
    const [only] = submission.tasks;
    if (submission.tasks.length === 1)
      made.push({ place, pos: 0, id: newTaskId(), task: only!, turn: nowMs, submission });
    else {
      const entries = submission.tasks.map((task) => ({ task, taskId: newTaskId(), isNew: true }));
      inTurn(entries, nowMs, submission.turns ?? 'even').forEach(({ task, taskId, turn }, pos) => {
        made.push({ place, pos, id: taskId!, task, turn, submission });
      });
    }
  });
  return [
    textArray(batch.map((s) => s.runId)),
    textArray(batch.map((s) => s.kind)),
    textArray(batch.map((s) => s.trigger)),
    plainArray(batch.map((s) => s.tasks.length)),
    textArray(batch.map((s) => s.requestId)),
    jsonList(batch.map((s) => pgJson(s.options))),
    plainArray(made.map((m) => m.place)),
    plainArray(made.map((m) => m.pos)),
    plainArray(made.map((m) => m.id)),
    plainArray(made.map((m) => m.task.key)),
    textArray(made.map((m) => m.task.source)),
    textArray(made.map((m) => m.task.lane)),
    plainArray(made.map((m) => BANDS.indexOf(bandOf(m.task.priority)))),
    plainArray(made.map((m) => m.turn)),
    jsonList(made.map((m) => pgJson(m.task.ref))),
    jsonList(made.map((m) => pgJson(bodyOf(m, createdAt)))),
  ];
}

/**
 * The looks at `live` and the items are one by one (a scalar subquery each): joined, they would be planned once for tables of another size. Keys are claimed in
 * one order everywhere. Should one of them be taken after all, the division fails and with it the whole statement.
 */
const submitTo = (table: string): string => `
  with given as materialized (
    select * from rows from (
      unnest($7::int[], $8::int[], $9::uuid[], $10::uuid[], $11::text[], $12::text[], $13::smallint[], $14::bigint[]),
      jsonb_array_elements($15::jsonb), json_array_elements($16::json)
    ) as t(place, pos, id, key, source, lane, band, turn, ref, message)
  ), looked as materialized (
    select not exists (
      select 1 from given g where (select true from live l where l.key = g.key) or (select true from ${table} i where i.key = g.key)
    ) as is_fresh
  ), claimed as (
    insert into live (key, task_id) select key, id from given where (select is_fresh from looked) order by key
    on conflict do nothing returning 1
  ), written as (
    insert into runs (id, kind, trigger, status, total, request_id, options)
    select id, kind, trigger, 'running', total, request_id, options
    from rows from (unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[]), jsonb_array_elements($6::jsonb))
      with ordinality as r(id, kind, trigger, total, request_id, options, place)
    where (select is_fresh from looked) order by place
    returning seq
  ), numbers as materialized (
    select array_agg(seq order by seq) as seqs from written
  ), links as (
    insert into run_tasks (run_seq, pos, task_id, item_key, ref)
    select seqs[place], pos, id, key, ref from given, numbers where seqs is not null
  ), kept as (
    insert into tasks (id, key, source, lane, run_seq, message)
    select id, key, source, lane, seqs[place], message from given, numbers where seqs is not null
  ), queued as (
    insert into queue (task_id, key, run_seq, lane, band, turn)
    select id, key, seqs[place], lane, band, turn from given, numbers where seqs is not null
  )
  select 1 / ((select count(*) from claimed) = cardinality($10::uuid[]))::int as is_done from numbers where seqs is not null`;
