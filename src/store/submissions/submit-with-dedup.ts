// The long way in: a batch of submissions becomes runs, tasks and queue rows in one transaction of three round trips: what is there already, all rows, commit.
import { isFinal } from '../../model/run/run.ts';
import type { Client } from '../postgres/pool.ts';
import { tellEnded, URL_OPTION } from '../runs/run-events.ts';
import { claimIdempotencyKeys, saveAnswers } from './idempotency.ts';
import { planTasks } from './plan.ts';
import { writeRows } from './rows.ts';
import type { Accepted, Submission } from './submit.ts';

export async function commitBatch(client: Client, batch: Submission[]): Promise<Accepted[]> {
  const replays = await claimIdempotencyKeys(client, batch);
  const plans = await planTasks(
    client,
    batch.filter((submission) => !replays.has(submission)),
  );
  const seqs = await writeRows(client, plans);
  for (const [place, { submission }] of plans.entries())
    await submission.along?.(client, { seq: seqs[place]!, id: submission.runId });
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
