// What the main thread and a reading thread say to each other. A run has an id for each thread it is placed on.
import type { PageFindings } from '../../model/crawl/crawl.ts';
import { AppError, asAppError, type ErrorCode } from '../../model/errors.ts';
import type { Item } from '../../model/item/item.ts';
import type { Origins } from '../../model/provenance/origins.ts';
import type { Yields } from '../../model/quality/yields.ts';
import type { PageOptions, WebLedger, WebRequest, WebResponse } from '../../web/port.ts';
import type { SourceFacts } from '../run-source.ts';

/** What is asked of the web, for which it is the same whether it is asked for the first time or again. */
export type Question =
  | { kind: 'get'; url: string; request: WebRequest | undefined }
  | { kind: 'page'; url: string; options: PageOptions | undefined }
  | { kind: 'sitemaps'; url: string };

export type Answer = { value: WebResponse | string[] } | { error: PlainError };

export type ToThread =
  | {
      type: 'run';
      id: number;
      source: string;
      params: Record<string, unknown>;
      resumeAt: { place: unknown } | null;
      /** Effects of this run that an earlier thread has sent already: they are not sent again. */
      skip: number;
    }
  | { type: 'answer'; id: number; question: number; answer: Answer; ledger: WebLedger }
  /** So many effects were taken. */
  | { type: 'taken'; id: number; effects: number }
  | { type: 'stop'; id: number; reason: PlainError };

/** What a source does besides asking, in the order in which it does it. */
export type Effect =
  | { item: Item; origins?: Origins }
  | { skipped: { id: string | null; reason: string } }
  /** Rows past those that are kept by name. */
  | { unnamed: number }
  | { incomplete: string }
  | { reached: unknown }
  | { matched: Yields }
  | { crawled: PageFindings }
  | { warn: string }
  | { page: boolean };

export type Said =
  | { type: 'found'; id: number; source: SourceFacts }
  | { type: 'question'; id: number; question: number; asked: Question }
  | { type: 'effects'; id: number; effects: Effect[] }
  | { type: 'ended'; id: number; error: PlainError | null };

/** In one message: what was said in one turn of the thread's loop, or more. */
export type FromThread = { type: 'ready' } | { type: 'said'; said: Said[] };

/** What both threads see of what the thread does: numbers in shared memory, because a thread that computes answers nothing. */
export interface Watch {
  /** 32-bit numbers, by `AT`. */
  counts: Int32Array;
  /** One number: CPU time of the thread when it began its turn, in ms. */
  cpu: Float64Array;
}

export const AT = {
  /** Id of the run that the thread works on, 0 for none. */
  run: 0,
  /** Turns begun. */
  turn: 1,
  /** Messages taken from the port. */
  taken: 2,
  /** Runs whose source is being loaded: the time for that is no page's. */
  loading: 3,
} as const;

export const WATCH_BYTES = 24;

export const watchOf = (memory: SharedArrayBuffer): Watch => ({
  counts: new Int32Array(memory, 8, 4),
  cpu: new Float64Array(memory, 0, 1),
});

export interface PlainError {
  code: ErrorCode;
  message: string;
  retryAfterMs?: number | undefined;
  details?: Record<string, unknown> | undefined;
}

export function toPlain(thrown: unknown): PlainError {
  const { code, message, retryAfterMs, details } = asAppError(thrown);
  return { code, message, retryAfterMs, details: details && JSON.parse(JSON.stringify(details)) };
}

export const fromPlain = ({ code, message, retryAfterMs, details }: PlainError): AppError =>
  new AppError(code, message, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(details === undefined ? {} : { details }),
  });
