// Log lines: one JSON object a line with `ts, level, event` and the ids of what it is about. An event is a fact with a name (`run.accepted`), not a
// sentence, and every line passes through redaction. A server's lines are gathered and written together; warnings and errors are written at once.
import pino from 'pino';
import { createLineWriter } from './line-writer.ts';
import { redact, redactInto } from './redact.ts';

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
  /** Before the process ends. */
  flush(): void;
}

const GATHER_MS = 20;
/** Together they stay below what malloc maps anew for every write, which would cost more than the lines. */
const GATHER_MAX = 50;

export interface LogOptions {
  level: LogLevel;
  /** Where lines go; default standard error, so that the data a command prints stays alone on standard output. */
  to?: 'stdout' | 'stderr' | { write(line: string): void };
  /** Each line is written at once, unless this is false: then lines are gathered for some milliseconds, and the end of the process has to flush. */
  isSync?: boolean;
}

export function createLog(options: LogOptions): Log {
  const { to = 'stderr', isSync = true } = options;
  const stream: LineStream =
    typeof to === 'string'
      ? openStream(to === 'stdout' ? 1 : 2, isSync)
      : { write: (line) => to.write(line), handOver: () => {}, flush: () => {} };
  const logger = pino(
    { level: options.level, base: null, timestamp: timestamps(), formatters: { level: (label) => ({ level: label }) } },
    stream,
  );
  return over(logger, stream);
}

interface LineStream {
  write(line: string): void;
  /** Nothing is gathered any longer. */
  handOver(): void;
  flush(): void;
}

/** Lines of the same moment are written together: a write per line costs more than everything else about a line. */
function openStream(fd: number, isSync: boolean): LineStream {
  // A pipe that was opened as a stream answers that it is full, instead of stopping the process until somebody reads.
  void (fd === 1 ? process.stdout : process.stderr);
  const writer = createLineWriter(fd, { isSync });
  if (isSync) return { write: writer.write, handOver: () => {}, flush: writer.flush };
  let gathered: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const handOver = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = gathered.join('');
    gathered = [];
    writer.write(text);
  };
  return {
    write(line) {
      gathered.push(line);
      if (gathered.length >= GATHER_MAX) handOver();
      else timer ??= setTimeout(handOver, GATHER_MS);
    },
    handOver,
    flush() {
      handOver();
      writer.flush();
    },
  };
}

/** ISO times; the part down to the second is kept while it lasts, since it is the same for thousands of lines. */
function timestamps(): () => string {
  let second = Number.NaN;
  let head = '';
  return () => {
    const ms = Date.now();
    const now = Math.floor(ms / 1_000);
    if (now !== second) {
      second = now;
      head = `,"ts":"${new Date(now * 1_000).toISOString().slice(0, 20)}`;
    }
    return `${head}${String(ms % 1_000).padStart(3, '0')}Z"`;
  };
}

function over(logger: pino.Logger, stream: LineStream): Log {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields?: LogFields): void => {
      if (!logger.isLevelEnabled(level)) return;
      logger[level](fields ? redactInto({ event }, fields) : { event });
      // The process may end right after this.
      if (level === 'warn' || level === 'error') stream.handOver();
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    isOn: (level) => logger.isLevelEnabled(level),
    with: (fields) => over(logger.child(redact(fields)), stream),
    flush: () => stream.flush(),
  };
}
