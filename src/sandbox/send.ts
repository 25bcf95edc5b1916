// Puts a reply on the socket: conditional requests (304), HEAD, compression. Nothing here knows what is being sent.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { SandboxReply } from './replica.ts';

/** Exactly what goes out, made once and kept while the reply is in the cache. */
export interface ReadyReply {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  /** Quoted, as it stands in the header. */
  etag: string | undefined;
  lastModifiedMs: number | undefined;
}

export function acceptedEncoding(reply: SandboxReply, acceptEncoding: string | undefined): 'gzip' | 'br' | null {
  const wanted = reply.compress ?? null;
  return wanted !== null && acceptEncoding !== undefined && new RegExp(`\\b${wanted}\\b`).test(acceptEncoding)
    ? wanted
    : null;
}

export function makeReady(reply: SandboxReply, encoding: 'gzip' | 'br' | null): ReadyReply {
  const plain = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
  const body = encoding === null ? plain : encode(plain, encoding);
  const etag = reply.etag === undefined ? undefined : `"${reply.etag}${encoding === null ? '' : `-${encoding}`}"`;
  const headers: Record<string, string | string[]> = { 'content-type': reply.type, ...reply.headers };
  if (reply.compress) headers.vary = 'Accept-Encoding';
  if (encoding !== null) headers['content-encoding'] = encoding;
  if (etag !== undefined) headers.etag = etag;
  if (reply.lastModified !== undefined) headers['last-modified'] = reply.lastModified.toUTCString();
  // Header dates have whole seconds; comparing with the fraction would never find a page unchanged.
  const lastModifiedMs =
    reply.lastModified === undefined ? undefined : Math.floor(reply.lastModified.getTime() / 1000) * 1000;
  return { status: reply.status, headers, body, etag, lastModifiedMs };
}

function encode(plain: Buffer, encoding: 'gzip' | 'br'): Buffer {
  if (encoding === 'gzip') return gzipSync(plain, { level: 4 });
  return brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}

export function send(request: IncomingMessage, response: ServerResponse, ready: ReadyReply): void {
  if (ready.status === 200 && isUnchanged(request, ready)) {
    const { 'content-type': _type, 'content-encoding': _encoding, ...headers } = ready.headers;
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(ready.status, { ...ready.headers, 'content-length': ready.body.length });
  response.end(request.method === 'HEAD' ? undefined : ready.body);
}

/** RFC 9110 §13.2.2: If-None-Match decides alone when it is there. */
function isUnchanged({ headers }: IncomingMessage, ready: ReadyReply): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    if (ready.etag === undefined) return false;
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === ready.etag);
  }
  const since = headers['if-modified-since'];
  if (since === undefined || ready.lastModifiedMs === undefined) return false;
  const sinceMs = Date.parse(since);
  return !Number.isNaN(sinceMs) && ready.lastModifiedMs <= sinceMs;
}
