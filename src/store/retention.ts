// Deletes rows past their retention time from every table that grows, in small batches so that no delete holds locks for long. Prices go by the week (weeks.ts); why the others
// do not: docs/decisions/015-what-is-partitioned.md.
import type { Pool } from 'pg';
import { trimNames } from './names/names.ts';
import { query } from './postgres/pool.ts';
import { PRICE_WEEKS, trimWeeks } from './weeks.ts';

export interface RetentionOptions {
  runDays: number;
  deadLetterDays: number;
  idempotencyHours: number;
  /** 0 keeps articles forever. */
  articleDays: number;
  /** Since a posting was last seen; 0 keeps them forever. */
  postingDays?: number;
  priceDays?: number;
  /** Matches of alerts. */
  alertDays?: number;
  /** How long an ended cart, and an unused search result, is kept. */
  cartSeconds?: number;
  /** Since a delivery ended, with or without success. */
  deliveryDays?: number;
  batch: number;
}

export interface Trimmed {
  runs: number;
  tasks: number;
  deadLetters: number;
  idempotencyKeys: number;
  articles: number;
  postings: number;
  prices: number;
  /** Weeks of prices that were dropped as a whole. */
  priceWeeks: number;
  matches: number;
  products: number;
  tallies: number;
  carts: number;
  searchResults: number;
  deliveries: number;
  qualityChecks: number;
  names: number;
}

export async function trim(pool: Pool, options: RetentionOptions): Promise<Trimmed> {
  const count = async (text: string, values: unknown[]): Promise<number> =>
    (
      await query<{ n: number }>(pool, `with gone as (${text} returning 1) select count(*)::int as n from gone`, values)
    )[0]!.n;
  /** 0 or undefined: kept forever. */
  const old = async (table: string, time: string, days: number | undefined): Promise<number> =>
    days
      ? count(
          `delete from ${table} where ctid in (select ctid from ${table} where ${time} < now() - make_interval(days => $1) limit $2)`,
          [days, options.batch],
        )
      : 0;
  const idempotencyKeys = await count(
    `delete from idempotency where ctid in (select ctid from idempotency where created_at < now() - make_interval(hours => $1) limit $2)`,
    [options.idempotencyHours, options.batch],
  );
  // A dead letter that outlived its runs takes its task along.
  const letters = await query<{ letters: number; tasks: number }>(
    pool,
    `with old as (
       select task_id from dead_letters where died_at < now() - make_interval(days => $1) order by died_at limit $2
     ), gone as (delete from dead_letters using old where dead_letters.task_id = old.task_id returning 1),
     freed as (
       select t.id from old join tasks t on t.id = old.task_id
       where not exists (select 1 from runs r where r.seq = t.run_seq)
         and not exists (select 1 from shares s join runs r on r.seq = s.run_seq where s.task_id = t.id)
     ), unshared as (delete from shares using freed where shares.task_id = freed.id),
     unlinked as (delete from task_items using freed where task_items.task_id = freed.id),
     forgotten as (delete from outcomes using freed where outcomes.task_id = freed.id),
     unremembered as (delete from earlier_attempts e using freed where e.task_id = freed.id),
     unreached as (delete from checkpoints c using freed where c.task_id = freed.id),
     swept as (delete from tasks using freed where tasks.id = freed.id returning 1)
     select (select count(*) from gone)::int as letters, (select count(*) from swept)::int as tasks`,
    [options.deadLetterDays, options.batch],
  );
  const runBatch = Math.max(1, Math.floor(options.batch / 10));
  const ended = await trimRuns(pool, 'make_interval(days => $1)', [options.runDays, runBatch], BEFORE_THE_YOUNG);
  const carts =
    options.cartSeconds === undefined
      ? { runs: 0, tasks: 0 }
      : await trimRuns(pool, 'make_interval(secs => $1)', [options.cartSeconds, runBatch], `kind = 'cart'`);
  // Nothing old is without its search vector, and with this condition the index of the list finds it.
  const articles = await old('articles', 'search_vector is not null and scraped_at', options.articleDays);
  const postings = options.postingDays ? await trimPostings(pool, options.postingDays, options.batch) : 0;
  const matches = await old('alert_matches', 'announced_at', options.alertDays);
  // As long as their prices.
  const products = await old('products', 'scraped_at', options.priceDays);
  const tallies = await old('source_tallies', 'at', options.runDays);
  const qualityChecks = await old('quality_checks', 'at', options.runDays);
  const names = await trimAllNames(pool, options);
  await old('held_items', 'held_at', options.runDays);
  const searchResults =
    options.cartSeconds === undefined
      ? 0
      : await count(
          // Twice as long as a cart: one that ended just now may have been served from a result that was already old.
          `delete from cart_search_results where key in (select key from cart_search_results where scraped_at < now() - make_interval(secs => 2 * $1) limit $2)`,
          [options.cartSeconds, options.batch],
        );
  const deliveries = options.deliveryDays
    ? await count(
        `delete from deliveries where seq in (
           select seq from deliveries where state <> 'waiting' and ended_at < now() - make_interval(days => $1) order by ended_at limit $2)`,
        [options.deliveryDays, options.batch],
      )
    : 0;
  if (options.deliveryDays) await trimReceivers(pool);
  // The last: it fails while somebody has locked the table, and comes again with the next step.
  const prices = await trimWeeks(pool, PRICE_WEEKS, { days: options.priceDays, batch: options.batch });
  return {
    runs: ended.runs,
    tasks: ended.tasks + carts.tasks + letters[0]!.tasks,
    deadLetters: letters[0]!.letters,
    idempotencyKeys,
    articles,
    postings,
    prices: prices.rows,
    priceWeeks: prices.weeks,
    matches,
    products,
    tallies,
    carts: carts.runs,
    searchResults,
    deliveries,
    qualityChecks,
    names,
  };
}

/** Names of companies are looked at again after this. */
const COMPANY_DAYS = 30;

/** Each as long as what has it. */
async function trimAllNames(pool: Pool, { articleDays, priceDays, batch }: RetentionOptions): Promise<number> {
  const companies = await trimNames(pool, 'company', { days: COMPANY_DAYS, batch });
  const authors = articleDays ? await trimNames(pool, 'author', { days: articleDays, batch }) : 0;
  const sellers = priceDays ? await trimNames(pool, 'seller', { days: priceDays, batch }) : 0;
  return companies + authors + sellers;
}

/** A run that ended long ago began before that: only those before the oldest young run are looked at, and of these little is left. */
const BEFORE_THE_YOUNG = `seq < coalesce(
  (select seq from runs where created_at >= now() - make_interval(days => $1) order by seq limit 1), 9223372036854775807)`;

/** Postings looked at in one step. */
const LOOKED_AT = 5_000;

/**
 * When a posting was last seen changes with every sighting, so there is no index on it. The old ones are looked through in the order in which they were first
 * seen, a slice at a time; where the next one begins is kept. At the end it begins anew.
 */
async function trimPostings(pool: Pool, days: number, batch: number): Promise<number> {
  const [slice] = await query<{ n: number }>(
    pool,
    `with place as (
       select split_part(value, ' ', 1)::timestamptz as seen, split_part(value, ' ', 2)::uuid as key from marks where name = 'trim_postings'
     ), slice as materialized (
       select p.key, p.first_seen_at, p.last_seen_at from postings p
       where p.first_seen_at < now() - make_interval(days => $1)
         and (p.first_seen_at, p.key) > (coalesce((select seen from place), '-infinity'), coalesce((select key from place), '00000000-0000-0000-0000-000000000000'))
       order by p.first_seen_at, p.key limit $3
     ), old as (
       select key, first_seen_at from slice where last_seen_at < now() - make_interval(days => $1) order by first_seen_at, key limit $2
     ), gone as (
       delete from postings using old where postings.key = old.key and postings.last_seen_at < now() - make_interval(days => $1) returning 1
     ), reached as (
       -- The end of the slice, or the last one that was deleted where there were too many.
       (select first_seen_at, key from slice where (select count(*) from old) < $2 order by first_seen_at desc, key desc limit 1)
       union all (select first_seen_at, key from old where (select count(*) from old) >= $2 order by first_seen_at desc, key desc limit 1)
     ), noted as (
       insert into marks (name, value)
       select 'trim_postings', case when (select count(*) from slice) < $3 and (select count(*) from old) < $2 then '-infinity 00000000-0000-0000-0000-000000000000'
         else (select to_char(first_seen_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' ' || key from reached) end
       on conflict (name) do update set value = excluded.value
     )
     select count(*)::int as n from gone`,
    [days, batch, LOOKED_AT],
  );
  return slice!.n;
}

/**
 * Receivers of webhook_urls without any delivery left. A delivery that is written at this moment would wait forever without its receiver, so missing
 * receivers are inserted again, now or the next time.
 */
async function trimReceivers(pool: Pool): Promise<void> {
  await query(
    pool,
    `delete from receivers r where not exists (select 1 from deliveries d where d.receiver = r.id) and not exists (select 1 from webhooks w where w.id = r.id)`,
  );
  await query(
    pool,
    `insert into receivers (id) select distinct receiver from deliveries where state = 'waiting' on conflict do nothing`,
  );
}

/** A task goes with the last run that waited for it; one that is still a dead letter stays until that is trimmed. */
async function trimRuns(
  pool: Pool,
  age: string,
  values: [age: number, limit: number],
  which: string,
): Promise<{ runs: number; tasks: number }> {
  const rows = await query<{ runs: number; tasks: number }>(
    pool,
    `with old as (
       select seq from runs where ${which} and status <> 'running' and finished_at < now() - ${age} order by seq limit $2
     ), gone as (delete from runs using old where runs.seq = old.seq returning 1),
     links as (delete from run_tasks using old where run_tasks.run_seq = old.seq returning run_tasks.task_id),
     uncrawled as (delete from crawls using old where crawls.run_seq = old.seq),
     unfound as (delete from crawl_pages using old where crawl_pages.run_seq = old.seq),
     freed as (
       select distinct t.id from links l join tasks t on t.id = l.task_id join outcomes o on o.task_id = t.id
       where not exists (select 1 from dead_letters d where d.task_id = t.id)
         and not exists (select 1 from runs r where r.seq = t.run_seq and r.seq not in (select seq from old))
         and not exists (select 1 from shares s where s.task_id = t.id and s.run_seq not in (select seq from old))
     ), unshared as (delete from shares using freed where shares.task_id = freed.id),
     unlinked as (delete from task_items using freed where task_items.task_id = freed.id),
     forgotten as (delete from outcomes using freed where outcomes.task_id = freed.id),
     unremembered as (delete from earlier_attempts e using freed where e.task_id = freed.id),
     unreached as (delete from checkpoints c using freed where c.task_id = freed.id),
     swept as (delete from tasks using freed where tasks.id = freed.id returning 1)
     select (select count(*) from gone)::int as runs, (select count(*) from swept)::int as tasks`,
    values,
  );
  return rows[0]!;
}
