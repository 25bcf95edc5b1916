// Faults in how the bytes arrive: late, broken off, too many, packed too tightly, in the wrong charset.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { BYTES, type FaultContext, type FaultKind, parseBytes } from './fault.ts';

const MB = 1024 ** 2;
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const OPENING =
  '<!doctype html><html><head><title>A very long page</title></head><body><article><h1>A very long page</h1>\n';
const FILLER = Buffer.from('<p>This paragraph is repeated until somebody has had enough of it.</p>\n'.repeat(920));

/** Waits out the time, or ends quietly when the client goes away first. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

async function write(response: ServerResponse, chunk: Buffer, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  if (response.write(chunk)) return true;
  try {
    await once(response, 'drain', { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

async function ordinaryBytes(context: FaultContext): Promise<Buffer> {
  return Buffer.from((await context.ordinary()).body);
}

async function half(context: FaultContext): Promise<Buffer> {
  const body = await ordinaryBytes(context);
  return body.subarray(0, Math.ceil(body.length / 2));
}

async function huge(context: FaultContext, hasLength: boolean): Promise<void> {
  const { response, signal } = context;
  const total = parseBytes(context.argument, 50 * MB);
  response.writeHead(200, hasLength ? { ...HTML, 'content-length': total } : HTML);
  let left = total;
  const opening = Buffer.from(OPENING).subarray(0, total);
  left -= opening.length;
  if (!(await write(response, opening, signal))) return;
  while (left > 0) {
    const chunk = left >= FILLER.length ? FILLER : FILLER.subarray(0, left);
    if (!(await write(response, chunk, signal))) return;
    left -= chunk.length;
  }
  response.end();
}

/** Gzip members may follow one another, so a bomb of any size is one small member repeated. */
function bomb(bytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(MB, ' '), { level: 9 });
  return Buffer.concat([gzipSync(OPENING), ...Array<Buffer>(Math.max(1, Math.ceil(bytes / MB))).fill(member)]);
}

async function slowBytes(context: FaultContext, everyMs: number): Promise<void> {
  const { response, signal } = context;
  const body = await ordinaryBytes(context);
  response.writeHead(200, { ...HTML, 'content-length': body.length });
  for (let i = 0; i < body.length; i++) {
    if (!(await write(response, body.subarray(i, i + 1), signal))) return;
    if (!(await pause(everyMs, signal))) return;
  }
  response.end();
}

export const TRANSFER_FAULTS: Readonly<Record<string, FaultKind>> = {
  slow: {
    usage: 'slow:2000',
    effect: 'waits so many milliseconds, then sends the page',
    isTransient: true,
    argument: /^\d{1,7}$/,
    async strike(context) {
      if (await pause(Number(context.argument || 1000), context.signal)) await context.sendOrdinary();
    },
  },
  'slow-body': {
    usage: 'slow-body, slow-body:100',
    effect: 'headers at once, then one byte a second (or every so many milliseconds)',
    isTransient: true,
    argument: /^\d{1,7}$/,
    strike: (context) => slowBytes(context, Number(context.argument || 1000)),
  },
  hang: {
    usage: 'hang',
    effect: 'takes the request and never answers',
    isTransient: true,
    strike: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
  },
  drop: {
    usage: 'drop',
    effect: 'closes the connection before the first byte',
    isTransient: true,
    strike: ({ response }) => void response.socket?.destroy(),
  },
  reset: {
    usage: 'reset',
    effect: 'half of the page, then a TCP reset',
    isTransient: true,
    async strike(context) {
      const { response } = context;
      response.writeHead(200, { ...HTML, 'content-length': (await ordinaryBytes(context)).length });
      // The reset must not overtake the half page, or the client never sees that anything had begun.
      response.write(await half(context), () => setImmediate(() => response.socket?.resetAndDestroy()));
    },
  },
  truncated: {
    usage: 'truncated',
    effect: 'Content-Length of the whole page, half of it, then an orderly close',
    isTransient: true,
    async strike(context) {
      const { response } = context;
      response.writeHead(200, {
        ...HTML,
        'content-length': (await ordinaryBytes(context)).length,
        connection: 'close',
      });
      response.write(await half(context), () => setImmediate(() => response.socket?.end()));
    },
  },
  huge: {
    usage: 'huge:50mb',
    effect: 'a page of that size, with Content-Length, sent as fast as it is read',
    isTransient: false,
    argument: BYTES,
    strike: (context) => huge(context, true),
  },
  'huge-chunked': {
    usage: 'huge-chunked:50mb',
    effect: 'the same without Content-Length',
    isTransient: false,
    argument: BYTES,
    strike: (context) => huge(context, false),
  },
  'gzip-bomb': {
    usage: 'gzip-bomb:200mb',
    effect: 'a few hundred kilobytes of gzip that unpack to that size',
    isTransient: false,
    argument: BYTES,
    strike({ response, argument }) {
      const body = bomb(parseBytes(argument, 200 * MB));
      response.writeHead(200, { ...HTML, 'content-encoding': 'gzip', 'content-length': body.length });
      response.end(body);
    },
  },
  'gzip-twice': {
    usage: 'gzip-twice:200mb',
    effect: 'the bomb packed a second time (Content-Encoding: gzip, gzip)',
    isTransient: false,
    argument: BYTES,
    strike({ response, argument }) {
      const body = gzipSync(bomb(parseBytes(argument, 200 * MB)));
      response.writeHead(200, { ...HTML, 'content-encoding': 'gzip, gzip', 'content-length': body.length });
      response.end(body);
    },
  },
  'bad-gzip': {
    usage: 'bad-gzip',
    effect: 'Content-Encoding: gzip on bytes that are not',
    isTransient: true,
    async strike(context) {
      const body = await ordinaryBytes(context);
      context.response.writeHead(200, { ...HTML, 'content-encoding': 'gzip', 'content-length': body.length });
      context.response.end(body);
    },
  },
  'bad-charset': {
    usage: 'bad-charset',
    effect: 'the page with an unknown charset in its header, stray bytes that are no UTF-8, and a NUL',
    isTransient: false,
    async strike(context) {
      const body = Buffer.concat([await ordinaryBytes(context), Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28])]);
      context.response.writeHead(200, {
        'content-type': 'text/html; charset=x-unheard-of',
        'content-length': body.length,
      });
      context.response.end(body);
    },
  },
  headers: {
    usage: 'headers:100kb',
    effect: 'so many bytes of response headers',
    isTransient: false,
    argument: BYTES,
    async strike(context) {
      const count = Math.ceil(parseBytes(context.argument, 100 * 1024) / 1024);
      const padding = Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-padding-${i}`, 'a'.repeat(1000)]));
      context.response.writeHead(200, { ...HTML, ...padding });
      context.response.end(await ordinaryBytes(context));
    },
  },
  cookies: {
    usage: 'cookies:1000',
    effect: 'the page with so many Set-Cookie headers',
    isTransient: false,
    argument: /^\d{1,5}$/,
    async strike(context) {
      const cookies = Array.from({ length: Number(context.argument || 1000) }, (_, i) => `c${i}=v${i}; Path=/`);
      context.response.writeHead(200, { ...HTML, 'set-cookie': cookies });
      context.response.end(await ordinaryBytes(context));
    },
  },
};
