// Renews the leases that workers say they hold, and tells them to stop what is no longer theirs.
import type { TaskRef } from '../../model/task/messages.ts';
import type { HeldTasks } from '../../store/queue/held-leases.ts';
import type { LeaseStore } from '../../store/queue/queue-store.ts';
import type { Wire } from '../../wire/port.ts';

export interface RenewOptions {
  store: Pick<LeaseStore, 'renewLeases'>;
  wire: Pick<Wire, 'cancel'>;
  onLost(worker: string, tasks: TaskRef[]): void;
}

export type Renew = (held: HeldTasks[]) => Promise<void>;

export function createRenew({ store, wire, onLost }: RenewOptions): Renew {
  return async (held) => {
    const lost = Map.groupBy(await store.renewLeases(held), (task) => task.worker);
    for (const [worker, tasks] of lost) {
      const refs = tasks.map(({ task_id, attempt }) => ({ task_id, attempt }));
      onLost(worker, refs);
      // If this is lost too, the next heartbeat repeats it.
      await wire.cancel(refs).catch(() => {});
    }
  };
}
