// Accepting work: those who arrive together are written together (write.ts), and the answer follows the commit. A burst is kept as one row first (spool.ts),
// and an orchestrator writes it a moment later, in the same way.
import type { Pool } from 'pg';
import type { Kind } from '../../model/item/item.ts';
import type { RunStatus } from '../../model/run/run.ts';
import { groupCommit } from '../postgres/group-commit.ts';
import type { Client } from '../postgres/pool.ts';
import type { Quota } from './quota.ts';
import { createSpool } from './spool.ts';
import { createWrite } from './write.ts';

export interface NewTask {
  key: string;
  source: string;
  lane: string;
  params: Record<string, unknown>;
  priority: number;
  maxRetries: number;
  timeoutSeconds: number;
  backoff?: 'company';
  /** Whose rate limit it waits for first; null or left out: nobody's. */
  host?: string | null;
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
  /** Who asked: the owner of an API key. Owners share the workers. */
  owner?: string | null;
  /** What its owner may have; null or left out: as much as it likes. */
  quota?: Quota | null;
  options: Record<string, unknown>;
  /** The span that its tasks and what follows are part of. */
  traceparent?: string;
  /** Traceparents of earlier work that it repeats. */
  links?: readonly string[];
  tasks: NewTask[];
  /** Tasks it may have in all, where these make others: a limit of its owner counts them as asked for. */
  mayGrowTo?: number;
  /** Reuse an item scraped within this age; null: of any age; 0: never. */
  maxAgeSeconds: number | null;
  idempotency: { scope: string; key: string; bodyHash: string } | null;
  /** How its tasks take turns with those of other runs; `even` by default. */
  turns?: Turns;
  /** Say how old each reused item is. */
  reportsAges?: boolean;
  /** When it was accepted, if that was before it is written. */
  acceptedAt?: Date;
  /** Written in the same transaction, after the run and its tasks. It may run again when that transaction does, and not at all for a replay. */
  along?(client: Client, run: { seq: string; id: string; owner: string | null }): Promise<void>;
}

export interface Accepted {
  runId: string;
  status: RunStatus;
  total: number;
  cached: number;
  /** Of the others, how many are searched for this run: the rest is shared with runs before it. Known as far as its batch goes. */
  made: number;
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

/** A batch of this many submissions took so long, commit included. */
export type OnCommitted = (submissions: number, seconds: number) => void;

/** So many that wait for the same commit are a burst. */
export const BURST_BATCH_SIZE = 16;

/** Each kind of item is looked for in a table of its own, so each has batches of its own; so have those that a spool cannot keep. */
export function createSubmit(pool: Pool, onCommitted?: OnCommitted): (submission: Submission) => Promise<Accepted> {
  const spool = createSpool(pool);
  const group = (commit: (batch: Submission[]) => Promise<Accepted[]>) =>
    groupCommit<Submission, Accepted>({
      async commit(batch) {
        const began = performance.now();
        const accepted = await commit(batch);
        onCommitted?.(batch.length, (performance.now() - began) / 1_000);
        return accepted;
      },
      weigh: (submission) => submission.tasks.length,
      maxWeight: 2_000,
      inFlight: 2,
      besideWeight: BURST_BATCH_SIZE,
      maxWaiting: 20_000,
    });
  const oneKind = () => {
    const write = createWrite(pool);
    return group((batch) => (batch.length >= BURST_BATCH_SIZE ? spool(batch) : write(batch)));
  };
  const byKind = { article: oneKind(), posting: oneKind(), product: oneKind() };
  const others = group(createWrite(pool));
  return (submission) =>
    submission.idempotency || submission.along || submission.quota
      ? others(submission)
      : byKind[submission.itemKind](submission);
}
