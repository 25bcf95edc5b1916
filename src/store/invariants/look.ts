// Looks through a live database for what breaks an invariant, read-only and in bounded time. Tables are walked newest first, in slices that take about half a
// second each, all tables in turn, until the budget is used up. What was found is looked at again after a pause: only what still stands is reported, so
// rows that were in motion are no findings.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Client } from '../postgres/pool.ts';
import type { Invariant, Walk } from './invariant.ts';

export interface LookOptions {
  budgetMs: number;
  /** Between the first look and the second. */
  pauseMs: number;
  statementTimeoutMs?: number;
  now?: () => number;
}

export interface Broken {
  invariant: Invariant;
  /** Some of them. */
  ids: string[];
  /** There are more than were counted. */
  hasMore: boolean;
}

export interface Walked {
  table: string;
  looked: number;
  /** Rows that the table has, about, where not all were looked at. */
  about: number | null;
  isComplete: boolean;
}

export interface Look {
  broken: Broken[];
  walked: Walked[];
  seconds: number;
}

const FIRST_SLICE = 2_000;
const LEAST_SLICE = 20;
const LARGEST_SLICE = 50_000;
const SLICE_MS = 500;
/** Of one invariant; past it the database is broken enough. */
const MAX_SUSPECTS = 100;
const STATEMENT_TIMEOUT_MS = 10_000;
const TIMED_OUT = '57014';

/** From `upper`, which is not in it, down to `lower`, which is; null: without a bound. */
interface Slice {
  upper: string[] | null;
  lower: string[] | null;
}

interface Suspect {
  invariant: Invariant;
  slice: Slice | null;
  ids: string[];
}

interface Course {
  walk: Walk;
  invariants: Invariant[];
  upper: string[] | null;
  size: number;
  looked: number;
  state: 'going' | 'complete' | 'too_slow';
}

export async function look(pool: Pool, invariants: readonly Invariant[], options: LookOptions): Promise<Look> {
  const now = options.now ?? (() => performance.now());
  const began = now();
  const limitMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const suspects: Suspect[] = [];
  const suspectsOf = (invariant: Invariant): number =>
    suspects.filter((one) => one.invariant === invariant).reduce((sum, { ids }) => sum + ids.length, 0);

  async function ask(client: Client, invariant: Invariant, slice: Slice | null): Promise<void> {
    if (suspectsOf(invariant) >= MAX_SUSPECTS) return;
    const ids = await brokenIds(client, invariant, slice);
    if (ids.length > 0) suspects.push({ invariant, slice, ids });
  }

  for (const invariant of invariants.filter(({ over }) => over === null))
    await readOnly(pool, limitMs, (client) => ask(client, invariant, null));

  const courses = coursesOf(invariants);
  const isOver = (): boolean => now() - began >= options.budgetMs;
  for (let isGoing = true; isGoing && !isOver(); ) {
    isGoing = false;
    for (const course of courses) {
      if (course.state !== 'going' || isOver()) continue;
      await step(course);
      isGoing = true;
    }
  }

  async function step(course: Course): Promise<void> {
    const sliceBegan = now();
    try {
      await readOnly(pool, limitMs, async (client) => {
        const end = await endOfSlice(client, course);
        const slice = { upper: course.upper, lower: end.lower };
        for (const invariant of course.invariants) await ask(client, invariant, slice);
        course.looked += end.rows;
        course.upper = end.lower;
        if (end.rows < course.size) course.state = 'complete';
      });
    } catch (error) {
      if ((error as { code?: string }).code !== TIMED_OUT) throw error;
      if (course.size <= LEAST_SLICE) course.state = 'too_slow';
    }
    const ratio = SLICE_MS / Math.max(1, now() - sliceBegan);
    course.size = Math.round(
      Math.min(LARGEST_SLICE, Math.max(LEAST_SLICE, course.size * Math.min(2, Math.max(0.1, ratio)))),
    );
  }

  const broken: Broken[] = [];
  if (suspects.length > 0) {
    await sleep(options.pauseMs);
    for (const invariant of invariants) {
      const ids: string[] = [];
      const hasMore = suspectsOf(invariant) >= MAX_SUSPECTS;
      for (const suspect of suspects.filter((one) => one.invariant === invariant)) {
        const again = new Set(
          await readOnly(pool, limitMs, (client) => brokenIds(client, invariant, suspect.slice, suspect.ids)),
        );
        ids.push(...suspect.ids.filter((id) => again.has(id)));
      }
      if (ids.length > 0) broken.push({ invariant, ids, hasMore });
    }
  }
  const walked = await readOnly(pool, limitMs, (client) => Promise.all(courses.map((one) => walkedOf(client, one))));
  return { broken, walked, seconds: (now() - began) / 1_000 };
}

function coursesOf(invariants: readonly Invariant[]): Course[] {
  const byWalk = new Map<Walk, Invariant[]>();
  for (const invariant of invariants)
    if (invariant.over) byWalk.set(invariant.over, [...(byWalk.get(invariant.over) ?? []), invariant]);
  return [...byWalk].map(([walk, own]) => ({
    walk,
    invariants: own,
    upper: null,
    size: FIRST_SLICE,
    looked: 0,
    state: 'going',
  }));
}

/** Each slice has a transaction of its own: a long one would keep vacuum from cleaning up. */
async function readOnly<T>(pool: Pool, limitMs: number, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    await client.query(`select set_config('statement_timeout', $1, true)`, [String(limitMs)]);
    const result = await work(client);
    await client.query('commit');
    isBroken = false;
    return result;
  } finally {
    client.release(isBroken);
  }
}

const columnsOf = ({ key }: Walk): string => key.map(({ column }) => column).join(', ');

/** `(a, b) < ($1::bigint, $2::int)` */
const compared = (walk: Walk, operator: '<' | '>=', first: number): string =>
  `(${columnsOf(walk)}) ${operator} (${walk.key.map(({ type }, index) => `$${first + index}::${type}`).join(', ')})`;

async function endOfSlice(
  client: Client,
  { walk, upper, size }: Course,
): Promise<{ rows: number; lower: string[] | null }> {
  const conditions = [...(walk.where ? [walk.where] : []), ...(upper ? [compared(walk, '<', 2)] : [])];
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const descending = walk.key.map(({ column }) => `${column} desc`).join(', ');
  const { rows } = await client.query<{ key: string[]; rows: number }>(
    `select array[${walk.key.map(({ column }) => `${column}::text`).join(', ')}] as key, count(*) over ()::int as rows
     from (select ${columnsOf(walk)} from ${walk.table} ${where} order by ${descending} limit $1) s order by ${columnsOf(walk)} limit 1`,
    [size, ...(upper ?? [])],
  );
  return { rows: rows[0]?.rows ?? 0, lower: rows[0]?.key ?? null };
}

async function brokenIds(
  client: Client,
  invariant: Invariant,
  slice: Slice | null,
  among: string[] | null = null,
): Promise<string[]> {
  const values: unknown[] = [MAX_SUSPECTS, among];
  const rows = invariant.over && slice ? part(invariant.over, slice, values) : '';
  const found = await client.query<{ id: string }>(
    `select id::text from (${invariant.broken(rows)}) broken where $2::text[] is null or id::text = any($2) limit $1`,
    values,
  );
  return [...new Set(found.rows.map(({ id }) => id))];
}

function part(walk: Walk, { upper, lower }: Slice, values: unknown[]): string {
  const conditions = walk.where ? [walk.where] : [];
  for (const [bound, operator] of [
    [upper, '<'],
    [lower, '>='],
  ] as const) {
    if (!bound) continue;
    conditions.push(compared(walk, operator, values.length + 1));
    values.push(...bound);
  }
  return conditions.length > 0 ? `(select * from ${walk.table} where ${conditions.join(' and ')})` : walk.table;
}

async function walkedOf(client: Client, { walk, looked, state }: Course): Promise<Walked> {
  const isComplete = state === 'complete';
  const { rows } = isComplete
    ? { rows: [] }
    : await client.query<{ about: number }>(
        'select reltuples::float8 as about from pg_class where oid = $1::regclass',
        [walk.table],
      );
  return { table: walk.table, looked, about: rows[0] ? Math.max(looked, rows[0].about) : null, isComplete };
}
