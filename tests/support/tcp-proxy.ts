// A loopback TCP proxy that breaks connections to order. The difference that matters: after `drop` both ends are told at once, in a `blackHole`
// nobody is ever told, and `halfOpen` cuts the server's side while the client's looks healthy.
import { connect, createServer, type Server, type Socket } from 'node:net';

type Mode = 'pass' | 'drop' | 'black-hole' | 'half-open';

interface Pair {
  client: Socket;
  server: Socket | undefined;
  /** Bytes of it were swallowed: nothing passes on it again, or one side would take the answer to a later question for that to an earlier one. */
  isLost: boolean;
}

export class TcpProxy {
  #target: { host: string; port: number };
  readonly #listener: Server;
  readonly #pairs = new Set<Pair>();
  #mode: Mode = 'pass';
  #delayMs = 0;
  #bytesPerSecond = Number.POSITIVE_INFINITY;
  accepted = 0;

  constructor(target: { host: string; port: number }) {
    this.#target = target;
    this.#listener = createServer((client) => this.#accept(client));
  }

  static async to(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new TcpProxy({ host: hostname, port: Number(port) });
    await new Promise<void>((done, failed) => proxy.#listener.once('error', failed).listen(0, '127.0.0.1', done));
    return proxy;
  }

  get port(): number {
    return (this.#listener.address() as { port: number }).port;
  }

  /** The same address, but through the proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String(this.port);
    return changed.href;
  }

  get open(): number {
    return [...this.#pairs].filter((pair) => !pair.client.destroyed).length;
  }

  /** Back to normal for new connections; those that were broken stay broken, as in life. */
  pass(): void {
    this.#mode = 'pass';
    this.#delayMs = 0;
    for (const pair of this.#pairs) if (pair.client.destroyed) pair.server?.destroy();
  }

  /** From now on to another server: connections are reset, and new ones lead there. */
  leadTo(port: number): void {
    this.drop();
    this.#target = { ...this.#target, port };
    this.pass();
  }

  /** Resets every connection and every new one. */
  drop(): void {
    this.#mode = 'drop';
    for (const pair of this.#pairs) end(pair);
  }

  /** Each chunk, both ways, arrives this much later. */
  delay(delayMs: number): void {
    this.#mode = 'pass';
    this.#delayMs = delayMs;
  }

  /** A slow link: what clients send passes at this rate, on each connection. */
  slow(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Connections stay open and nothing passes any more, neither data nor an end; new ones are accepted and ignored. */
  blackHole(): void {
    this.#mode = 'black-hole';
    for (const pair of this.#pairs) pair.isLost = true;
  }

  /** The server sees its connections end; the client sees nothing. */
  halfOpen(): void {
    this.#mode = 'half-open';
    for (const pair of this.#pairs) {
      pair.isLost = true;
      pair.server?.destroy();
    }
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) end(pair);
    await new Promise<void>((done) => this.#listener.close(() => done()));
  }

  #accept(client: Socket): void {
    this.accepted++;
    if (this.#mode === 'drop') {
      client.on('error', () => {}).resetAndDestroy();
      return;
    }
    const isLost = this.#mode !== 'pass';
    const pair: Pair = { client, server: isLost ? undefined : connect(this.#target), isLost };
    this.#pairs.add(pair);
    const forget = () => {
      if (client.destroyed && pair.server?.destroyed !== false) this.#pairs.delete(pair);
    };
    client.on('close', () => {
      if (this.#mode !== 'black-hole') pair.server?.destroy();
      forget();
    });
    this.#carry(pair, client, () => pair.server);
    client.on('data', (data) => this.#hold(client, data.length));
    if (pair.server) this.#carry(pair, pair.server, () => client);
    pair.server?.on('close', () => {
      if (!pair.isLost) client.destroy();
      forget();
    });
  }

  #hold(client: Socket, bytes: number): void {
    if (this.#bytesPerSecond === Number.POSITIVE_INFINITY) return;
    client.pause();
    setTimeout(() => client.resume(), (bytes / this.#bytesPerSecond) * 1_000);
  }

  #carry(pair: Pair, from: Socket, to: () => Socket | undefined): void {
    // In order, also when the delay ends while something is on its way.
    const onTheWay: (() => void)[] = [];
    const arrive = () => {
      const step = onTheWay.shift();
      if (!pair.isLost) step?.();
    };
    const later = (step: () => void) => {
      if (this.#delayMs === 0 && onTheWay.length === 0 && !pair.isLost) return step();
      onTheWay.push(step);
      setTimeout(arrive, this.#delayMs);
    };
    // A reset is what this proxy is for; `close` follows and tells the other side.
    from.on('error', () => {});
    from.on('data', (data) => later(() => to()?.write(data)));
    from.on('end', () => later(() => to()?.end()));
  }
}

function end(pair: Pair): void {
  pair.client.resetAndDestroy();
  pair.server?.resetAndDestroy();
}
