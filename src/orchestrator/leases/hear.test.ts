import { expect, test } from 'vitest';
import type { HeldTasks, LostTask } from '../../store/queue/held-leases.ts';
import type { Heard } from '../../wire/port.ts';
import { createHear } from './hear.ts';

/** Renewing is only written down; tasks named `gone-…` have no lease. */
function world() {
  let heard: Heard[] = [];
  const renewed: HeldTasks[][] = [];
  let lost: string[] = [];
  const hear = createHear({
    wire: { held: async () => heard },
    async renew(held, isLost) {
      renewed.push(held);
      const missing = held.flatMap(({ worker, tasks }) =>
        tasks
          .filter((task) => task.task_id.startsWith('gone'))
          .map((task): LostTask => ({ ...task, worker, cancelled: task.task_id === 'gone-cancelled' })),
      );
      lost = missing.filter((task) => isLost?.(task)).map((task) => task.task_id);
    },
    leaseSeconds: 10,
  });
  return {
    renewed,
    async says(sentAt: string, ids: string[], ageMs = 0): Promise<string[]> {
      lost = [];
      const tasks = ids.map((task_id) => ({ task_id, attempt: 1 }));
      heard = [{ held: { type: 'held', worker: 'w', tasks, sent_at: sentAt }, ageMs }];
      await hear();
      return lost;
    },
  };
}

test('a heartbeat renews once, for what is left of the lease since it was sent; one older than a lease renews nothing', async () => {
  const it = world();
  await it.says('1', ['a'], 4_000);
  await it.says('1', ['a'], 5_000);
  expect(it.renewed).toMatchObject([[{ worker: 'w', tasks: [{ task_id: 'a' }], seconds: 6 }]]);
  await it.says('2', ['a'], 10_000);
  expect(it.renewed).toHaveLength(1);
});

test('what has no lease is lost when its worker still holds it a heartbeat later; what was cancelled, at once', async () => {
  const it = world();
  expect(await it.says('1', ['a', 'gone', 'gone-done', 'gone-cancelled'])).toEqual(['gone-cancelled']);
  expect(await it.says('1', ['a', 'gone'])).toEqual([]);
  expect(await it.says('2', ['a', 'gone', 'gone-later'])).toEqual(['gone']);
  expect(await it.says('3', ['a', 'gone-done'])).toEqual([]);
});
