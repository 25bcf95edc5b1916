// The API as one object: what is common to all endpoints (request ids, keys, limits, problems, metrics), the areas, the WebSockets, start and stop. Each
// route has one hook before its handler and none after, since every hook costs time on every request.
import type { IncomingMessage, Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { CareerCatalogue } from '../model/company/company.ts';
import { AppError } from '../model/errors.ts';
import type { Scope } from '../model/key/key.ts';
import type { ModuleProblem, SiteCatalogue, SourceAbout } from '../model/source/site.ts';
import { slotsOf } from '../model/source/staffing.ts';
import type { WorkerBeat } from '../model/task/messages.ts';
import type { Tracing } from '../model/trace/trace.ts';
import { cached, within } from '../observe/cached.ts';
import { createHealth, type Health, type PartStatus } from '../observe/health.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics/api.ts';
import { type MetricSet, metricsText } from '../observe/metrics/registry.ts';
import { readDepths } from '../orchestrator/dispatch/depths.ts';
import type { PaceOfSites } from '../orchestrator/dispatch/pace.ts';
import type { Intake } from '../orchestrator/intake/intake.ts';
import type { Scheduler } from '../orchestrator/loops/schedule.ts';
import type { EvidenceFiles } from '../store/evidence/s3-files.ts';
import type { Store } from '../store/store.ts';
import type { Wire } from '../wire/port.ts';
import { AREAS, READING } from './areas.ts';
import { updateOf } from './articles/views.ts';
import type { ApiDeps, Receivers } from './deps.ts';
import { openapiDocument, SECURITY } from './docs/openapi.ts';
import { type Access, createAccess, requireKeys } from './http/access.ts';
import { answerBrokenRequest } from './http/broken-request.ts';
import { createClientAddress } from './http/client-address.ts';
import { connectionCloser } from './http/close-connections.ts';
import { type Compress, createCompress } from './http/compress.ts';
import { createConnectionLimit } from './http/connection-limit.ts';
import { countedAs, createGate, EVERYONE, type Gate, greet } from './http/gate.ts';
import { asRequestError, writeProblem } from './http/problem.ts';
import { createRateLimit, type RateLimit, type SharedCounts } from './http/rate-limit.ts';
import { newRequestId, requestIdOf } from './http/request-id.ts';
import { createWatch, type Watch } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { createKeyRing } from './keys/key-ring.ts';
import { createThroughput } from './operations/throughput.ts';
import { createEstimates } from './runs/estimates.ts';
import { createWaitingRuns } from './runs/waiting.ts';
import { createPageSessions } from './session/page-sessions.ts';
import { jsonFault } from './validation/json-fault.ts';
import { routeSchemas } from './validation/route-schemas.ts';
import { createValidatorCompiler, nulError } from './validation/validators.ts';
import { createSockets } from './ws/sockets.ts';
import { createTickets } from './ws/tickets.ts';
import { admit } from './ws/ws-auth.ts';

export interface ApiOptions {
  store: Store;
  wire: Wire;
  intake: Intake;
  log: Log;
  metrics: Metrics;
  /** Null or left out: no traces. */
  trace?: Tracing | null;
  version: string;
  settings?: ApiDeps['settings'];
  /** The sources that can be searched. */
  catalogue: SiteCatalogue;
  /** Sources of career pages. */
  careers: CareerCatalogue;
  /** All sources, to be shown and paused. */
  sources?: readonly SourceAbout[];
  /** Modules that were to bring sources and could not. */
  moduleProblems?: readonly ModuleProblem[];
  /** The source that carts are searched with. */
  cartSource?: string;
  /** All pages come from the sandbox web. */
  isSandbox?: boolean;
  /** The pace of sites; without it nothing is known of it here. */
  sites?: PaceOfSites;
  /** Where lists are read, and how that is, for /health; without it from `store`. */
  reads?: { store: Store; health(): Promise<{ status: PartStatus; detail: string | null }> };
  /** Space on the disks, for /health; without it nothing is said of it. */
  disk?(): Promise<{ status: PartStatus; detail: string }>;
  scheduler: Scheduler;
  /** Without it no webhook can be created: a guard that cannot decide refuses. */
  receivers?: Receivers;
  /** How long a caller may wait for a run. */
  syncTimeoutSeconds: number;
  /** How long an ended cart can be read. */
  resultTtlSeconds: number;
  /** Cart searches per second that the rate limit of the shop allows; default: no limit. */
  cartSearchesPerSecond?: number | null;
  /** Maximum number of alerts. */
  maxAlerts?: number;
  crawlMaxPages?: number;
  /** Where saved pages are that are not in the database. */
  evidenceFiles?: EvidenceFiles | null;
  /** Where it will listen; any address other than loopback needs keys. */
  host: string;
  apiKeys?: readonly string[];
  /** Requests a minute of one key that has no limit of its own; 0: no limit. */
  rateLimitPerMinute?: number;
  /** Of one address without a valid key; default: the same. */
  addressLimitPerMinute?: number;
  /** Where all API processes count together; without it this one counts for itself. */
  rateCounts?: SharedCounts | null;
  /** The metrics of all API processes on this port, this one included; without it there is no other. */
  metricsOfAll?(): Promise<MetricSet[]>;
  bodyLimitBytes?: number;
  /** A connection on which nothing moves for this long is closed. */
  silenceLimitMs?: number;
  maxSockets?: number;
  /** How long the store or the wire may take to answer a probe before it counts as down. */
  probeLimitMs?: number;
  /** Past this many connections further ones are refused. */
  maxConnections?: number;
  /** How long it answers after it was told to stop, so that load balancers and clients can leave in order. */
  drainMs?: number;
  /** Addresses of reverse proxies whose X-Forwarded-For is trusted. */
  trustProxy?: string[];
}

export interface Api {
  /** Every route, for tests that must hold for all of them. */
  readonly routes: readonly Route[];
  /** Empty until it listens. */
  readonly url: string;
  /** Answers without a socket; for tests. */
  inject: FastifyInstance['inject'];
  /**
   * `sharesPort`: other processes may listen there too, and get their share of the connections. `socket`: the file descriptor of a socket that is listened
   * on already, and stays open for others when this process leaves.
   */
  listen(where: { port: number; host?: string; sharesPort?: boolean; socket?: number | null }): Promise<string>;
  /** Not ready from now on: requests are still answered, and every answer says that its connection closes. */
  drain(): void;
  /** Drains first; then WebSockets are closed with "reconnect" and running requests finish, within the grace period. */
  close(graceMs?: number): Promise<void>;
}

const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];
const HEADERS_LIMIT_MS = 10_000;
const REQUEST_LIMIT_MS = 30_000;
const SILENCE_LIMIT_MS = 60_000;
const BACKLOG = 4_096;
const PROBE_MS = 3_000;
/** Maximum number of probes of the store before it listens, and the pause between two. */
const STORE_PROBES = 10;
const STORE_PROBE_MS = 2_000;
const READ_LIMIT_MS = 5_000;
/** Clocks are asked for many hosts at once. */
const CLOCKS_LIMIT_MS = 1_000;
/** Jobs whose state a subscriber to all jobs gets first. */
const STATES_MAX = 100;
/** Of any kind: `job_…`, `manual_…`, `sched_…`, the UUID of a cart. */
const RUN_ID = /^[\w-]{1,80}$/;

const NO_RECEIVERS: Receivers = {
  problemOf: async () => 'This server sends no webhooks',
  secret: async () => {
    throw new AppError('unavailable', 'This server sends no webhooks.');
  },
  max: 0,
};

/** On a slow machine the store may not answer the first probe in time, and the first requests after the start would be refused. */
async function waitForStore(health: Health): Promise<void> {
  for (let probes = 1; (await health.report()).status === 'down' && probes < STORE_PROBES; probes++)
    await sleep(STORE_PROBE_MS);
}

export async function createApi(options: ApiOptions): Promise<Api> {
  const { store, wire, log, metrics } = options;
  const apiKeys = options.apiKeys ?? [];
  const ring = await createKeyRing({
    store,
    onStale: (error) => log.warn('keys.stale', { error }),
    onFresh: () => log.info('keys.fresh', {}),
  });
  let reachedAt = options.host;
  function checkHost(host: string): void {
    requireKeys(host, apiKeys.length > 0 || ring.hasKeys !== false);
    reachedAt = host;
  }
  checkHost(options.host);
  const sessions = createPageSessions(store);
  const access = createAccess({ apiKeys, ring, sessions, host: () => reachedAt });
  const perKey = options.rateLimitPerMinute ?? 0;
  const rateLimit = createRateLimit(
    { perKey, perAddress: options.addressLimitPerMinute ?? perKey },
    options.rateCounts,
  );
  const tickets = createTickets(store);
  const throughput = createThroughput();
  const depths = cached({
    ask: () => readDepths(store, inTime(options.sites ?? null)),
    keepMs: 2_000,
    limitMs: READ_LIMIT_MS,
    what: 'The database',
  });
  const workers = cached({ ask: () => wire.workers(), keepMs: 2_000, limitMs: 2_000, what: 'Redis' });
  const health = createHealth({
    parts: {
      store: () => store.ping(),
      wire: () => wire.ping(),
      orchestrators: () => store.countOrchestrators().then(orchestratorsHealth),
      workers: () => workers().then(workersHealth),
      ...(options.disk ? { disk: options.disk } : {}),
      ...(options.reads ? { replica: options.reads.health } : {}),
    },
    needed: ['store'],
    ...(options.probeLimitMs === undefined ? {} : { limitMs: options.probeLimitMs }),
  });
  const sources = options.sources ?? [];
  const waiting = createWaitingRuns({ store, sources, workers, sites: options.sites ?? null });
  const estimates = createEstimates(metrics);
  const deps: ApiDeps = {
    store,
    intake: options.intake,
    catalogue: options.catalogue,
    careers: options.careers,
    sources,
    moduleProblems: options.moduleProblems ?? [],
    cartSource: options.cartSource ?? null,
    cartHost: options.sites?.of(options.cartSource ?? '')?.host ?? null,
    waiting,
    estimates,
    scheduler: options.scheduler,
    receivers: options.receivers ?? NO_RECEIVERS,
    syncTimeoutSeconds: options.syncTimeoutSeconds,
    resultTtlSeconds: options.resultTtlSeconds,
    cartSearchesPerSecond: options.cartSearchesPerSecond ?? null,
    maxAlerts: options.maxAlerts ?? 10_000,
    crawlMaxPages: options.crawlMaxPages ?? 100_000,
    evidenceFiles: options.evidenceFiles ?? null,
    log,
    metrics,
    metricsText: () => metricsText(metrics.registry, options.metricsOfAll),
    health,
    version: options.version,
    settings: options.settings ?? [],
    startedAt: new Date(),
    depths,
    workers,
    tellDrains: (names) => wire.tellDrains(names),
    throughput,
    tickets,
    signingIn: { sessions, callerWith: access.callerWith },
    isSandbox: options.isSandbox ?? false,
    needsKeys: () => access.needsKeys,
    readKeysAgain: ring.readAgain,
    document: () => (access.needsKeys ? { ...document, security: SECURITY } : document),
  };
  const reading: ApiDeps = { ...deps, store: options.reads?.store ?? store };
  const routes = AREAS.flatMap((area) => area(READING.has(area) ? reading : deps));
  const document = openapiDocument(routes, options.version);
  metrics.watchQueue(depths);
  metrics.watchWorkers(workers);
  metrics.watchDeliveries(
    cached({ ask: () => store.deliveryTotals(), keepMs: 2_000, limitMs: READ_LIMIT_MS, what: 'The database' }),
  );
  const readOften = <T>(ask: () => Promise<T>, keepMs: number) =>
    cached({ ask, keepMs, limitMs: READ_LIMIT_MS, what: 'The database' });
  metrics.watchSources(
    readOften(
      async () =>
        (await store.listHolds()).map(({ source, breaker, pausedAt }) => ({
          source,
          breaker,
          isPaused: pausedAt !== null,
        })),
      2_000,
    ),
  );
  metrics.watchWaits(readOften(() => store.queueWaits(), 5_000));
  metrics.watchDeadLetters(readOften(() => store.countDeadLetters(), 15_000));
  metrics.watchParts(async () =>
    Object.fromEntries(
      Object.entries((await health.report()).parts).map(([part, { status }]) => [part, status === 'up']),
    ),
  );

  const app = createApp(options, routes, access, rateLimit);
  const closeConnections = connectionCloser(app.server);
  const addressOf = createClientAddress(options.trustProxy);
  const sockets = createSockets({
    async admit(request) {
      const address = addressOf(request);
      const admission = await admit(request, access, tickets).catch(async (error) => {
        // A wrong key or ticket counts for the client address, so that guessing is slow.
        await rateLimit.take({ address });
        throw error;
      });
      await rateLimit.take(countedAs(admission.caller, address));
      return admission;
    },
    isRevoked({ caller }) {
      try {
        access.callerById(caller.keyId);
        return false;
      } catch {
        // It throws when the key was revoked or has expired, and for nothing else.
        return true;
      }
    },
    requestIdOf,
    async stateOf(runId) {
      const run = RUN_ID.test(runId) ? await within(store.getRun(runId), READ_LIMIT_MS, 'The database') : null;
      return run && { ...updateOf(run), waiting: await waiting.of(run) };
    },
    async currentStates(owner) {
      const page = { kind: 'article', status: 'running', limit: STATES_MAX, skip: 0, cursor: null, owner } as const;
      return (await within(store.listRuns(page), READ_LIMIT_MS, 'The database')).runs.map(updateOf);
    },
    log,
    metrics,
    ...(options.maxSockets === undefined ? {} : { maxSockets: options.maxSockets }),
  });
  sockets.attach(app.server);
  const unsubscribe = wire.onUpdates((updates) => {
    throughput.see(updates);
    estimates.see(updates);
    sockets.see(updates);
  });
  // Keeps `isKnownDown` up to date, even if nobody asks for /health.
  const probing = setInterval(() => void health.report(), PROBE_MS).unref();
  await Promise.all([app.ready(), waitForStore(health)]);

  let url = '';
  let drained: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  function drain(): Promise<void> {
    if (drained) return drained;
    health.drain();
    app.server.prependListener('request', (_request, reply) => reply.setHeader('connection', 'close'));
    drained = sleep(options.drainMs ?? 0);
    return drained;
  }
  async function close(graceMs: number): Promise<void> {
    await drain();
    clearInterval(probing);
    unsubscribe();
    const stopClosing = closeConnections(graceMs);
    // Who is told to connect again must not find this process.
    const ended = app.close();
    await stopsListening(app.server);
    await sockets.close();
    await ended;
    stopClosing();
    await ring.close();
  }
  return {
    routes,
    get url() {
      return url;
    },
    inject: app.inject.bind(app) as FastifyInstance['inject'],
    async listen({ port, host = options.host, sharesPort = false, socket = null }) {
      if (socket === null) checkHost(host);
      const at = socket === null ? { port, ...(sharesPort ? { reusePort: true } : {}) } : { fd: socket };
      const where = { host, backlog: BACKLOG, ...at };
      url = await app.listen(where).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        throw new AppError('port_in_use', `Port ${port} is in use. Choose another with --port.`, { cause: error });
      });
      if (socket !== null) checkHost(boundTo(app.server));
      log.info('api.listening', { url });
      return url;
    },
    drain: () => void drain(),
    close(graceMs = 10_000) {
      closed ??= close(graceMs);
      return closed;
    },
  };
}

async function stopsListening(server: Server): Promise<void> {
  while (server.listening) await nextTurn();
}

const inTime = (sites: PaceOfSites | null): PaceOfSites | null =>
  sites && { ...sites, turns: (...asked) => within(sites.turns(...asked), CLOCKS_LIMIT_MS, 'Redis') };

/** Whoever opened the socket chose the address. */
function boundTo(server: Server): string {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.address : 'a socket file';
}

function orchestratorsHealth(count: number): { status: 'up' | 'degraded'; detail: string } {
  if (count === 0)
    return { status: 'degraded', detail: 'No orchestrator is running. Work is accepted and waits for one.' };
  return { status: 'up', detail: `${count} ${count === 1 ? 'orchestrator' : 'orchestrators'}` };
}

function workersHealth(found: WorkerBeat[]): { status: 'up' | 'degraded'; detail: string } {
  if (found.length === 0) return { status: 'degraded', detail: 'No worker is running.' };
  if (found.every(({ draining }) => draining)) return { status: 'degraded', detail: 'Every worker is draining.' };
  const slots = slotsOf(found);
  return { status: 'up', detail: `${found.length} ${found.length === 1 ? 'worker' : 'workers'}, ${slots} slots` };
}

function createApp(options: ApiOptions, routes: Route[], access: Access, rateLimit: RateLimit): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: options.bodyLimitBytes ?? 8 * 1024 * 1024,
    requestTimeout: REQUEST_LIMIT_MS,
    // Sockets that say nothing, and readers that do not read. Whoever waits for a run is silent for as long as that may take.
    connectionTimeout: options.silenceLimitMs ?? SILENCE_LIMIT_MS + options.syncTimeoutSeconds * 1_000,
    return503OnClosing: false,
    trustProxy: options.trustProxy ?? false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, newRequestId()),
    // Others (h2c) are answered as plain requests instead of failing as WebSockets.
    http: {
      headersTimeout: HEADERS_LIMIT_MS,
      connectionsCheckingInterval: 2_000,
      shouldUpgradeCallback: (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply),
  }) as unknown as FastifyInstance<Server>;
  const watch = createWatch(options.log, options.metrics);
  const connections = createConnectionLimit(app.server, options.maxConnections ?? Number.POSITIVE_INFINITY);
  const { trace } = options;
  const gateFor = (scope: Scope): Gate => createGate({ access, rateLimit, connections, scope, trace });
  const gates = { read: gateFor('read'), submit: gateFor('submit'), admin: gateFor('admin') };
  // Pages are for everyone, and for nobody's frame or script on another site.
  const pageGate = createGate({
    access: { callerOf: access.visitorOf, refuseForeign: access.refuseForeign },
    rateLimit,
    connections,
    scope: 'read',
    trace,
  });
  const tokenGate = createGate({ access: EVERYONE, rateLimit, connections, scope: 'read', trace });
  const sendProblem = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = asRequestError(thrown, request.routeOptions?.bodyLimit);
    watch.failed(request, error);
    return writeProblem(error, request, reply);
  };
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('span', undefined);
  app.decorateRequest('caller', '');
  app.decorateRequest('keyId', null);
  app.decorateRequest('owner', null);
  app.decorateRequest('isLimited', false);
  app.decorateRequest('scope', 'read');
  app.decorateRequest('sees', null);
  app.setValidatorCompiler(createValidatorCompiler());
  parseJsonOnly(app);
  app.setErrorHandler((error: FastifyError, request, reply) => sendProblem(error, request, reply));
  app.setNotFoundHandler({ preHandler: gates.read }, (request, reply) => {
    const path = request.url.split('?')[0]?.slice(0, 100);
    return sendProblem(
      new AppError('unknown_path', `There is no endpoint ${request.method} ${path}. See /docs.`),
      request,
      reply,
    );
  });
  const compress = createCompress();
  const gateOf = (route: Route): Gate => {
    if (route.isOpen) return greet;
    if (route.isForPages) return pageGate;
    return route.hasToken ? tokenGate : gates[route.scope];
  };
  for (const route of routes) addRoute(app, route, { gate: gateOf(route), watch, compress });
  return app;
}

function addRoute(
  app: FastifyInstance,
  route: Route,
  { gate, watch, compress }: { gate: Gate; watch: Watch; compress: Compress },
): void {
  const answered = watch.of(route.method, route.path);
  app.route({
    method: route.method,
    url: route.path,
    schema: routeSchemas(route),
    onRequest: gate,
    ...(route.method === 'GET' && !route.isForPages ? { onSend: compress } : {}),
    handler(request, reply) {
      const answer = route.handle(request, reply);
      if (!(answer instanceof Promise)) {
        answered(request, reply.statusCode);
        return answer;
      }
      return answer.then((value) => {
        answered(request, reply.statusCode);
        return value;
      });
    },
  });
}

function malformed(body: string): AppError {
  const fault = jsonFault(body);
  // Valid JSON that was refused has a name such as __proto__.
  if (fault === null)
    return new AppError(
      'malformed_json',
      'The body contains __proto__ or constructor.prototype, which is not allowed.',
    );
  const what = fault.isCutOff ? 'it ends too early at' : 'see';
  return new AppError(
    'malformed_json',
    `The body is not valid JSON: ${what} line ${fault.line}, column ${fault.column}.`,
  );
}

/** JSON, and YAML as the text it is: only the import of companies takes that. Many clients send its type on every request, also on those without a body. */
function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else
      parse(request, body as string, (error, value) => {
        if (error) done(malformed(body as string));
        else done((body as string).includes('\\u0000') ? nulError(value) : null, value);
      });
  });
  app.addContentTypeParser(YAML_TYPES, { parseAs: 'string' }, (_request, body, done) => done(null, body));
}
