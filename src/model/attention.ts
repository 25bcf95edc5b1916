// What needs a person's attention now, the worst first. Pure: what is known of the engine and its sources in, sentences out.
// What a reader would get wrong: a source is said to fail only after several attempts of the last hour, so that one bad page does not raise an alarm.
import type { Hold } from './run/why-waits.ts';

export const ATTENTION_KINDS = [
  'part_down',
  'no_orchestrator',
  'no_wire',
  'no_worker',
  'backlog',
  'source_failing',
  'source_held',
  'source_paused',
  'source_blocked',
  'source_unstaffed',
  'dead_letters',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export interface Attention {
  kind: AttentionKind;
  severity: 'bad' | 'warn';
  message: string;
  source: string | null;
  /** How many it concerns. */
  count: number | null;
}

interface SourceNow {
  name: string;
  /** Attempts of the last hour. */
  done: number;
  failed: number;
  retried: number;
  requests: number;
  blocks: number;
  waiting: number;
  hold: Hold | null;
  /** Why no worker takes its tasks; null when some does. */
  unstaffed: string | null;
}

export interface EngineNow {
  /** Null: not known. */
  orchestrators: number | null;
  workers: number | null;
  /** Of these, those that take no more tasks. */
  draining: number;
  slots: number;
  waiting: number;
  oldestWaitingSeconds: number | null;
  throughputPerMinute: number;
  deadLetters: number;
  /** Parts of the server that are down, with what is known. */
  partsDown: readonly { part: string; detail: string | null }[];
  sources: readonly SourceNow[];
}

const ATTEMPTS_MIN = 5;
const FAILING_SHARE = 0.5;
const BLOCKED_SHARE = 0.1;
const REQUESTS_MIN = 20;
/** Tasks that wait for longer than this for a worker, though there are some. */
const OLD_SECONDS = 300;

const plural = (count: number, word: string): string =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;

export function attentionOf(engine: EngineNow): Attention[] {
  const found = [...ofEngine(engine), ...engine.sources.flatMap((source) => [...ofSource(source)])];
  return [
    ...found.filter(({ severity }) => severity === 'bad'),
    ...found.filter(({ severity }) => severity === 'warn'),
  ];
}

function* ofEngine(engine: EngineNow): Generator<Attention> {
  const { waiting, oldestWaitingSeconds: age, deadLetters } = engine;
  const of = (kind: AttentionKind, severity: Attention['severity'], message: string, count: number | null = null) => ({
    kind,
    severity,
    message,
    source: null,
    count,
  });
  for (const { part, detail } of engine.partsDown)
    yield of('part_down', 'bad', `${part} is down${detail ? `: ${detail}` : '.'}`);
  if (engine.orchestrators === 0)
    yield of(
      'no_orchestrator',
      'bad',
      'No orchestrator is running: work is accepted, and none is done. Start one: windrow orchestrator',
    );
  if (engine.workers === null)
    yield of('no_wire', 'bad', 'Redis does not answer: accepted work waits until it is back.');
  else if (engine.workers === 0)
    yield of(
      'no_worker',
      'bad',
      `No worker is running (waiting: ${plural(waiting, 'task')}). Start one: windrow worker`,
      waiting,
    );
  else if (engine.workers === engine.draining)
    yield of(
      'no_worker',
      'bad',
      `Every worker is draining (waiting: ${plural(waiting, 'task')}). Resume one, or start another: windrow worker`,
      waiting,
    );
  else if (age !== null && age > OLD_SECONDS)
    yield of(
      'backlog',
      'warn',
      `Waiting: ${plural(waiting, 'task')}, the oldest for ${plural(Math.round(age / 60), 'minute')}. ${plural(engine.slots, 'slot')} end ${plural(engine.throughputPerMinute, 'task')} a minute: more workers would help.`,
      waiting,
    );
  if (deadLetters > 0)
    yield of(
      'dead_letters',
      'warn',
      `Out of attempts, for a person to decide: ${plural(deadLetters, 'task')}.`,
      deadLetters,
    );
}

function* ofSource(source: SourceNow): Generator<Attention> {
  const { name, done, failed, retried, requests, blocks, hold, unstaffed, waiting } = source;
  const of = (kind: AttentionKind, severity: Attention['severity'], message: string, count: number | null) => ({
    kind,
    severity,
    message,
    source: name,
    count,
  });
  const attempts = done + failed + retried;
  const bad = failed + retried;
  if (hold?.pausedAt)
    yield of('source_paused', 'warn', `${name} is paused${hold.pauseReason ? `: ${hold.pauseReason}` : '.'}`, waiting);
  if (hold && hold.breaker !== 'closed')
    yield of(
      'source_held',
      'bad',
      `${name} is held by its circuit breaker${hold.trouble ? `: ${hold.trouble}` : '.'}`,
      waiting,
    );
  else if (attempts >= ATTEMPTS_MIN && bad / attempts >= FAILING_SHARE)
    yield of(
      'source_failing',
      'bad',
      `${name}: ${percent(bad / attempts)} of ${plural(attempts, 'attempt')} failed in the last hour.`,
      bad,
    );
  if (requests >= REQUESTS_MIN && blocks / requests >= BLOCKED_SHARE)
    yield of(
      'source_blocked',
      'warn',
      `${name} blocked ${percent(blocks / requests)} of ${plural(requests, 'request')} in the last hour.`,
      blocks,
    );
  if (unstaffed !== null && waiting > 0) yield of('source_unstaffed', 'bad', unstaffed, waiting);
}
