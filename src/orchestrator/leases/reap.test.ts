import { expect, test } from 'vitest';
import { RETRY_POLICY } from '../../model/task/retry.ts';
import type { Wire } from '../../wire/port.ts';
import { createReap, type ReapOptions } from './reap.ts';

const { signal } = new AbortController();

/** Says only whether and how the reaper looks; what it does with what it finds is for the conformance suite. */
function world(mark: string | null = 'one') {
  let epoch: string | null = 'one';
  let isStoreUp = true;
  let nowMs = 0;
  let backlogMs = 0;
  const sweeps: string[] = [];
  const calls: string[] = [];
  const known = new Map(mark === null ? [] : [['wire_epoch', mark]]);
  const store = {
    async ping() {
      if (!isStoreUp) throw new Error('the store is away');
      return 1;
    },
    getMark: async (name: string) => known.get(name) ?? null,
    async setMark(name: string, value: string) {
      known.set(name, value);
    },
    async excuseNextLeaseLoss() {
      sweeps.push('forgiven');
    },
    leasedLanes: async () => [],
    async resolveLost({ unclaimed }: { unclaimed: boolean }) {
      sweeps.push(unclaimed ? 'unclaimed' : 'expired');
      calls.push('swept');
      return { found: 0, updates: [] };
    },
  } as unknown as ReapOptions['store'];
  const wire = {
    async epoch() {
      if (epoch === null) throw new Error('the wire is away');
      return epoch;
    },
    untaken: async () => new Set(),
    backlogMs: async () => backlogMs,
  } as unknown as Wire;
  const step = createReap({
    store,
    wire,
    async hear() {
      calls.push('heard');
    },
    leaseSeconds: 10,
    sweepSeconds: 5,
    policy: RETRY_POLICY,
    now: () => nowMs,
    onReaped: () => {},
    onUpdates: async () => {},
  });
  return {
    sweeps,
    calls,
    step,
    setEpoch(value: string | null) {
      epoch = value;
    },
    setBacklog(ms: number) {
      backlogMs = ms;
    },
    setStore(isUp: boolean) {
      isStoreUp = isUp;
    },
    async at(seconds: number) {
      nowMs = seconds * 1_000;
      await step(signal, () => {}).catch(() => {});
    },
  };
}

test('nothing is taken for lost before everyone could be heard for a whole lease; then every sweep', async () => {
  const it = world();
  for (let second = 0; second <= 21; second++) await it.at(second);
  expect(it.sweeps).toEqual(['expired', 'expired', 'expired']);
});

test('however busy it was, it hears the heartbeats right before it takes a lease for lost', async () => {
  const it = world();
  for (const second of [0, 60, 120]) await it.at(second);
  expect(it.calls).toEqual(['heard', 'heard', 'heard', 'swept', 'heard', 'heard', 'swept']);
});

test.each(['wire', 'store'])('after an outage of the %s it waits for a whole lease again', async (part) => {
  const it = world();
  for (let second = 0; second <= 10; second++) await it.at(second);
  expect(it.sweeps).toEqual(['expired']);
  if (part === 'wire') it.setEpoch(null);
  else it.setStore(false);
  for (let second = 11; second <= 30; second++) await it.at(second);
  it.setEpoch('one');
  it.setStore(true);
  for (let second = 31; second < 41; second++) await it.at(second);
  expect(it.sweeps).toEqual(['expired']);
  await it.at(41);
  expect(it.sweeps).toEqual(['expired', 'expired']);
});

test('while old reports are not recorded nothing is taken for lost, but not for ever', async () => {
  const it = world();
  it.setBacklog(6_000);
  for (let second = 0; second < 70; second++) await it.at(second);
  expect(it.sweeps).toEqual([]);
  await it.at(70);
  expect(it.sweeps).toEqual(['expired']);
  const brief = world();
  brief.setBacklog(6_000);
  for (let second = 0; second <= 12; second++) await brief.at(second);
  brief.setBacklog(0);
  await brief.at(13);
  expect(brief.sweeps).toEqual(['expired']);
});

test('a wire that lost everything is noticed at once: what nobody claimed is queued again, and the next loss of the rest is forgiven', async () => {
  const it = world();
  await it.at(0);
  it.setEpoch('two');
  await it.at(1);
  await it.at(2);
  expect(it.sweeps).toEqual(['unclaimed', 'forgiven']);
});

test('a process that starts learns what was lost before it; on a new database there is nothing to lose', async () => {
  const late = world('zero');
  await late.at(0);
  expect(late.sweeps).toEqual(['unclaimed', 'forgiven']);
  const fresh = world(null);
  await fresh.at(0);
  expect(fresh.sweeps).toEqual([]);
});
