// A SOCKS5 server on loopback with a password, for the tests of proxies: the few messages RFC 1928 and 1929 need, and a log of targets.
import { connect, type Socket } from 'node:net';
import { serveTcp } from './servers.ts';

export async function serveSocks(username: string, password: string) {
  const targets: string[] = [];
  const server = await serveTcp((socket) => void session(socket).catch(() => socket.destroy()));

  async function session(socket: Socket): Promise<void> {
    const read = reader(socket);
    const [, methods = 0] = await read(2);
    await read(methods);
    socket.write(Buffer.from([5, 2]));
    const [, userLength = 0] = await read(2);
    const user = (await read(userLength)).toString();
    const [passLength = 0] = await read(1);
    const isWelcome = user === username && (await read(passLength)).toString() === password;
    socket.write(Buffer.from([1, isWelcome ? 0 : 1]));
    if (!isWelcome) return void socket.end();
    const [, , , kind = 0] = await read(4);
    const host = kind === 1 ? (await read(4)).join('.') : (await read((await read(1))[0] ?? 0)).toString();
    const port = (await read(2)).readUInt16BE(0);
    targets.push(`${kind === 1 ? 'address' : 'name'} ${host}:${port}`);
    const upstream = connect({ host, port });
    upstream.on('error', () => socket.destroy());
    upstream.once('connect', () => {
      socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
      socket.pipe(upstream).pipe(socket);
    });
    socket.once('close', () => upstream.destroy());
  }
  return Object.assign(server, { targets });
}

function reader(socket: Socket): (bytes: number) => Promise<Buffer> {
  return async (bytes) => {
    for (;;) {
      if (bytes === 0) return Buffer.alloc(0);
      const chunk = socket.read(bytes) as Buffer | null;
      if (chunk !== null) return chunk;
      await new Promise<void>((resolve, reject) => {
        socket.once('readable', resolve);
        socket.once('close', () => reject(new Error('closed')));
      });
    }
  };
}
