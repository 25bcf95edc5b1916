// The sandbox web: one HTTP server on loopback that answers for every host. It routes by Host header to a replica, applies faults,
// and writes down every hit. Nothing it says depends on anything but the address, the seed and how often the address was asked for.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Address, readAddress, readTarget } from './address.ts';
import { BoundedMap } from './bounded.ts';
import { answerConsole } from './console.ts';
import { type Fault, parseFault } from './faults/fault.ts';
import { checkSeededFaults, FAULTS, type SeededFaults, seededFault } from './faults/plan.ts';
import { type Hit, HitLog, type SandboxStats } from './hits.ts';
import { type Replica, replyFor, type SandboxReply, type SandboxRequest } from './replica.ts';
import { REPLICAS } from './replicas.ts';
import { acceptedEncoding, makeReady, type ReadyReply, send } from './send.ts';

export interface SandboxOptions {
  /** 0 or absent: any free port. */
  port?: number;
  /** Address to listen on; loopback by default. */
  host?: string;
  /** Another seed is another world. */
  seed?: number;
  faults?: SeededFaults;
  replicas?: readonly Replica[];
  /** How many hits the log keeps. */
  logSize?: number;
  cacheBytes?: number;
  now?: () => number;
}

export interface Sandbox {
  /** `http://127.0.0.1:<port>`, for `WEB_HOST_MAP='*=<origin>'`. */
  origin: string;
  port: number;
  /** The last hits, oldest first; of one host if named. */
  log(host?: string): Hit[];
  stats(): SandboxStats;
  /** Forgets hits and how often each address was asked for, so that `500-then-ok` begins anew. */
  reset(): void;
  close(): Promise<void>;
}

interface Visits {
  count: number;
  firstMs: number;
}

const MAX_HOSTS = 10_000;
const MAX_VISITED = 200_000;
const BODY_LIMIT_BYTES = 1024 ** 2;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', seed = 0, faults, replicas = REPLICAS, now = Date.now } = options;
  if (faults) checkSeededFaults(faults);
  const log = new HitLog(options.logSize ?? 10_000, MAX_HOSTS);
  const cache = new BoundedMap<ReadyReply>(options.cacheBytes ?? 32 * 1024 ** 2, (reply) => reply.body.length + 1000);
  const visits = new BoundedMap<Visits>(MAX_VISITED);
  const closing = new AbortController();
  const ownHosts = new Set<string>();

  const reset = () => {
    log.clear();
    visits.clear();
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = readAddress(request, ownHosts);
    if (address.isOwn && address.path.startsWith('/__sandbox/at/'))
      return answerFor(request, response, viewed(address));
    if (address.isOwn && (address.path === '/' || address.path.startsWith('/__sandbox'))) {
      return answerConsole({ request, response, address, log, replicas, reset });
    }
    log.begin(address.host, request, response);
    return answerFor(request, response, address);
  };

  const answerFor = async (request: IncomingMessage, response: ServerResponse, address: Address): Promise<void> => {
    if (address.fault === null && faults === undefined) return answerPlainly(request, response, address);
    const visit = visited(address.host + (request.url ?? '/'));
    const fault = faultFor(address, visit.count);
    if (fault === 'unknown')
      return refuse(
        response,
        `"${address.fault}" is no fault of the sandbox. There are: ${Object.keys(FAULTS).join(', ')}.`,
      );
    const kind = fault && FAULTS[fault.kind];
    if (!fault || !kind) return answerPlainly(request, response, address);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    await kind.strike({
      request: sandboxRequest(request, address),
      response,
      argument: fault.argument,
      sinceFirstMs: now() - visit.firstMs,
      signal: AbortSignal.any([gone.signal, closing.signal]),
      sendOrdinary: () => answerPlainly(request, response, address),
      ordinary: () => replyOf(request, address),
      pathWith: address.pathWith,
    });
  };

  const faultFor = (address: Address, attempt: number): Fault | 'unknown' | undefined => {
    if (address.fault === null) return faults && seededFault(faults, addressText(address), attempt);
    const fault = parseFault(address.fault, FAULTS);
    if (fault === undefined) return 'unknown';
    return fault.strikes === null || attempt <= fault.strikes ? fault : undefined;
  };

  const visited = (url: string): Visits => {
    const visit = visits.get(url) ?? { count: 0, firstMs: now() };
    visit.count += 1;
    visits.set(url, visit);
    return visit;
  };

  const answerPlainly = async (request: IncomingMessage, response: ServerResponse, address: Address): Promise<void> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const accepts = request.headers['accept-encoding'];
    const key = `${address.origin}${address.path}?${address.search} ${accepts ?? ''}`;
    const kept = isRead ? cache.get(key) : undefined;
    if (kept) return send(request, response, kept);
    const reply = await replyOf(request, address);
    const ready = makeReady(reply, acceptedEncoding(reply, accepts));
    if (isRead && reply.isStable) cache.set(key, ready);
    send(request, response, ready);
  };

  const replyOf = async (request: IncomingMessage, address: Address): Promise<SandboxReply> => {
    const reply = await replyFor(replicas, sandboxRequest(request, address));
    return (
      reply ?? {
        status: 404,
        type: 'text/html; charset=utf-8',
        body: '<!doctype html><title>404 Not Found</title><h1>Not Found</h1>\n',
      }
    );
  };

  const sandboxRequest = (request: IncomingMessage, address: Address): SandboxRequest => {
    let query: URLSearchParams | undefined;
    return {
      method: request.method ?? 'GET',
      host: address.host,
      origin: address.origin,
      path: address.path,
      get query() {
        query ??= new URLSearchParams(address.search);
        return query;
      },
      headers: request.headers,
      seed,
      nowMs: now(),
      readBody: (limitBytes = BODY_LIMIT_BYTES) => readBody(request, limitBytes),
    };
  };

  const server = createServer({ keepAliveTimeout: 30_000, requestTimeout: 0 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A replica that throws is a bug in the sandbox: say so in the reply, where the test that provoked it will see it.
      if (response.headersSent) response.destroy();
      else refuse(response, `The sandbox failed: ${error instanceof Error ? error.stack : String(error)}`, 500);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const actualPort = (server.address() as AddressInfo).port;
  for (const name of ['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host])
    ownHosts.add(`${name}:${actualPort}`);
  const shownHost = host.includes(':') ? `[${host}]` : host;

  return {
    origin: `http://${shownHost}:${actualPort}`,
    port: actualPort,
    log: (name) => log.hits(name),
    stats: () => log.stats(),
    reset,
    close: async () => {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** `/__sandbox/at/www.bbc.com/news` shows a person that page without any mapping of hosts. */
function viewed(address: Address): Address {
  const [host = '', ...rest] = address.path.slice('/__sandbox/at/'.length).split('/');
  const base = `/__sandbox/at/${host}`;
  const target = readTarget(`/${rest.join('/')}${address.search === '' ? '' : `?${address.search}`}`);
  const fault = address.fault ?? target.fault;
  const pathWith = (other: string | null) =>
    address.fault === null ? base + target.pathWith(other) : address.pathWith(other);
  return { ...target, fault, pathWith, host, origin: `${address.origin}${base}`, isOwn: false };
}

/** What seeds and tests know an address by: `host/path?query`, without a fault. */
const addressText = ({ host, path, search }: Address) => (search === '' ? host + path : `${host}${path}?${search}`);

function refuse(response: ServerResponse, message: string, status = 400): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${message}\n`);
}

async function readBody(request: IncomingMessage, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw new RangeError(`the body is longer than ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
