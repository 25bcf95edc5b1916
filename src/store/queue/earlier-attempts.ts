// What attempts that were not the last one asked of the web, and what went wrong with the latest. Kept beside the task, since its outcome has only the last
// attempt; who follows a run wants to know that a site throttled it while it waits, and why it is tried again.
import type { EarlierAttempts } from '../../model/run/scrape-run.ts';
import type { Client } from '../postgres/pool.ts';
import { pgJson, textArray } from '../postgres/text.ts';
import type { Requeue } from './queue.ts';

const NOTHING: EarlierAttempts = {
  requests_made: 0,
  rate_limited: false,
  captcha_encountered: false,
  proxy_used: null,
};

export async function addEarlierAttempts(client: Client, requeued: readonly Requeue[]): Promise<void> {
  const rows = requeued.flatMap(({ lease, asked = NOTHING, error }) =>
    error ? [{ ...asked, id: lease.taskId, error }] : [],
  );
  if (rows.length === 0) return;
  await client.query(
    `insert into earlier_attempts as e (task_id, requests_made, rate_limited, captcha_encountered, proxy_used, error)
     select * from unnest($1::uuid[], $2::int[], $3::boolean[], $4::boolean[], $5::text[], $6::jsonb[])
     on conflict (task_id) do update set requests_made = e.requests_made + excluded.requests_made,
       rate_limited = e.rate_limited or excluded.rate_limited, captcha_encountered = e.captcha_encountered or excluded.captcha_encountered,
       proxy_used = coalesce(excluded.proxy_used, e.proxy_used), error = excluded.error`,
    [
      rows.map((row) => row.id),
      rows.map((row) => row.requests_made),
      rows.map((row) => row.rate_limited),
      rows.map((row) => row.captcha_encountered),
      rows.map((row) => row.proxy_used),
      textArray(rows.map((row) => pgJson(row.error))),
    ],
  );
}
