import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createClient } from './client.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function server(answer: (response: ServerResponse) => void, timeoutMs = 60_000) {
  const http = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  closing.push(() => {
    http.close();
    http.closeAllConnections();
  });
  return createClient(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, undefined, timeoutMs);
}

test('whoever reads a long answer may take longer over it than the server may over a part of it', async () => {
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

test('a server that falls silent or dies in the middle of its answer is told apart from the end', async () => {
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
      message: expect.stringContaining(`broke off (${reason})`),
    });
  }
});

test('who has no key is told how a command takes one', async () => {
  const client = await server((response) =>
    response.writeHead(401).end(JSON.stringify({ code: 'unauthorized', detail: 'This server wants a key.' })),
  );
  await expect(client.get('/schedules')).rejects.toMatchObject({
    code: 'unauthorized',
    message: 'This server wants a key. Commands take it from WINDROW_API_KEY or WINDROW_API_KEY_FILE.',
  });
});

test('one that never begins is no answer', async () => {
  const client = await server(() => {}, 500);
  await expect(client.stream('/', 'text/csv')).rejects.toThrow('No server answers');
});
