// People who use the API while it is being changed under them: each submits pages, asks until they are done and reads them, over connections that are kept
// open, and some follow all runs over a WebSocket. Every answer that is not a success, and every connection that ends without one, is written down.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Fleet } from './fleet.ts';

/** What a server that leaves in order closes a WebSocket with. */
const RESTARTS = 1012;
const PAUSE_MS = 30;

export class Load {
  readonly failures: string[] = [];
  requests = 0;
  /** Runs that were followed to their end. */
  completed = 0;
  /** WebSockets that were told to come back, and are back. */
  reconnected = 0;
  readonly #fleet: Fleet;
  readonly #people: Promise<void>[];
  #isOver = false;

  constructor(fleet: Fleet, { people = 6, followers = 2 } = {}) {
    this.#fleet = fleet;
    this.#people = [
      ...Array.from({ length: people }, () => this.#use()),
      ...Array.from({ length: followers }, () => this.#follow()),
    ];
  }

  /** Until so many more runs were followed to their end: whatever is there now has worked. */
  async goesOn(runs = 5): Promise<void> {
    const goal = this.completed + runs;
    await this.#fleet.until(`${runs} more runs, failures: ${this.failures}`, () => this.completed >= goal);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#people);
  }

  /** Over one connection, as long as it is kept. */
  async #use(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await this.#useWith(agent);
    agent.destroy();
  }

  async #useWith(agent: Agent): Promise<void> {
    while (!this.#isOver) {
      const urls = this.#fleet.urls(2, '?slow=100');
      const job = await this.#call(agent, 'POST', '/jobs/submit', { articles: urls.map((url) => ({ url })) });
      if (!job) continue;
      const id = String(job.job_id);
      this.#fleet.client.acknowledged.set(id, urls);
      for (let status = ''; status !== 'COMPLETED'; ) {
        await sleep(PAUSE_MS);
        status = String((await this.#call(agent, 'GET', `/jobs/${id}/status`))?.status);
        if (status === 'FAILED') this.failures.push(`${id} has failed`);
        if (status === 'FAILED') return;
      }
      const results = (await this.#call(agent, 'GET', `/jobs/${id}/results`))?.results as unknown[] | undefined;
      if (results?.length !== urls.length) this.failures.push(`${id} has ${results?.length} results`);
      this.completed++;
    }
  }

  #call(agent: Agent, method: string, path: string, body?: object): Promise<Record<string, unknown> | undefined> {
    this.requests++;
    const failed = (reason: string): undefined => void this.failures.push(`${method} ${path}: ${reason}`);
    return new Promise((resolve) => {
      const sent = request(
        this.#fleet.client.origin + path,
        { method, agent, headers: { 'content-type': 'application/json' }, timeout: 60_000 },
        async (reply) => {
          const said = await text(reply).catch((error: Error) => failed(error.message));
          if (said === undefined) resolve(undefined);
          else if (reply.statusCode! >= 300) resolve(failed(`${reply.statusCode} ${said.slice(0, 300)}`));
          else resolve(JSON.parse(said));
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('no answer for a minute')));
      sent.on('error', (error) => resolve(failed(error.message)));
      sent.end(body && JSON.stringify(body));
    });
  }

  async #follow(): Promise<void> {
    for (let connections = 1; !this.#isOver; connections++) {
      const socket = new WebSocket(`${this.#fleet.client.origin.replace('http', 'ws')}/ws`);
      const closed = new Promise<number>((resolve) => socket.once('close', resolve));
      socket.on('error', (error) => this.failures.push(`WebSocket: ${error.message}`));
      socket.once('open', () => {
        if (connections > 1) this.reconnected++;
      });
      while (!this.#isOver && socket.readyState <= WebSocket.OPEN) await sleep(PAUSE_MS);
      if (this.#isOver) socket.close();
      else if ((await closed) !== RESTARTS) this.failures.push(`WebSocket closed with ${await closed}`);
    }
  }
}
