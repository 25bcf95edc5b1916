// JSON and text answers to GET, compressed: only those that gain by it, in threads of libuv, and a bounded number at a time, past which they are sent as they are.
// What is posted is not touched: submitting is the hot path, and its answers are small.
import { promisify } from 'node:util';
import { constants, gzip as gzipWithCallback } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const gzip = promisify(gzipWithCallback);
/** About what fits into one packet. */
const FROM_BYTES = 1_400;
const AT_ONCE = 4;
/** Four fifths of the gain for a fifth of the time of the usual one. */
const OPTIONS = { level: constants.Z_BEST_SPEED };
const COMPRESSIBLE = /^(?:application\/(?:json|problem\+json|yaml)|text\/)/;

export type Compress = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => Promise<unknown>;

export function createCompress(): Compress {
  let running = 0;
  return async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (payload.length < FROM_BYTES || running >= AT_ONCE || reply.hasHeader('content-encoding')) return payload;
    if (!COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))) return payload;
    reply.header('vary', 'accept-encoding');
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return payload;
    running++;
    try {
      const zipped = await gzip(payload, OPTIONS);
      reply.header('content-encoding', 'gzip').removeHeader('content-length');
      return zipped;
    } finally {
      running--;
    }
  };
}
