// What is counted and logged of requests: how long until the answer was ready, by route and status, and every failure of ours.
import type { FastifyRequest } from 'fastify';
import { type AppError, ERRORS } from '../../model/errors.ts';
import type { Log } from '../../observe/log.ts';
import type { Metrics } from '../../observe/metrics.ts';

/** Told of each answer of one route. */
export type Answered = (request: FastifyRequest, status: number) => void;

export interface Watch {
  of(method: string, route: string): Answered;
  failed(request: FastifyRequest, error: AppError): void;
}

export function createWatch(log: Log, metrics: Metrics): Watch {
  const failures = new Map<string, Answered>();

  function of(method: string, route: string): Answered {
    const count = metrics.answersOf(method, route);
    return (request, status) => {
      const seconds = (performance.now() - request.startedAtMs) / 1_000;
      count(status, seconds);
      if (log.isOn('debug')) log.debug('request.answered', { request_id: request.id, method, route, status, seconds });
    };
  }

  return {
    of,
    failed(request, error) {
      const { status } = ERRORS[error.code];
      const route = request.routeOptions.url ?? 'none';
      // Methods are the caller's to invent where there is no route.
      const method = route === 'none' ? 'any' : request.method;
      const name = `${method} ${route}`;
      const answered = failures.get(name) ?? of(method, route);
      failures.set(name, answered);
      // A URL that cannot be read fails before the gate, which notes the start.
      request.startedAtMs ||= performance.now();
      answered(request, status);
      if (status >= 500) log.error('request.failed', { request_id: request.id, route, status, error });
    },
  };
}
