// What a soak breaks: seven processes of Windrow on a PostgreSQL and a Redis of their own, reached through links that can be cut, and the sites, boards
// and shops they scrape. A role has a place (`worker 1`), so that a seed can name it: whatever ends there is started again, as a service manager would do.
// A process that ends without being asked is a problem, unless it could not start because PostgreSQL was away.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import type { Sql } from '../support/invariants.ts';
import { type OwnPostgres, startPostgres } from '../support/own-servers.ts';
import type { RoleProcess } from '../support/processes.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { Fleet } from '../support/worlds/fleet.ts';
import { Client } from './client.ts';
import { Receiver } from './receiver.ts';

export const ROLES = ['api', 'orchestrator 0', 'orchestrator 1', 'worker 0', 'worker 1', 'worker 2'] as const;
export type Place = (typeof ROLES)[number];

/** Boards and shops as they are at one moment, so that the truth does not change at midnight. */
export const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const SANDBOX_HOSTS = [
  'www.linkedin.com',
  'www.bayt.com',
  'api.bdjobs.com',
  'www.google.com',
  'boards-api.greenhouse.io',
  'api.ashbyhq.com',
  '*.hostile.example',
];
/** Requests at a time and milliseconds between two, of the sources of the sandbox: what I6 is held against. */
export const PACES: Record<string, { host: string; concurrency: number; delayMs: number }> = {
  linkedin: { host: 'www.linkedin.com', concurrency: 2, delayMs: 100 },
  bayt: { host: 'www.bayt.com', concurrency: 1, delayMs: 100 },
  bdjobs: { host: 'api.bdjobs.com', concurrency: 2, delayMs: 100 },
  'google-shopping': { host: 'www.google.com', concurrency: 2, delayMs: 100 },
  greenhouse: { host: 'boards-api.greenhouse.io', concurrency: 4, delayMs: 50 },
  ashby: { host: 'api.ashbyhq.com', concurrency: 2, delayMs: 50 },
};
const ENV = {
  SOURCE_PACE: Object.entries(PACES)
    .map(([source, pace]) => `${source}=${pace.concurrency}/${pace.delayMs}`)
    .join(','),
  WORKER_CONCURRENCY: '10',
  LEASE_SECONDS: '10',
  HEARTBEAT_SECONDS: '2',
  SWEEP_SECONDS: '2',
  SHUTDOWN_GRACE_SECONDS: '10',
  MAX_RETRY_ATTEMPTS: '4',
  // Together longer than any trouble of a site lasts.
  RETRY_WAITS: 'all=1s/3s/8s,company=1s/3s/8s',
  SCRAPE_TIMEOUT: '8',
  TASK_TIMEOUT_SECONDS: '180',
  CART_FRESH_SECONDS: '20',
};
/** A process that cannot start is tried again for so long: no outage of a soak lasts longer. */
const START_LIMIT_MS = 240_000;

export class SoakWorld {
  readonly fleet: Fleet;
  readonly postgres: OwnPostgres;
  readonly sandbox: Sandbox;
  /** Before the boards and shops. */
  readonly siteLink: TcpProxy;
  readonly receiver: Receiver;
  readonly client: Client;
  readonly logFolder: string;
  /** What must not have happened, as sentences. */
  readonly problems: string[] = [];
  readonly #places = new Map<Place, RoleProcess>();
  /** Places that somebody has emptied and will fill again. */
  readonly #emptied = new Set<Place>();
  #isClosing = false;

  private constructor(
    parts: Pick<SoakWorld, 'fleet' | 'postgres' | 'sandbox' | 'siteLink' | 'receiver' | 'logFolder'>,
  ) {
    this.fleet = parts.fleet;
    this.postgres = parts.postgres;
    this.sandbox = parts.sandbox;
    this.siteLink = parts.siteLink;
    this.receiver = parts.receiver;
    this.logFolder = parts.logFolder;
    this.client = new Client(this.fleet.client.origin);
    const roles = [this.fleet.api, ...this.fleet.orchestrators, ...this.fleet.workers];
    for (const [n, place] of ROLES.entries()) this.#settle(place, roles[n]!);
  }

  static async open(folder: string): Promise<SoakWorld> {
    const logFolder = join(folder, 'logs');
    mkdirSync(logFolder, { recursive: true });
    const postgres = await startPostgres();
    const sandbox = await startSandbox({ now: () => NOW_MS, logSize: 200_000 });
    const siteLink = await TcpProxy.to(sandbox.origin);
    const receiver = await Receiver.start();
    const fleet = await Fleet.start({
      postgresUrl: postgres.url,
      orchestrators: 2,
      workers: 3,
      isLinked: true,
      logFolder,
      hostMap: SANDBOX_HOSTS.map((host) => `${host}=http://127.0.0.1:${siteLink.port}`).join(','),
      env: ENV,
    });
    return new SoakWorld({ fleet, postgres, sandbox, siteLink, receiver, logFolder });
  }

  at(place: Place): RoleProcess {
    return this.#places.get(place)!;
  }

  /** kill -9, and a new one after a while. */
  async kill(places: Place[], downMs: number): Promise<void> {
    await this.#replace(places, downMs, (role) => role.kill());
  }

  /** SIGTERM, and a new one when it has ended; it has to end well. */
  async stopPolitely(place: Place): Promise<void> {
    await this.#replace([place], 0, async (role) => {
      const { code } = await role.terminate();
      if (code !== 0) this.problems.push(`I8 ${place} ended with ${code} after SIGTERM: see ${this.logFolder}`);
    });
  }

  async freeze(place: Place, ms: number): Promise<void> {
    const role = this.at(place);
    role.pause();
    await sleep(ms);
    role.resume();
  }

  /** Past the links. A server that is being broken refuses: then again, within the limit. */
  async sql<T>(work: (sql: Sql) => Promise<T>, limitMs = 120_000): Promise<T> {
    const end = performance.now() + limitMs;
    for (;;) {
      try {
        return await this.fleet.withSql(work);
      } catch (error) {
        if (performance.now() > end) throw error;
        await sleep(250);
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.fleet.close();
    await Promise.all([this.siteLink.close(), this.receiver.close()]);
    await this.sandbox.close();
    await this.postgres.stop();
  }

  async #replace(places: Place[], downMs: number, end: (role: RoleProcess) => Promise<void>): Promise<void> {
    for (const place of places) this.#emptied.add(place);
    await Promise.all(places.map((place) => end(this.at(place))));
    await sleep(downMs);
    await Promise.all(places.map((place) => this.#fill(place)));
  }

  async #fill(place: Place): Promise<void> {
    const end = performance.now() + START_LIMIT_MS;
    for (;;) {
      const role = this.#start(place);
      const isStarted = await role.waitForLine(/process\.started/).then(
        () => true,
        () => false,
      );
      if (isStarted) {
        this.#settle(place, role);
        return;
      }
      await role.kill();
      if (performance.now() > end) {
        this.problems.push(`I8 ${place} did not start: ${role.output.slice(-500)}`);
        return;
      }
      await sleep(500);
    }
  }

  #start(place: Place): RoleProcess {
    if (place === 'api') return this.fleet.roles.start(['api'], { env: this.fleet.env });
    return place.startsWith('worker') ? this.fleet.startWorker() : this.fleet.startOrchestrator();
  }

  #settle(place: Place, role: RoleProcess): void {
    this.#places.set(place, role);
    this.#emptied.delete(place);
    void role.exited.then(({ code, signal }) => {
      if (this.#isClosing || this.#emptied.has(place) || this.at(place) !== role) return;
      this.problems.push(
        `I8 ${place} (${role.pid}) ended by itself with ${code ?? signal}: ${role.output.slice(-500)}`,
      );
      this.#emptied.add(place);
      void this.#fill(place);
    });
  }
}
