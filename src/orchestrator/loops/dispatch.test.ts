import { expect, test } from 'vitest';
import { BANDS, type Band } from '../../model/task/band.ts';
import { type SealedTask, sealTask, type TaskRef, type WorkerBeat } from '../../model/task/messages.ts';
import type { Wire } from '../../wire/port.ts';
import { createDispatch, type DispatchOptions, windowOf } from './dispatch.ts';

const beat = (extra: Partial<WorkerBeat> = {}): WorkerBeat => ({
  worker: 'w',
  host: 'h',
  pid: 1,
  version: '0',
  lanes: ['http'],
  slots: 10,
  busy: 0,
  rss_bytes: 0,
  started_at: '',
  sent_at: '',
  draining: false,
  ...extra,
});

test('the window of a lane is twice its slots, within bounds, and workers that leave do not count', () => {
  const workers = [
    beat({ slots: 100 }),
    beat({ slots: 50, lanes: ['http', 'browser'] }),
    beat({ slots: 1_000, draining: true }),
    beat({ slots: 1, lanes: ['small'] }),
    beat({ slots: 9_000, lanes: ['large'] }),
  ];
  expect(windowOf(workers, 2_000)).toEqual(
    new Map([
      ['http', 300],
      ['browser', 100],
      ['small', 20],
      ['large', 2_000],
    ]),
  );
});

/** A queue of so many waiting tasks a band, and a wire that can refuse. */
function world(waiting: Record<Band, number>) {
  const sent: [Band, number][] = [];
  const givenBack: TaskRef[] = [];
  let depth = 0;
  let refuses: Band | 'depth' | null = null;
  const leaseReady = async ({
    band,
    limit,
  }: {
    band: Band;
    limit: number;
  }): Promise<{ tasks: SealedTask[]; parked: number }> => {
    const count = Math.min(limit, waiting[band]);
    waiting[band] -= count;
    const tasks = Array.from({ length: count }, () => sealTask(band, '{}', { attempt: 1, failures: 0, crashes: 0 }));
    return { tasks, parked: 0 };
  };
  const store = {
    countReady: async () => ({ counts: { ...waiting }, holds: null }),
    leaseReady,
    async giveBack(tasks: TaskRef[]) {
      givenBack.push(...tasks);
    },
  } as unknown as DispatchOptions['store'];
  const wire = {
    workers: async () => [beat()],
    async depth() {
      if (refuses === 'depth') throw new Error('away');
      return depth;
    },
    async sendTasks(_lane: string, band: Band, tasks: SealedTask[]) {
      if (refuses === band) throw new Error('away');
      sent.push([band, tasks.length]);
      depth += tasks.length;
    },
  } as unknown as Wire;
  const dispatch = createDispatch({ store, wire, leaseSeconds: 10, maxWindow: 2_000, onDispatched: () => {} });
  return {
    sent,
    givenBack,
    waiting,
    run: () => dispatch(new AbortController().signal),
    refuse(what: Band | 'depth') {
      refuses = what;
    },
    setDepth(count: number) {
      depth = count;
    },
  };
}

test('a full window is filled no further, and every band with work gets its part', async () => {
  const it = world({ high: 100, medium: 100, low: 100 });
  await it.run();
  expect(it.sent.reduce((sum, [, count]) => sum + count, 0)).toBe(20);
  expect(it.sent.map(([band]) => band)).toEqual([...BANDS]);
  await it.run();
  expect(it.sent).toHaveLength(3);
});

test('while the wire is away no task leaves the queue', async () => {
  const it = world({ high: 5, medium: 0, low: 0 });
  it.refuse('depth');
  await expect(it.run()).rejects.toThrow('away');
  expect(it.waiting.high).toBe(5);
});

test('what could not be sent is given back, and so is what was leased after it', async () => {
  const it = world({ high: 4, medium: 3, low: 2 });
  it.refuse('medium');
  await expect(it.run()).rejects.toThrow('away');
  expect(it.sent).toEqual([['high', 4]]);
  expect(it.givenBack.map((task) => task.task_id)).toEqual(['medium', 'medium', 'medium', 'low', 'low']);
});
