// Reading carts. Where every running cart stands is one short query for all of them, so that a thousand pollers cost as much as one; what a cart
// brought is read when it has changed.
import type { Pool } from 'pg';
import type { Product } from '../../model/product/product.ts';
import type { RunStatus } from '../../model/run/run.ts';
import type { TaskError } from '../../model/task/messages.ts';
import { groupCommit } from '../postgres/group-commit.ts';
import { query } from '../postgres/pool.ts';
import { plainArray, textArray } from '../postgres/text.ts';
import { type SpooledRun, spooledRuns } from '../submissions/spooled-runs.ts';

/** A cart that is under way, in the order of acceptance. */
export interface CartAhead {
  id: string;
  owner: string | null;
  total: number;
  completed: number;
  failed: number;
}

/** Carts that are accepted but not written out yet. */
export interface SpooledCarts {
  /** In the order they will have. */
  ids: string[];
  /** That will be made for all of them. */
  searches: number;
}

export async function runningCarts(pool: Pool): Promise<{ carts: CartAhead[]; spooled: SpooledCarts }> {
  const rows = await query<CartAhead & Record<string, unknown>>(
    pool,
    `select id, owner, total, completed, failed from (
       select seq, id, owner, total, completed, failed from runs where status = 'running' and kind = 'cart'
       union all
       select null, coalesce(string_agg(run_ids, ',' order by seq), ''), null, coalesce(sum(keys), 0)::int, 0, 0 from submission_spool where kind = 'product'
     ) c order by seq nulls last`,
  );
  const { id: ids, total: searches } = rows.pop()!;
  return { carts: rows, spooled: { ids: ids === '' ? [] : ids.split(','), searches } };
}

export async function cartSpeed(pool: Pool): Promise<{ searches: number; seconds: number }> {
  const [row] = await query<{ searches: number; seconds: number }>(
    pool,
    `select count(*)::int as searches, coalesce(extract(epoch from now() - min(scraped_at)), 0)::float8 as seconds
     from cart_search_results where scraped_at > now() - interval '30 seconds'`,
  );
  return row!;
}

/** What of a cart waits for another try. */
export interface DelayedCart {
  tasks: number;
  dueAt: Date;
  error: TaskError | null;
}

/** Bounded; with more than this the shop is in trouble, which its circuit breaker says. */
const DELAYED_MAX = 5_000;

export async function delayedCarts(pool: Pool): Promise<Map<string, DelayedCart>> {
  const rows = await query<{ id: string; tasks: number; due_at: Date; error: TaskError | null }>(
    pool,
    `select r.id, count(*)::int as tasks, min(q.due_at) as due_at, (array_agg(e.error order by q.due_at))[1] as error
     from (select task_id, run_seq, due_at from queue where due_at is not null and not parked limit $1) q
     cross join lateral (select q.run_seq union all select s.run_seq from shares s where s.task_id = q.task_id) w(run_seq)
     join runs r on r.seq = w.run_seq left join earlier_attempts e on e.task_id = q.task_id
     where r.kind = 'cart' and r.status = 'running' group by r.id`,
    [DELAYED_MAX],
  );
  return new Map(rows.map(({ id, tasks, due_at, error }) => [id, { tasks, dueAt: due_at, error }]));
}

export async function cartWaits(pool: Pool, ids: string[]): Promise<Map<string, number>> {
  const rows = await query<{ id: string; seconds: number }>(
    pool,
    `select id, extract(epoch from finished_at - created_at)::float8 as seconds from runs
     where id = any($1::text[]) and kind = 'cart' and status in ('completed', 'failed')`,
    [textArray(ids)],
  );
  return new Map(rows.map(({ id, seconds }) => [id, seconds]));
}

export interface CartEntry {
  item: string;
  state: 'waiting' | 'done' | 'failed';
  error: TaskError | null;
  /** Of the search result with what was found. */
  key: string;
  /** Which state of that result; null when nothing was found. */
  version: string | null;
}

export interface Cart {
  id: string;
  owner: string | null;
  status: RunStatus;
  total: number;
  completed: number;
  failed: number;
  createdAt: Date;
  finishedAt: Date | null;
  maxProducts: number;
  entries: CartEntry[];
}

interface CartRow {
  id: string;
  owner: string | null;
  status: RunStatus;
  total: number;
  completed: number;
  failed: number;
  created_at: Date;
  finished_at: Date | null;
  max_products: number | null;
  item: string;
  state: CartEntry['state'];
  error: TaskError | null;
  key: string;
  version: string | null;
}

export const MAX_PRODUCTS = 20;

interface Asked {
  id: string;
  ttlSeconds: number;
}

/**
 * Carts that are asked for at the same moment are read together: thousands poll, and a query each would cost more than all that is found.
 * Null when there is no such cart, or it ended longer ago than it is kept.
 */
export function createGetCart(pool: Pool): (asked: Asked) => Promise<Cart | null> {
  return groupCommit<Asked, Cart | null>({
    commit: (batch) => readCarts(pool, batch),
    maxWeight: 250,
    inFlight: 2,
    besideWeight: 20,
    maxWaiting: 20_000,
  });
}

async function readCarts(pool: Pool, asked: Asked[]): Promise<(Cart | null)[]> {
  // Each once: two who ask for the same cart in one moment get the same answer.
  const ttlOf = new Map(asked.map(({ id, ttlSeconds }) => [id, ttlSeconds]));
  const found = await writtenCarts(pool, ttlOf);
  for (const id of found.keys()) ttlOf.delete(id);
  if (ttlOf.size > 0) {
    for (const [id, cart] of await spooledCarts(pool, [...ttlOf.keys()])) {
      found.set(id, cart);
      ttlOf.delete(id);
    }
    // Those may have been written out between the two looks.
    if (ttlOf.size > 0) for (const [id, cart] of await writtenCarts(pool, ttlOf)) found.set(id, cart);
  }
  return asked.map(({ id }) => found.get(id) ?? null);
}

/** What an earlier search found does not answer for one that came after it. */
async function writtenCarts(pool: Pool, ttlOf: ReadonlyMap<string, number>): Promise<Map<string, Cart>> {
  const rows = await query<CartRow>(pool, {
    name: 'read-carts',
    text: `select r.id, r.owner, r.status, r.total, r.completed, r.failed, r.created_at, r.finished_at, (r.options->>'max_products')::int as max_products,
                  l.ref->>'item' as item, case when l.task_id is null then 'done' else coalesce(o.state, 'waiting') end as state, o.error,
                  l.item_key as key, case when l.task_id is null or o.state = 'done' and (s.task_id = l.task_id or s.scraped_at >= o.finished_at)
                       then s.scraped_at::text end as version
           from unnest($1::text[], $2::float8[]) as a(id, ttl) join runs r on r.id = a.id join run_tasks l on l.run_seq = r.seq
           left join outcomes o on o.task_id = l.task_id
           left join cart_search_results s on s.key = l.item_key
           where r.kind = 'cart' and (r.finished_at is null or r.finished_at > now() - make_interval(secs => a.ttl))
           order by l.run_seq, l.pos`,
    values: [textArray([...ttlOf.keys()]), plainArray([...ttlOf.values()])],
  });
  const byId = Map.groupBy(rows, (row) => row.id);
  return new Map([...byId].map(([id, ofIt]) => [id, toCart(ofIt)]));
}

function toCart(rows: CartRow[]): Cart {
  const first = rows[0]!;
  return {
    id: first.id,
    owner: first.owner,
    status: first.status,
    total: first.total,
    completed: first.completed,
    failed: first.failed,
    createdAt: first.created_at,
    finishedAt: first.finished_at,
    maxProducts: first.max_products ?? MAX_PRODUCTS,
    entries: rows.map(({ item, state, error, key, version }) => ({ item, state, error, key, version })),
  };
}

async function spooledCarts(pool: Pool, ids: string[]): Promise<Map<string, Cart>> {
  const spooled = [...(await spooledRuns(pool, ids)).values()].filter(({ run }) => run.kind === 'cart');
  const keys = spooled.flatMap(({ submission, isStored }) => submission.tasks.filter(isStored).map(({ key }) => key));
  const versions = new Map((await versionsOf(pool, keys)).map(({ key, version }) => [key, version]));
  return new Map(spooled.map((one) => [one.run.id, toSpooledCart(one, versions)]));
}

function toSpooledCart({ run, submission, isStored }: SpooledRun, versions: ReadonlyMap<string, string>): Cart {
  const { id, owner, status, total, completed, failed, createdAt, finishedAt } = run;
  const entries = submission.tasks.map((task): CartEntry => {
    const version = isStored(task) ? (versions.get(task.key) ?? null) : null;
    const state = version === null ? 'waiting' : 'done';
    return { item: String(task.ref.item), state, error: null, key: task.key, version };
  });
  const maxProducts = Number(submission.options.max_products ?? MAX_PRODUCTS);
  return { id, owner, status, total, completed, failed, createdAt, finishedAt, maxProducts, entries };
}

async function versionsOf(pool: Pool, keys: string[]): Promise<{ key: string; version: string }[]> {
  if (keys.length === 0) return [];
  return query<{ key: string; version: string }>(
    pool,
    'select key, scraped_at::text as version from cart_search_results where key = any($1::uuid[])',
    [plainArray(keys)],
  );
}

export async function getSearchResults(
  pool: Pool,
  keys: string[],
): Promise<{ key: string; version: string; products: Product[] }[]> {
  return query(pool, {
    name: 'get-search-results',
    text: 'select key, scraped_at::text as version, products from cart_search_results where key = any($1::uuid[])',
    values: [plainArray(keys)],
  });
}
