// Accepting work: a batch of submissions becomes runs, tasks and queue rows in one transaction.
//
// Equal work meets in `live`: inserting a key there either makes this submission the owner of a new task or shows whose task to share, and
// holds that row until commit, so that the recorder cannot settle the task between our look and our link (it deletes the `live` row first
// and reads the links after).
import type { Pool } from 'pg';
import { BANDS, type Band, bandOf } from '../model/band.ts';
import { AppError } from '../model/errors.ts';
import type { Kind } from '../model/item.ts';
import type { TaskBody } from '../model/messages.ts';
import type { RunStatus } from '../model/run.ts';
import { statusAfter } from '../model/run.ts';
import { groupCommit } from './group-commit.ts';
import { agesOf } from './items.ts';
import { type Client, query, transaction } from './pool.ts';
import { pgJson, plainArray, textArray } from './text.ts';

export interface NewTask {
  id: string;
  key: string;
  source: string;
  lane: string;
  params: Record<string, unknown>;
  priority: number;
  maxRetries: number;
  timeoutSeconds: number;
  backoff?: 'company';
  /** What the run calls this task: the address as submitted, labels. */
  ref: Record<string, unknown>;
}

export interface Submission {
  runId: string;
  kind: string;
  /** What its tasks bring. */
  itemKind: Kind;
  trigger: string;
  requestId: string | null;
  options: Record<string, unknown>;
  tasks: NewTask[];
  /** Reuse an item scraped within this age; null: of any age; 0: never. */
  maxAgeSeconds: number | null;
  idempotency: { scope: string; key: string; bodyHash: string } | null;
  /** How its tasks take turns with those of other runs; `even` unless told. */
  turns?: Turns;
  /** Say how old each reused item is. */
  reportsAges?: boolean;
  /** Written in the same transaction, after the run and its tasks. It may run again when that transaction does, and not at all for a replay. */
  along?(client: Client, run: { seq: string; id: string }): Promise<void>;
}

export interface Accepted {
  runId: string;
  status: RunStatus;
  total: number;
  cached: number;
  /** True when an earlier submission with the same Idempotency-Key is answered again. */
  replayed: boolean;
  /** For submissions that ask: seconds by position, of the items that are reused. */
  ages?: Record<number, number>;
}

/**
 * A run's tasks take their turns some way apart, in the order's own milliseconds, so that others come in between. `widening`: the further down, the
 * further apart. A few tasks then keep the place they came in at, and a hundred are spread over the minutes that follow.
 */
export type Turns = 'even' | 'widening';

const TURN_SPACING_MS = 20;

export function createSubmit(pool: Pool): (submission: Submission) => Promise<Accepted> {
  return groupCommit<Submission, Accepted>({
    commit: (batch) => transaction(pool, (client) => commitBatch(client, batch)),
    weigh: (submission) => submission.tasks.length,
    maxWeight: 2_000,
    inFlight: 2,
    besideWeight: 1_000,
    maxWaiting: 20_000,
  });
}

async function commitBatch(client: Client, batch: Submission[]): Promise<Accepted[]> {
  const replays = await claimIdempotencyKeys(client, batch);
  const fresh = batch.filter((submission) => !replays.has(submission));
  const plans = await planTasks(client, fresh);
  const seqs = await insertRuns(client, plans);
  await insertLinks(client, plans, seqs);
  await insertTasks(client, plans, seqs);
  for (const { submission } of plans)
    await submission.along?.(client, { seq: seqs.get(submission.runId)!, id: submission.runId });
  const accepted = new Map(plans.map((plan) => [plan.submission, plan.accepted]));
  await saveAnswers(client, plans);
  const answerOf = (submission: Submission): Accepted => {
    const replay = replays.get(submission);
    // Twice in one batch: the second one gets the first one's answer, which may be an earlier batch's.
    if (replay && 'sameAs' in replay) return { ...answerOf(replay.sameAs), replayed: true };
    return replay ?? accepted.get(submission)!;
  };
  return batch.map(answerOf);
}

type Replay = Accepted | { sameAs: Submission };

async function claimIdempotencyKeys(client: Client, batch: Submission[]): Promise<Map<Submission, Replay>> {
  const replays = new Map<Submission, Replay>();
  const first = new Map<string, Submission>();
  for (const submission of batch) {
    const claim = submission.idempotency;
    if (!claim) continue;
    const name = JSON.stringify([claim.scope, claim.key]);
    const earlier = first.get(name);
    if (!earlier) first.set(name, submission);
    else if (earlier.idempotency?.bodyHash !== claim.bodyHash) throw new AppError('idempotency_key_reused');
    else replays.set(submission, { sameAs: earlier });
  }
  // In one order everywhere, so that two batches with the same keys wait for each other instead of deadlocking.
  for (const name of [...first.keys()].sort()) {
    const submission = first.get(name)!;
    const { scope, key, bodyHash } = submission.idempotency!;
    const inserted = await client.query(
      'insert into idempotency (scope, key, body_hash) values ($1, $2, $3) on conflict do nothing',
      [scope, key, bodyHash],
    );
    if (inserted.rowCount === 1) continue;
    const { rows } = await client.query<{ body_hash: string; answer: Accepted }>(
      'select body_hash, answer from idempotency where scope = $1 and key = $2',
      [scope, key],
    );
    const stored = rows[0];
    if (!stored) throw new AppError('unavailable', 'The Idempotency-Key expired while it was looked up; try again.');
    if (stored.body_hash !== bodyHash) throw new AppError('idempotency_key_reused');
    replays.set(submission, { ...stored.answer, replayed: true });
  }
  return replays;
}

/** What was answered to a submission with this key, if there was one. */
export async function earlierAnswer(
  pool: Pool,
  claim: NonNullable<Submission['idempotency']>,
): Promise<Accepted | null> {
  const [row] = await query<{ body_hash: string; answer: Accepted | null }>(
    pool,
    'select body_hash, answer from idempotency where scope = $1 and key = $2',
    [claim.scope, claim.key],
  );
  if (!row?.answer) return null;
  if (row.body_hash !== claim.bodyHash) throw new AppError('idempotency_key_reused');
  return { ...row.answer, replayed: true };
}

interface Plan {
  submission: Submission;
  /** Position in the run → what it waits for; no task id means the stored item is reused. */
  entries: { task: NewTask; taskId: string | null; isNew: boolean; turn: number }[];
  accepted: Accepted;
}

async function planTasks(client: Client, batch: Submission[]): Promise<Plan[]> {
  const reusable = await ages(client, batch, () => true);
  const wanted = new Map<string, NewTask>();
  for (const submission of batch) {
    for (const task of submission.tasks) {
      if (!isReusable(reusable, submission, task) && !wanted.has(task.key)) wanted.set(task.key, task);
    }
  }
  const others = await claimLiveKeys(client, [...wanted.values()]);
  const mine = new Set([...wanted.keys()].filter((key) => !others.has(key)));
  // An item stored between the first look and the claim: its task has just been settled by someone else.
  const late = await ages(client, batch, (key) => mine.has(key));

  // The first entry that still needs a claimed key makes its task, whoever's claim it was: that one may have found the late item.
  const made = new Set<string>();
  const nowMs = Date.now();
  const plans = batch.map((submission) => {
    const untimed = submission.tasks.map((task) => {
      if (isReusable(reusable, submission, task)) return { task, taskId: null, isNew: false };
      const other = others.get(task.key);
      if (other) return { task, taskId: other, isNew: false };
      if (isReusable(late, submission, task) && !reusable.has(task.key)) return { task, taskId: null, isNew: false };
      const owner = wanted.get(task.key)!;
      const isNew = !made.has(task.key);
      if (isNew) made.add(task.key);
      return { task: isNew && owner !== task ? { ...task, id: owner.id } : task, taskId: owner.id, isNew };
    });
    const entries = inTurn(untimed, nowMs, submission.turns ?? 'even');
    const total = entries.length;
    const cached = entries.filter((entry) => entry.taskId === null).length;
    const status = statusAfter({ total, completed: cached, failed: 0 });
    const accepted: Accepted = { runId: submission.runId, status, total, cached, replayed: false };
    if (submission.reportsAges) accepted.ages = reusedAges(entries, reusable, late);
    return { submission, entries, accepted };
  });
  const unused = [...mine].filter((key) => !made.has(key));
  if (unused.length > 0) await client.query('delete from live where key = any($1::uuid[])', [unused]);
  return plans;
}

function reusedAges(entries: Plan['entries'], ...known: Map<string, number>[]): Record<number, number> {
  const ages: Record<number, number> = {};
  for (const [pos, { task, taskId }] of entries.entries()) {
    if (taskId === null) ages[pos] = known.map((one) => one.get(task.key)).find((age) => age !== undefined) ?? 0;
  }
  return ages;
}

function isReusable(ages: Map<string, number>, submission: Submission, task: NewTask): boolean {
  const age = ages.get(task.key);
  return age !== undefined && (submission.maxAgeSeconds === null || age < submission.maxAgeSeconds);
}

/** Ages of the stored items behind the keys that some submission would reuse. */
async function ages(
  client: Client,
  batch: Submission[],
  isAsked: (key: string) => boolean,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const byKind = Map.groupBy(
    batch.filter((submission) => submission.maxAgeSeconds !== 0),
    (submission) => submission.itemKind,
  );
  for (const [kind, submissions] of byKind) {
    const keys = submissions.flatMap((submission) => submission.tasks.map((task) => task.key)).filter(isAsked);
    for (const [key, age] of await agesOf(client, kind, keys)) found.set(key, age);
  }
  return found;
}

/** Claims these keys and returns those that are somebody else's already, with the task to share. */
async function claimLiveKeys(client: Client, tasks: NewTask[]): Promise<Map<string, string>> {
  if (tasks.length === 0) return new Map();
  // Sorted, so that two batches lock shared keys in one order.
  const sorted = tasks.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const { rows } = await client.query<{ key: string; task_id: string }>({
    name: 'claim-live',
    text: `with wanted as (select * from unnest($1::uuid[], $2::uuid[]) as w(key, task_id)),
           claimed as (
             insert into live (key, task_id) select key, task_id from wanted
             on conflict (key) do update set key = excluded.key returning key, task_id
           )
           select c.key, c.task_id from claimed c join wanted w on w.key = c.key where c.task_id <> w.task_id`,
    values: [plainArray(sorted.map((task) => task.key)), plainArray(sorted.map((task) => task.id))],
  });
  return new Map(rows.map((row) => [row.key, row.task_id]));
}

async function insertRuns(client: Client, plans: Plan[]): Promise<Map<string, string>> {
  if (plans.length === 0) return new Map();
  const { rows } = await client.query<{ id: string; seq: string }>({
    name: 'insert-runs',
    text: `insert into runs (id, kind, trigger, status, total, cached, completed, request_id, options, finished_at)
           select id, kind, trigger, status, total, cached, cached, request_id, options, case when status <> 'running' then now() end
           from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::text[], $8::jsonb[])
             as r(id, kind, trigger, status, total, cached, request_id, options)
           returning id, seq`,
    values: [
      plans.map((p) => p.submission.runId),
      plans.map((p) => p.submission.kind),
      plans.map((p) => p.submission.trigger),
      plans.map((p) => p.accepted.status),
      plans.map((p) => p.accepted.total),
      plans.map((p) => p.accepted.cached),
      plans.map((p) => p.submission.requestId),
      plans.map((p) => pgJson(p.submission.options)),
    ],
  });
  return new Map(rows.map((row) => [row.id, row.seq]));
}

async function insertLinks(client: Client, plans: Plan[], seqs: Map<string, string>): Promise<void> {
  const rows = plans.flatMap((plan) =>
    plan.entries.map((entry, pos) => ({ seq: seqs.get(plan.submission.runId)!, pos, ...entry })),
  );
  if (rows.length === 0) return;
  await client.query({
    name: 'insert-run-tasks',
    text: `insert into run_tasks (run_seq, pos, task_id, item_key, ref)
           select * from unnest($1::bigint[], $2::int[], $3::uuid[], $4::uuid[], $5::jsonb[])`,
    values: [
      plainArray(rows.map((r) => r.seq)),
      plainArray(rows.map((r) => r.pos)),
      plainArray(rows.map((r) => r.taskId)),
      plainArray(rows.map((r) => r.task.key)),
      textArray(rows.map((r) => pgJson(r.task.ref))),
    ],
  });
  const shared = rows.filter((row) => row.taskId !== null && !row.isNew);
  if (shared.length === 0) return;
  await client.query(
    `insert into shares (task_id, run_seq, entries)
     select task_id, run_seq, count(*) from unnest($1::uuid[], $2::bigint[]) as s(task_id, run_seq) group by 1, 2`,
    [plainArray(shared.map((r) => r.taskId)), plainArray(shared.map((r) => r.seq))],
  );
  await hurry(client, shared);
}

/** A waiting task becomes as urgent as the most urgent run that shares it, and as early as the earliest. One that is being dispatched at this moment is on its way already. */
async function hurry(client: Client, shared: Plan['entries']): Promise<void> {
  await client.query(
    `with wanted as (
       select task_id, min(band) as band, min(turn) as turn from unnest($1::uuid[], $2::smallint[], $3::bigint[]) as w(task_id, band, turn) group by 1
     ), slower as (
       select q.task_id, least(q.band, w.band) as band, least(q.turn, w.turn) as turn from queue q join wanted w on w.task_id = q.task_id
       where q.band > w.band or q.turn > w.turn for update of q skip locked
     )
     update queue set band = slower.band, turn = slower.turn from slower where queue.task_id = slower.task_id`,
    [
      plainArray(shared.map((r) => r.taskId)),
      plainArray(shared.map((r) => BANDS.indexOf(bandOf(r.task.priority)))),
      plainArray(shared.map((r) => r.turn)),
    ],
  );
}

async function insertTasks(client: Client, plans: Plan[], seqs: Map<string, string>): Promise<void> {
  const made = plans.flatMap((plan) =>
    plan.entries.filter((entry) => entry.isNew).map(({ task, turn }) => ({ task, turn, run: plan.submission })),
  );
  if (made.length === 0) return;
  await client.query({
    name: 'insert-tasks',
    text: `with made as (
             select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::json[], $7::smallint[], $8::bigint[])
               as t(id, key, source, lane, run_seq, message, band, turn)
           ), kept as (
             insert into tasks (id, key, source, lane, run_seq, message) select id, key, source, lane, run_seq, message from made
           )
           insert into queue (task_id, key, run_seq, lane, band, turn) select id, key, run_seq, lane, band, turn from made`,
    values: [
      plainArray(made.map((r) => r.task.id)),
      plainArray(made.map((r) => r.task.key)),
      textArray(made.map((r) => r.task.source)),
      textArray(made.map((r) => r.task.lane)),
      plainArray(made.map((r) => seqs.get(r.run.runId)!)),
      textArray(made.map((r) => pgJson(bodyOf(r.task, r.run)))),
      plainArray(made.map((r) => BANDS.indexOf(bandOf(r.task.priority)))),
      plainArray(made.map((r) => r.turn)),
    ],
  });
}

function bodyOf(task: NewTask, run: Submission): TaskBody {
  return {
    task_id: task.id,
    run_id: run.runId,
    scraper_type: task.source,
    params: task.params,
    priority: task.priority,
    created_at: new Date().toISOString(),
    timeout: task.timeoutSeconds,
    max_retries: task.maxRetries,
    ...(task.backoff ? { backoff: task.backoff } : {}),
    request_id: run.requestId,
  };
}

/** Only what has to be waited for takes a turn. */
function inTurn<T extends { task: NewTask; taskId: string | null }>(
  entries: T[],
  nowMs: number,
  turns: Turns,
): (T & { turn: number })[] {
  const next = new Map<Band, number>();
  return entries.map((entry) => {
    const band = bandOf(entry.task.priority);
    const place = next.get(band) ?? 0;
    if (entry.taskId !== null) next.set(band, place + 1);
    return { ...entry, turn: nowMs + (turns === 'even' ? place : place ** 2) * TURN_SPACING_MS };
  });
}

async function saveAnswers(client: Client, plans: Plan[]): Promise<void> {
  for (const { submission, accepted } of plans) {
    if (!submission.idempotency) continue;
    const { scope, key } = submission.idempotency;
    await client.query('update idempotency set answer = $3 where scope = $1 and key = $2', [
      scope,
      key,
      JSON.stringify(accepted),
    ]);
  }
}
