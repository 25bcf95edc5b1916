// A loopback TCP proxy that breaks connections to order. The difference that matters: after `drop` both ends are told at once, in a `blackHole`
// nobody is ever told, and `halfOpen` cuts the server's side while the client's looks healthy.
import { connect, createServer, type Server, type Socket } from 'node:net';

type Mode = 'pass' | 'drop' | 'black-hole' | 'half-open';

interface Pair {
  client: Socket;
  server: Socket | undefined;
}

export class TcpProxy {
  readonly #target: { host: string; port: number };
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
  }

  /** The server sees its connections end; the client sees nothing. */
  halfOpen(): void {
    this.#mode = 'half-open';
    for (const pair of this.#pairs) pair.server?.destroy();
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
    const pair: Pair = { client, server: this.#mode === 'pass' ? connect(this.#target) : undefined };
    this.#pairs.add(pair);
    const forget = () => {
      if (client.destroyed && pair.server?.destroyed !== false) this.#pairs.delete(pair);
    };
    client.on('close', () => {
      if (this.#mode !== 'black-hole') pair.server?.destroy();
      forget();
    });
    this.#carry(client, () => pair.server);
    client.on('data', (data) => this.#hold(client, data.length));
    if (pair.server) this.#carry(pair.server, () => client);
    pair.server?.on('close', () => {
      if (this.#mode === 'pass' || this.#mode === 'drop') client.destroy();
      forget();
    });
  }

  #hold(client: Socket, bytes: number): void {
    if (this.#bytesPerSecond === Number.POSITIVE_INFINITY) return;
    client.pause();
    setTimeout(() => client.resume(), (bytes / this.#bytesPerSecond) * 1_000);
  }

  #carry(from: Socket, to: () => Socket | undefined): void {
    const later = (step: () => void) => {
      if (this.#mode !== 'pass') return;
      if (this.#delayMs === 0) step();
      else setTimeout(() => this.#mode === 'pass' && step(), this.#delayMs);
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
