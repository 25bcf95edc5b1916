// How many pages of one kind are sent: some at once, then one now and then. A site that blocks everyone fails thousands of attempts in the same way.

export interface AllowanceOptions {
  now(): number;
  /** That many may be taken at once. */
  burst?: number;
  /** Then one more in so many milliseconds. */
  everyMs?: number;
}

export interface Allowance {
  take(kind: string): boolean;
}

const BURST = 20;
const EVERY_MS = 15_000;
const KINDS_MAX = 1_000;

export function createAllowance({ now, burst = BURST, everyMs = EVERY_MS }: AllowanceOptions): Allowance {
  /** When the allowance of a kind would be full again. */
  const fullAt = new Map<string, number>();
  return {
    take(kind) {
      const at = now();
      const full = Math.max(fullAt.get(kind) ?? at, at) + everyMs;
      if (full - at > burst * everyMs) return false;
      fullAt.delete(kind);
      fullAt.set(kind, full);
      const oldest = fullAt.size > KINDS_MAX ? fullAt.keys().next().value : undefined;
      if (oldest !== undefined) fullAt.delete(oldest);
      return true;
    },
  };
}
