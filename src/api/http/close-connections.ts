// Ends the connections of a server that leaves: each as soon as nothing runs on it, and all of them when the grace is over. Node does the first only once,
// when the server closes, and waits for connections on which nothing was ever asked; browsers open such ones in advance.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const LOOK_MS = 100;
/** A connection that was just made may still ask something. */
const SILENCE_MS = 5_000;

/** Made before the server listens. What it returns begins to close them, and returns what ends that. */
export function connectionCloser(server: Server): (graceMs: number) => () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return (graceMs) => {
    const began = performance.now();
    const looking = setInterval(() => {
      const passedMs = performance.now() - began;
      if (passedMs >= graceMs) server.closeAllConnections();
      else server.closeIdleConnections();
      if (passedMs >= SILENCE_MS) for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, LOOK_MS);
    return () => clearInterval(looking);
  };
}
