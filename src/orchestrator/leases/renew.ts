// Renews the leases that workers say they hold, and tells them to stop what is no longer theirs.
import type { TaskRef } from '../../model/task/messages.ts';
import type { HeldTasks, LostTask } from '../../store/queue/held-leases.ts';
import type { LeaseStore } from '../../store/queue/queue-store.ts';
import type { Wire } from '../../wire/port.ts';

export interface RenewOptions {
  store: Pick<LeaseStore, 'renewLeases'>;
  wire: Pick<Wire, 'cancel'>;
  onLost(worker: string, tasks: TaskRef[]): void;
  /** Tasks whose lease had run out by mistake. */
  onTakenBack(tasks: number): void;
}

/** `isLost` is asked about every task that has no lease; without it all of them are lost. */
export type Renew = (held: HeldTasks[], isLost?: (task: LostTask) => boolean) => Promise<void>;

export function createRenew({ store, wire, onLost, onTakenBack }: RenewOptions): Renew {
  return async (held, isLost = () => true) => {
    const { missing, takenBack } = await store.renewLeases(held);
    if (takenBack > 0) onTakenBack(takenBack);
    const lost = missing.filter(isLost);
    for (const [worker, tasks] of Map.groupBy(lost, (task) => task.worker)) {
      const refs = tasks.map(({ task_id, attempt }) => ({ task_id, attempt }));
      onLost(worker, refs);
      // If this is lost too, the next heartbeat repeats it.
      await wire.cancel(refs).catch(() => {});
    }
  };
}
