// Spans by OpenTelemetry, sent by OTLP over HTTP. Only loaded when traces are on: the packages cost start-up time and memory.
// What a reader would get wrong: nothing is registered globally and nothing is patched. Spans begin where the engine says so, with the parent it names.
import { type Attributes, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import {
  formatTraceparent,
  parseTraceparent,
  type Span,
  type SpanAttributes,
  type SpanEnd,
  type Tracing,
} from '../../model/trace/trace.ts';
import { type ExportEvents, tellingOnce } from './telling-once.ts';

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingOptions extends ExportEvents {
  /** Unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES say otherwise. */
  service: { name: string; version: string; instance: string };
  /** Base of the collector; without it the standard variables decide. */
  endpoint?: string | undefined;
  sampler: (typeof SAMPLERS)[number];
  /** Share of traces, 0 to 1. */
  ratio: number;
}

export interface OpenTracing extends Tracing {
  /** Sends what is left; whoever calls it sets the limit. */
  close(): Promise<void>;
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};
/** Spans that wait to be sent. More are dropped: tracing never makes work wait. */
const QUEUE_MAX = 8_192;
const SEND_EVERY_MS = 2_000;
const SEND_LIMIT_MS = 10_000;
const VALUE_MAX_CHARS = 1_000;

export function openTelemetry(options: TracingOptions): OpenTracing {
  const { service, endpoint } = options;
  const exporter = tellingOnce(
    new OTLPTraceExporter({
      timeoutMillis: SEND_LIMIT_MS,
      ...(endpoint === undefined ? {} : { url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
    }) as SpanExporter,
    options,
  );
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          'service.name': service.name,
          'service.version': service.version,
          'service.instance.id': service.instance,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(options),
    spanLimits: { attributeValueLengthLimit: VALUE_MAX_CHARS },
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: QUEUE_MAX, scheduledDelayMillis: SEND_EVERY_MS }),
    ],
  });
  const tracer = provider.getTracer('windrow', service.version);
  const followsParent = options.sampler.startsWith('parentbased');

  return {
    begin({ name, kind, parent, links = [], attributes, startedAt }) {
      const above = contextOf(parent);
      // Most spans of a sampled fleet: what the SDK would make of them says no more than this.
      if (followsParent && above !== null && above.traceFlags === 0) return { traceparent: parent!, end() {} };
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          root: above === null,
          links: links.flatMap((link) => {
            const context = contextOf(link);
            return context === null ? [] : [{ context }];
          }),
          ...(attributes ? { attributes: said(attributes) } : {}),
          ...(startedAt === undefined ? {} : { startTime: startedAt }),
        },
        above === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above),
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      const begun: Span = {
        traceparent: formatTraceparent({ traceId, spanId, isSampled: (traceFlags & 1) === 1 }),
        end({ attributes: more, error, message }: SpanEnd = {}) {
          if (more) span.setAttributes(said(more));
          if (error !== undefined) {
            span.setAttribute('error.type', error);
            span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
          }
          span.end();
        },
      };
      return begun;
    },
    close: () => provider.shutdown(),
  };
}

function contextOf(traceparent: string | null | undefined): SpanContext | null {
  const context = parseTraceparent(traceparent);
  if (context === null) return null;
  const { traceId, spanId, isSampled } = context;
  return { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true };
}

const said = (attributes: SpanAttributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Attributes;

function samplerOf({ sampler, ratio }: TracingOptions): Sampler {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}
