// More connections than the process can hold: those past the limit are told so (503) and closed, while the ones before go on being served. Without this
// the operating system runs out of descriptors, and then the database's connections fail along with everything else.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../model/errors.ts';

export interface ConnectionLimit {
  /** Throws for a connection that came when there was no room. */
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
