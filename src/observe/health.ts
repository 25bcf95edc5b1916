// Whether this process can do its work. The store is what accepting work needs; without the wire, work is kept and waits, so a lost wire makes the
// whole `degraded`, never unready: taking API processes out of rotation for it would turn a slow queue into an outage.
import { cached } from './cached.ts';

export type PartStatus = 'up' | 'degraded' | 'down';

export interface PartHealth {
  status: PartStatus;
  latency_ms: number | null;
  checked_at: string;
  detail: string | null;
}

export interface HealthReport {
  status: 'ok' | 'degraded' | 'down';
  parts: Record<string, PartHealth>;
}

export interface Health {
  report(): Promise<HealthReport>;
  /** Null when requests may be sent here; otherwise why not. */
  notReady(): Promise<string | null>;
  /** What the last probe said of a part, without waiting: for gates on hot paths. */
  isKnownDown(part: string): boolean;
  /** From now on not ready, whatever the parts say: the process is about to stop. */
  drain(): void;
  readonly isDraining: boolean;
}

export interface HealthOptions {
  /** Each resolves with its round trip in milliseconds, or a report of its own; a rejection means down. */
  parts: Record<string, () => Promise<number | { status: PartStatus; detail: string | null }>>;
  /** Parts without which nothing can be accepted. */
  needed: string[];
  keepMs?: number;
  limitMs?: number;
}

export function createHealth(options: HealthOptions): Health {
  const { keepMs = 2_000, limitMs = 2_000 } = options;
  const last = new Map<string, PartHealth>();
  let isDraining = false;
  const probes = Object.entries(options.parts).map(([name, probe]) => {
    const ask = cached({ ask: probe, keepMs, limitMs, what: `The ${name}` });
    let seen: unknown;
    return async (): Promise<[string, PartHealth]> => {
      const asked = ask();
      try {
        const answer = await asked;
        if (asked !== seen) last.set(name, partHealth(answer));
      } catch (error) {
        if (asked !== seen) last.set(name, partDown(error));
      }
      seen = asked;
      return [name, last.get(name)!];
    };
  });

  async function report(): Promise<HealthReport> {
    const parts = Object.fromEntries(await Promise.all(probes.map((probe) => probe())));
    const isDown = options.needed.some((name) => parts[name]?.status === 'down');
    const isWhole = Object.values(parts).every((part) => part.status === 'up');
    return { status: isDown ? 'down' : isWhole && !isDraining ? 'ok' : 'degraded', parts };
  }

  return {
    report,
    async notReady() {
      if (isDraining) return 'The process is shutting down.';
      const { parts } = await report();
      const name = options.needed.find((part) => parts[part]?.status === 'down');
      return name === undefined ? null : `The ${name} is down: ${parts[name]?.detail ?? 'it does not answer.'}`;
    },
    isKnownDown: (part) => last.get(part)?.status === 'down',
    drain() {
      isDraining = true;
    },
    get isDraining() {
      return isDraining;
    },
  };
}

function partHealth(answer: number | { status: PartStatus; detail: string | null }): PartHealth {
  const checked_at = new Date().toISOString();
  if (typeof answer !== 'number') return { ...answer, latency_ms: null, checked_at };
  return { status: 'up', latency_ms: Math.round(answer * 100) / 100, checked_at, detail: null };
}

/** Without the cause: everyone who can read /health sees this, and causes contain addresses. */
function partDown(error: unknown): PartHealth {
  const detail = error instanceof Error ? error.message : String(error);
  return { status: 'down', latency_ms: null, checked_at: new Date().toISOString(), detail };
}
