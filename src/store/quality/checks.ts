// Quality checks: what a task brought is compared with the runs before it, in the transaction that records it. What a rule wants to be kept apart goes to
// `held_items` instead of the tables of items.
import type { Kind } from '../../model/item/item.ts';
import { HISTORY_RUNS, isHeld, type Judged, judge, type QualityFinding } from '../../model/quality/judge.ts';
import { type Measure, measureItems } from '../../model/quality/measure.ts';
import type { QualityRule } from '../../model/quality/rules.ts';
import type { ItemBatch } from '../items/items.ts';
import type { Client } from '../postgres/pool.ts';
import { pgJson, pgText, plainArray, textArray } from '../postgres/text.ts';
import { emit } from '../webhooks/webhook-events.ts';

export type RulesOf = (source: string) => readonly QualityRule[];

/** A task that has ended, with what was measured of its items. */
export interface MeasuredTask {
  taskId: string;
  /** The task's key: the same for runs of the same parameters. */
  stream: string;
  runId: string;
  source: string;
  kind: Kind;
  measure: Measure;
  isDone: boolean;
}

export interface NewCheck extends Omit<MeasuredTask, 'taskId' | 'isDone'>, Judged {
  taskId: string | null;
  about: string | null;
  isHeld: boolean;
}

/** Kinds of which a task brings many, so that it can be judged by itself. */
const MANY: readonly Kind[] = ['posting', 'product'];

export interface CheckedItems {
  /** What is stored. */
  itemBatches: ItemBatch[];
  checks: NewCheck[];
  /** Tasks of which items are kept apart. */
  held: ReadonlySet<string>;
}

export async function checkItems(
  client: Client,
  { itemBatches, tasks }: { itemBatches: ItemBatch[]; tasks: MeasuredTask[] },
  rulesOf: RulesOf,
): Promise<CheckedItems> {
  const ended = tasks.filter((task) => MANY.includes(task.kind));
  const many = itemBatches.filter((batch) => MANY.includes(batch.kind) && batch.items.length > 0);
  if (ended.length + many.length === 0) return { itemBatches, checks: [], held: new Set() };
  const streams = [...new Set([...ended.map((task) => task.stream), ...many.map((batch) => batch.key)])];
  const taskIds = [...new Set([...ended, ...many].map((one) => one.taskId))];
  const [history, held] = await Promise.all([historyOf(client, streams), heldTasks(client, taskIds)]);
  const before = (stream: string): Measure[] => history.get(stream) ?? [];
  const apart = many.filter(({ taskId, source, kind, key, items }) => {
    const mustWait =
      held.has(taskId) ||
      (before(key).length > 0 && isHeld(kind, measureItems(kind, items as never), before(key), rulesOf(source)));
    if (mustWait) held.add(taskId);
    return mustWait;
  });
  if (apart.length > 0) await holdItems(client, apart);
  const checks = ended
    .filter((task) => task.isDone || held.has(task.taskId))
    .map((task): NewCheck => {
      const isHeldTask = held.has(task.taskId);
      const judged = judge(task.kind, task.measure, before(task.stream), rulesOf(task.source));
      return { ...task, ...(isHeldTask ? asHeld(judged) : judged), about: null, isHeld: isHeldTask };
    });
  await saveChecks(client, checks);
  const good = checks.filter((check) => check.verdict !== 'suspect').map((check) => check.stream);
  if (good.length > 0) await supersede(client, good);
  return { itemBatches: itemBatches.filter((batch) => !apart.includes(batch)), checks, held };
}

const PART_HELD: QualityFinding = {
  rule: 'part',
  verdict: 'suspect',
  value: 1,
  expected: null,
  runs: 0,
  message: 'a part of the items was unlike those of the runs before',
  held: true,
};

/** What is kept apart is suspect, also where all of its parts together are not. */
const asHeld = ({ findings }: Judged): Judged => ({
  verdict: 'suspect',
  findings: findings.some((finding) => finding.held) ? findings : [...findings, PART_HELD],
});

/** The last runs of each stream, newest first. */
export async function historyOf(client: Client, streams: readonly string[]): Promise<Map<string, Measure[]>> {
  const { rows } = await client.query<{ stream: string; measures: Measure[] }>({
    name: 'quality-history',
    text: `select s.stream, jsonb_agg(h.measure) as measures from unnest($1::uuid[]) as s(stream)
           cross join lateral (select measure from quality_checks q where q.stream = s.stream and counts order by id desc limit ${HISTORY_RUNS}) h
           group by s.stream`,
    values: [plainArray(streams)],
  });
  return new Map(rows.map((row) => [row.stream, row.measures]));
}

async function heldTasks(client: Client, taskIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ task_id: string }>({
    name: 'held-tasks',
    text: 'select distinct task_id from held_items where task_id = any($1::uuid[])',
    values: [plainArray(taskIds)],
  });
  return new Set(rows.map((row) => row.task_id));
}

async function holdItems(client: Client, batches: readonly ItemBatch[]): Promise<void> {
  await client.query(
    `insert into held_items (task_id, attempt, part, kind, source, key, items)
     select * from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::text[], $6::uuid[], $7::jsonb[]) on conflict do nothing`,
    [
      plainArray(batches.map((batch) => batch.taskId)),
      plainArray(batches.map((batch) => batch.attempt)),
      plainArray(batches.map((batch) => batch.part)),
      plainArray(batches.map((batch) => batch.kind)),
      textArray(batches.map((batch) => pgText(batch.source))),
      plainArray(batches.map((batch) => batch.key)),
      textArray(batches.map((batch) => pgJson(batch.items))),
    ],
  );
}

/** With an event for each that is suspect. A check whose items are held counts for later ones only after it was accepted. */
export async function saveChecks(client: Client, checks: readonly NewCheck[]): Promise<void> {
  if (checks.length === 0) return;
  await client.query({
    name: 'save-quality-checks',
    text: `insert into quality_checks (run_id, owner, task_id, kind, source, about, stream, verdict, counts, state, measure, findings)
           select run_id, (select owner from runs r where r.id = run_id), task_id, kind, source, about, stream, verdict, not held,
             case when held then 'held' end, measure, findings
           from rows from (
             unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::boolean[]),
             jsonb_array_elements($9::jsonb), jsonb_array_elements($10::jsonb)
           ) as c(run_id, task_id, kind, source, about, stream, verdict, held, measure, findings)
           on conflict do nothing`,
    values: [
      textArray(checks.map((check) => pgText(check.runId))),
      plainArray(checks.map((check) => check.taskId)),
      plainArray(checks.map((check) => check.kind)),
      textArray(checks.map((check) => pgText(check.source))),
      textArray(checks.map((check) => pgText(check.about))),
      plainArray(checks.map((check) => check.stream)),
      plainArray(checks.map((check) => check.verdict)),
      plainArray(checks.map((check) => check.isHeld)),
      pgJson(checks.map((check) => check.measure)),
      pgJson(checks.map((check) => check.findings)),
    ],
  });
  const suspect = checks.filter((check) => check.verdict === 'suspect');
  if (suspect.length === 0) return;
  const { rows: owned } = await client.query<{ id: string; owner: string | null }>(
    'select id, owner from runs where id = any($1::text[])',
    [textArray(suspect.map((check) => pgText(check.runId)))],
  );
  const ownerOf = new Map(owned.map((run) => [run.id, run.owner]));
  await emit(
    client,
    suspect.map(({ runId, taskId, source, about, verdict, findings, measure, isHeld }) => ({
      key: `quality:${runId}:${taskId ?? about}`,
      type: 'quality.suspect' as const,
      requestId: null,
      owner: ownerOf.get(runId) ?? null,
      data: {
        run_id: runId,
        task_id: taskId,
        source,
        verdict,
        items: measure.items,
        held: isHeld,
        findings: findings.map(({ rule, selector, message }) => ({ rule, ...(selector && { selector }), message })),
        path: `/quality/${runId}`,
      },
    })),
  );
}

/** A good run has brought the same items as they should be: what was kept apart of the runs before is out of date. */
async function supersede(client: Client, streams: readonly string[]): Promise<void> {
  await client.query({
    name: 'supersede-held',
    text: `with old as (
             update quality_checks set state = 'superseded', decided_at = now() where stream = any($1::uuid[]) and state = 'held' returning task_id
           )
           delete from held_items h using old where h.task_id = old.task_id`,
    values: [plainArray([...new Set(streams)].sort())],
  });
}
