// Receives webhooks and keeps which events it has accepted; fails to order.
import { createServer, type Server } from 'node:http';

export class Receiver {
  readonly #server: Server;
  /** Event id → the run it is about, and how often it was accepted. */
  readonly accepted = new Map<string, { runId: string; times: number }>();
  trouble: 'none' | 'fails' | 'resets' = 'none';

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (this.trouble === 'resets') request.socket.resetAndDestroy();
        else if (this.trouble === 'fails') response.writeHead(500).end();
        else {
          const event = JSON.parse(Buffer.concat(chunks).toString()) as { data: { run_id: string } };
          const id = String(request.headers['webhook-id']);
          const times = (this.accepted.get(id)?.times ?? 0) + 1;
          this.accepted.set(id, { runId: event.data.run_id, times });
          response.writeHead(204).end();
        }
      });
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((done) => receiver.#server.listen(0, '127.0.0.1', done));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}/events`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
