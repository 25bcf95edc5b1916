// A table of loops and the one runner for them. A row says how often it steps, what a step does and which other loops it may wake: to add a loop, add a row.
import { type Loop, startLoop } from './loop.ts';

/** Wakes the loops that the row of the step names, or one of them. */
export type Wake = (only?: string) => void;

export type Step = (signal: AbortSignal, wake: Wake) => Promise<void>;

export interface LoopRow {
  name: string;
  /** Milliseconds between two steps when nobody wakes it; 0: none, because the step itself waits for something to do. */
  every: number;
  /** Null: this process does not do it. */
  step: Step | null;
  /** Loops that a step may wake. */
  wakes?: readonly string[];
  /** Once, when all loops have stopped. */
  atEnd?(): Promise<void>;
}

export interface Loops {
  wake(name: string): void;
  /** Aborts running steps, waits for them, and ends each row. */
  stop(): Promise<void>;
}

export function startLoops(rows: readonly LoopRow[], onError: (loop: string, error: unknown) => void): Loops {
  checkNames(rows);
  const running = new Map<string, Loop>();

  const wakeOf =
    ({ name, wakes = [] }: LoopRow): Wake =>
    (only) => {
      if (only !== undefined && !wakes.includes(only)) throw new Error(`${name} does not say that it wakes ${only}`);
      for (const other of only === undefined ? wakes : [only]) running.get(other)?.wake();
    };

  for (const row of rows) {
    const { name, every: everyMs, step } = row;
    const wake = wakeOf(row);
    if (step) running.set(name, startLoop({ name, everyMs, step: (signal) => step(signal, wake), onError }));
  }
  return {
    wake: (name) => running.get(name)?.wake(),
    async stop() {
      await Promise.all([...running.values()].map((loop) => loop.stop()));
      for (const { name, atEnd } of rows) await atEnd?.().catch((error) => onError(name, error));
    },
  };
}

function checkNames(rows: readonly LoopRow[]): void {
  const names = new Set(rows.map((row) => row.name));
  if (names.size < rows.length) throw new Error('Two loops have the same name');
  for (const { name, wakes = [] } of rows)
    for (const other of wakes) if (!names.has(other)) throw new Error(`${name} wakes ${other}, which is no loop`);
}
