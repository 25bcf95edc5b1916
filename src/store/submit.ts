// Accepting work: a batch of submissions becomes runs, tasks and queue rows in one transaction of three round trips: what is there already, all
// rows, commit.
import type { Pool } from 'pg';
import type { Kind } from '../model/item.ts';
import { isFinal, type RunStatus } from '../model/run.ts';
import { groupCommit } from './group-commit.ts';
import { claimIdempotencyKeys, saveAnswers } from './idempotency.ts';
import { type Client, transaction } from './pool.ts';
import { tellEnded, URL_OPTION } from './run-events.ts';
import { createSubmitFresh } from './submit-fresh.ts';
import { planTasks } from './submit-plan.ts';
import { writeRows } from './submit-rows.ts';

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

export function createSubmit(pool: Pool): (submission: Submission) => Promise<Accepted> {
  const submitFresh = createSubmitFresh(pool);
  return groupCommit<Submission, Accepted>({
    commit: async (batch) => (await submitFresh(batch)) ?? transaction(pool, (client) => commitBatch(client, batch)),
    weigh: (submission) => submission.tasks.length,
    maxWeight: 2_000,
    inFlight: 2,
    besideWeight: 16,
    maxWaiting: 20_000,
  });
}

async function commitBatch(client: Client, batch: Submission[]): Promise<Accepted[]> {
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
