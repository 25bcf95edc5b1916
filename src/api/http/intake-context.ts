// What the intake is told of the request that brought the work.
import type { FastifyRequest } from 'fastify';
import type { IntakeContext } from '../../orchestrator/intake/intake.ts';
import { idempotencyClaim } from './idempotency.ts';

/** `scope`: the requests among which an Idempotency-Key means the same. */
export function contextOf(request: FastifyRequest, scope: string): IntakeContext {
  return {
    requestId: request.id,
    owner: request.owner,
    isLimited: request.isLimited,
    sees: request.sees,
    idempotency: idempotencyClaim(request, scope),
    traceparent: request.span?.traceparent ?? null,
  };
}
