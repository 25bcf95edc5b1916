// The API as one object: what is common to all endpoints (request ids, keys, limits, problems, metrics), the areas, the WebSockets, start and stop. The one
// `onRequest` hook does everything that comes before a handler, since each further hook costs every request.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../model/errors.ts';
import { cached, within } from '../observe/cached.ts';
import { createHealth } from '../observe/health.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Intake } from '../orchestrator/intake.ts';
import type { Store } from '../store/store.ts';
import type { Wire } from '../wire/port.ts';
import { type Access, createAccess, requireKeys } from './access.ts';
import { AREAS } from './areas.ts';
import { updateOf } from './article-views.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { openapiDocument } from './openapi.ts';
import type { ApiParts } from './parts.ts';
import { asRequestError, PROBLEM_TYPE, problemOf, retryAfterSeconds } from './problem.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';
import { newRequestId, requestIdOf } from './request-id.ts';
import type { Route } from './route.ts';
import { replySchema, requestSchema } from './schema.ts';
import { admit } from './socket-door.ts';
import { createSockets } from './sockets.ts';
import { createThroughput } from './throughput.ts';
import { createTickets } from './tickets.ts';
import { createValidatorCompiler } from './validators.ts';

export interface ApiOptions {
  store: Store;
  wire: Wire;
  intake: Intake;
  log: Log;
  metrics: Metrics;
  version: string;
  /** Where it will listen; anything but loopback wants keys. */
  host: string;
  apiKeys?: readonly string[];
  /** Requests a minute of one key or address; 0: no limit. */
  rateLimitPerMinute?: number;
  bodyLimitBytes?: number;
  maxSockets?: number;
  /** Addresses of proxies in front of us whose X-Forwarded-For is believed. */
  trustProxy?: string[];
}

export interface Api {
  /** Every route, for tests that must hold for all of them. */
  readonly routes: readonly Route[];
  /** Empty until it listens. */
  readonly url: string;
  /** Answers without a socket; for tests. */
  inject: FastifyInstance['inject'];
  listen(where: { port: number; host?: string }): Promise<string>;
  /** Not ready at once, then WebSockets are told to reconnect, then requests under way finish, within the grace. */
  close(graceMs?: number): Promise<void>;
}

const HEADERS_LIMIT_MS = 10_000;
const REQUEST_LIMIT_MS = 30_000;
const BACKLOG = 4_096;
const PROBE_MS = 3_000;
const READ_LIMIT_MS = 5_000;
/** What a subscriber to everything is told first. */
const STATES_MAX = 100;

export async function createApi(options: ApiOptions): Promise<Api> {
  const { store, wire, log, metrics } = options;
  requireKeys(options.host, options.apiKeys ?? []);
  const access = createAccess(options.apiKeys ?? []);
  const rateLimit = createRateLimit(options.rateLimitPerMinute ?? 0);
  const tickets = createTickets(access.fingerprint ?? randomBytes(32));
  const throughput = createThroughput();
  const depths = cached({ ask: () => store.queueDepths(), keepMs: 2_000, limitMs: READ_LIMIT_MS, what: 'The store' });
  const workers = cached({ ask: () => wire.workers(), keepMs: 2_000, limitMs: 2_000, what: 'The wire' });
  const health = createHealth({
    parts: { store: () => store.ping(), wire: () => wire.ping(), workers: () => workers().then(workersHealth) },
    needed: ['store'],
  });
  const parts: ApiParts = {
    store,
    intake: options.intake,
    log,
    metrics,
    health,
    version: options.version,
    startedAt: new Date(),
    depths,
    workers,
    throughput,
    tickets,
    document: () => document,
  };
  const routes = AREAS.flatMap((area) => area(parts));
  const document = openapiDocument(routes, { version: options.version, hasKeys: access.hasKeys });
  metrics.watchQueue(depths);
  metrics.watchWorkers(workers);
  metrics.watchParts(async () =>
    Object.fromEntries(
      Object.entries((await health.report()).parts).map(([part, { status }]) => [part, status !== 'down']),
    ),
  );

  const app = createApp(options, routes, access, rateLimit);
  const sockets = createSockets({
    async admit(request) {
      const admission = admit(request, access, tickets);
      await rateLimit?.take(admission.keyId ?? request.socket.remoteAddress ?? '');
      return admission;
    },
    requestIdOf,
    async stateOf(runId) {
      const run = /^job_[0-9a-f]{12}$/.test(runId)
        ? await within(store.getRun(runId), READ_LIMIT_MS, 'The store')
        : null;
      return run && updateOf(run);
    },
    async currentStates() {
      const page = { kind: 'article', status: 'running', limit: STATES_MAX, skip: 0, cursor: null } as const;
      return (await within(store.listRuns(page), READ_LIMIT_MS, 'The store')).runs.map(updateOf);
    },
    log,
    metrics,
    ...(options.maxSockets === undefined ? {} : { maxSockets: options.maxSockets }),
  });
  sockets.attach(app.server);
  const unsubscribe = wire.onUpdates((updates) => {
    throughput.see(updates);
    sockets.see(updates);
  });
  // Keeps what `isKnownDown` says fresh, whether or not anyone asks for /health.
  const probing = setInterval(() => void health.report(), PROBE_MS).unref();
  await Promise.all([app.ready(), health.report()]);

  let url = '';
  let closed: Promise<void> | undefined;
  async function close(graceMs: number): Promise<void> {
    health.drain();
    clearInterval(probing);
    unsubscribe();
    const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
    await sockets.close();
    await app.close();
    clearTimeout(late);
  }
  return {
    routes,
    get url() {
      return url;
    },
    inject: app.inject.bind(app) as FastifyInstance['inject'],
    async listen({ port, host = options.host }) {
      requireKeys(host, options.apiKeys ?? []);
      url = await app.listen({ port, host, backlog: BACKLOG });
      log.info('api.listening', { url });
      return url;
    },
    close(graceMs = 10_000) {
      closed ??= close(graceMs);
      return closed;
    },
  };
}

function workersHealth(found: { slots: number }[]): { status: 'up' | 'degraded'; detail: string } {
  if (found.length === 0) return { status: 'degraded', detail: 'No worker has been heard of.' };
  return {
    status: 'up',
    detail: `${found.length} workers, ${found.reduce((sum, worker) => sum + worker.slots, 0)} slots`,
  };
}

function createApp(options: ApiOptions, routes: Route[], access: Access, rateLimit: RateLimit | null): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: options.bodyLimitBytes ?? 8 * 1024 * 1024,
    requestTimeout: REQUEST_LIMIT_MS,
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
    frameworkErrors: (error, request, reply) => sendProblem(options.log, error, request, reply),
  }) as unknown as FastifyInstance<Server>;

  app.setValidatorCompiler(createValidatorCompiler());
  allowEmptyJson(app);
  app.setErrorHandler((error: FastifyError, request, reply) => sendProblem(options.log, error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendProblem(
      options.log,
      new AppError(
        'unknown_path',
        `There is no ${request.method} ${request.url.split('?')[0]?.slice(0, 100)}; see /docs.`,
      ),
      request,
      reply,
    ),
  );
  const open = new Set(routes.filter((route) => route.isOpen).map((route) => route.path));
  app.addHook('onRequest', (request, reply, done) => {
    reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store');
    if (open.has(request.routeOptions.url ?? '')) return done();
    const { headers, method } = request.raw;
    let who: string;
    try {
      const caller = access.callerOf(headers);
      access.refuseForeign(method ?? 'GET', headers, caller);
      who = caller.keyId ?? request.ip;
    } catch (error) {
      // A wrong key counts against the address, so that guessing is slow.
      if (!rateLimit) return done(error as Error);
      rateLimit.take(request.ip).then(() => done(error as Error), done);
      return;
    }
    if (!rateLimit) return done();
    rateLimit.take(who).then((extra) => {
      if (extra) reply.headers(extra);
      done();
    }, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const seconds = reply.elapsedTime / 1_000;
    options.metrics.answered(request.method, request.routeOptions.url ?? 'none', reply.statusCode, seconds);
    if (options.log.isOn('debug')) {
      const { method, id: request_id } = request;
      options.log.debug('request.answered', {
        request_id,
        method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        seconds,
      });
    }
    done();
  });
  for (const route of routes) addRoute(app, route);
  return app;
}

const NO_QUERY = z.strictObject({});

function addRoute(app: FastifyInstance, route: Route): void {
  const answers = Object.entries(route.replies).filter(
    ([, reply]) => reply.schema && Object.keys(reply.examples).length === 1,
  );
  app.route({
    method: route.method,
    url: route.path,
    schema: {
      querystring: requestSchema(route.query ?? NO_QUERY),
      ...(route.params ? { params: requestSchema(route.params) } : {}),
      ...(route.body ? { body: requestSchema(route.body) } : {}),
      response: Object.fromEntries(answers.map(([status, reply]) => [status, replySchema(reply.schema!)])),
    },
    handler: (request, reply) => route.handle(request, reply),
  });
}

/** Many clients send the JSON type on every request, also on those without a body. */
function allowEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}

function sendProblem(log: Log, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asRequestError(thrown);
  const problem = problemOf(error, request.id);
  if (problem.status >= 500) {
    log.error('request.failed', {
      request_id: request.id,
      route: request.routeOptions.url,
      status: problem.status,
      error,
    });
  }
  const retryAfter = retryAfterSeconds(error);
  if (retryAfter !== null) reply.header('retry-after', String(retryAfter));
  if (error.code === 'too_many_requests') reply.headers((error.details ?? {}) as Record<string, string>);
  if (error.code === 'unauthorized') {
    // A browser may ask its user; a program is told what it should have sent.
    reply.header(
      'www-authenticate',
      /text\/html/.test(request.headers.accept ?? '') ? 'Basic realm="windrow"' : 'Bearer realm="windrow"',
    );
  }
  return reply
    .code(problem.status)
    .header('x-request-id', request.id)
    .type(`${PROBLEM_TYPE}; charset=utf-8`)
    .serializer(JSON.stringify)
    .send(problem);
}
