import { expect, test } from 'vitest';
import type { WorkerBeat } from '../task/messages.ts';
import { type EngineState, type Hold, isStandstill, type LiveTasks, whySourceWaits, whyWaits } from './why-waits.ts';

const AT = new Date('2026-02-04T10:33:00Z');
const worker = (over: Partial<WorkerBeat> = {}): WorkerBeat => ({
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
  ...over,
});
const engine = (over: Partial<EngineState> = {}): EngineState => ({
  orchestrators: 1,
  workers: [worker()],
  holds: new Map(),
  ...over,
});
const tasks = (over: Partial<LiveTasks> = {}): LiveTasks => ({
  source: 'indeed',
  lane: 'http',
  state: 'ready',
  dueAt: null,
  error: null,
  ahead: 0,
  host: null,
  ...over,
});
const hold = (over: Partial<Hold>): EngineState => {
  const none = { pausedAt: null, pauseReason: null, pausedBy: null, breaker: 'closed', trouble: null, until: null };
  return engine({ holds: new Map([['indeed', { ...none, ...over } as Hold]]) });
};

test.each<[string, LiveTasks, EngineState, object]>([
  [
    'nobody sends it on',
    tasks(),
    engine({ orchestrators: 0 }),
    { reason: 'no_orchestrator', message: 'no orchestrator is running (start one with "windrow orchestrator")' },
  ],
  ['Redis is away', tasks(), engine({ workers: null }), { reason: 'no_wire' }],
  [
    'paused, by whom and why',
    tasks({ state: 'held' }),
    hold({ pausedAt: AT, pausedBy: 'key 1f0c', pauseReason: 'being rebuilt' }),
    { reason: 'paused', message: 'indeed was paused at 2026-02-04 10:33:00 UTC by key 1f0c: being rebuilt' },
  ],
  [
    'a breaker that is open',
    tasks(),
    hold({ breaker: 'open', until: AT, trouble: 'timeout after 30s' }),
    {
      reason: 'breaker',
      until: AT,
      message: 'the circuit breaker of indeed is open until 2026-02-04 10:33:00 UTC (timeout after 30s)',
    },
  ],
  ['a breaker that gave up holds nothing', tasks(), hold({ breaker: 'given_up' }), { reason: 'queue' }],
  [
    'no worker for its lane',
    tasks({ lane: 'browser' }),
    engine(),
    { reason: 'no_worker', message: 'no worker takes tasks of lane browser' },
  ],
  [
    'no worker with its source',
    tasks({ source: 'acme', lane: 'http+acme' }),
    engine(),
    { reason: 'no_worker', message: 'no worker has the source acme' },
  ],
  [
    'another try',
    tasks({
      state: 'delayed',
      dueAt: AT,
      error: { category: 'network', message: 'connection refused', retryable: true },
    }),
    engine(),
    { reason: 'retry', until: AT, message: 'indeed: connection refused, next try at 2026-02-04 10:33:00 UTC' },
  ],
  [
    'the pace that we keep',
    tasks({
      state: 'delayed',
      dueAt: AT,
      error: { category: 'rate_limited', code: 'paced', message: 'later', retryable: true },
    }),
    engine(),
    { reason: 'pace', until: AT },
  ],
  [
    'slots that are all busy',
    tasks({ ahead: 3 }),
    engine({ workers: [worker({ busy: 10 }), worker({ lanes: ['browser'] })] }),
    { reason: 'slots_full', ahead: 3, message: 'all 10 slots of lane http are busy, 3 tasks ahead in lane http' },
  ],
  ['its place', tasks({ ahead: 1 }), engine(), { reason: 'queue', ahead: 1, message: '1 task ahead in lane http' }],
])('%s', (_what, task, state, expected) => {
  expect(whyWaits([task], state)).toMatchObject(expected);
});

test('a task that is ready and may not ask its site yet waits for the pace of the site', () => {
  const ready = tasks({ host: 'www.linkedin.com', ahead: 2 });
  const turns = (left: number) => new Map([['www.linkedin.com', { nextAt: AT, left, everyMs: 3_000 }]]);
  expect(whyWaits([ready], engine(), turns(2))).toEqual({
    reason: 'pace',
    message:
      'rate limit of www.linkedin.com (a request every 3 s): next turn at 2026-02-04 10:33:00 UTC, 2 tasks ahead',
    until: AT,
    ahead: 2,
  });
  expect(whyWaits([ready], engine(), turns(3))?.reason).toBe('queue');
  expect(whyWaits([{ ...ready, state: 'held' }], hold({ pausedAt: AT }), turns(0))?.reason).toBe('paused');
});

test('a run of which something is under way does not wait', () => {
  const paused = hold({ pausedAt: AT });
  expect(whyWaits([tasks({ state: 'held' }), tasks({ source: 'bayt', state: 'started' })], paused)).toBeNull();
  expect(whyWaits([tasks({ state: 'sent' })], engine())).toBeNull();
  expect(whyWaits([tasks({ state: 'sent' })], engine({ workers: [worker({ busy: 10 })] }))?.reason).toBe('slots_full');
  expect(whyWaits([], engine())).toBeNull();
});

test('of several reasons the one that ends first is said', () => {
  const retry = tasks({ source: 'bayt', state: 'delayed', dueAt: AT });
  expect(whyWaits([tasks({ state: 'held' }), retry], hold({ pausedAt: AT }))?.reason).toBe('retry');
  const sooner = { ...retry, dueAt: new Date(AT.getTime() - 1) };
  expect(whyWaits([retry, sooner], engine())?.until).toEqual(sooner.dueAt);
});

test('a time is told only where something moves', () => {
  expect(isStandstill(whyWaits([tasks()], engine()))).toBe(false);
  expect(isStandstill(whyWaits([tasks()], engine({ workers: [] })))).toBe(true);
  expect(isStandstill(null)).toBe(false);
});

test('of a source it is said why none of its tasks is sent', () => {
  expect(whySourceWaits('indeed', 'http', engine())).toBeNull();
  expect(whySourceWaits('indeed', 'http', hold({ pausedAt: AT }))?.reason).toBe('paused');
  expect(whySourceWaits('indeed', 'http', engine({ workers: [] }))?.message).toBe('no worker is running');
});
