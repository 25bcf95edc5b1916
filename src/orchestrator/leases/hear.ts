// Hears the heartbeats of workers and renews what they hold. It reads the last word of each worker, so an orchestrator that was too busy to listen has missed
// nothing, and the reaper listens right before it takes a lease for lost: no live worker loses one because somebody else had no time.
import type { LostTask } from '../../store/queue/held-leases.ts';
import type { Heard, Wire } from '../../wire/port.ts';
import type { Renew } from './renew.ts';

export interface HearOptions {
  wire: Pick<Wire, 'held'>;
  renew: Renew;
  leaseSeconds: number;
}

interface LastWord {
  sentAt: string | undefined;
  /** Tasks it said it holds, and no lease of theirs was there. */
  missing: Set<string>;
}

export function createHear({ wire, renew, leaseSeconds }: HearOptions): () => Promise<void> {
  let words = new Map<string, LastWord>();
  const isNew = ({ held, ageMs }: Heard): boolean => {
    const last = words.get(held.worker);
    return (
      ageMs < leaseSeconds * 1_000 && (last === undefined || last.sentAt === undefined || last.sentAt !== held.sent_at)
    );
  };

  return async () => {
    const heard = await wire.held();
    const fresh = heard.filter(isNew);
    const next = new Map(
      heard.flatMap(({ held }) => {
        const last = words.get(held.worker);
        return last ? [[held.worker, last] as const] : [];
      }),
    );
    for (const { held } of fresh) next.set(held.worker, { sentAt: held.sent_at, missing: new Set() });
    // What ended between the heartbeat and now has no lease either; only what the worker still holds a heartbeat later is lost.
    const isLost = (task: LostTask): boolean => {
      next.get(task.worker)?.missing.add(keyOf(task));
      return task.cancelled || words.get(task.worker)?.missing.has(keyOf(task)) === true;
    };
    if (fresh.length > 0)
      await renew(
        fresh.map(({ held, ageMs }) => ({ ...held, seconds: leaseSeconds - ageMs / 1_000 })),
        isLost,
      );
    words = next;
  };
}

const keyOf = ({ task_id, attempt }: LostTask): string => `${task_id} ${attempt}`;
