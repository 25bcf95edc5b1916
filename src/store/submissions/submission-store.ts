// What others may ask of accepting work.
import type { Pool } from 'pg';
import { bindAll } from '../postgres/bind.ts';
import { earlierAnswer, type IdempotencyKey } from './idempotency.ts';
import { type DrainOptions, drainSpool } from './spool.ts';
import { type Accepted, createSubmit, type OnCommitted, type Submission } from './submit.ts';

export interface SubmissionStore {
  /** Resolves when the run and its tasks are committed. Submissions that come together share a commit. */
  submit(submission: Submission): Promise<Accepted>;
  /** What was answered to a submission with this key, if there was one. */
  earlierAnswer(claim: IdempotencyKey): Promise<Accepted | null>;
}

/** Submissions that are accepted but not written out yet. */
export interface SpoolStore {
  /** Writes out some, the oldest first, in one transaction. Answers with how many runs it wrote or set aside; 0: there is nothing left to do. */
  drainSpool(options: DrainOptions): Promise<number>;
}

export const submissionStore = (pool: Pool, onSubmitted?: OnCommitted): SubmissionStore & SpoolStore => ({
  ...bindAll(pool, { earlierAnswer, drainSpool }),
  submit: createSubmit(pool, onSubmitted),
});
