// Opens the sockets for undici. Every new connection is checked here: the host is resolved, all its addresses are checked, and the socket connects to one
// of those and nowhere else. undici's own lookup hook is not enough, because it is not called for literal addresses. The same holds through a proxy: the
// address is checked here first, then the proxy gets that address.
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { type Guard, hostLiteral, portOf, refusal } from '../guard/guard.ts';
import { DIRECT, type Exit } from '../identity/proxy.ts';
import { openTunnel } from './tunnel.ts';

export interface ConnectOptions {
  timeoutMs: number;
  /** More certificates to trust, PEM; for private authorities and tests. */
  ca?: string;
}

/** undici keeps HTTP/1.1: over TLS it would offer h2 in a way no browser does, and a pool of sockets is as fast. */
const H1_ONLY = { allowH2: false } as const;

export function plainConnector(options: ConnectOptions): buildConnector.connector {
  return buildConnector({
    ...H1_ONLY,
    timeout: options.timeoutMs,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
}

export function guardedConnector(guard: Guard, exit: Exit, options: ConnectOptions): buildConnector.connector {
  const connect = plainConnector(options);
  return (target, callback) => {
    const port = portOf(target);
    const isTls = target.protocol === 'https:';
    // The certificate is checked against the name (which is also what SNI says) although the address is dialled.
    const servername =
      isTls && hostLiteral(target.hostname) === null ? target.servername || target.hostname : undefined;

    const dial = (address: string): Promise<Socket> =>
      new Promise((resolve, reject) => {
        const onSocket: buildConnector.Callback = (error, socket) => (error === null ? resolve(socket) : reject(error));
        const named = { ...target, hostname: address, servername };
        if (exit === DIRECT) connect(named, onSocket);
        else {
          openTunnel(exit, address, port, { ...options, guard }).then((socket) => {
            if (isTls) connect({ ...named, httpSocket: socket }, onSocket);
            else resolve(socket);
          }, reject);
        }
      });

    openFirst(guard, target.hostname, port, dial, exit).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

/** Dials the judged addresses of a host in turn. */
export async function openFirst(
  guard: Guard,
  hostname: string,
  port: number,
  dial: (address: string) => Promise<Socket>,
  exit: Exit,
): Promise<Socket> {
  const addresses = await guard.resolve(hostname, port);
  let failure: unknown = refusal();
  for (const { address } of addresses) {
    try {
      const socket = await dial(address);
      // Second check: the address that the kernel is connected to. Through a proxy that is the proxy.
      if (exit !== DIRECT || guard.isOpen(socket.remoteAddress ?? '', port)) return socket;
      socket.destroy();
      throw refusal();
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
