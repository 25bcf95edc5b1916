// Puts the policies of this folder together into what a source sees. One of these serves every attempt of a worker process:
// sockets and what was learnt about hosts are shared, the ledger and the AbortSignal are the attempt's own.
import { AppError, asAppError } from '../model/errors.ts';
import type { Tracing } from '../model/trace/trace.ts';
import { type ArchiveOptions, type AttemptNote, createArchive } from './archive/archive.ts';
import { diagnose } from './blocks/blocks.ts';
import type { Browser } from './browser/browser.ts';
import { createEngineMemory } from './browser/engine-memory.ts';
import { createGuard, type GuardOptions, portOf } from './guard/guard.ts';
import { type HopPolicies, hop } from './http/hop.ts';
import { parseHostMap } from './http/host-map.ts';
import { exchange, follow, type HttpRequest } from './http/http.ts';
import { createHttpCache, type HttpCacheOptions } from './http/http-cache.ts';
import { parseRetryAfter } from './http/http-errors.ts';
import { parseJson } from './http/json.ts';
import { send } from './http/send.ts';
import { createTransports } from './http/transports.ts';
import { AGENT_NAME, HONEST_USER_AGENT } from './identity/identity.ts';
import { DIRECT, keyOfExit, type OutboundProxy, parseProxy, parseTiers } from './identity/proxy.ts';
import { createProxyPool, type ProxyState, type Rotation } from './identity/proxy-pool.ts';
import { createSessionPool, type SessionRules } from './identity/session.ts';
import { createLedgers, type LedgerTotals } from './ledger.ts';
import { createMemoryPace } from './pace/memory.ts';
import type { Pace, PaceStore } from './pace/pace.ts';
import type { Web, WebPolicy, WebRequest } from './port.ts';
import { createRobots } from './robots/robots.ts';
import { type AttemptWeb, createSights } from './seen.ts';
import { createVisits } from './visit.ts';

export interface WebOptions {
  /** Limit for one page, redirects included (SCRAPE_TIMEOUT). */
  timeoutMs?: number;
  /** Decoded bytes of one body. */
  maxBytes?: number;
  maxHeaderBytes?: number;
  /** WEB_HOST_MAP as it is written. */
  hostMap?: string;
  guard?: GuardOptions;
  /** More certificates to trust, PEM. */
  ca?: string;
  userAgent?: string;
  /** Where the pace of hosts is agreed on: in this process unless given (redis.ts), and then closed by whoever gave it. */
  pace?: PaceStore;
  /** A turn further away than this is refused with the time to come back, so that the slot is free for other hosts. */
  maxPaceWaitMs?: number;
  /** The same for the first request of an attempt, where a refused one goes back to a queue; unless given, no different. */
  firstPaceWaitMs?: number;
  /** WEB_ROBOTS: `on` (default), `off`, `off:source,source`. */
  robots?: string;
  /** WEB_PROXIES as it is written; see parseTiers. */
  proxies?: string;
  rotation?: Rotation;
  /** WEB_DIRECT_EXIT: what the pace of a site calls our own address. */
  directExit?: string;
  sessions?: Partial<SessionRules>;
  cache?: HttpCacheOptions;
  archive?: ArchiveOptions;
  /** SOURCE_PACE: what a person says of a source's hosts, in place of what the source says. */
  paces?: ReadonlyMap<string, Pace>;
  /** SOURCE_SETTINGS: `source.name` to value. */
  sourceSettings?: ReadonlyMap<string, string>;
  /** Called when something besides the page failed: `archive.failed`, `cache.failed`. */
  onProblem?: (event: string, error: unknown) => void;
  /** Told for every request that got its turn at a site. */
  onPaceWaited?: (seconds: number) => void;
  trace?: Tracing;
  /** The browser for `web.page()` and for sites that need one; without it those fail and say so. */
  browser?: Browser;
}

export interface Attempt {
  signal: AbortSignal;
  /** Name of the source, for pace, robots switches and the ledger. */
  source: string;
  /** What the source says of its hosts. */
  pace?: Pace;
  /** A run may ask for longer pauses than its source takes, never for shorter ones. */
  leastDelayMs?: number;
  policy?: WebPolicy;
  timeoutMs?: number;
  /** ZIP code or country: visitors of one place are not shown in another. */
  locality?: string;
  locale?: string;
  /** Where a browser is to seem to be, with the locality. */
  timezone?: string;
  geolocation?: { latitude: number; longitude: number };
  /** From the task. A proxy of a task must have a public address. */
  proxy?: string;
  userAgent?: string;
  runId?: string;
  taskId?: string;
  /** The span that its requests are part of. */
  traceparent?: string;
}

export interface Delivery {
  url: string;
  body: string;
  headers: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface Webs {
  forAttempt(attempt: Attempt): AttemptWeb;
  /** One guarded POST, for webhooks: no redirects, no cookies, no pace; whatever the status, it is the caller's to judge. */
  deliver(delivery: Delivery): Promise<{ status: number; retryAfterMs: number | undefined }>;
  /** Throws where `deliver` would, before anything is to be sent: addresses that may not be reached, names that do not resolve. */
  checkReceiver(address: string): Promise<void>;
  /** Per source, since the start. */
  totals(): Map<string, LedgerTotals>;
  proxies(): ProxyState[];
  /** Breaks off whatever is still running. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const DEFAULT_MAX_HEADER_BYTES = 32 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
const ROBOTS_TIMEOUT_MS = 10_000;
const MAX_TASK_PROXIES = 200;
const ROBOTS_TRIES = 4;
const ROBOTS_MAX_BYTES = 2 * 1024 * 1024;
const DEFAULT_MAX_PACE_WAIT_MS = 5_000;
const DEFAULT_PACE: Pace = { concurrency: 16, delayMs: 0 };
/** The response of a webhook receiver is not used; this much is read so that its connection can be reused. */
const DELIVERY_MAX_BYTES = 64 * 1024;
const DEFAULT_LOCALE = 'en-US';

export function createWeb(options: WebOptions = {}): Webs {
  const guard = createGuard(options.guard);
  const hostMap = parseHostMap(options.hostMap);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const ca = options.ca === undefined ? {} : { ca: options.ca };
  const connect = { timeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs), ...ca };
  const transports = createTransports({
    guard,
    connect,
    maxHeaderBytes: options.maxHeaderBytes ?? DEFAULT_MAX_HEADER_BYTES,
  });
  const rotation = options.rotation === undefined ? {} : { rotation: options.rotation };
  const exits = createProxyPool({ tiers: parseTiers(options.proxies ?? ''), ...rotation });
  const pace = options.pace ?? createMemoryPace();
  const archive = options.archive === undefined ? null : createArchive(options.archive);
  const ledgers = createLedgers();
  const taskProxies = new Map<string, OutboundProxy>();
  const closing = new AbortController();
  const userAgent = options.userAgent ?? HONEST_USER_AGENT;
  const directName = options.directExit ?? DIRECT;
  const maxPaceWaitMs = options.maxPaceWaitMs ?? DEFAULT_MAX_PACE_WAIT_MS;

  const policies: HopPolicies = {
    guard,
    robots: null,
    pace,
    cache: options.cache === undefined ? null : createHttpCache(options.cache),
    archive,
    random: Math.random,
    onProblem: options.onProblem ?? (() => {}),
    onPaceWaited: options.onPaceWaited ?? (() => {}),
  };
  const robotsLedger = ledgers.open('robots.txt');
  const robots = createRobots({
    ...(options.robots === undefined ? {} : { mode: options.robots }),
    agent: AGENT_NAME,
    fetch: (url) => fetchRobots(url, 1),
  });

  /** Guarded and paced like any page, honest about who asks, and past dead proxies. */
  async function fetchRobots(url: URL, tries: number): Promise<{ status: number; text: string }> {
    const limits = {
      maxBytes: ROBOTS_MAX_BYTES,
      timeoutMs: ROBOTS_TIMEOUT_MS,
      deadlineAt: performance.now() + ROBOTS_TIMEOUT_MS,
      signal: closing.signal,
    };
    const exit = exits.pick(0);
    const visitor = {
      exit,
      locale: DEFAULT_LOCALE,
      session: { jar: null, cookiesSeen: 0, profile: null, headers: null },
    };
    const sendOptions = { transports, hostMap, limits, ledger: robotsLedger, userAgent };
    const context = {
      pace: DEFAULT_PACE,
      maxPaceWaitMs,
      limits,
      ledger: robotsLedger,
      isPersonal: () => false,
      exits: () => [keyOfExit(exit, directName)],
      isPrivate: true,
      about: { source: 'robots.txt' },
      send: (request: HttpRequest) => send(request, visitor, sendOptions),
    };
    try {
      const answer = await follow({ url, method: 'GET', headers: {} }, (request) => hop(policies, context, request));
      return { status: answer.status, text: answer.body.toString('utf8') };
    } catch (error) {
      if (asAppError(error).code !== 'proxy' || tries >= ROBOTS_TRIES) throw error;
      exits.report(exit, 'dead');
      return fetchRobots(url, tries + 1);
    }
  }

  const parts = {
    transports,
    hostMap,
    exits,
    sessions: createSessionPool(options.sessions === undefined ? {} : { rules: options.sessions }),
    engines: createEngineMemory(),
    browser: options.browser ?? null,
    userAgent,
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
    maxPaceWaitMs,
    firstPaceWaitMs: options.firstPaceWaitMs ?? maxPaceWaitMs,
    directName,
  };

  const archiveFailed = (error: unknown): void => policies.onProblem('archive.failed', error);
  const settingsOf = (source: string): string[] =>
    [...(options.sourceSettings?.keys() ?? [])].flatMap((key) =>
      key.startsWith(`${source}.`) ? [key.slice(source.length + 1)] : [],
    );

  /** One object per proxy, so that the next task with the same proxy finds its open connections. */
  const proxyOf = (text: string): OutboundProxy => {
    const known = taskProxies.get(text) ?? parseProxy(text, true);
    taskProxies.delete(text);
    taskProxies.set(text, known);
    if (taskProxies.size > MAX_TASK_PROXIES) taskProxies.delete(taskProxies.keys().next().value ?? '');
    return known;
  };

  return {
    forAttempt(attempt) {
      const ledger = ledgers.open(attempt.source);
      const sights = createSights(attempt.source, options.sourceSettings);
      const policy = attempt.policy ?? {};
      const asksRobots = policy.ignoreRobots === undefined && robots.isOnFor(attempt.source);
      const visits = createVisits(
        { ...parts, policies: asksRobots ? { ...policies, robots } : policies },
        {
          source: attempt.source,
          signal: attempt.signal,
          timeoutMs: attempt.timeoutMs ?? timeoutMs,
          pace: noFaster(options.paces?.get(attempt.source) ?? attempt.pace ?? DEFAULT_PACE, attempt.leastDelayMs),
          policy,
          locality: attempt.locality ?? '',
          locale: attempt.locale ?? DEFAULT_LOCALE,
          userAgent: attempt.userAgent ?? null,
          ...(attempt.timezone === undefined ? {} : { timezone: attempt.timezone }),
          ...(attempt.geolocation === undefined ? {} : { geolocation: attempt.geolocation }),
          exit: attempt.proxy === undefined ? null : attempt.proxy === DIRECT ? DIRECT : proxyOf(attempt.proxy),
          ledger,
          trace: options.trace ? { tracing: options.trace, parent: attempt.traceparent } : null,
          sights,
          ...(attempt.runId === undefined ? {} : { runId: attempt.runId }),
          ...(attempt.taskId === undefined ? {} : { taskId: attempt.taskId }),
        },
      );
      const withSettings = (note: AttemptNote): AttemptNote =>
        'asked' in note ? { asked: { ...note.asked, settings: settingsOf(attempt.source) } } : note;
      const get: Web['get'] = async (url, request = {}) => {
        sights.asked(url, request);
        const { followsRedirects = true } = request;
        return visits.fetch({ ...toHttp(url, request), followsRedirects }, request.accept ?? []);
      };
      return {
        get,
        text: async (url, request) => (await get(url, request)).text,
        async json(url, schema, request) {
          const page = await get(url, { ...request, headers: { accept: 'application/json', ...request?.headers } });
          return parseJson(page.text, schema);
        },
        async page(url, pageOptions = {}) {
          sights.asked(url, {});
          return visits.render(parseUrl(url).href, pageOptions);
        },
        sitemaps: (url) => robots.sitemaps(parseUrl(url), attempt.signal),
        diagnose,
        warn: (message) => ledger.warn(message),
        setting: (name) => options.sourceSettings?.get(`${attempt.source}.${name}`) ?? null,
        countPage: (isRead) => ledger.page(isRead),
        isHeldUp: () => ledger.isHeldUp(),
        signal: attempt.signal,
        ledger,
        seen: sights,
        note: archive && ((note) => void archive.note(withSettings(note), attempt).catch(archiveFailed)),
      };
    },
    async deliver(delivery) {
      const { timeoutMs: limitMs, signal } = delivery;
      const request = toHttp(delivery.url, { method: 'POST', body: delivery.body, headers: delivery.headers });
      guard.checkUrl(request.url);
      const mapped = hostMap.originFor(request.url.hostname);
      const route =
        mapped === null
          ? { dispatcher: transports.agent(DIRECT), origin: request.url.origin }
          : { dispatcher: transports.mapped, origin: mapped };
      const limits = {
        maxBytes: DELIVERY_MAX_BYTES,
        timeoutMs: limitMs,
        deadlineAt: performance.now() + limitMs,
        signal,
        dropsBody: true,
      };
      const sent = { ...request, headers: { 'user-agent': HONEST_USER_AGENT, ...request.headers } };
      const { status, headers } = await exchange(sent, route, limits);
      return { status, retryAfterMs: parseRetryAfter(headers['retry-after'], Date.now()) };
    },
    async checkReceiver(address) {
      const url = parseUrl(address);
      guard.checkUrl(url);
      if (hostMap.originFor(url.hostname) === null) await guard.resolve(url.hostname, portOf(url));
    },
    totals: () => ledgers.totals(),
    proxies: () => exits.states(),
    async close() {
      closing.abort();
      exits.close();
      const ownPace = options.pace === undefined ? pace : undefined;
      await Promise.all([ownPace?.close(), transports.close(), archive?.close(), options.browser?.close()]);
    },
  };
}

const noFaster = (pace: Pace, leastDelayMs = 0): Pace =>
  leastDelayMs > pace.delayMs ? { concurrency: 1, delayMs: leastDelayMs } : pace;

function parseUrl(address: string): URL {
  if (!URL.canParse(address)) throw new AppError('invalid_params', 'not a URL');
  return new URL(address);
}

function toHttp(address: string, request: WebRequest): HttpRequest {
  const url = parseUrl(address);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    // The Host header comes from the URL; another one could bypass the guard.
    if (name.toLowerCase() !== 'host') headers[name.toLowerCase()] = value;
  }
  if (request.body === undefined) return { url, method: request.method ?? 'GET', headers };
  if (typeof request.body === 'string') return { url, method: request.method ?? 'POST', headers, body: request.body };
  return {
    url,
    method: request.method ?? 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(request.body),
  };
}
