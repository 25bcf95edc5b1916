// Answers are compressed for those who take it, where it gains something.
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorld, startApiWorld } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld({ isWithWorker: false });
});
afterAll(() => world?.stop());

/** `fetch` decompresses by itself. */
const raw = (path: string, headers: Record<string, string>) =>
  new Promise<{ encoding: string | undefined; vary: string | undefined; body: Buffer }>((resolve, reject) => {
    request(world.url + path, { headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('end', () =>
        resolve({
          encoding: reply.headers['content-encoding'],
          vary: reply.headers.vary,
          body: Buffer.concat(parts),
        }),
      );
    })
      .on('error', reject)
      .end();
  });

test('a large answer is compressed for clients that take it, and is the same', async () => {
  const plain = await raw('/openapi.json', {});
  const zipped = await raw('/openapi.json', { 'accept-encoding': 'gzip, br' });
  expect([plain.encoding, zipped.encoding]).toEqual([undefined, 'gzip']);
  expect([plain.vary, zipped.vary]).toEqual(['accept-encoding', 'accept-encoding']);
  expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
  expect(zipped.body.length).toBeLessThan(plain.body.length / 5);
});

test('a small answer is sent as it is', async () => {
  expect((await raw('/livez', { 'accept-encoding': 'gzip' })).encoding).toBeUndefined();
});

test('many at a time are all answered, some of them as they are', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => raw('/openapi.json', { 'accept-encoding': 'gzip' })),
  );
  const bodies = answers.map(({ encoding, body }) => (encoding === 'gzip' ? gunzipSync(body) : body).toString());
  expect(new Set(bodies).size).toBe(1);
});
