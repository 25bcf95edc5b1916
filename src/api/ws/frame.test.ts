import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { textFrame } from './frame.ts';

let server: WebSocketServer;
let text = '';

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  // Past the library, as the API does it.
  server.on('connection', (_socket, request) => request.socket.write(textFrame(text)));
  await once(server, 'listening');
});

afterAll(() => server.close());

test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])('a text of %i bytes arrives as it was', async (length) => {
  text = 'x'.repeat(length);
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [data] = (await once(socket, 'message')) as [Buffer];
  expect(String(data)).toBe(text);
  socket.terminate();
});

test('the length counts bytes, not characters', () => {
  expect(textFrame('äöü')).toEqual(Buffer.concat([Buffer.from([0x81, 6]), Buffer.from('äöü')]));
});
