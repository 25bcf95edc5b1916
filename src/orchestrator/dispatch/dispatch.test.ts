import { expect, test } from 'vitest';
import { BANDS, type Band } from '../../model/task/band.ts';
import { type SealedTask, sealTask, type TaskRef, type WorkerBeat } from '../../model/task/messages.ts';
import type { LeaseOptions } from '../../store/queue/ready.ts';
import type { Wire } from '../../wire/port.ts';
import { createDispatch, type DispatchOptions, windowOf } from './dispatch.ts';
import type { PaceOfSites } from './pace.ts';

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

/** Lines with so many waiting tasks a band, and a wire that can refuse. */
function world(lines: Record<string, Partial<Record<Band, number>>>, sites: PaceOfSites | null = null) {
  const sent: [Band, number][] = [];
  const from: string[] = [];
  const givenBack: TaskRef[] = [];
  const leased = new Map<string, number>();
  let depth = 0;
  let refuses: Band | 'depth' | null = null;
  const store = {
    readyLines: async () => ({
      lines: Object.entries(lines).map(([line, counts]) => ({
        line,
        counts: { high: 0, medium: 0, low: 0, ...counts },
      })),
      holds: null,
      givenUp: [],
    }),
    leasedByHost: async () => new Map(leased),
    async leaseReady({ band, picks }: LeaseOptions) {
      const tasks = picks.flatMap(({ line, limit, host }) => {
        const count = Math.min(limit, lines[line]![band]!);
        lines[line]![band]! -= count;
        if (host) leased.set(host.name, (leased.get(host.name) ?? 0) + count);
        from.push(...Array.from({ length: count }, () => line));
        return Array.from({ length: count }, () => sealTask(band, '{}', { attempt: 1, failures: 0, crashes: 0 }));
      });
      return { tasks, parked: 0, aside: 0 };
    },
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
  const dispatch = createDispatch({ store, wire, leaseSeconds: 10, maxWindow: 2_000, sites, onDispatched: () => {} });
  return {
    sent,
    from,
    givenBack,
    lines,
    run: () => dispatch(new AbortController().signal, () => {}),
    refuse(what: Band | 'depth') {
      refuses = what;
    },
    takeAll() {
      depth = 0;
    },
  };
}

test('a full window is filled no further, and every band with work gets its part', async () => {
  const it = world({ article: { high: 100, medium: 100, low: 100 } });
  await it.run();
  expect(it.sent.reduce((sum, [, count]) => sum + count, 0)).toBe(20);
  expect(it.sent.map(([band]) => band)).toEqual([...BANDS]);
  await it.run();
  expect(it.sent).toHaveLength(3);
});

test('while the wire is away no task leaves the queue', async () => {
  const it = world({ article: { high: 5 } });
  it.refuse('depth');
  await expect(it.run()).rejects.toThrow('away');
  expect(it.lines.article!.high).toBe(5);
});

test('what could not be sent is given back, and so is what was leased after it', async () => {
  const it = world({ article: { high: 4, medium: 3, low: 2 } });
  it.refuse('medium');
  await expect(it.run()).rejects.toThrow('away');
  expect(it.sent).toEqual([['high', 4]]);
  expect(it.givenBack.map((task) => task.task_id)).toEqual(['medium', 'medium', 'medium', 'low', 'low']);
});

test('of a source no more goes than its host can take now, and the others go past it', async () => {
  const sites: PaceOfSites = {
    of: (source) =>
      source === 'linkedin' ? { pace: { concurrency: 1, delayMs: 3_000 }, host: 'www.linkedin.com' } : null,
    turns: async (queries) => queries.map(() => ({ nextInMs: 0, due: 1, inFlight: 0, places: 1, dueForMs: 0 })),
  };
  const it = world({ indeed: { medium: 1 }, linkedin: { medium: 1_000_000 } }, sites);
  await it.run();
  expect(it.from).toEqual(['indeed', 'linkedin']);
  it.takeAll();
  await it.run();
  // The one that is out has the turn.
  expect(it.lines.linkedin!.medium).toBe(999_999);
});

test('sources share the window, and so do the owners of one', async () => {
  const it = world({ 'article a': { medium: 100 }, 'article b': { medium: 100 }, greenhouse: { medium: 100 } });
  await it.run();
  const of = (line: string) => it.from.filter((one) => one === line).length;
  expect([of('article a'), of('article b'), of('greenhouse')]).toEqual([5, 5, 10]);
});

test('a lane that never runs dry does not keep another from its first task', async () => {
  const sent: string[] = [];
  const store = {
    readyLines: async () => ({
      lines: [{ line: 'article', counts: { high: 0, medium: 1_000_000, low: 0 } }],
      holds: null,
      givenUp: [],
    }),
    leaseReady: async ({ picks }: LeaseOptions) => ({
      tasks: Array.from({ length: picks[0]!.limit }, () =>
        sealTask('t', '{}', { attempt: 1, failures: 0, crashes: 0 }),
      ),
      parked: 0,
      aside: 0,
    }),
  } as unknown as DispatchOptions['store'];
  const wire = {
    workers: async () => [beat({ lanes: ['http', 'browser'] })],
    depth: async () => 0,
    sendTasks: async (lane: string) => void sent.push(lane),
  } as unknown as Wire;
  let woken = 0;
  const dispatch = createDispatch({ store, wire, leaseSeconds: 10, maxWindow: 2_000, onDispatched: () => {} });
  await dispatch(new AbortController().signal, () => {
    woken += 1;
  });
  expect(sent.indexOf('browser')).toBeLessThan(5);
  expect(woken).toBe(1);
});
