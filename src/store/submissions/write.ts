// The one way in: a batch of submissions becomes runs, tasks and queue rows. Most ask for what nobody has asked for lately, so that is tried first: planned
// without asking, looked up, claimed and written in one statement, which is one round trip instead of three. If any of it is there already, nothing was
// written, and the batch is planned by what is there, in a transaction. What a reader would get wrong: an item that is stored at the moment of the first try
// is not seen, and is then scraped once more than needed.
import type { Pool } from 'pg';
import { isFinal } from '../../model/run/run.ts';
import { itemTableOf } from '../items/items.ts';
import { type Client, transaction } from '../postgres/pool.ts';
import { tellEnded, URL_OPTION } from '../runs/run-events.ts';
import { claimIdempotencyKeys, saveAnswers } from './idempotency.ts';
import { planAllNew, planTasks } from './plan.ts';
import { checkQuotas } from './quota.ts';
import { writeRows, writeRowsIfNew } from './rows.ts';
import type { Accepted, Submission } from './submit.ts';

/** After a batch that was not new the next ones are likely not to be either. */
const NOT_TRIED = 20;
/** What PostgreSQL holds in memory at a time; more than a usual batch has. */
const MAX_TASKS = 2_000;

/** For submissions of one kind. */
export function createWrite(pool: Pool): (batch: Submission[]) => Promise<Accepted[]> {
  let notTried = 0;

  async function writeAllNew(batch: Submission[]): Promise<Accepted[] | null> {
    const table = itemTableOf(batch[0]!.itemKind);
    if (table === null || !batch.every(canBeNew) || notTried-- > 0) return null;
    const tasks = batch.reduce((sum, submission) => sum + submission.tasks.length, 0);
    const plans = tasks <= MAX_TASKS ? planAllNew(batch) : null;
    if (plans === null) return null;
    const isWritten = await writeRowsIfNew(pool, table, plans);
    notTried = isWritten ? 0 : NOT_TRIED;
    return isWritten ? plans.map(({ accepted }) => accepted) : null;
  }

  return async (batch) => (await writeAllNew(batch)) ?? transaction(pool, (client) => writeDeduplicated(client, batch));
}

const canBeNew = ({ tasks, idempotency, quota, along }: Submission): boolean =>
  tasks.length > 0 && !idempotency && !quota && !along;

/** In the caller's transaction: three round trips, of which the first asks what is there and the last commits. */
export async function writeDeduplicated(client: Client, batch: Submission[]): Promise<Accepted[]> {
  const replays = await claimIdempotencyKeys(client, batch);
  const fresh = batch.filter((submission) => !replays.has(submission));
  if (fresh.some(({ quota }) => quota)) await checkQuotas(client, fresh);
  const plans = await planTasks(client, fresh);
  const seqs = await writeRows(client, plans);
  for (const [place, { submission }] of plans.entries())
    await submission.along?.(client, {
      seq: seqs[place]!,
      id: submission.runId,
      owner: submission.owner ?? null,
    });
  // Everything they asked for was there already.
  await tellEnded(
    client,
    plans
      .filter(({ accepted }) => isFinal(accepted.status))
      .map(({ submission }) => ({ id: submission.runId, hasUrl: URL_OPTION in submission.options })),
  );
  await saveAnswers(client, plans);
  const accepted = new Map(plans.map((plan) => [plan.submission, plan.accepted]));
  const answerOf = (submission: Submission): Accepted => {
    const replay = replays.get(submission);
    // Twice in one batch: the second one gets the first one's answer, which may be an earlier batch's.
    if (replay && 'sameAs' in replay) return { ...answerOf(replay.sameAs), replayed: true };
    return replay ?? accepted.get(submission)!;
  };
  return batch.map(answerOf);
}
