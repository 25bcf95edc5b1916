// What can go wrong with a request, as one error: the problem documents of the API (RFC 9457), and a server that cannot be reached.

export interface FieldProblem {
  /** JSON Pointer to the field, such as `/articles/3/url`. */
  pointer: string;
  detail: string;
}

/** The server could not be reached: neither accepted nor refused. */
export const UNREACHABLE = 'unreachable';

interface More {
  status?: number;
  code?: string;
  requestId?: string | null;
  fields?: readonly FieldProblem[];
  retryAfter?: number | null;
  cause?: unknown;
}

/** `code` is stable and for programs, `message` is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when no server answered. */
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly fields: readonly FieldProblem[];
  /** Seconds, where the server says when to come again. */
  readonly retryAfter: number | null;

  constructor(message: string, { status, code, requestId, fields, retryAfter, cause }: More = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.status = status ?? 0;
    this.code = code ?? UNREACHABLE;
    this.requestId = requestId ?? null;
    this.fields = fields ?? [];
    this.retryAfter = retryAfter ?? null;
  }
}

interface ProblemDocument {
  detail?: string;
  title?: string;
  code?: string;
  request_id?: string;
  errors?: FieldProblem[];
}

/** The error of an answer that is no success. */
export function errorOf(document: unknown, status: number, retryAfter: number | null): ApiError {
  const problem = typeof document === 'object' && document !== null ? (document as ProblemDocument) : {};
  return new ApiError(problem.detail ?? problem.title ?? `The server answered with ${status}.`, {
    status,
    code: problem.code ?? 'internal',
    requestId: problem.request_id ?? null,
    fields: problem.errors ?? [],
    retryAfter,
  });
}
