import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { AppError } from '../../model/errors.ts';
import { Body } from './body.ts';

const LIMIT = 1024 * 1024;

function bodyOf(encoding: string | undefined, limitBytes = LIMIT) {
  const failures: AppError[] = [];
  const flow = { fail: (error: AppError) => failures.push(error), pause: () => {}, resume: () => {} };
  return { body: new Body(encoding, limitBytes, flow), failures };
}

function feed(body: Body, bytes: Buffer, step = 16 * 1024): void {
  for (let at = 0; at < bytes.length; at += step) body.push(bytes.subarray(at, at + step));
}

const small = Buffer.from('<p>Grüße</p>'.repeat(50));

test.each([
  ['gzip', gzipSync(small)],
  ['x-gzip', gzipSync(small)],
  ['br', brotliCompressSync(small)],
  ['zstd', zstdCompressSync(small)],
  ['deflate', deflateSync(small)],
  ['deflate', deflateRawSync(small)],
  ['gzip, br', brotliCompressSync(gzipSync(small))],
  ['identity', small],
  [undefined, small],
])('a small %s body is decoded', async (encoding, wire) => {
  const { body } = bodyOf(encoding);
  feed(body, wire);
  expect((await body.end()).equals(small)).toBe(true);
  expect(body.wireBytes).toBe(wire.length);
});

// Does not compress, so that it outgrows what is held before streaming starts.
const large = randomBytes(600 * 1024);

test.each([
  ['gzip', gzipSync(large)],
  ['br', brotliCompressSync(large)],
  ['zstd', zstdCompressSync(large)],
  ['deflate', deflateSync(large)],
  ['gzip, gzip', gzipSync(gzipSync(large))],
])('a large %s body is decoded as it arrives', async (encoding, wire) => {
  const { body } = bodyOf(encoding);
  feed(body, wire);
  expect((await body.end()).equals(large)).toBe(true);
});

test('gzip in gzip that unfolds past the limit is refused from a few hundred bytes', async () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(50 * 1024 * 1024)));
  const { body } = bodyOf('gzip, gzip');
  feed(body, bomb);
  await expect(body.end()).rejects.toMatchObject({ code: 'too_large', message: 'body larger than 1 MB' });
});

test('a large bomb is cut off while it arrives', async () => {
  const { body, failures } = bodyOf('gzip');
  feed(body, gzipSync(Buffer.concat([large, Buffer.alloc(20 * 1024 * 1024), large])));
  await expect(body.end()).rejects.toMatchObject({ code: 'too_large' });
  expect(failures).toHaveLength(1);
});

test('a plain body past the limit is cut off at once', () => {
  const { body, failures } = bodyOf(undefined, 10);
  body.push(Buffer.alloc(11));
  expect(failures.map(({ code }) => code)).toEqual(['too_large']);
});

test('what is not of its encoding is a network error', async () => {
  const { body } = bodyOf('gzip');
  body.push(Buffer.from('<html>'));
  await expect(body.end()).rejects.toMatchObject({ code: 'network' });
});

test('a gzip body without its trailer is still read', async () => {
  const { body } = bodyOf('gzip');
  body.push(gzipSync(small).subarray(0, -8));
  expect((await body.end()).equals(small)).toBe(true);
});

test('more than five encodings, and unknown ones, are refused', () => {
  expect(() => bodyOf('gzip,gzip,gzip,gzip,gzip,gzip')).toThrow('more than 5 content encodings');
  expect(() => bodyOf('compress')).toThrow('unknown content encoding compress');
});

test('an empty body needs no decoder', async () => {
  const { body } = bodyOf('gzip');
  expect(await body.end()).toHaveLength(0);
});
