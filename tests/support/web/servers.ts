// Real servers on loopback for the tests of the web layer; each is closed by the test that opened it (`await using`).
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Socket } from 'node:net';

export interface TestServer extends AsyncDisposable {
  port: number;
  origin: string;
  /** `METHOD path host` of every request, in order. */
  log: string[];
  requests: IncomingMessage[];
}

export async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  options: { host?: string; create?: (listener: RequestListener) => Server; scheme?: string } = {},
): Promise<TestServer> {
  const log: string[] = [];
  const requests: IncomingMessage[] = [];
  const create = options.create ?? createServer;
  const server = create((request, response) => {
    log.push(`${request.method} ${request.url} ${request.headers.host}`);
    requests.push(request);
    handle(request, response);
  });
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${options.scheme ?? 'http'}://${host}:${port}`,
    log,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server below HTTP, for answers no HTTP library would send. `connections` counts who came. */
export async function serveTcp(onSocket: (socket: Socket) => void, host = '127.0.0.1') {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://${host}:${port}`,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
