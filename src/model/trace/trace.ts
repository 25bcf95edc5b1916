// Traces as the engine sees them: a span has a W3C context, which travels as text (`traceparent`) in requests, messages and stored tasks. Who sends spans
// where is decided in observe/trace. Without tracing there is no Tracing at all, and nobody begins a span.

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface SpanStart {
  /** The same for many: no ids, no URLs. */
  name: string;
  kind: SpanKind;
  /** A traceparent; without it the span begins a trace of its own. */
  parent?: string | null | undefined;
  /** Traceparents of other work that this is about. */
  links?: readonly string[];
  attributes?: SpanAttributes;
  /** Milliseconds since 1970; default now. */
  startedAt?: number;
}

export interface SpanEnd {
  attributes?: SpanAttributes;
  /** What kind of error it ended with: becomes `error.type`. */
  error?: string | undefined;
  message?: string | undefined;
}

export interface Span {
  readonly traceparent: string;
  end(how?: SpanEnd): void;
}

export interface Tracing {
  begin(start: SpanStart): Span;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

export interface TraceContext {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Null for whatever is not a valid context. Versions after 00 may say more; what they begin with is the same. */
export function parseTraceparent(text: unknown): TraceContext | null {
  if (typeof text !== 'string' || text.length > 512) return null;
  const isLater = /^[0-9a-f]{2}-/.test(text) && !text.startsWith('00-') && !text.startsWith('ff-');
  const known = isLater && (text.length === 55 || text[55] === '-') ? `00${text.slice(2, 55)}` : text;
  const [, traceId = NO_TRACE, spanId = NO_SPAN, flags = '00'] = TRACEPARENT.exec(known) ?? [];
  if (traceId === NO_TRACE || spanId === NO_SPAN) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** For log lines: nothing where there is no trace. */
export function traceField(traceparent: string | null | undefined): { trace_id?: string } {
  const context = parseTraceparent(traceparent);
  return context === null ? {} : { trace_id: context.traceId };
}

export const isSampled = (traceparent: string | null | undefined): traceparent is string =>
  parseTraceparent(traceparent)?.isSampled === true;
