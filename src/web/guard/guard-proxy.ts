// A proxy of our own on loopback for clients that open their own sockets: the browser, and impit. Whatever they ask for (pages, images,
// frames, WebSockets) passes the guard here and leaves by the exit of its session. It listens per exit on a port of its own, so that
// nobody has to log in; it forwards nothing the guard refuses, hence gives a local user no more than the web itself.
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { asAppError } from '../../model/errors.ts';
import { openFirst } from '../http/connect.ts';
import { openTunnel } from '../http/tunnel.ts';
import { DIRECT, type Exit } from '../identity/proxy.ts';
import type { Guard } from './guard.ts';

export interface GuardProxy {
  port: number;
  url: string;
  /** Bytes that came back through it. */
  readonly bytes: number;
  close(): Promise<void>;
}

export interface GuardProxyOptions {
  guard: Guard;
  exit: Exit;
  connectTimeoutMs: number;
  ca?: string;
}

const REFUSED = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
const FAILED = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
const HOP_HEADERS = new Set([
  'proxy-connection',
  'proxy-authorization',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
]);

export async function openGuardProxy(options: GuardProxyOptions): Promise<GuardProxy> {
  const sockets = new Set<Duplex>();
  let bytes = 0;

  const open = (hostname: string, port: number): Promise<Socket> =>
    openFirst(options.guard, hostname, port, (address) => dial(address, port, options), options.exit);

  const server: Server = createServer((request, response) => void forward(request, response));
  const track = (socket: Duplex) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A peer that goes away is what sockets do; both ends are closed by the pipe below.
    socket.on('error', () => socket.destroy());
  };
  server.on('connection', track);

  server.on('connect', (request, client, head) => {
    const target = authority(request.url ?? '');
    if (target === null) return client.end(REFUSED);
    open(target.hostname, target.port).then(
      (upstream) => {
        track(upstream);
        upstream.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        if (head.length > 0) upstream.write(head);
        client.pipe(upstream).pipe(client);
        client.once('close', () => upstream.destroy());
        upstream.once('close', () => client.destroy());
      },
      (error) => client.end(asAppError(error).code === 'forbidden_address' ? REFUSED : FAILED),
    );
  });

  /** Plain http in absolute form. */
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '');
      options.guard.checkUrl(url);
      if (url.protocol !== 'http:') throw new Error('only http is sent in absolute form');
      const socket = await open(url.hostname, Number(url.port || 80));
      track(socket);
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP_HEADERS.has(name)));
      const upstream = httpRequest(
        {
          createConnection: () => socket,
          method: request.method,
          path: url.pathname + url.search,
          headers: { ...headers, host: url.host },
        },
        (answer) => {
          answer.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
          });
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      upstream.on('error', () => response.destroy());
      response.once('close', () => socket.destroy());
      request.pipe(upstream);
    } catch (error) {
      response.writeHead(asAppError(error).code === 'forbidden_address' ? 403 : 502, { connection: 'close' }).end();
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get bytes() {
      return bytes;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function dial(address: string, port: number, options: GuardProxyOptions): Promise<Socket> {
  if (options.exit !== DIRECT) {
    const { guard, connectTimeoutMs: timeoutMs, ca } = options;
    return openTunnel(options.exit, address, port, { guard, timeoutMs, ...(ca === undefined ? {} : { ca }) });
  }
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: address, port });
    socket.setTimeout(options.connectTimeoutMs, () => socket.destroy(new Error('connect timeout')));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function authority(text: string): { hostname: string; port: number } | null {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/@\s]+):(\d{1,5})$/.exec(text);
  // Through the URL parser, so that every spelling of an address is read as a browser would.
  if (match === null || !URL.canParse(`http://${match[1]}/`)) return null;
  return { hostname: new URL(`http://${match[1]}/`).hostname, port: Number(match[2]) };
}
