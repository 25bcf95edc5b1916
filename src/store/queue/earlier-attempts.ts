// What attempts that were not the last one asked of the web. Kept as a sum beside the task, since its outcome has only the last attempt; who follows a run
// wants to know that a site throttled it while it waits, and not only if the last attempt was throttled too.
import type { EarlierAttempts } from '../../model/run/scrape-run.ts';
import type { Client } from '../postgres/pool.ts';
import type { Requeue } from './queue.ts';

/** An attempt that the pace sent back before it asked for anything has nothing to tell; of those there may be many. */
const says = ({ requests_made, rate_limited, captcha_encountered }: EarlierAttempts): boolean =>
  requests_made > 0 || rate_limited || captcha_encountered;

export async function addEarlierAttempts(client: Client, requeued: readonly Requeue[]): Promise<void> {
  const rows = requeued.flatMap(({ lease, asked }) => (asked && says(asked) ? [{ ...asked, id: lease.taskId }] : []));
  if (rows.length === 0) return;
  await client.query(
    `insert into earlier_attempts as e (task_id, requests_made, rate_limited, captcha_encountered, proxy_used)
     select * from unnest($1::uuid[], $2::int[], $3::boolean[], $4::boolean[], $5::text[])
     on conflict (task_id) do update set requests_made = e.requests_made + excluded.requests_made,
       rate_limited = e.rate_limited or excluded.rate_limited, captcha_encountered = e.captcha_encountered or excluded.captcha_encountered,
       proxy_used = coalesce(excluded.proxy_used, e.proxy_used)`,
    [
      rows.map((row) => row.id),
      rows.map((row) => row.requests_made),
      rows.map((row) => row.rate_limited),
      rows.map((row) => row.captcha_encountered),
      rows.map((row) => row.proxy_used),
    ],
  );
}
