// One keep-alive connection that asks one thing at a time. Hand-written because thousands of them must cost the client less than they cost the server; it
// knows no more of HTTP than our servers send: a status line, headers, a body of a said length.
import { connect, type Socket } from 'node:net';

export interface Reply {
  status: number;
  retryAfter: number;
  body: string;
  ms: number;
}

export interface Line {
  ask(method: string, path: string, body?: string): Promise<Reply>;
  close(): void;
}

const END = Buffer.from('\r\n\r\n');

export function openLine(port: number, localAddress: string): Promise<Line> {
  return new Promise((opened, refused) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    let chunks: Buffer[] = [];
    let size = 0;
    let wanted = -1;
    let waiting: { resolve(reply: Reply): void; reject(error: Error): void; at: number } | undefined;

    const fail = (error: Error): void => {
      refused(error);
      waiting?.reject(error);
      waiting = undefined;
    };
    socket.once('connect', () =>
      opened({
        ask(method, path, body = '') {
          return new Promise((resolve, reject) => {
            if (socket.destroyed) return reject(new Error('the connection is closed'));
            waiting = { resolve, reject, at: performance.now() };
            const about = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
            socket.write(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${about}\r\n${body}`);
          });
        },
        close: () => socket.destroy(),
      }),
    );
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('the connection was closed')));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (wanted < 0) wanted = lengthOf(chunks.length === 1 ? chunk : Buffer.concat(chunks));
      if (wanted < 0 || size < wanted) return;
      if (!waiting) return fail(new Error('the server answered what nobody asked'));
      const whole = chunks.length === 1 ? chunk : Buffer.concat(chunks);
      const head = whole.indexOf(END);
      const headers = whole.toString('latin1', 0, head);
      const reply = {
        status: Number(headers.slice(9, 12)),
        retryAfter: Number(/\r\nretry-after: (\d+)/i.exec(headers)?.[1] ?? 1),
        body: whole.toString('utf8', head + 4),
        ms: performance.now() - waiting.at,
      };
      [chunks, size, wanted] = [[], 0, -1];
      const { resolve } = waiting;
      waiting = undefined;
      resolve(reply);
    });
  });
}

/** Bytes of head and body together; -1 while the head is not complete. */
function lengthOf(start: Buffer): number {
  const head = start.indexOf(END);
  if (head < 0) return -1;
  return head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(start.toString('latin1', 0, head))?.[1] ?? 0);
}
