import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { RETRY_POLICY } from '../../model/task/retry.ts';
import type { Lease } from '../../store/queue/queue.ts';
import type { Verdict } from '../../store/queue/resolve.ts';
import { createRecord } from './record.ts';

/** What becomes of a task that failed so, while its source is given up or not. */
async function verdictOn(error: { code: string; retry_after: number }, givenUp: string | null): Promise<Verdict> {
  const taskId = randomUUID();
  const lease = { taskId, attempt: 1, failures: 0, crashes: 0, waits: 0, band: 'low' } as Lease;
  let verdict: Verdict | undefined;
  const record = createRecord({
    store: {
      async resolve(_, judge) {
        const parts = { fresh: new Map<string, string>(), early: new Set<string>() };
        const retriesOf = new Map([[taskId, { maxRetries: 3, backoff: 'usual' as const }]]);
        verdict = judge({ leases: new Map([[taskId, lease]]), parts, retriesOf });
        return { updates: [], checks: [] };
      },
    },
    renew: async () => {},
    leaseSeconds: 10,
    policy: RETRY_POLICY,
    random: () => 0,
    givenUp: () => givenUp,
    onSettled: () => {},
    onInvalid: (problem) => expect.unreachable(problem),
    onEarly: () => {},
    onRenewFailed: () => {},
  });
  const metadata = {
    proxy_used: null,
    requests_made: 0,
    rate_limited: false,
    captcha_encountered: false,
    pages_requested: 1,
    pages_completed: 0,
    bytes: 0,
    worker: 'w1',
  };
  await record([
    {
      task_id: taskId,
      run_id: 'r1',
      attempt: 1,
      status: 'failed',
      scraper_type: 'linkedin',
      execution_time: 0,
      metadata,
      completed_at: new Date().toISOString(),
      error: { category: 'rate_limited', message: 'Waiting for linkedin.com', retryable: true, ...error },
    },
  ]);
  return verdict!;
}

test('a task that waits for its turn goes back, and ends with the reason when its source is given up', async () => {
  const paced = { code: 'paced', retry_after: 300 };
  expect((await verdictOn(paced, null)).requeued).toMatchObject([{ delayMs: 300_000, waits: 0, failures: 0 }]);
  expect((await verdictOn(paced, '429 Too Many Requests')).settled).toMatchObject([
    { state: 'failed', error: { code: 'rate_limited', message: '429 Too Many Requests (given up)' } },
  ]);
});

test('a task that was rate-limited by the site ends at once when its source is given up', async () => {
  const limited = { code: 'rate_limited', retry_after: 1 };
  expect((await verdictOn(limited, null)).requeued).toMatchObject([{ waits: 1 }]);
  expect((await verdictOn(limited, '429')).settled).toMatchObject([{ error: { message: 'Waiting for linkedin.com' } }]);
});
