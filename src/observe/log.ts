// Log lines: one JSON object a line with `ts, level, event` and the ids of what it is about. An event is a fact with a name (`run.accepted`), not a
// sentence, and every line passes through redaction. Lines are gathered and written together; `flush` writes what is left before the process ends.
import pino, { type DestinationStream } from 'pino';
import { redact } from './redact.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Known everywhere: `site_name, run_id, task_id, request_id, status, worker`; others as the event needs them. */
export type LogFields = Record<string, unknown>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** To skip building fields that nobody would read. */
  isOn(level: LogLevel): boolean;
  /** The same log with fields that every line carries. */
  with(fields: LogFields): Log;
  flush(): void;
}

export interface LogOptions {
  level: LogLevel;
  /** Where lines go; standard error unless told, so that the data a command prints stays alone on standard output. */
  to?: 'stdout' | 'stderr' | DestinationStream;
  /** Write each line at once: for commands that may end at any moment. */
  isSync?: boolean;
}

export function createLog(options: LogOptions): Log {
  const to = options.to ?? 'stderr';
  const stream =
    typeof to === 'string'
      ? pino.destination({
          fd: to === 'stdout' ? 1 : 2,
          sync: options.isSync ?? true,
          minLength: options.isSync === false ? 4_096 : 0,
        })
      : to;
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"ts":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const flush = () => {
    if ('flushSync' in stream && typeof stream.flushSync === 'function') stream.flushSync();
  };
  return over(logger, flush);
}

function over(logger: pino.Logger, flush: () => void): Log {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields?: LogFields): void => {
      if (!logger.isLevelEnabled(level)) return;
      logger[level](fields ? { event, ...redact(fields) } : { event });
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    isOn: (level) => logger.isLevelEnabled(level),
    with: (fields) => over(logger.child(redact(fields)), flush),
    flush,
  };
}
