// Which run a reading thread works on, written where the main thread can see it. A turn begins when something wakes a run: an answer, a timer; whoever else
// is woken begins the next one. Therefore timers belong to the run that set them.
// What a reader would get wrong: nothing says when a turn ends. It has when the next begins, or when the loop comes to its immediates.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { AT, type Watch } from './messages.ts';

export interface Turns {
  begin(run: number): void;
  /** CPU that a run has used in its turns, in ms. */
  spent(run: number): number;
  forget(run: number): void;
}

/** Asking costs as much as a small page: within this time the clock counts, which the CPU time cannot have outrun. */
const ASK_EVERY_MS = 2;
let asked = { clock: Number.NEGATIVE_INFINITY, cpu: 0 };

/** Where Node cannot tell the time of a thread, the clock does. */
export const threadCpuMs = (): number => {
  const clock = performance.now();
  if (clock - asked.clock >= ASK_EVERY_MS) {
    const usage = process.threadCpuUsage?.();
    asked = { clock, cpu: usage === undefined ? clock : (usage.user + usage.system) / 1_000 };
  }
  return asked.cpu + clock - asked.clock;
};

/** `onIdle`: nothing is left to do for now. */
export function createTurns({ counts, cpu }: Watch, onIdle: () => void): Turns {
  const { setImmediate: soon } = timers;
  const spent = new Map<number, number>();
  let isIdleSoon = false;
  let current = 0;
  let began = 0;

  const settle = (now: number): void => {
    const before = spent.get(current);
    if (before !== undefined) spent.set(current, before + now - began);
  };
  const rest = (): void => {
    isIdleSoon = false;
    settle(threadCpuMs());
    current = 0;
    Atomics.store(counts, AT.run, 0);
    onIdle();
  };
  const turns: Turns = {
    begin(run) {
      const now = threadCpuMs();
      settle(now);
      current = run;
      began = now;
      if (!spent.has(run)) spent.set(run, 0);
      cpu[0] = now;
      Atomics.add(counts, AT.turn, 1);
      Atomics.store(counts, AT.run, run);
      if (isIdleSoon) return;
      isIdleSoon = true;
      soon(rest);
    },
    spent: (run) => (spent.get(run) ?? 0) + (run === current ? threadCpuMs() - began : 0),
    forget: (run) => void spent.delete(run),
  };
  ownTimers(turns, () => current);
  return turns;
}

/** Timers that begin a turn of the run that set them. */
function ownTimers(turns: Pick<Turns, 'begin'>, current: () => number): void {
  type Plain = (...args: unknown[]) => unknown;
  type Later = (...args: unknown[]) => Promise<unknown>;
  const begins = (later: Later): Later => {
    return (...args) => {
      const run = current();
      return later(...args).finally(() => run !== 0 && turns.begin(run));
    };
  };
  const promises = timersPromises as unknown as Record<string, Later>;
  for (const name of ['setTimeout', 'setImmediate']) promises[name] = begins(promises[name]!);
  const plain = timers as unknown as Record<string, Plain>;
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    const original = plain[name]!;
    const wrapped: Plain = (callback, ...rest) => {
      const run = current();
      const called = callback as Plain;
      return original(
        (...args: unknown[]) => {
          if (run !== 0) turns.begin(run);
          return called(...args);
        },
        ...rest,
      );
    };
    if (name in promises) Object.defineProperty(wrapped, promisify.custom, { value: promises[name] });
    plain[name] = wrapped;
    (globalThis as unknown as Record<string, Plain>)[name] = wrapped;
  }
  syncBuiltinESMExports();
}
