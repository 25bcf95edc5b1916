// The reaper: tasks without a heartbeat are queued again, whatever the reason. It listens first, so that a busy orchestrator takes no lease of a worker that
// has spoken. It works only when wire and store have been up for a whole lease, because while one of them was down no heartbeat could arrive, and running
// tasks would be started a second time for nothing. For the same reason it waits while old reports are not recorded.
import type { RunUpdate } from '../../model/run/run.ts';
import { afterLoss, type RetryPolicy } from '../../model/task/retry.ts';
import type { Tried } from '../../model/task/tried.ts';
import type { ConnectionStore } from '../../store/maintenance.ts';
import type { MarkStore } from '../../store/marks.ts';
import type { Lease } from '../../store/queue/queue.ts';
import type { LeaseStore } from '../../store/queue/queue-store.ts';
import type { Verdict } from '../../store/queue/resolve.ts';
import type { Wire } from '../../wire/port.ts';
import type { Step, Wake } from '../loops/run-loops.ts';

export interface ReapOptions {
  store: LeaseStore & MarkStore & Pick<ConnectionStore, 'ping'>;
  wire: Wire;
  /** Renews what workers hold, by their last heartbeats. */
  hear(): Promise<void>;
  leaseSeconds: number;
  policy: RetryPolicy;
  sweepSeconds: number;
  onReaped(found: number, reason: 'lease_over' | 'wire_lost'): void;
  onUpdates(updates: RunUpdate[]): Promise<void>;
  now(): number;
}

const BATCH = 5_000;
/** Leases after which reports that nobody records no longer hold it up: a run always ends. */
const BEHIND_LEASES = 6;

/** Returns a step to call about every half second: heartbeats are heard and a lost wire is noticed at once, leases are checked every sweep. Wakes dispatch. */
export function createReap(options: ReapOptions): Step {
  let epoch: string | undefined;
  let upSince: number | undefined;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let behindSince: number | undefined;

  /** Whether reports wait to be recorded that may say what became of a task whose lease is over. */
  async function isBehind(now: number): Promise<boolean> {
    const leaseMs = options.leaseSeconds * 1_000;
    if ((await options.wire.backlogMs()) < leaseMs / 2) behindSince = undefined;
    else behindSince ??= now;
    return behindSince !== undefined && now - behindSince < BEHIND_LEASES * leaseMs;
  }

  async function sweep(unclaimed: boolean, wake: Wake): Promise<void> {
    const untaken = new Set<string>();
    for (const lane of await options.store.leasedLanes())
      for (const id of await options.wire.untaken(lane)) untaken.add(id);
    for (let found = BATCH; found === BATCH; ) {
      await options.hear();
      const swept = await options.store.resolveLost(
        { untaken, unclaimed, leaseSeconds: options.leaseSeconds, limit: BATCH },
        (leases) => judge(leases, unclaimed),
      );
      found = swept.found;
      if (found > 0) {
        options.onReaped(found, unclaimed ? 'wire_lost' : 'lease_over');
        wake();
      }
      await options.onUpdates(swept.updates);
    }
  }

  function judge(leases: Lease[], wireLost: boolean): Verdict {
    const verdict: Verdict = { settled: [], requeued: [], itemBatches: [] };
    for (const lease of leases) {
      // The wire lost it, not a worker: it does not count as a crash.
      const next = wireLost
        ? ({ ...lease, retry: true, delayMs: 0 } as const)
        : afterLoss(lease, { started: lease.started, policy: options.policy });
      const tried = wireLost ? {} : lostAttempt(lease);
      if (next.retry) verdict.requeued.push({ ...next, lease, ...tried });
      else {
        const error = {
          category: 'internal',
          code: 'crashed',
          message: 'crashed: the task crashed its worker more than once',
          retryable: false,
        };
        verdict.settled.push({
          lease,
          state: 'failed',
          attempts: lease.failures + lease.crashes + 1,
          error,
          metadata: null,
          ...tried,
        });
      }
    }
    return verdict;
  }

  return async (_signal, wake) => {
    let current: string;
    try {
      current = await options.wire.epoch();
      await options.store.ping();
      await options.hear();
    } catch (error) {
      upSince = undefined;
      throw error;
    }
    const now = options.now();
    upSince ??= now;
    // The epoch is in the store, so that a new process knows of an earlier loss. Written after the sweep, so that a failed one is repeated; two at once do
    // no harm.
    if (current !== epoch) {
      const before = await options.store.getMark('wire_epoch');
      if (before !== null && before !== current) {
        await sweep(true, wake);
        await options.store.excuseNextLeaseLoss();
      }
      if (before !== current) await options.store.setMark('wire_epoch', current);
      epoch = current;
    }
    if (now - upSince < options.leaseSeconds * 1_000 || now - sweptAt < options.sweepSeconds * 1_000) return;
    if (await isBehind(now)) return;
    sweptAt = now;
    await sweep(false, wake);
  };
}

/** Of one that had begun, for a person who looks at the task later. */
function lostAttempt({ attempt, worker, started }: Lease): { tried?: Tried } {
  if (worker === null || started === false) return {};
  const error = { category: 'internal', code: 'worker_lost', message: `The worker ${worker} was lost with the task.` };
  return { tried: { attempt, worker, started_at: null, ended_at: new Date().toISOString(), requests: 0, error } };
}
