import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { serve, serveTcp } from '../../../tests/support/web/servers.ts';
import { DIRECT } from '../identity/proxy.ts';
import { createGuard } from './guard.ts';
import { openGuardProxy } from './guard-proxy.ts';

const opened = () =>
  openGuardProxy({ guard: createGuard({ allow: ['127.0.0.1'] }), exit: DIRECT, connectTimeoutMs: 1_000 });

/** Sends raw text to the proxy and gives back everything it answers. */
function talk(port: number, text: string, then?: (socket: Socket, head: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
      then?.(socket, answer);
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

test('CONNECT and plain requests pass to what the guard allows', async () => {
  await using site = await serve((request, response) =>
    response.end(`hello ${request.headers.host} ${request.headers['proxy-connection']}`),
  );
  const proxy = await opened();
  const plain = await talk(
    proxy.port,
    `GET ${site.origin}/x HTTP/1.1\r\nHost: ignored\r\nProxy-Connection: keep-alive\r\nConnection: close\r\n\r\n`,
  );
  expect(plain).toContain(`hello 127.0.0.1:${site.port} undefined`);
  let isSent = false;
  const tunnel = await talk(proxy.port, `CONNECT 127.0.0.1:${site.port} HTTP/1.1\r\n\r\n`, (socket, head) => {
    if (isSent || !head.startsWith('HTTP/1.1 200')) return;
    isSent = true;
    socket.write('GET /y HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  });
  expect(tunnel).toContain('hello a');
  expect(proxy.bytes).toBeGreaterThan(0);
  await proxy.close();
});

test('what the guard refuses is refused, in every form, and the target hears nothing', async () => {
  await using inner = await serveTcp((socket) => socket.end('secret'), '127.0.0.2');
  const proxy = await opened();
  const target = `127.0.0.2:${inner.port}`;
  for (const text of [
    `CONNECT ${target} HTTP/1.1\r\n\r\n`,
    `CONNECT [::ffff:127.0.0.2]:${inner.port} HTTP/1.1\r\n\r\n`,
    `CONNECT 2130706434:${inner.port} HTTP/1.1\r\n\r\n`,
    `CONNECT user@${target} HTTP/1.1\r\n\r\n`,
    `GET http://${target}/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
    `GET http://user:pass@127.0.0.1:${inner.port}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  ]) {
    expect(await talk(proxy.port, text), text).toMatch(/^HTTP\/1\.1 403 /);
  }
  for (const text of [
    'GET /local HTTP/1.1\r\nHost: 127.0.0.2\r\nConnection: close\r\n\r\n',
    'GET ftp://a/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  ]) {
    expect(await talk(proxy.port, text), text).toMatch(/^HTTP\/1\.1 (403|502) /);
  }
  expect(inner.connections).toBe(0);
  await proxy.close();
});
