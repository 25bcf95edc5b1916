// Limits of the operating system for an API process. Read once at the start, and logged together with what to change.
import { readFile } from 'node:fs/promises';

export interface Limits {
  /** Null where the system does not say, or sets none. */
  descriptors: number | null;
  /** Connections that may wait to be accepted. */
  somaxconn: number | null;
}

/** Descriptors for everything but clients: database, wire, files, logs. */
const RESERVED = 256;
/** What we ask the system for. */
const BACKLOG = 4_096;
/** Fewer are soon used up by clients that poll. */
const FEW = 4_096;

export async function readLimits(): Promise<Limits> {
  const text = (file: string) => readFile(file, 'utf8').catch(() => '');
  const [limits, backlog] = await Promise.all([text('/proc/self/limits'), text('/proc/sys/net/core/somaxconn')]);
  const numberIn = (found: string | undefined) => (found === undefined ? null : Number(found));
  return {
    descriptors: numberIn(/^Max open files\s+(\d+)/m.exec(limits)?.[1]),
    somaxconn: numberIn(/^\d+/.exec(backlog)?.[0]),
  };
}

/** Connections of callers that one process can hold. */
export function connectionsOf({ descriptors }: Limits): number {
  return descriptors === null ? Number.POSITIVE_INFINITY : Math.max(1, descriptors - RESERVED);
}

/** What should be changed, for people. */
export function hintsOf(limits: Limits): string[] {
  const connections = connectionsOf(limits);
  const hints: string[] = [];
  if (connections < FEW)
    hints.push(
      `Each API process can hold only ${connections} connections. Raise the limit of open files (ulimit -n 65536, LimitNOFILE=65536), or run more API processes (--processes).`,
    );
  if (limits.somaxconn !== null && limits.somaxconn < BACKLOG)
    hints.push(
      `Only ${limits.somaxconn} connections can wait to be accepted. In a burst more are refused. Raise the limit: sysctl net.core.somaxconn=${BACKLOG}`,
    );
  return hints;
}
