// What can go wrong with a request, as one error for people: the problem documents of the API (RFC 9457), and a server that cannot be reached.

export interface FieldProblem {
  pointer: string;
  detail: string;
}

/** The server could not be reached: neither accepted nor refused. */
export const UNREACHABLE = 'unreachable';

export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly fields: readonly FieldProblem[];
  /** Seconds, where the server says when to come again. */
  readonly retryAfter: number | null;

  constructor(
    message: string,
    more: Partial<Pick<Problem, 'status' | 'code' | 'requestId' | 'fields' | 'retryAfter'>>,
  ) {
    super(message);
    this.status = more.status ?? 0;
    this.code = more.code ?? UNREACHABLE;
    this.requestId = more.requestId ?? null;
    this.fields = more.fields ?? [];
    this.retryAfter = more.retryAfter ?? null;
  }
}

interface ProblemDocument {
  detail?: string;
  title?: string;
  code?: string;
  request_id?: string;
  errors?: FieldProblem[];
}

export function problemOf(document: unknown, status: number, retryAfter: number | null): Problem {
  const { detail, title, code, request_id, errors } = (document ?? {}) as ProblemDocument;
  return new Problem(detail ?? title ?? `The server answered with ${status}.`, {
    status,
    code: code ?? 'internal',
    requestId: request_id ?? null,
    fields: errors ?? [],
    retryAfter,
  });
}

/** Whatever was thrown, as a problem. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem(thrown instanceof Error ? thrown.message : String(thrown), { code: 'internal' });
}

/** `/articles/3/url` as people would say it: `articles 4, url`. */
export function fieldLabel(pointer: string): string {
  const label = pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? ` ${Number(part) + 1}` : `, ${part.replaceAll('_', ' ')}`))
    .join('');
  return label.startsWith(', ') ? label.slice(2) : label.trim();
}
