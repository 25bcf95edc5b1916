// For operators: is it alive, ready, healthy, and how busy. `/livez` and `/readyz` are for load balancers and need no key, so they only say yes or no.
import { z } from 'zod';
import type { ApiDeps } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { nameSchemas } from '../validation/named.ts';

const Part = z.object({
  status: z.enum(['up', 'degraded', 'down']),
  latency_ms: z.number().nullable(),
  checked_at: z.string(),
  detail: z.string().nullable(),
});

const HealthView = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  version: z.string(),
  uptime_seconds: z.number().int(),
  parts: z.record(z.string(), Part),
});
nameSchemas({ HealthPart: Part, Health: HealthView });

const PART_EXAMPLE = { status: 'up', latency_ms: 0.8, checked_at: '2026-02-04T10:35:00.000Z', detail: null };
const HEALTH_EXAMPLE = {
  status: 'ok',
  version: '0.1.0',
  uptime_seconds: 3_600,
  parts: {
    store: PART_EXAMPLE,
    wire: PART_EXAMPLE,
    orchestrators: { ...PART_EXAMPLE, latency_ms: null, detail: '1 orchestrator' },
    workers: { ...PART_EXAMPLE, latency_ms: null, detail: '2 workers, 100 slots' },
    disk: { ...PART_EXAMPLE, latency_ms: null, detail: '41.7 GB free on the disk of WINDROW_HOME' },
  },
};

const Answer = z.object({ status: z.string(), detail: z.string().nullable() });

type OperationDeps = Pick<
  ApiDeps,
  'health' | 'metrics' | 'metricsText' | 'version' | 'startedAt' | 'document' | 'needsKeys'
>;

export const operations = (deps: OperationDeps): Route[] => [
  health(deps),
  livez(),
  readyz(deps),
  metricsOf(deps),
  openapi(deps),
];

function health(deps: OperationDeps): Route {
  return route({
    method: 'GET',
    path: '/health',
    operationId: 'getHealth',
    scope: 'read',
    tag: 'Operations',
    summary: 'Get overall health with each component',
    replies: {
      200: json('`ok`, or `degraded` with the reasons.', HealthView, HEALTH_EXAMPLE),
      503: {
        description: 'No work can be accepted.',
        schema: HealthView,
        examples: { 'application/json': { ...HEALTH_EXAMPLE, status: 'down' } },
      },
    },
    async handle(_request, reply) {
      const report = await deps.health.report();
      reply.code(report.status === 'down' ? 503 : 200);
      const uptime_seconds = Math.floor((Date.now() - deps.startedAt.getTime()) / 1_000);
      return { status: report.status, version: deps.version, uptime_seconds, parts: report.parts };
    },
  });
}

function livez(): Route {
  return route({
    method: 'GET',
    path: '/livez',
    operationId: 'getLivez',
    scope: 'read',
    tag: 'Operations',
    summary: 'Liveness: the process answers',
    description: 'Checks nothing else, so that an outage of PostgreSQL does not restart every process.',
    replies: {
      200: json('Alive.', Answer, { status: 'ok', detail: null }),
    },
    isOpen: true,
    handle: () => ({ status: 'ok', detail: null }),
  });
}

function readyz({ health: state }: OperationDeps): Route {
  return route({
    method: 'GET',
    path: '/readyz',
    operationId: 'getReadyz',
    scope: 'read',
    tag: 'Operations',
    summary: 'Readiness: this process can serve requests',
    description: 'Ready as long as work can be accepted. `detail` says when nobody would send it on.',
    replies: {
      200: json('Ready.', Answer, { status: 'ok', detail: null }),
      503: {
        description: 'Not ready: PostgreSQL is down, or the process is stopping.',
        schema: Answer,
        examples: { 'application/json': { status: 'unavailable', detail: 'The process is shutting down.' } },
      },
    },
    isOpen: true,
    async handle(_request, reply) {
      const reason = await state.notReady();
      reply.code(reason === null ? 200 : 503);
      // Public, so it says no more than this.
      if (reason !== null) return { status: 'unavailable', detail: reason.split(':')[0] ?? null };
      const { orchestrators } = (await state.report()).parts;
      return { status: 'ok', detail: orchestrators?.status === 'degraded' ? orchestrators.detail : null };
    },
  });
}

function metricsOf({ metrics, metricsText }: OperationDeps): Route {
  return route({
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    scope: 'read',
    tag: 'Operations',
    summary: 'Metrics for Prometheus, of all API processes on this port',
    replies: {
      200: {
        description: 'Prometheus text format.',
        examples: { 'text/plain': 'windrow_queue_depth{lane="http",band="high",state="waiting"} 120\n' },
      },
    },
    async handle(_request, reply) {
      return reply.type(metrics.registry.contentType).send(await metricsText());
    },
  });
}

function openapi({ document, needsKeys }: OperationDeps): Route {
  // Half a megabyte, the same for everyone: written once, with and without keys.
  const written = new Map<boolean, Buffer>();
  const bytes = (): Buffer => {
    const isKeyed = needsKeys();
    const found = written.get(isKeyed) ?? Buffer.from(JSON.stringify(document()));
    written.set(isKeyed, found);
    return found;
  };
  return route({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenapi',
    scope: 'read',
    tag: 'Operations',
    summary: 'Get this OpenAPI document',
    replies: {
      200: {
        description: 'OpenAPI 3.1.',
        examples: { 'application/json': { openapi: '3.1.0', info: { title: 'Windrow' } } },
      },
    },
    handle: (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes()),
  });
}
