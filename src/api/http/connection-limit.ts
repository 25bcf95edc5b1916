// Connections past the limit of the process get a 503 and are closed, while the others are served. Without this the process runs out of file
// descriptors, and then the connections to the database fail too.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../model/errors.ts';

export interface ConnectionLimit {
  /** Throws for a connection past the limit. */
  check(request: FastifyRequest): void;
}

const RETRY_AFTER_MS = 5_000;

export function createConnectionLimit(server: Server, max: number): ConnectionLimit {
  const late = new WeakSet<Socket>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open++;
    if (open > max) late.add(socket);
    socket.once('close', () => {
      open--;
    });
  });
  return {
    check({ raw }) {
      if (late.has(raw.socket))
        throw new AppError('unavailable', 'Too many open connections. Try again.', {
          retryAfterMs: RETRY_AFTER_MS,
        });
    },
  };
}
