// What is counted and logged of requests: how long until the answer was ready, by route and status, and every failure of ours.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AppError, ERRORS } from '../model/errors.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Route } from './route.ts';

export interface Watch {
  answered(route: Route, request: FastifyRequest, reply: FastifyReply): void;
  failed(request: FastifyRequest, error: AppError): void;
}

export function createWatch(log: Log, metrics: Metrics): Watch {
  function count(method: string, route: string, status: number, request: FastifyRequest): void {
    const seconds = (performance.now() - request.startedAtMs) / 1_000;
    metrics.answered(method, route, status, seconds);
    if (log.isOn('debug')) log.debug('request.answered', { request_id: request.id, method, route, status, seconds });
  }
  return {
    answered: (route, request, reply) => count(route.method, route.path, reply.statusCode, request),
    failed(request, error) {
      const { status } = ERRORS[error.code];
      const route = request.routeOptions.url ?? 'none';
      // A URL that cannot be read fails before the gate, which notes the start.
      request.startedAtMs ||= performance.now();
      count(request.method, route, status, request);
      if (status >= 500) log.error('request.failed', { request_id: request.id, route, status, error });
    },
  };
}
