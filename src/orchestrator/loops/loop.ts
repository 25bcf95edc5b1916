// A loop of the orchestrator: one step after another, woken early or after a pause. An outage is logged once, and a stop ends it within one step.
export interface LoopOptions {
  name: string;
  /** Pause between steps if the loop is not woken. */
  everyMs: number;
  step(signal: AbortSignal): Promise<void>;
  onError(name: string, error: unknown): void;
}

export interface Loop {
  wake(): void;
  stop(): Promise<void>;
}

const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 2_000;

export function startLoop(options: LoopOptions): Loop {
  const stopping = new AbortController();
  let woken = false;
  let ring: (() => void) | undefined;

  const pause = (ms: number, canWake: boolean): Promise<void> =>
    new Promise((resolve) => {
      if (stopping.signal.aborted || (canWake && woken)) return resolve();
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        ring = undefined;
        resolve();
      }
      ring = () => {
        if (canWake || stopping.signal.aborted) done();
      };
    });

  async function run(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      woken = false;
      try {
        await options.step(stopping.signal);
        failures = 0;
        if (options.everyMs > 0) await pause(options.everyMs, true);
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (failures === 0) options.onError(options.name, error);
        await pause(Math.min(FIRST_BACKOFF_MS * 2 ** failures++, LAST_BACKOFF_MS), false);
      }
    }
  }

  const done = run();
  return {
    wake() {
      woken = true;
      ring?.();
    },
    async stop() {
      stopping.abort();
      ring?.();
      await done;
    },
  };
}
