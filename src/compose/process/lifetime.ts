// The life of a long-running command: parts are started one after another, and stopped in reverse order when a signal comes or a part fails. Each stop
// has a time limit, so that one stuck part cannot block the others; a second signal ends the process at once. An uncaught error ends it too: a process in
// an unknown state must not go on, and the leases of its tasks return them to the queue.
import type { Log } from '../../observe/log.ts';
import { onInterrupt } from './interrupts.ts';

export interface Lifetime {
  /** Stopped before everything that was owned earlier. */
  own(part: string, stop: () => Promise<void>, limitMs?: number): void;
  /** Ends the process with code 1, in order. */
  fail(part: string, error: unknown): void;
  /** The work is done: everything is stopped, code 0. */
  finish(): void;
  /** Aborted when stopping has begun: for starts that can be cancelled. */
  readonly signal: AbortSignal;
}

interface Part {
  name: string;
  stop: () => Promise<void>;
  limitMs: number;
}

const STOP_LIMIT_MS = 10_000;

export interface Parts {
  life: Lifetime;
  /** The part that was lost first, and why. */
  readonly lost: { part: string; error: unknown } | null;
  /** Stops all of them, each within its limit. Never rejects, and can be called again. */
  stop(): Promise<void>;
}

/** Parts without a process: the caller stops them. */
export function createParts(log: Log): Parts {
  const ending = new AbortController();
  const owned: Part[] = [];
  let lost: Parts['lost'] = null;
  let stopping: Promise<void> | undefined;
  return {
    life: {
      own: (name, stop, limitMs = STOP_LIMIT_MS) => owned.push({ name, stop, limitMs }),
      fail(part, error) {
        log.error('process.part_lost', { part, error });
        lost ??= { part, error };
        ending.abort();
      },
      finish: () => ending.abort(),
      signal: ending.signal,
    },
    get lost() {
      return lost;
    },
    stop() {
      // Later than now: what listens for the end may call this again.
      stopping ??= Promise.resolve().then(async () => {
        ending.abort();
        for (const part of owned.reverse()) await stopPart(part, log);
      });
      return stopping;
    },
  };
}

/** Runs until a signal or a failure; resolves with the exit code after everything was stopped. */
export async function live(log: Log, start: (life: Lifetime) => Promise<void>): Promise<number> {
  const parts = createParts(log);
  const { life } = parts;
  let code = 0;

  const cutShort = (signal: NodeJS.Signals): void => {
    log.warn('process.cut_short', { signal });
    log.flush();
    process.exit(130);
  };
  onInterrupt(
    (signal) => {
      if (life.signal.aborted) return cutShort(signal);
      code = signal === 'SIGINT' ? 130 : 0;
      log.info('process.stopping', { signal });
      life.finish();
    },
    { onAgain: cutShort },
  );

  const ended = new Promise<void>((resolve) => life.signal.addEventListener('abort', () => resolve(), { once: true }));

  let failure: unknown;
  try {
    await start(life);
    await ended;
  } catch (error) {
    // A start that was cancelled by a signal has not failed.
    if (!life.signal.aborted) failure = error;
  }
  await parts.stop();
  if (parts.lost) code = 1;
  if (failure === undefined) log.info('process.stopped', { code });
  log.flush();
  if (failure !== undefined) throw failure;
  return code;
}

async function stopPart(part: Part, log: Log): Promise<void> {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), part.limitMs);
  });
  try {
    const outcome = await Promise.race([part.stop().then(() => 'stopped' as const), late]);
    const seconds = Math.round(performance.now() - started) / 1_000;
    if (outcome === 'late') log.error('process.part_stuck', { part: part.name, seconds });
    else log.debug('process.part_stopped', { part: part.name, seconds });
  } catch (error) {
    log.error('process.part_stop_failed', { part: part.name, error });
  } finally {
    clearTimeout(timer);
  }
}

/** An uncaught error is logged and ends the process. */
export function exitOnUncaughtError(log: Log): void {
  const end = (event: string) => (error: unknown) => {
    log.error(event, { error });
    log.flush();
    process.exit(1);
  };
  process.on('uncaughtException', end('process.uncaught_exception'));
  process.on('unhandledRejection', end('process.unhandled_rejection'));
}
