// What attempts that were not the last one asked of the web, and what went wrong with the latest. Kept beside the task, since its outcome has only the last
// attempt; who follows a run wants to know that a site throttled it while it waits, and why it is tried again. Beside it every attempt that went wrong, the
// last one too, for who looks at a dead letter.
import type { EarlierAttempts } from '../../model/run/scrape-run.ts';
import type { TaskError } from '../../model/task/messages.ts';
import type { Tried } from '../../model/task/tried.ts';
import type { Client } from '../postgres/pool.ts';
import { pgJson, textArray } from '../postgres/text.ts';
import type { Lease } from './queue.ts';

const NOTHING: EarlierAttempts = {
  requests_made: 0,
  rate_limited: false,
  captcha_encountered: false,
  proxy_used: null,
};

export interface EndedAttempt {
  lease: Pick<Lease, 'taskId'>;
  /** Web counters, if it reported them and is not the last one. */
  asked?: EarlierAttempts;
  /** What went wrong with it, if it is not the last one: that one is in the outcome. */
  error?: TaskError | null;
  tried?: Tried;
}

/** Keeps the last 50 of a task: those that wait for a site may be many. */
export async function addEarlierAttempts(client: Client, ended: readonly EndedAttempt[]): Promise<void> {
  const rows = ended.flatMap(({ lease, asked = NOTHING, error = null, tried }) =>
    error || tried ? [{ ...asked, id: lease.taskId, error, tried }] : [],
  );
  if (rows.length === 0) return;
  await client.query(
    `insert into earlier_attempts as e (task_id, requests_made, rate_limited, captcha_encountered, proxy_used, error, attempts)
     select * from unnest($1::uuid[], $2::int[], $3::boolean[], $4::boolean[], $5::text[], $6::jsonb[], $7::jsonb[])
     on conflict (task_id) do update set requests_made = e.requests_made + excluded.requests_made,
       rate_limited = e.rate_limited or excluded.rate_limited, captcha_encountered = e.captcha_encountered or excluded.captcha_encountered,
       proxy_used = coalesce(excluded.proxy_used, e.proxy_used), error = coalesce(excluded.error, e.error),
       attempts = jsonb_path_query_array(e.attempts || excluded.attempts, '$[last - 49 to last]')`,
    [
      rows.map((row) => row.id),
      rows.map((row) => row.requests_made),
      rows.map((row) => row.rate_limited),
      rows.map((row) => row.captcha_encountered),
      rows.map((row) => row.proxy_used),
      textArray(rows.map((row) => row.error && pgJson(row.error))),
      textArray(rows.map((row) => pgJson(row.tried ? [row.tried] : []))),
    ],
  );
}
