// Everything that grows is trimmed here, in small batches so that no delete holds locks or the disk for long.
import type { Pool } from 'pg';
import { query } from './pool.ts';

export interface RetentionOptions {
  runDays: number;
  deadLetterDays: number;
  idempotencyHours: number;
  /** 0 keeps articles for ever. */
  articleDays: number;
  batch: number;
}

export interface Trimmed {
  runs: number;
  tasks: number;
  deadLetters: number;
  idempotencyKeys: number;
  articles: number;
}

/** One small batch of each; call again while anything was trimmed. */
export async function trim(pool: Pool, options: RetentionOptions): Promise<Trimmed> {
  const count = async (text: string, values: unknown[]): Promise<number> =>
    (
      await query<{ n: number }>(pool, `with gone as (${text} returning 1) select count(*)::int as n from gone`, values)
    )[0]!.n;
  const idempotencyKeys = await count(
    `delete from idempotency where ctid in (select ctid from idempotency where created_at < now() - make_interval(hours => $1) limit $2)`,
    [options.idempotencyHours, options.batch],
  );
  const deadLetters = await count(
    `delete from dead_letters where task_id in (
       select task_id from dead_letters where died_at < now() - make_interval(days => $1) order by died_at limit $2)`,
    [options.deadLetterDays, options.batch],
  );
  const ended = await query<{ runs: number; tasks: number }>(
    pool,
    // A task goes with its last run; one that is still a dead letter stays until that is trimmed.
    `with old as (
       select seq from runs where status <> 'running' and finished_at < now() - make_interval(days => $1) order by seq limit $2
     ), gone as (delete from runs using old where runs.seq = old.seq returning runs.seq),
     orphans as (
       select distinct l.task_id from run_tasks l join old on old.seq = l.run_seq
       where l.task_id is not null and not exists (
         select 1 from run_tasks o where o.task_id = l.task_id and o.run_seq not in (select seq from old))
     ), swept as (
       delete from tasks using orphans where tasks.id = orphans.task_id and tasks.state <> 'live'
         and not exists (select 1 from dead_letters d where d.task_id = tasks.id)
       returning 1
     )
     select (select count(*) from gone)::int as runs, (select count(*) from swept)::int as tasks`,
    [options.runDays, Math.max(1, Math.floor(options.batch / 10))],
  );
  const articles =
    options.articleDays === 0
      ? 0
      : await count(
          `delete from articles where key in (select key from articles where scraped_at < now() - make_interval(days => $1) limit $2)`,
          [options.articleDays, options.batch],
        );
  return { ...ended[0]!, deadLetters, idempotencyKeys, articles };
}
