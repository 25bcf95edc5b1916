// Metrics and log lines of requests: time until the response was ready, by route and status, and every internal error.
import type { FastifyRequest } from 'fastify';
import { type AppError, ERRORS } from '../../model/errors.ts';
import { traceField } from '../../model/trace/trace.ts';
import type { Log } from '../../observe/log.ts';
import type { Metrics } from '../../observe/metrics/api.ts';

/** Called for each response of one route. */
export type Answered = (request: FastifyRequest, status: number) => void;

export interface Watch {
  of(method: string, route: string): Answered;
  failed(request: FastifyRequest, error: AppError): void;
}

/** An outage fails every request: it is told once in this time, without a stack, and with how many others it failed. */
const OUTAGE_LINE_MS = 1_000;

export function createWatch(log: Log, metrics: Metrics, now = () => performance.now()): Watch {
  const failures = new Map<string, Answered>();
  let outage = { toldMs: Number.NEGATIVE_INFINITY, others: 0 };

  function tellOutage(requestId: string, route: string, status: number, error: AppError): void {
    if (now() - outage.toldMs < OUTAGE_LINE_MS) {
      outage.others += 1;
      return;
    }
    const { others } = outage;
    outage = { toldMs: now(), others: 0 };
    const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
    log.warn('request.refused', {
      request_id: requestId,
      route,
      status,
      error: error.message,
      ...cause,
      ...(others > 0 ? { others } : {}),
    });
  }

  function of(method: string, route: string): Answered {
    const count = metrics.answersOf(method, route);
    return (request, status) => {
      const { id, span, startedAtMs } = request;
      const seconds = (performance.now() - startedAtMs) / 1_000;
      count(status, seconds);
      span?.end({
        attributes: { 'http.response.status_code': status },
        ...(status >= 500 && { error: String(status) }),
      });
      if (log.isOn('debug'))
        log.debug('request.answered', {
          request_id: id,
          ...traceField(span?.traceparent),
          method,
          route,
          status,
          seconds,
        });
    };
  }

  return {
    of,
    failed(request, error) {
      const { status } = ERRORS[error.code];
      const route = request.routeOptions.url ?? 'none';
      // Without a route the method can be any text of the caller, which must not become a label.
      const method = route === 'none' ? 'any' : request.method;
      const name = `${method} ${route}`;
      const answered = failures.get(name) ?? of(method, route);
      failures.set(name, answered);
      // A URL that is not valid fails before the gate, which sets the start time.
      request.startedAtMs ||= performance.now();
      answered(request, status);
      if (error.code === 'unavailable') tellOutage(request.id, route, status, error);
      else if (status >= 500)
        log.error('request.failed', {
          request_id: request.id,
          ...traceField(request.span?.traceparent),
          route,
          status,
          error,
        });
    },
  };
}
