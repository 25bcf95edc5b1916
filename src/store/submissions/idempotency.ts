// `Idempotency-Key`: the first submission with a key claims it in the transaction that keeps its work, and the answer is stored with it; every later one gets
// that answer. A key that comes twice in one batch is claimed once.
import type { Pool } from 'pg';
import { AppError } from '../../model/errors.ts';
import { type Client, query } from '../postgres/pool.ts';
import { jsonList, pgJson, textArray } from '../postgres/text.ts';
import type { Accepted, Submission } from './submit.ts';

export type IdempotencyKey = NonNullable<Submission['idempotency']>;
export type Replay = Accepted | { sameAs: Submission };

export async function claimIdempotencyKeys(client: Client, batch: Submission[]): Promise<Map<Submission, Replay>> {
  const replays = new Map<Submission, Replay>();
  const first = new Map<string, Submission>();
  for (const submission of batch) {
    const claim = submission.idempotency;
    if (!claim) continue;
    const name = nameOf(claim.scope, claim.key);
    const earlier = first.get(name);
    if (!earlier) first.set(name, submission);
    else if (earlier.idempotency?.bodyHash !== claim.bodyHash) throw new AppError('idempotency_key_reused');
    else replays.set(submission, { sameAs: earlier });
  }
  if (first.size === 0) return replays;
  // In one order everywhere, so that two batches with the same keys wait for each other instead of deadlocking.
  const claims = [...first].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, submission]) => submission.idempotency!);
  const named = [textArray(claims.map((one) => one.scope)), textArray(claims.map((one) => one.key))];
  const { rows: claimed } = await client.query<{ scope: string; key: string }>({
    name: 'claim-keys',
    text: `insert into idempotency (scope, key, body_hash) select * from unnest($1::text[], $2::text[], $3::text[])
           on conflict do nothing returning scope, key`,
    values: [...named, textArray(claims.map((one) => one.bodyHash))],
  });
  if (claimed.length === claims.length) return replays;
  for (const { scope, key } of claimed) first.delete(nameOf(scope, key));
  const { rows: stored } = await client.query<Stored & { scope: string; key: string }>(
    `select i.scope, i.key, i.body_hash, i.answer from unnest($1::text[], $2::text[]) as c(scope, key)
     join idempotency i on i.scope = c.scope and i.key = c.key`,
    named,
  );
  const known = new Map(stored.map((row) => [nameOf(row.scope, row.key), row]));
  for (const [name, submission] of first) {
    const answer = replayOf(known.get(name), submission.idempotency!.bodyHash);
    if (!answer) throw expiredMeanwhile();
    replays.set(submission, answer);
  }
  return replays;
}

const expiredMeanwhile = () => new AppError('unavailable', 'The Idempotency-Key has just expired. Try again.');

const nameOf = (scope: string, key: string): string => JSON.stringify([scope, key]);

interface Stored {
  body_hash: string;
  /** Null until the transaction that claimed the key has its answer. */
  answer: Accepted | null;
}

function replayOf(stored: Stored | undefined, bodyHash: string): Accepted | null {
  if (!stored?.answer) return null;
  if (stored.body_hash !== bodyHash) throw new AppError('idempotency_key_reused');
  return { ...stored.answer, replayed: true };
}

export async function earlierAnswer(pool: Pool, claim: IdempotencyKey): Promise<Accepted | null> {
  const [row] = await query<Stored & Record<string, unknown>>(
    pool,
    'select body_hash, answer from idempotency where scope = $1 and key = $2',
    [claim.scope, claim.key],
  );
  return replayOf(row, claim.bodyHash);
}

/** For what is no run: the id that a key stands for, which is `id` where the key is new. Belongs into the transaction that makes it. */
export async function claimId(client: Client, claim: IdempotencyKey, id: string): Promise<string> {
  const { rowCount } = await client.query(
    'insert into idempotency (scope, key, body_hash, answer) values ($1, $2, $3, $4) on conflict do nothing',
    [claim.scope, claim.key, claim.bodyHash, JSON.stringify({ id })],
  );
  if (rowCount === 1) return id;
  const { rows } = await client.query<{ body_hash: string; answer: { id: string } }>(
    'select body_hash, answer from idempotency where scope = $1 and key = $2',
    [claim.scope, claim.key],
  );
  if (!rows[0]) throw expiredMeanwhile();
  if (rows[0].body_hash !== claim.bodyHash) throw new AppError('idempotency_key_reused');
  return rows[0].answer.id;
}

export async function saveAnswers(
  client: Client,
  plans: { submission: Submission; accepted: Accepted }[],
): Promise<void> {
  const claimed = plans.flatMap(({ submission: { idempotency }, accepted }) =>
    idempotency ? [{ ...idempotency, accepted }] : [],
  );
  if (claimed.length === 0) return;
  await client.query({
    name: 'save-answers',
    text: `update idempotency i set answer = a.answer
           from rows from (unnest($1::text[], $2::text[]), jsonb_array_elements($3::jsonb)) as a(scope, key, answer)
           where i.scope = a.scope and i.key = a.key`,
    values: [
      textArray(claimed.map((one) => one.scope)),
      textArray(claimed.map((one) => one.key)),
      jsonList(claimed.map((one) => pgJson(one.accepted))),
    ],
  });
}
