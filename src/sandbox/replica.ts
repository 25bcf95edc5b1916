// What a replica is: one file that answers for some hosts of the sandbox web. It sees a request and returns a reply; faults, caching,
// conditional requests, compression and the log of hits are the server's business, so every replica has them without asking.
import type { IncomingHttpHeaders } from 'node:http';

export interface SandboxRequest {
  method: string;
  /** Lower case, without port. */
  host: string;
  /** How pages refer to themselves: `https://host`, or the sandbox's own address when it was asked for directly. */
  origin: string;
  /** Without query, and without a `/fault/…` prefix. */
  path: string;
  /** Without `fault`; parsed on first use. */
  readonly query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The sandbox's seed: another seed is another world. */
  seed: number;
  /** The sandbox's clock, for replicas whose data changes over (simulated) time. */
  nowMs: number;
  /** The body of a POST; longer ones are an error, so that nobody fills the sandbox's memory. */
  readBody(limitBytes?: number): Promise<string>;
}

export interface SandboxReply {
  status: number;
  /** Content-Type. */
  type: string;
  body: string | Buffer;
  headers?: Record<string, string | string[]>;
  /** Without quotes. */
  etag?: string;
  lastModified?: Date;
  /** What this site's server would use if the client accepts it. */
  compress?: 'gzip' | 'br' | null;
  /** The same for every request to this address: may be kept and sent again. */
  isStable?: boolean;
}

export interface Replica {
  name: string;
  /** One line for the index page. */
  title: string;
  /** `news.example`, `*.example` or `*`; the most exact match wins. */
  hosts: readonly string[];
  /** Addresses for people to try. */
  examples: readonly { url: string; note: string }[];
  /** Nothing (undefined) means that there is no such page: the server answers 404. */
  handle(request: SandboxRequest): SandboxReply | undefined | Promise<SandboxReply | undefined>;
}

/** The replicas that answer for a host: those of its exact name, else of the longest `*.suffix`, else of `*`. Several may share a large host. */
export function replicasFor(replicas: readonly Replica[], host: string): Replica[] {
  let best: Replica[] = [];
  let bestLength = -1;
  for (const replica of replicas) {
    const length = Math.max(...replica.hosts.map((pattern) => matchLength(pattern, host)));
    if (length > bestLength) [best, bestLength] = [[replica], length];
    else if (length === bestLength && length >= 0) best.push(replica);
  }
  return best;
}

/** The reply of the first replica of the host that knows the page. */
export async function replyFor(
  replicas: readonly Replica[],
  request: SandboxRequest,
): Promise<SandboxReply | undefined> {
  for (const replica of replicasFor(replicas, request.host)) {
    const reply = await replica.handle(request);
    if (reply !== undefined) return reply;
  }
  return undefined;
}

function matchLength(pattern: string, host: string): number {
  if (pattern === host) return Number.MAX_SAFE_INTEGER;
  if (pattern === '*') return 0;
  return pattern.startsWith('*.') && host.endsWith(pattern.slice(1)) ? pattern.length : -1;
}
