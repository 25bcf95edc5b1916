// Opens the sockets undici sends on. Every new connection is judged here, whoever asked for it: the host is resolved, all its
// addresses are judged, and the socket goes to one of those and nowhere else. undici's own lookup hook would not do,
// because it is not called for literal addresses.
import { buildConnector } from 'undici';
import { type Guard, hostLiteral, portOf, refusal } from './guard.ts';

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

export function guardedConnector(guard: Guard, options: ConnectOptions): buildConnector.connector {
  const connect = plainConnector(options);
  return (target, callback) => {
    const port = portOf(target);
    const isTls = target.protocol === 'https:';
    const isLiteral = hostLiteral(target.hostname) !== null;
    guard.resolve(target.hostname, port).then(
      (addresses) => tryEach(addresses.map(({ address }) => address)),
      (error: Error) => callback(error, null),
    );

    function tryEach([address, ...others]: string[]): void {
      if (address === undefined) {
        callback(refusal(), null);
        return;
      }
      // The certificate is checked against the name (which is also what SNI says) although the address is dialled.
      const servername = isTls && !isLiteral ? target.servername || target.hostname : undefined;
      connect({ ...target, hostname: address, servername }, (error, socket) => {
        if (error !== null) {
          if (others.length > 0) tryEach(others);
          else callback(error, null);
          return;
        }
        // Second wall: what the kernel says we are connected to.
        if (!guard.isOpen(socket.remoteAddress ?? '', port)) {
          socket.destroy();
          return callback(refusal(), null);
        }
        callback(null, socket);
      });
    }
  };
}
