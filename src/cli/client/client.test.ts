import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createClient } from './client.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function server(answer: (response: ServerResponse, request: IncomingMessage) => void, timeoutMs = 60_000) {
  const http = createServer((request, response) => answer(response, request)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  closing.push(() => {
    http.close();
    http.closeAllConnections();
  });
  return createClient(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, undefined, timeoutMs);
}

test('the reader of a long answer may take longer than the server may for one part', async () => {
  const size = 20_000_000;
  const timeoutMs = 3_000;
  const client = await server((response) => response.end(Buffer.alloc(size, 'x')), timeoutMs);
  let read = 0;
  for await (const part of await client.stream('/', 'text/csv')) {
    if (read === 0) await sleep(timeoutMs * 1.5);
    read += part.length;
  }
  expect(read).toBe(size);
});

test('a server that stops in the middle of its answer is an error, not the end of the answer', async () => {
  const silent = await server((response) => response.write('a'), 3_000);
  const dying = await server((response) => response.write('a', () => response.destroy()));
  for (const [client, reason] of [
    [silent, 'TimeoutError'],
    [dying, 'UND_ERR_SOCKET'],
  ] as const) {
    const read = async () => {
      for await (const part of await client.stream('/', 'text/csv')) expect(String.fromCharCode(...part)).toBe('a');
    };
    await expect(read()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`broke (${reason})`),
    });
  }
});

test('a client without a key says how to set one', async () => {
  const client = await server((response) =>
    response.writeHead(401).end(JSON.stringify({ code: 'unauthorized', detail: 'This server wants a key.' })),
  );
  await expect(client.get('/schedules')).rejects.toMatchObject({
    code: 'unauthorized',
    message: 'This server wants a key. Set it with WINDROW_API_KEY or WINDROW_API_KEY_FILE.',
  });
});

test('an answer that never begins means that the server cannot be reached', async () => {
  const client = await server(() => {}, 500);
  await expect(client.stream('/', 'text/csv')).rejects.toThrow('Cannot reach a server');
});

test('a submission is sent again under the same key while the store is down, and nothing else is', async () => {
  const keys: unknown[] = [];
  const client = await server((response, request) => {
    keys.push(request.headers['idempotency-key']);
    if (keys.length === 2) response.writeHead(201).end(JSON.stringify({ job_id: 'job_1' }));
    else response.writeHead(503).end(JSON.stringify({ code: 'unavailable', detail: 'The store is down.' }));
  });
  expect(await client.submit('/jobs/submit', {})).toEqual({ job_id: 'job_1' });
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
  await expect(client.send('POST', '/schedules', {})).rejects.toMatchObject({ code: 'unavailable' });
  expect(keys).toHaveLength(3);
});

test('a submission that is refused, or that nobody answers, is not sent again', async () => {
  let count = 0;
  const client = await server((response) => {
    count++;
    response.writeHead(422).end(JSON.stringify({ code: 'invalid_params', detail: 'No address.' }));
  });
  await expect(client.submit('/jobs/submit', {})).rejects.toMatchObject({ code: 'invalid_params' });
  expect(count).toBe(1);
  for (const close of closing.splice(0)) close();
  await expect(client.submit('/jobs/submit', {})).rejects.toMatchObject({ code: 'unavailable' });
});
