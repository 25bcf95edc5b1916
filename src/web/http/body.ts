// A response body within a limit that counts what comes out of the decoders, not what crossed the wire: 485 bytes of gzip in gzip
// become 200 MB. Small compressed bodies (nearly all) are held and decoded in one call, which costs a fifth of a stream;
// larger ones are decoded as they arrive, so that a bomb ends at the limit and not at its last byte.

import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzip,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { AppError } from '../../model/errors.ts';

const MAX_LAYERS = 5;
const HOLD_BYTES = 256 * 1024;

type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

// A gzip stream without its trailer is common and browsers show it; what was decoded until then is kept.
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/** How a body steers the connection it comes from. */
export interface BodyFlow {
  /** Called at most once, while the body is still arriving, so that the sender can be cut off. */
  fail(error: AppError): void;
  pause(): void;
  resume(): void;
}

export class Body {
  /** Bytes that crossed the wire. */
  wireBytes = 0;
  readonly #limitBytes: number;
  readonly #codings: Coding[];
  readonly #flow: BodyFlow;
  #chunks: Buffer[] = [];
  #decodedBytes = 0;
  #first: Transform | null = null;
  #streamed: Promise<Buffer> | null = null;

  constructor(contentEncoding: string | undefined, limitBytes: number, flow: BodyFlow) {
    this.#codings = parseCodings(contentEncoding);
    this.#limitBytes = limitBytes;
    this.#flow = flow;
  }

  push(chunk: Buffer): void {
    this.wireBytes += chunk.length;
    if (this.#first !== null) {
      if (!this.#first.write(chunk)) this.#flow.pause();
      return;
    }
    if (this.wireBytes > this.#limitBytes) {
      this.#chunks = [];
      this.#flow.fail(tooLarge(this.#limitBytes));
      return;
    }
    this.#chunks.push(chunk);
    if (this.#codings.length > 0 && this.wireBytes > HOLD_BYTES) this.#startStreaming();
  }

  async end(): Promise<Buffer> {
    if (this.#first !== null && this.#streamed !== null) {
      this.#first.end();
      return this.#streamed;
    }
    const wire = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    return this.#codings.length === 0 || wire.length === 0 ? wire : decodeAtOnce(wire, this.#codings, this.#limitBytes);
  }

  /** Frees the decoders when the exchange ends early. */
  destroy(): void {
    this.#chunks = [];
    this.#first?.destroy();
  }

  #startStreaming(): void {
    const held = Buffer.concat(this.#chunks);
    this.#chunks = [];
    const layers = [...this.#codings].reverse().map((coding) => decoder(coding, held));
    const [first] = layers;
    if (first === undefined) return;
    this.#first = first;
    this.#streamed = new Promise<Buffer>((resolve, reject) => {
      const fail = (error: AppError) => {
        for (const layer of layers) layer.destroy();
        reject(error);
        this.#flow.fail(error);
      };
      for (const layer of layers) layer.on('error', (cause) => fail(undecodable(cause)));
      const last = layers.reduce((from, to) => from.pipe(to));
      const out: Buffer[] = [];
      last.on('data', (chunk: Buffer) => {
        this.#decodedBytes += chunk.length;
        if (this.#decodedBytes > this.#limitBytes) fail(tooLarge(this.#limitBytes));
        else out.push(chunk);
      });
      last.on('end', () => resolve(Buffer.concat(out)));
      last.on('close', () => reject(new AppError('network', 'the connection was closed before the end of the body')));
    });
    // The exchange reports the failure through its flow; without this a body nobody waits for would be an unhandled rejection.
    this.#streamed.catch(() => {});
    first.on('drain', () => this.#flow.resume());
    if (!first.write(held)) this.#flow.pause();
  }
}

function parseCodings(header: string | undefined): Coding[] {
  if (header === undefined || header === '') return [];
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_LAYERS) throw new AppError('unsupported_content', `more than ${MAX_LAYERS} content encodings`);
  return names.map((name) => {
    if (name === 'gzip' || name === 'x-gzip') return 'gzip';
    if (name === 'deflate' || name === 'br' || name === 'zstd') return name;
    throw new AppError('unsupported_content', `unknown content encoding ${name.slice(0, 20)}`);
  });
}

function decodeAtOnce(wire: Buffer, codings: Coding[], limitBytes: number): Buffer {
  let bytes = wire;
  try {
    for (const coding of [...codings].reverse()) bytes = decodeLayer(coding, bytes, limitBytes);
    return bytes;
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(limitBytes);
    throw undecodable(cause);
  }
}

function decodeLayer(coding: Coding, bytes: Buffer, limitBytes: number): Buffer {
  const options = { maxOutputLength: limitBytes };
  if (coding === 'br') return brotliDecompressSync(bytes, options);
  if (coding === 'zstd') return zstdDecompressSync(bytes, options);
  if (coding === 'gzip') return gunzipSync(bytes, { ...options, ...LENIENT });
  return hasZlibHeader(bytes)
    ? inflateSync(bytes, { ...options, ...LENIENT })
    : inflateRawSync(bytes, { ...options, ...LENIENT });
}

function decoder(coding: Coding, head: Buffer): Transform {
  if (coding === 'br') return createBrotliDecompress();
  if (coding === 'zstd') return createZstdDecompress();
  if (coding === 'gzip') return createGunzip(LENIENT);
  return hasZlibHeader(head) ? createInflate(LENIENT) : createInflateRaw(LENIENT);
}

/** `deflate` should be zlib-wrapped; some servers send it bare, as browsers have learned. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('too_large', `body larger than ${Math.round(limitBytes / 1024 / 1024)} MB`);
}

function undecodable(cause: unknown): AppError {
  return new AppError('network', 'the body could not be decoded', { cause });
}

const GZIP_TYPE = /^application\/(?:x-)?gzip\b/i;
const gunzipFile = promisify(gunzip);

/** A file that is itself compressed (`sitemap.xml.gz`), whatever the coding it was sent in. What is not is left as it is. */
export async function unpackedFile(
  body: Buffer,
  address: URL,
  type: string | undefined,
  limitBytes: number,
): Promise<Buffer> {
  const isGzip =
    body[0] === 0x1f && body[1] === 0x8b && (address.pathname.endsWith('.gz') || GZIP_TYPE.test(type ?? ''));
  if (!isGzip) return body;
  try {
    return await gunzipFile(body, { ...LENIENT, maxOutputLength: limitBytes });
  } catch (error) {
    throw error instanceof RangeError ? tooLarge(limitBytes) : undecodable(error);
  }
}
