// Every error as a problem document (RFC 9457). The `type` is the code of the error table, so the table is the list of problem types.
// An unexpected error (a bug) is `internal` without its text: the log line with the same request id has it.
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, ERRORS, type ErrorCode } from '../../model/errors.ts';

export const PROBLEM_TYPE = 'application/problem+json';

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  request_id: string;
  errors: { pointer: string; detail: string }[];
}

export function problemOf(error: AppError, requestId: string): Problem {
  const { status, sentence } = ERRORS[error.code];
  return {
    type: `urn:windrow:problem:${error.code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: error.code === 'internal' ? sentence : error.message,
    code: error.code,
    request_id: requestId,
    errors: error.errors ?? [],
  };
}

/** Seconds for `Retry-After`, rounded up; 429 and 503 always have it. */
export function retryAfterSeconds(error: AppError): number | null {
  const { status } = ERRORS[error.code];
  if (error.retryAfterMs !== undefined) return Math.max(1, Math.ceil(error.retryAfterMs / 1_000));
  return status === 429 || status === 503 ? 2 : null;
}

/** Errors of Fastify and Node by their codes. */
const FOREIGN_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'bad_request',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

export function asRequestError(thrown: unknown, bodyLimit?: number): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, statusCode } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as {
    code?: unknown;
    statusCode?: unknown;
  };
  const known = typeof code === 'string' ? FOREIGN_CODES[code] : undefined;
  if (known)
    return new AppError(
      known,
      known === 'body_too_large' && bodyLimit !== undefined ? tooLarge(bodyLimit) : undefined,
      { cause: thrown },
    );
  // secure-json-parse: a body with `__proto__` or `constructor.prototype` in it.
  if (thrown instanceof SyntaxError) return new AppError('malformed_json', undefined, { cause: thrown });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new AppError('bad_request', thrown instanceof Error ? thrown.message : undefined, { cause: thrown });
  }
  return new AppError('internal', undefined, { cause: thrown });
}

const tooLarge = (bytes: number): string =>
  `The request body is larger than ${bytes.toLocaleString('en')} bytes. Send several smaller requests, or raise API_BODY_LIMIT_BYTES.`;

export function writeProblem(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error, request.id);
  const retryAfter = retryAfterSeconds(error);
  if (retryAfter !== null) reply.header('retry-after', String(retryAfter));
  if (error.code === 'too_many_requests') reply.headers((error.details ?? {}) as Record<string, string>);
  if (error.code === 'unauthorized') {
    // A browser asks its user for the key; a program gets the header it should have sent.
    const isPage = /text\/html/.test(request.headers.accept ?? '');
    reply.header('www-authenticate', isPage ? 'Basic realm="windrow"' : 'Bearer realm="windrow"');
  }
  if (error.code === 'insufficient_scope')
    reply.header(
      'www-authenticate',
      `Bearer realm="windrow", error="insufficient_scope", scope="${error.details?.scope}"`,
    );
  return reply
    .code(problem.status)
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .type(`${PROBLEM_TYPE}; charset=utf-8`)
    .serializer(JSON.stringify)
    .send(problem);
}
