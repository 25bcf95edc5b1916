// The contract of src/wire/port.ts, for every carrier. `open` gives a wire of its own to each test; `pair` gives two ends of the same one, as two
// processes would have (the memory wire has only one end, which is then both).
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { EvidenceReport, EvidenceWish } from '../../src/model/evidence/evidence.ts';
import type { RunUpdate } from '../../src/model/run/run.ts';
import { sealTask, type TaskRef } from '../../src/model/task/messages.ts';
import { EVIDENCE_WAITING_MAX, type Wire } from '../../src/wire/port.ts';
import { success } from '../support/scripted-worker.ts';
import { until } from './world.ts';

/** Reports not acknowledged for this long come again, in these tests. */
export const ABANDONED_MS = 2_000;

const NEVER = new AbortController().signal;

function sealed(attempt = 1, id: string = randomUUID()) {
  const body = {
    task_id: id,
    run_id: 'job_000000000000',
    scraper_type: 'article',
    params: { url: `http://a.test/${id}` },
  };
  return sealTask(id, JSON.stringify(body), { attempt, failures: 0, crashes: 0 });
}

const result = (id: string = randomUUID()) => {
  const task = JSON.parse(sealed(1, id).text);
  return success({ ...task, priority: 5, created_at: '', timeout: 1, max_retries: 3, request_id: null });
};

const update = (runId: string): RunUpdate => ({
  runId,
  kind: 'article',
  status: 'running',
  total: 2,
  completed: 1,
  failed: 0,
  itemId: null,
});

const evidence = (id: string): EvidenceReport => ({
  type: 'evidence',
  id,
  task_id: id,
  run_id: 'r',
  attempt: 1,
  scraper_type: 'article',
  worker: 'w',
  code: 'captcha',
  url: 'http://a.test/',
  status: 200,
  media_type: 'text/html',
  captured_at: new Date(0).toISOString(),
  page: 'aGVsbG8=',
  page_chars: 5,
  is_cut: false,
  screenshot: null,
  left_out: [],
});

const beat = (worker: string) => ({
  worker,
  host: 'test',
  pid: 1,
  version: '0',
  lanes: ['http'],
  slots: 5,
  busy: 0,
  rss_bytes: 1,
  started_at: '',
  sent_at: '',
  draining: false,
});

export function wireSuite(name: string, pair: () => Promise<[Wire, Wire]>): void {
  describe(name, () => {
    const opened: Wire[] = [];
    const open = async (): Promise<[Wire, Wire]> => {
      const ends = await pair();
      opened.push(...ends);
      return ends;
    };
    afterEach(async () => {
      for (const wire of opened.splice(0)) await wire.close();
    });

    test('evidence is read in order until it was stored, and the oldest goes where nobody reads', async () => {
      const [orchestrator, worker] = await open();
      const ids = Array.from({ length: EVIDENCE_WAITING_MAX + 3 }, () => randomUUID());
      for (const id of ids) await worker.sendEvidence(evidence(id));
      const first = await orchestrator.readEvidence(2);
      expect(first.evidence).toEqual([evidence(ids[3]!), evidence(ids[4]!)]);
      expect((await orchestrator.readEvidence(1)).evidence).toEqual([evidence(ids[3]!)]);
      await first.ack();
      const rest = await orchestrator.readEvidence(1_000);
      expect(rest.evidence).toEqual(ids.slice(5).map(evidence));
      await rest.ack();
      expect((await orchestrator.readEvidence(1)).evidence).toEqual([]);
    });

    test('workers are asked for evidence', async () => {
      const [orchestrator, worker] = await open();
      const asked: EvidenceWish[] = [];
      worker.onEvidenceAsked((wishes) => asked.push(...wishes));
      const wish = { run_id: 'r', task_id: null, source: 'article', host: 'a.test' };
      await until('the worker is asked', async () => {
        await orchestrator.askEvidence([wish]);
        return asked.length > 0;
      });
      expect(asked[0]).toEqual(wish);
    });

    test('who takes no more tasks is told at once, and kept for those who come later', async () => {
      const [orchestrator, worker] = await open();
      expect(await worker.drains()).toBeNull();
      const told: (readonly string[])[] = [];
      worker.onDrains((names) => told.push(names));
      await until('the worker is told', async () => {
        await orchestrator.tellDrains([]);
        await orchestrator.tellDrains(['w1']);
        return told.some((names) => names.includes('w1'));
      });
      expect(await worker.drains()).toEqual(['w1']);
    });

    test('a task is taken once, in the order sent, and counted until then', async () => {
      const [orchestrator, worker] = await open();
      const tasks = Array.from({ length: 5 }, () => sealed());
      await orchestrator.sendTasks('http', 'medium', tasks);
      expect(await orchestrator.depth('http')).toBe(5);
      expect(await orchestrator.untaken('http')).toEqual(new Set(tasks.map((task) => task.task_id)));
      const taken = await worker.takeTasks(['http'], 3, NEVER);
      expect(taken.map((task) => task.task_id)).toEqual(tasks.slice(0, 3).map((task) => task.task_id));
      expect(taken[0]).toMatchObject({ attempt: 1, retry_count: 0, suspect: false, scraper_type: 'article' });
      expect(await orchestrator.depth('http')).toBe(2);
      expect(await worker.takeTasks(['http'], 10, NEVER)).toHaveLength(2);
      expect(await orchestrator.untaken('http')).toEqual(new Set());
    });

    test('many takers at once share the tasks, and none gets more than it asked for', async () => {
      const [orchestrator, worker] = await open();
      const tasks = Array.from({ length: 60 }, () => sealed());
      await orchestrator.sendTasks('http', 'high', tasks.slice(0, 30));
      await orchestrator.sendTasks('http', 'low', tasks.slice(30));
      const takes = await Promise.all(Array.from({ length: 30 }, () => worker.takeTasks(['http'], 2, NEVER)));
      for (const take of takes) expect(take.length).toBeLessThanOrEqual(2);
      expect(new Set(takes.flat().map((task) => task.task_id))).toEqual(new Set(tasks.map((task) => task.task_id)));
    });

    test('a worker takes from its lanes only, the urgent first', async () => {
      const [orchestrator, worker] = await open();
      const [low, high, other] = [sealed(), sealed(), sealed()];
      await orchestrator.sendTasks('http', 'low', [low]);
      await orchestrator.sendTasks('http', 'high', [high]);
      await orchestrator.sendTasks('browser', 'high', [other]);
      const taken = await worker.takeTasks(['http'], 10, NEVER);
      expect(taken.map((task) => task.task_id)).toEqual([high.task_id, low.task_id]);
      expect(await worker.takeTasks(['http', 'browser'], 10, NEVER)).toMatchObject([{ task_id: other.task_id }]);
    });

    test('of an endless supply of urgent tasks every band gets a share', async () => {
      const [orchestrator, worker] = await open();
      for (const band of ['high', 'medium', 'low'] as const)
        await orchestrator.sendTasks(
          'http',
          band,
          Array.from({ length: 64 }, () => sealed(1)),
        );
      const low = await orchestrator.untaken('http');
      for (let take = 0; take < 64; take++) await worker.takeTasks(['http'], 1, NEVER);
      const left = await orchestrator.untaken('http');
      const bandsLeft = [...low].map((id, index) => ({ band: Math.floor(index / 64), isLeft: left.has(id) }));
      for (const band of [0, 1, 2]) expect(bandsLeft.some((one) => one.band === band && !one.isLeft)).toBe(true);
    });

    test('a worker that waits is woken by a task, and more than that one can be had', async () => {
      const [orchestrator, worker] = await open();
      // Without being woken each would wait for most of a second. On a busy machine most may take that long all the same, but not every one.
      let quickestMs = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 5 || (quickestMs >= 500 && round < 50); round++) {
        const waiting = worker.takeTasks(['http'], 1, NEVER);
        await new Promise((resolve) => setTimeout(resolve, 50));
        const started = performance.now();
        await orchestrator.sendTasks('http', 'medium', [sealed(), sealed()]);
        expect(await waiting).toHaveLength(1);
        quickestMs = Math.min(quickestMs, performance.now() - started);
        expect(await worker.takeTasks(['http'], 5, NEVER)).toHaveLength(1);
      }
      expect(quickestMs).toBeLessThan(500);
    });

    test('waiting for tasks ends by itself, and leaves everything alone when it is broken off', async () => {
      const [orchestrator, worker] = await open();
      expect(await worker.takeTasks(['http'], 1, NEVER)).toEqual([]);
      const stop = new AbortController();
      const waiting = worker.takeTasks(['http'], 1, stop.signal);
      stop.abort();
      expect(await waiting).toEqual([]);
      await orchestrator.sendTasks('http', 'medium', [sealed()]);
      expect(await orchestrator.depth('http')).toBe(1);
    });

    test('reports are read once when acknowledged, and again when not', async () => {
      const [orchestrator, worker] = await open();
      const [first, second] = [result(), result()];
      await worker.report([first]);
      await worker.report([second]);
      expect(await worker.backlog()).toBeGreaterThan(0);
      const read: unknown[] = [];
      while (read.length < 2) read.push(...(await orchestrator.readReports(100, NEVER)).reports);
      expect(read).toEqual([first, second]);
      const again: unknown[] = [];
      await until('they come again', async () => {
        const batch = await orchestrator.readReports(100, NEVER);
        again.push(...batch.reports);
        await batch.ack();
        return again.length >= 2;
      });
      expect(again).toHaveLength(2);
      expect(await worker.backlog()).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, ABANDONED_MS * 1.5));
      expect((await orchestrator.readReports(100, NEVER)).reports).toEqual([]);
    });

    test('any number of readers may wait for reports, and every report reaches one of them', async () => {
      const [orchestrator, worker] = await open();
      const stop = new AbortController();
      const seen: string[] = [];
      const readers = Array.from({ length: 4 }, async () => {
        while (!stop.signal.aborted) {
          const batch = await orchestrator.readReports(100, stop.signal);
          seen.push(...batch.reports.map((report) => (report as TaskRef).task_id));
          await batch.ack();
        }
      });
      // Longer than all of their waits together would take one after the other.
      await new Promise((resolve) => setTimeout(resolve, 4_500));
      const sent = Array.from({ length: 20 }, () => result());
      for (const one of sent) await worker.report([one]);
      await until('all were read', () => seen.length >= 20);
      stop.abort();
      await Promise.all(readers);
      expect(seen.toSorted()).toEqual(sent.map((one) => one.task_id).toSorted());
    });

    test('cancels, updates and wake-ups reach whoever listens, until they stop', async () => {
      const [orchestrator, other] = await open();
      const cancels: TaskRef[] = [];
      const updates: RunUpdate[] = [];
      let wakes = 0;
      const stops = [
        other.onCancel((tasks) => cancels.push(...tasks)),
        other.onUpdates((batch) => updates.push(...batch)),
        other.onWake(() => wakes++),
      ];
      const ref = { task_id: randomUUID(), attempt: 2 };
      await until('the listeners are there', async () => {
        await orchestrator.cancel([ref]);
        return cancels.length > 0;
      });
      expect(cancels[0]).toEqual(ref);
      await orchestrator.publish([update('job_1'), update('job_2')]);
      orchestrator.wake();
      await until('they arrive', () => updates.length === 2 && wakes > 0);
      expect(updates).toEqual([update('job_1'), update('job_2')]);
      for (const stop of stops) stop();
      await orchestrator.publish([update('job_3')]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(updates).toHaveLength(2);
    });

    test('a lane that never runs dry starves no other lane of the same worker', async () => {
      const [orchestrator, worker] = await open();
      const own = sealed();
      await orchestrator.sendTasks('http+acme-jobs', 'medium', [own]);
      const lanes = ['http', 'http+acme-jobs'];
      const taken: string[] = [];
      for (let take = 0; take < 4 && !taken.includes(own.task_id); take++) {
        await orchestrator.sendTasks('http', 'medium', [sealed(), sealed()]);
        taken.push(...(await worker.takeTasks(lanes, 1, NEVER)).map((task) => task.task_id));
      }
      expect(taken).toContain(own.task_id);
    });

    test('workers that beat are known', async () => {
      const [orchestrator, worker] = await open();
      expect(await orchestrator.workers()).toEqual([]);
      await worker.beat(beat('a'));
      await worker.beat(beat('b'));
      await worker.beat({ ...beat('a'), busy: 3 });
      const known = await orchestrator.workers();
      expect(known.toSorted((a, b) => (a.worker < b.worker ? -1 : 1))).toEqual([{ ...beat('a'), busy: 3 }, beat('b')]);
    });

    test('what a worker holds is what it said last, with the age of that', async () => {
      const [orchestrator, worker] = await open();
      const held = (n: number) => ({
        type: 'held' as const,
        worker: 'a',
        tasks: [{ task_id: randomUUID(), attempt: n }],
        sent_at: String(n),
      });
      await worker.beat(beat('a'), held(1));
      const last = held(2);
      await worker.beat(beat('a'), last);
      await worker.beat(beat('b'));
      const [first, ...others] = await orchestrator.held();
      expect([first?.held, ...others]).toEqual([last]);
      await until('it grows older', async () => ((await orchestrator.held())[0]?.ageMs ?? 0) > first!.ageMs);
    });

    test('the epoch stays while nothing is lost, and is the same for both ends', async () => {
      const [orchestrator, worker] = await open();
      const epoch = await orchestrator.epoch();
      expect(epoch).not.toBe('');
      expect(await worker.epoch()).toBe(epoch);
      expect(await orchestrator.epoch()).toBe(epoch);
      expect(await orchestrator.ping()).toBeGreaterThanOrEqual(0);
    });
  });
}
