// `Idempotency-Key`: the first submission with a key claims it in the transaction that keeps its work, and the answer is stored with it; every later one gets
// that answer. A key that comes twice in one batch is claimed once.
import type { Pool } from 'pg';
import { AppError } from '../model/errors.ts';
import { type Client, query } from './pool.ts';
import type { Accepted, Submission } from './submit.ts';

export type Replay = Accepted | { sameAs: Submission };

export async function claimIdempotencyKeys(client: Client, batch: Submission[]): Promise<Map<Submission, Replay>> {
  const replays = new Map<Submission, Replay>();
  const first = new Map<string, Submission>();
  for (const submission of batch) {
    const claim = submission.idempotency;
    if (!claim) continue;
    const name = JSON.stringify([claim.scope, claim.key]);
    const earlier = first.get(name);
    if (!earlier) first.set(name, submission);
    else if (earlier.idempotency?.bodyHash !== claim.bodyHash) throw new AppError('idempotency_key_reused');
    else replays.set(submission, { sameAs: earlier });
  }
  // In one order everywhere, so that two batches with the same keys wait for each other instead of deadlocking.
  for (const name of [...first.keys()].sort()) {
    const submission = first.get(name)!;
    const { scope, key, bodyHash } = submission.idempotency!;
    const inserted = await client.query(
      'insert into idempotency (scope, key, body_hash) values ($1, $2, $3) on conflict do nothing',
      [scope, key, bodyHash],
    );
    if (inserted.rowCount === 1) continue;
    const { rows } = await client.query<{ body_hash: string; answer: Accepted }>(
      'select body_hash, answer from idempotency where scope = $1 and key = $2',
      [scope, key],
    );
    const stored = rows[0];
    if (!stored) throw new AppError('unavailable', 'The Idempotency-Key expired while it was looked up; try again.');
    if (stored.body_hash !== bodyHash) throw new AppError('idempotency_key_reused');
    replays.set(submission, { ...stored.answer, replayed: true });
  }
  return replays;
}

/** What was answered to a submission with this key, if there was one. */
export async function earlierAnswer(
  pool: Pool,
  claim: NonNullable<Submission['idempotency']>,
): Promise<Accepted | null> {
  const [row] = await query<{ body_hash: string; answer: Accepted | null }>(
    pool,
    'select body_hash, answer from idempotency where scope = $1 and key = $2',
    [claim.scope, claim.key],
  );
  if (!row?.answer) return null;
  if (row.body_hash !== claim.bodyHash) throw new AppError('idempotency_key_reused');
  return { ...row.answer, replayed: true };
}

export async function saveAnswers(
  client: Client,
  plans: { submission: Submission; accepted: Accepted }[],
): Promise<void> {
  for (const { submission, accepted } of plans) {
    if (!submission.idempotency) continue;
    const { scope, key } = submission.idempotency;
    await client.query('update idempotency set answer = $3 where scope = $1 and key = $2', [
      scope,
      key,
      JSON.stringify(accepted),
    ]);
  }
}
