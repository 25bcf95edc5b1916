// What the sandbox saw: a bounded ring of single hits and counters per host. This log is the oracle of pace and concurrency tests
// (did we really never have more than N requests at this host?), so times are taken at the first byte in and the last byte out.
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Hit {
  host: string;
  method: string;
  /** Path and query as asked for. */
  path: string;
  /** Milliseconds since 1970, with fractions. */
  startMs: number;
  /** Null while the reply is under way. */
  endMs: number | null;
  status: number | null;
  /** The client, or a fault, broke the connection before the reply was complete. */
  aborted: boolean;
  /** Names in lower case; one that came twice has its values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
}

interface HostStats {
  requests: number;
  inFlight: number;
  peakInFlight: number;
  /** Most requests begun within one clock second. */
  peakPerSecond: number;
  /** Shortest time between the beginnings of two requests; null before the second. */
  minGapMs: number | null;
  firstMs: number;
  lastMs: number;
  statuses: Record<string, number>;
  aborted: number;
}

export interface SandboxStats {
  requests: number;
  inFlight: number;
  hosts: Record<string, HostStats>;
}

interface HostCount extends HostStats {
  second: number;
  inSecond: number;
}

const nowMs = () => performance.timeOrigin + performance.now();

class RecordedHit implements Hit {
  host: string;
  method: string;
  path: string;
  startMs: number;
  endMs: number | null = null;
  status: number | null = null;
  aborted = false;
  readonly #rawHeaders: readonly string[];

  constructor(host: string, request: IncomingMessage) {
    this.host = host;
    this.method = request.method ?? 'GET';
    this.path = request.url ?? '/';
    this.startMs = nowMs();
    // Not the request itself: the ring would keep thousands of sockets' worth of objects alive.
    this.#rawHeaders = request.rawHeaders;
  }

  get headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    for (let i = 0; i + 1 < this.#rawHeaders.length; i += 2) {
      const name = (this.#rawHeaders[i] as string).toLowerCase();
      const value = this.#rawHeaders[i + 1] as string;
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    return headers;
  }

  toJSON(): Record<string, unknown> {
    const { host, method, path, startMs, endMs, status, aborted, headers } = this;
    return { host, method, path, startMs, endMs, status, aborted, headers };
  }
}

export class HitLog {
  readonly #capacity: number;
  readonly #maxHosts: number;
  readonly #ring: RecordedHit[] = [];
  #next = 0;
  #requests = 0;
  #inFlight = 0;
  readonly #hosts = new Map<string, HostCount>();

  constructor(capacity: number, maxHosts: number) {
    this.#capacity = capacity;
    this.#maxHosts = maxHosts;
  }

  begin(host: string, request: IncomingMessage, response: ServerResponse): void {
    const hit = new RecordedHit(host, request);
    const count = this.#count(host, hit.startMs);
    this.#ring[this.#next] = hit;
    this.#next = (this.#next + 1) % this.#capacity;
    this.#requests += 1;
    this.#inFlight += 1;
    response.once('close', () => {
      hit.endMs = nowMs();
      hit.status = response.headersSent ? response.statusCode : null;
      hit.aborted = !response.writableFinished;
      this.#inFlight -= 1;
      count.inFlight -= 1;
      if (hit.aborted) count.aborted += 1;
      if (hit.status !== null) count.statuses[hit.status] = (count.statuses[hit.status] ?? 0) + 1;
    });
  }

  /** Oldest first. */
  hits(host?: string): Hit[] {
    const ordered = [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)];
    return host === undefined ? ordered : ordered.filter((hit) => hit.host === host);
  }

  stats(): SandboxStats {
    const hosts: Record<string, HostStats> = {};
    for (const [host, { second: _second, inSecond: _inSecond, ...shown }] of this.#hosts) hosts[host] = shown;
    return { requests: this.#requests, inFlight: this.#inFlight, hosts };
  }

  clear(): void {
    this.#ring.length = 0;
    this.#next = 0;
    this.#requests = 0;
    for (const [host, count] of this.#hosts) if (count.inFlight === 0) this.#hosts.delete(host);
  }

  #count(host: string, at: number): HostCount {
    let count = this.#hosts.get(host);
    if (count === undefined) {
      this.#forgetIdleHost();
      count = {
        requests: 0,
        inFlight: 0,
        peakInFlight: 0,
        peakPerSecond: 0,
        minGapMs: null,
        firstMs: at,
        lastMs: at,
        statuses: {},
        aborted: 0,
        second: 0,
        inSecond: 0,
      };
      this.#hosts.set(host, count);
    } else {
      const gap = at - count.lastMs;
      count.minGapMs = count.minGapMs === null ? gap : Math.min(count.minGapMs, gap);
      count.lastMs = at;
    }
    const second = Math.floor(at / 1000);
    count.inSecond = second === count.second ? count.inSecond + 1 : 1;
    count.second = second;
    count.peakPerSecond = Math.max(count.peakPerSecond, count.inSecond);
    count.requests += 1;
    count.inFlight += 1;
    count.peakInFlight = Math.max(count.peakInFlight, count.inFlight);
    return count;
  }

  /** The table of hosts is bounded too: a crawl of a million hosts must not fill the memory of its target. */
  #forgetIdleHost(): void {
    if (this.#hosts.size < this.#maxHosts) return;
    for (const [host, count] of this.#hosts) {
      if (count.inFlight > 0) continue;
      this.#hosts.delete(host);
      return;
    }
  }
}
