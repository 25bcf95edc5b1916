// When many submit at once, a batch is let in as one row and answered; the rows it is about are written a moment later, by an orchestrator or by the first who
// asks for one of its runs. Writing them first would make everyone wait for ten times the work, most of which a burst can do later and in larger batches.
import type { Pool } from 'pg';
import { AppError } from '../../model/errors.ts';
import { createRecent } from '../../model/recent.ts';
import { itemTableOf } from '../items/items.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { plainArray } from '../postgres/text.ts';
import { pack, unpack } from './packing.ts';
import { acceptedWith, isReused, storedAges } from './plan.ts';
import type { Accepted, Submission } from './submit.ts';
import { commitBatch } from './submit-with-dedup.ts';

/** What a transaction writes at most, unless one arrival alone has more. */
const MAX_TASKS = 2_000;
const MAX_ROWS = 50;
const SET_ASIDE_SECONDS = 60;
/** A crowd wants the same things: what the batch before has brought is not work once more. Only for telling how long it will take. */
const KEYS_REMEMBERED = 20_000;

/** For submissions of one kind, without Idempotency-Key and without more to write along. */
export function createArrive(pool: Pool): (batch: Submission[]) => Promise<Accepted[]> {
  const wasWanted = createRecent(KEYS_REMEMBERED);
  return async (batch) => {
    const { itemKind } = batch[0]!;
    const table = itemTableOf(itemKind);
    /** By key, whether nobody is known to have wanted it before: the first of this batch who does makes its task. */
    const isFresh = new Map<string, boolean>();
    let tasks = 0;
    let fresh = 0;
    for (const submission of batch) {
      tasks += submission.tasks.length;
      for (const { key } of submission.tasks) {
        if (isFresh.has(key)) continue;
        const isFirst = !wasWanted(key);
        isFresh.set(key, isFirst);
        if (isFirst) fresh++;
      }
    }
    const stored = await query<{ key: string; age: number }>(pool, {
      name: `arrive-${itemKind}`,
      text: `with arrived as (insert into submission_spool (kind, runs, tasks, keys, submissions, run_ids) values ($1, $2, $3, $4, $5, $7)) ${storedIn(table)}`,
      values: [
        itemKind,
        batch.length,
        tasks,
        fresh,
        pack(batch),
        plainArray([...isFresh.keys()]),
        batch.map(({ runId }) => runId).join(','),
      ],
    });
    const ages = new Map(stored.map(({ key, age }) => [key, age]));
    return batch.map((submission) =>
      acceptedWith(submission, {
        ageOf({ key }) {
          const age = ages.get(key);
          return isReused(submission, age) ? age! : null;
        },
        makes({ key }) {
          const isFirst = isFresh.get(key)!;
          if (isFirst) isFresh.set(key, false);
          return isFirst;
        },
      }),
    );
  };
}

/** Kinds without a table are never reused. */
const storedIn = (table: string | null): string =>
  table === null
    ? `select key, 0::float8 as age from unnest($6::uuid[]) as w(key) where false`
    : storedAges(table, '$6');

export interface UnpackOptions {
  /** Wait for what another process is unpacking at this moment, instead of leaving it to that one. */
  isWaiting: boolean;
  /** A submission that cannot be written is kept and tried again later; somebody has to look at it. */
  onSetAside?(runId: string, error: unknown): void;
}

export async function unpackArrivals(pool: Pool, options: UnpackOptions): Promise<number> {
  // Asked at every wake-up and for every unknown id; mostly there is nothing.
  const [some] = await query(pool, 'select 1 from submission_spool where due_at <= now() limit 1');
  if (!some) return 0;
  let found: { seq: string; runs: number }[] = [];
  try {
    return await transaction(pool, async (client) => {
      found = await nextArrivals(client, options.isWaiting);
      return writeOut(
        client,
        found.map(({ seq }) => seq),
      );
    });
  } catch (error) {
    if (isOutage(error) || found.length === 0) throw error;
    for (const arrival of found) await unpackAlone(pool, arrival, options);
    return found.reduce((sum, { runs }) => sum + runs, 0);
  }
}

async function nextArrivals(client: Client, isWaiting: boolean): Promise<{ seq: string; runs: number }[]> {
  const { rows } = await client.query<{ seq: string; runs: number; tasks: number }>(
    `select seq, runs, tasks from submission_spool where due_at <= now() order by seq limit ${MAX_ROWS} for update${isWaiting ? '' : ' skip locked'}`,
  );
  let tasks = 0;
  return rows.filter((row, index) => {
    tasks += row.tasks;
    return index === 0 || tasks <= MAX_TASKS;
  });
}

async function writeOut(client: Client, seqs: string[]): Promise<number> {
  if (seqs.length === 0) return 0;
  const batch = await takeOut(client, seqs);
  await commitBatch(client, batch);
  return batch.length;
}

async function takeOut(client: Client, seqs: string[]): Promise<Submission[]> {
  const { rows } = await client.query<{ submissions: string; spooled_at: Date; seconds: number }>(
    `with gone as (delete from submission_spool where seq = any($1::bigint[]) returning seq, submissions, spooled_at)
     select submissions, spooled_at, extract(epoch from now() - spooled_at)::float8 as seconds from gone order by seq`,
    [plainArray(seqs)],
  );
  return rows.flatMap(({ submissions, spooled_at: acceptedAt, seconds }) =>
    unpack(submissions).map((submission) => ({
      ...submission,
      acceptedAt,
      // What was young enough when it was asked for still is.
      maxAgeSeconds: submission.maxAgeSeconds ? submission.maxAgeSeconds + seconds : submission.maxAgeSeconds,
    })),
  );
}

/** One bad submission must not hold up its neighbours: what fails together is tried alone, and what fails alone waits by itself. */
async function unpackAlone(
  pool: Pool,
  { seq, runs }: { seq: string; runs: number },
  options: UnpackOptions,
): Promise<void> {
  try {
    await transaction(pool, (client) => writeOut(client, [seq]));
  } catch (error) {
    if (isOutage(error)) throw error;
    const batch = await transaction(pool, (client) => setAside(client, seq, runs === 1));
    if (runs === 1) for (const { runId } of batch) options.onSetAside?.(runId, error);
  }
}

/** A row for each of its submissions. */
async function setAside(client: Client, seq: string, isTheOne: boolean): Promise<Submission[]> {
  const { rows } = await client.query<{ kind: string; submissions: string; spooled_at: Date }>(
    'delete from submission_spool where seq = $1 returning kind, submissions, spooled_at',
    [seq],
  );
  for (const { kind, submissions, spooled_at } of rows) {
    for (const submission of unpack(submissions)) {
      await client.query(
        `insert into submission_spool (kind, runs, tasks, keys, submissions, run_ids, spooled_at, due_at)
         values ($1, 1, $2, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
        [
          kind,
          submission.tasks.length,
          pack([submission]),
          submission.runId,
          spooled_at,
          isTheOne ? SET_ASIDE_SECONDS : 0,
        ],
      );
    }
  }
  return rows.flatMap(({ submissions }) => unpack(submissions));
}

const isOutage = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable';
