// How a fault is asked for: `?fault=slow:2000` or `/fault/slow:2000/any/path`. Any fault may end in `-then-ok:2`: it then strikes the
// first two requests of that address only. Wrong spellings are answered with 400, so that no test passes because of a typing error.
import type { ServerResponse } from 'node:http';
import type { SandboxReply, SandboxRequest } from '../replica.ts';

export interface Fault {
  kind: string;
  /** What follows the colon; empty when nothing does. */
  argument: string;
  /** Strikes only the first so many requests; null: every one. */
  strikes: number | null;
}

export interface FaultContext {
  request: SandboxRequest;
  response: ServerResponse;
  argument: string;
  /** Milliseconds since this address was first asked for. */
  sinceFirstMs: number;
  /** Aborted when the client went away or the sandbox closes. */
  signal: AbortSignal;
  /** Sends what the replica would have sent without the fault. */
  sendOrdinary(): Promise<void>;
  /** The reply itself, for faults that spoil it. */
  ordinary(): Promise<SandboxReply>;
  /** This address with another fault, or with none: where redirects point. */
  pathWith(fault: string | null): string;
}

export interface FaultKind {
  /** For the table in the index page: how to write it and what happens. */
  usage: string;
  effect: string;
  /** Passes by itself: when faults come by seed, a later attempt succeeds. */
  isTransient: boolean;
  /** Checked when the fault is parsed; without it no argument is allowed. */
  argument?: RegExp;
  strike(context: FaultContext): void | Promise<void>;
}

const SPEC = /^([a-z0-9-]+?)(?::(.*?))?(?:-then-ok:(\d{1,6}))?$/;

/** Undefined when the spelling or the argument is wrong. */
export function parseFault(spec: string, kinds: Readonly<Record<string, FaultKind>>): Fault | undefined {
  const match = SPEC.exec(spec);
  if (!match) return undefined;
  const [, name = '', argument = '', count] = match;
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) return undefined;
  const isFine = argument === '' || kind.argument?.test(argument) === true;
  return isFine ? { kind: name, argument, strikes: count === undefined ? null : Number(count) } : undefined;
}

/** `50mb`, `300kb` or plain bytes. */
export function parseBytes(text: string, fallback: number): number {
  const match = /^(\d+)(kb|mb|gb)?$/.exec(text);
  if (!match) return fallback;
  const unit = { kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }[match[2] ?? ''] ?? 1;
  return Number(match[1]) * unit;
}

export const BYTES = /^\d{1,12}(?:kb|mb|gb)?$/;
