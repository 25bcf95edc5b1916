// An exporter that says once that spans cannot be sent, and once that they can be again: a collector that is away for a night is two lines in the log.
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

export interface ExportEvents {
  onUnsent(error: string): void;
  onSentAgain(lost: number): void;
}

export function tellingOnce(exporter: SpanExporter, { onUnsent, onSentAgain }: ExportEvents): SpanExporter {
  let lost = 0;
  const seen = (spans: ReadableSpan[], error: string | null): void => {
    if (error !== null) {
      if (lost === 0) onUnsent(error);
      lost += spans.length;
    } else if (lost > 0) {
      onSentAgain(lost);
      lost = 0;
    }
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        seen(spans, result.code === 0 ? null : (result.error?.message ?? 'the collector refused them'));
        // A failure is told here; the processor would tell it again, where nobody reads it.
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush ? { forceFlush: () => exporter.forceFlush!() } : {}),
  };
}
