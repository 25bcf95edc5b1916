// When many submit at once, a batch is kept as one row, as it came, and answered; the rows it is about are written a moment later by an orchestrator, in larger
// batches. Writing them first would make everyone wait for ten times the work. A run is either here or in `runs`: whoever reads one by its id looks into both
// (spooled-runs.ts), and nobody who reads has anything written out.
import type { Pool } from 'pg';
import { AppError } from '../../model/errors.ts';
import { createRecent } from '../../model/recent.ts';
import { itemTableOf } from '../items/items.ts';
import { type Client, query, transaction } from '../postgres/pool.ts';
import { plainArray } from '../postgres/text.ts';
import { pack, unpack } from './packing.ts';
import { acceptedWith, isReused, storedAges } from './plan.ts';
import type { Accepted, Submission } from './submit.ts';
import { writeDeduplicated } from './write.ts';

/** What a transaction writes at most, unless one row alone has more. */
const MAX_TASKS = 2_000;
const MAX_ROWS = 50;
const SET_ASIDE_SECONDS = 60;
/** A burst wants the same things: what the batch before has brought is not work once more. Only for telling how long it will take. */
const KEYS_REMEMBERED = 20_000;

/** For submissions of one kind, without Idempotency-Key and without more to write along. */
export function createSpool(pool: Pool): (batch: Submission[]) => Promise<Accepted[]> {
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
      name: `spool-${itemKind}`,
      text: `with spooled as (
               insert into submission_spool (kind, runs, tasks, keys, submissions, run_ids) values ($1, $2, $3, $4, $5, $7)
             ) ${storedIn(table)}`,
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

export interface DrainOptions {
  /** A submission that cannot be written is kept and tried again later; somebody has to look at it. */
  onSetAside?(runId: string, error: unknown): void;
}

interface SpoolRow {
  seq: string;
  runs: number;
}

export async function drainSpool(pool: Pool, options: DrainOptions): Promise<number> {
  // Asked at every wake-up; mostly there is nothing.
  const [some] = await query(pool, 'select 1 from submission_spool where due_at <= now() limit 1');
  if (!some) return 0;
  let found: SpoolRow[] = [];
  try {
    return await transaction(pool, async (client) => {
      found = await nextRows(client);
      return writeOut(
        client,
        found.map(({ seq }) => seq),
      );
    });
  } catch (error) {
    if (isOutage(error) || found.length === 0) throw error;
    for (const row of found) await writeOutAlone(pool, row, options);
    return found.reduce((sum, { runs }) => sum + runs, 0);
  }
}

/** For what changes a run by its id: afterwards it is written, if it was spooled. */
export async function writeOutRun(pool: Pool, runId: string): Promise<void> {
  const rows = await query<SpoolRow & Record<string, unknown>>(
    pool,
    `select seq, runs from submission_spool where $1 = any(string_to_array(run_ids, ','))`,
    [runId],
  );
  for (const row of rows) await writeOutAlone(pool, row, {});
}

/** The oldest, without those that another process is writing out at this moment. */
async function nextRows(client: Client): Promise<SpoolRow[]> {
  const { rows } = await client.query<SpoolRow & { tasks: number }>(
    `select seq, runs, tasks from submission_spool where due_at <= now() order by seq limit ${MAX_ROWS} for update skip locked`,
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
  await writeDeduplicated(client, batch);
  return batch.length;
}

async function takeOut(client: Client, seqs: string[]): Promise<Submission[]> {
  const { rows } = await client.query<{ submissions: string; spooled_at: Date; seconds: number }>(
    `with gone as (delete from submission_spool where seq = any($1::bigint[]) returning seq, submissions, spooled_at)
     select submissions, spooled_at, extract(epoch from now() - spooled_at)::float8 as seconds from gone order by seq`,
    [plainArray(seqs)],
  );
  return rows.flatMap(({ submissions, spooled_at: spooledAt, seconds }) =>
    unpack(submissions).map((submission) => asAccepted(submission, spooledAt, seconds)),
  );
}

/** As it was when it was accepted, so many seconds ago: what was young enough to be reused then still is. */
export const asAccepted = (submission: Submission, acceptedAt: Date, seconds: number): Submission => ({
  ...submission,
  acceptedAt,
  maxAgeSeconds: submission.maxAgeSeconds ? submission.maxAgeSeconds + seconds : submission.maxAgeSeconds,
});

/** One bad submission must not hold up its neighbours: what fails together is tried alone, and what fails alone waits by itself. */
async function writeOutAlone(pool: Pool, { seq, runs }: SpoolRow, options: DrainOptions): Promise<void> {
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
