// Ctrl-C and the other signals that ask a process to end. What a reader would get wrong: one press arrives up to three times, since the terminal sends it
// to every process in front, and npm and bin/windrow.mjs pass it on. Signals that come together are one request; the next one ends the process at once.

/** Longer than passing a signal on takes, shorter than a person needs to press again. */
const SAME_REQUEST_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface InterruptOptions {
  /** The second request; ends the process by default. */
  onAgain?: (signal: NodeJS.Signals) => void;
  /** Where signals come from, and the time in milliseconds. */
  from?: Pick<NodeJS.Process, 'on' | 'off'>;
  now?: () => number;
}

/** Calls `onFirst` for the first request to end. Returns what gives the signals back to Node, after a request only when its copies have arrived. */
export function onInterrupt(
  onFirst: (signal: NodeJS.Signals) => void,
  { onAgain = () => process.exit(130), from = process, now = () => performance.now() }: InterruptOptions = {},
): () => void {
  let askedAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (askedAt === undefined) {
      askedAt = now();
      onFirst(signal);
    } else if (now() - askedAt >= SAME_REQUEST_MS) onAgain(signal);
  };
  for (const signal of SIGNALS) from.on(signal, onSignal);
  const release = (): void => {
    for (const signal of SIGNALS) from.off(signal, onSignal);
  };
  return () => {
    if (askedAt === undefined) release();
    // A copy that came now would end the process by Node's own handling, in place of its exit code.
    else setTimeout(release, Math.max(0, askedAt + SAME_REQUEST_MS - now())).unref();
  };
}
