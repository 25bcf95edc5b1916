// What was fetched before, so that an unchanged page costs a 304 and a fresh one nothing. Kept in files, since a cache in memory would be
// most of a worker's memory; bounded in bytes, the entry unused longest goes first. Only plain GETs without credentials are kept, and
// nothing that the site marked as private or not to be stored.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpRequest, HttpResponse } from './http.ts';

export interface HttpCacheOptions {
  dir: string;
  maxBytes?: number;
  now?: () => number;
}

export interface StoredAnswer {
  isFresh: boolean;
  /** Headers that make the next request conditional. */
  validators: Record<string, string>;
  answer(headers304?: Record<string, string>): HttpResponse;
}

export interface HttpCache {
  find(request: HttpRequest): StoredAnswer | null;
  store(request: HttpRequest, answer: HttpResponse): void;
  readonly bytes: number;
}

interface Meta {
  url: string;
  status: number;
  headers: Record<string, string>;
  storedAt: number;
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
/** Headers of a request that make its answer nobody else's. */
const PERSONAL = ['authorization', 'cookie', 'range'];
/** Maximum freshness of an entry, whatever the site says. */
const MAX_FRESH_MS = 3_600_000;

export function createHttpCache(options: HttpCacheOptions): HttpCache {
  const { dir } = options;
  const now = options.now ?? Date.now;
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  mkdirSync(dir, { recursive: true });
  const index = readIndex(dir);
  let total = [...index.values()].reduce((sum, size) => sum + size, 0);

  const forget = (name: string) => {
    total -= index.get(name) ?? 0;
    index.delete(name);
    rmSync(join(dir, name), { force: true });
  };

  return {
    get bytes() {
      return total;
    },
    find(request) {
      if (!isPlainGet(request)) return null;
      const name = nameOf(request.url);
      const size = index.get(name);
      if (size === undefined) return null;
      const entry = readEntry(join(dir, name));
      if (entry === null || entry.meta.url !== request.url.href) {
        forget(name);
        return null;
      }
      // Most recently used goes last.
      index.delete(name);
      index.set(name, size);
      const { meta, body } = entry;
      return {
        isFresh: now() - meta.storedAt < freshnessMs(meta.headers),
        validators: validatorsOf(meta.headers),
        answer: (headers304 = {}) => ({
          url: request.url,
          status: meta.status,
          headers: { ...meta.headers, ...headers304 },
          setCookies: [],
          body,
          wireBytes: 0,
        }),
      };
    },
    store(request, answer) {
      if (!isPlainGet(request) || answer.status !== 200 || !isStorable(answer.headers)) return;
      const { 'content-encoding': _, 'set-cookie': __, ...headers } = answer.headers;
      const meta: Meta = { url: request.url.href, status: answer.status, headers, storedAt: now() };
      const head = Buffer.from(`${JSON.stringify(meta)}\n`);
      const size = head.length + answer.body.length;
      if (size > Math.min(MAX_ENTRY_BYTES, maxBytes)) return;
      const name = nameOf(request.url);
      if (index.has(name)) forget(name);
      for (const oldest of index.keys()) {
        if (total + size <= maxBytes) break;
        forget(oldest);
      }
      // Renamed into place: a crash while writing leaves no half entry.
      const draft = join(dir, `${name}.${process.pid}.draft`);
      try {
        writeFileSync(draft, Buffer.concat([head, answer.body]));
        renameSync(draft, join(dir, name));
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
      index.set(name, size);
      total += size;
    },
  };
}

function isPlainGet(request: HttpRequest): boolean {
  return request.method === 'GET' && request.body === undefined && !PERSONAL.some((name) => name in request.headers);
}

/** An answer that varies by anything but its encoding would need that in its name; such answers are not kept. */
function isStorable(headers: Record<string, string>): boolean {
  const control = headers['cache-control'] ?? '';
  const vary = (headers.vary ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (/no-store|private/.test(control) || vary.some((name) => name !== '' && name !== 'accept-encoding')) return false;
  return headers.etag !== undefined || headers['last-modified'] !== undefined || freshnessMs(headers) > 0;
}

function freshnessMs(headers: Record<string, string>): number {
  const control = headers['cache-control'] ?? '';
  if (/no-cache/.test(control)) return 0;
  const seconds = Number(/max-age=(\d+)/.exec(control)?.[1] ?? 0) - Number(headers.age ?? 0);
  return Math.min(Math.max(0, seconds * 1000), MAX_FRESH_MS);
}

function validatorsOf(headers: Record<string, string>): Record<string, string> {
  return {
    ...(headers.etag === undefined ? {} : { 'if-none-match': headers.etag }),
    ...(headers['last-modified'] === undefined ? {} : { 'if-modified-since': headers['last-modified'] }),
  };
}

function nameOf(url: URL): string {
  return createHash('sha256').update(url.href).digest('hex');
}

function readEntry(path: string): { meta: Meta; body: Buffer } | null {
  try {
    const bytes = readFileSync(path);
    const end = bytes.indexOf(0x0a);
    return { meta: JSON.parse(bytes.subarray(0, end).toString()) as Meta, body: bytes.subarray(end + 1) };
  } catch {
    // Removed by another process, or damaged: then it is not cached.
    return null;
  }
}

function readIndex(dir: string): Map<string, number> {
  const files = readdirSync(dir)
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .map((name) => ({ name, stat: statSync(join(dir, name), { throwIfNoEntry: false }) }))
    .sort((a, b) => (a.stat?.mtimeMs ?? 0) - (b.stat?.mtimeMs ?? 0));
  return new Map(files.map(({ name, stat }) => [name, stat?.size ?? 0]));
}
