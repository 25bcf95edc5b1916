// A Windrow of separate processes to be broken: api, orchestrators, workers, on a database and a Redis of its own, scraping the oracle. `verify` is
// what every fault test ends with: all acknowledged runs ended, all invariants hold, all pages are stored as they are, and no process ended
// in a way that the test did not ask for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { comingBack, HttpClient, type JobState } from '../http-client.ts';
import { expectInvariants, openSql, type Sql } from '../invariants.ts';
import { freePort, freshDatabase, type OwnRedis, startRedis } from '../own-servers.ts';
import { type ListeningSocket, type RoleProcess, Roles } from '../processes.ts';
import { TcpProxy } from '../tcp-proxy.ts';
import { TargetSite } from '../web/target.ts';

/** Three would be quicker, but a busy machine may hold a worker up for that long, and then what it works on is given to another. */
export const LEASE_SECONDS = 8;
/** Pages that a worker fetches at a time. */
export const CONCURRENCY = 10;
export const SWEEP_SECONDS = 1;
const HEARTBEAT_SECONDS = 1;
/** For a loaded machine: what is allowed beyond L + S. */
export const SLACK_SECONDS = 60;

export interface FleetOptions {
  /** A PostgreSQL of the test's own, to be broken; the shared one otherwise. */
  postgresUrl?: string;
  workers?: number;
  orchestrators?: number;
  env?: Record<string, string>;
  /** Hosts that are not the oracle's: `www.linkedin.com=http://127.0.0.1:9100`. */
  hostMap?: string;
  /** Roles reach PostgreSQL and Redis through links that can be cut. */
  isLinked?: boolean;
  /** Everything that roles print is kept here. */
  logFolder?: string;
  /** Each kind of process reaches Redis through a proxy of its own, to be cut off. */
  isBehindProxies?: boolean;
  /** API processes listen on it instead of a port of their own. */
  socket?: ListeningSocket;
}

const KINDS = ['api', 'orchestrators', 'workers'] as const;
export type RoleKind = (typeof KINDS)[number];

export class Fleet {
  readonly client: HttpClient;
  readonly target: TargetSite;
  readonly redis: OwnRedis;
  readonly databaseUrl: string;
  readonly env: Record<string, string>;
  /** Set if `isLinked`. */
  readonly links: { redis: TcpProxy; postgres: TcpProxy } | undefined;
  /** To Redis, by who uses them; empty unless asked for. */
  readonly wayOf = new Map<RoleKind, TcpProxy>();
  readonly roles: Roles;
  readonly workers: RoleProcess[] = [];
  readonly orchestrators: RoleProcess[] = [];
  api!: RoleProcess;
  readonly #socket: ListeningSocket | undefined;
  readonly #home: string;
  readonly #dropDatabase: () => Promise<void>;
  /** Processes that the test ended itself. */
  readonly #excused = new Set<RoleProcess>();
  readonly #ended = new Set<string>();
  #page = 0;

  private constructor(parts: {
    target: TargetSite;
    redis: OwnRedis;
    database: { url: string; drop(): Promise<void> };
    port: number;
    links: { redis: TcpProxy; postgres: TcpProxy } | undefined;
    options: FleetOptions;
  }) {
    this.links = parts.links;
    this.#socket = parts.options.socket;
    this.roles = new Roles(parts.options.logFolder);
    this.target = parts.target;
    this.redis = parts.redis;
    this.databaseUrl = parts.database.url;
    this.#dropDatabase = parts.database.drop;
    this.#home = mkdtempSync(join(tmpdir(), 'windrow-fleet-'));
    this.client = new HttpClient(`http://127.0.0.1:${parts.port}`);
    this.env = {
      PORT: String(parts.port),
      DATABASE_URL: parts.links?.postgres.through(parts.database.url) ?? parts.database.url,
      REDIS_URL: parts.links?.redis.through(parts.redis.url) ?? parts.redis.url,
      WINDROW_HOME: this.#home,
      WEB_HOST_MAP: [`*=${parts.target.origin}`, parts.options.hostMap].filter(Boolean).join(','),
      WEB_ALLOW_PRIVATE: '127.0.0.1',
      WEB_ROBOTS: 'off',
      LEASE_SECONDS: String(LEASE_SECONDS),
      SWEEP_SECONDS: String(SWEEP_SECONDS),
      HEARTBEAT_SECONDS: String(HEARTBEAT_SECONDS),
      SCRAPE_TIMEOUT: '300',
      WORKER_CONCURRENCY: String(CONCURRENCY),
      WORKER_LANES: 'http',
      LOG_LEVEL: 'info',
      ...parts.options.env,
    };
  }

  static async start(options: FleetOptions = {}): Promise<Fleet> {
    const [target, redis, database, port] = await Promise.all([
      TargetSite.start(),
      startRedis(),
      freshDatabase(options.postgresUrl),
      options.socket?.port ?? freePort(),
    ]);
    const links = options.isLinked
      ? { redis: await TcpProxy.to(redis.url), postgres: await TcpProxy.to(database.url) }
      : undefined;
    const fleet = new Fleet({ target, redis, database, port, links, options });
    try {
      if (options.isBehindProxies) for (const kind of KINDS) fleet.wayOf.set(kind, await TcpProxy.to(redis.url));
      await fleet.startApi();
      for (let n = 0; n < (options.orchestrators ?? 1); n++) fleet.startOrchestrator();
      for (let n = 0; n < (options.workers ?? 2); n++) fleet.startWorker();
      await Promise.all([...fleet.orchestrators, ...fleet.workers].map((role) => role.waitForLine(/process\.started/)));
      return fleet;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  async startApi(script?: string): Promise<RoleProcess> {
    this.api = this.roles.start(['api'], {
      env: this.#envOf('api'),
      socket: this.#socket,
      ...(script ? { script } : {}),
    });
    await this.api.waitForHttp(`${this.client.origin}/livez`);
    return this.api;
  }

  startOrchestrator(env: Record<string, string> = {}, script?: string): RoleProcess {
    const role = this.roles.start(['orchestrator'], {
      env: { ...this.#envOf('orchestrators'), ...env },
      ...(script ? { script } : {}),
    });
    this.orchestrators.push(role);
    return role;
  }

  startWorker(env: Record<string, string> = {}, script?: string): RoleProcess {
    const role = this.roles.start(['worker'], {
      env: { ...this.#envOf('workers'), ...env },
      ...(script ? { script } : {}),
    });
    this.workers.push(role);
    return role;
  }

  /** kill -9, excused. */
  async kill(role: RoleProcess): Promise<void> {
    this.excuse(role);
    await role.kill();
  }

  /** This process may end without that being a failure. */
  excuse(role: RoleProcess): void {
    this.#excused.add(role);
  }

  /** New addresses, each on a host of its own so that pages are not paced as one site. */
  urls(count: number, query = ''): string[] {
    return Array.from({ length: count }, () => {
      const n = ++this.#page;
      return `http://site-${n}.test/page/${n}${query}`;
    });
  }

  /** Comes back when it is told to (503): an API that is starting, or on a busy machine, says so. `client.submit` shows the refusal itself. */
  submit(urls: string[], priority = 5) {
    return comingBack(() => this.client.submit({ articles: urls.map((url) => ({ url, priority })) }));
  }

  hitsOf(url: string) {
    return this.target.hitsOf(pageOf(url));
  }

  async until(what: string, isSo: () => Promise<boolean> | boolean, limitMs = 240_000): Promise<void> {
    const end = performance.now() + limitMs;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}\n${this.#lastWords()}`);
      await sleep(20);
    }
  }

  /** Where a run stands when it has ended; calls that fail on the way (the API is being broken too) are made again. */
  async ended(runId: string, limitMs = 400_000): Promise<JobState> {
    let state: JobState | undefined;
    await this.until(
      `${runId} has ended`,
      async () => {
        state = await this.client.status(runId).catch(() => undefined);
        return state !== undefined && state.status !== 'running';
      },
      limitMs,
    );
    return state!;
  }

  async withSql<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const database = await openSql(this.databaseUrl);
    try {
      return await work(database.sql);
    } finally {
      await database.close();
    }
  }

  /** Every acknowledged run has ended. An end is for good, so each is asked for once. */
  async allEnded(): Promise<void> {
    for (const runId of this.client.acknowledged.keys()) {
      if (this.#ended.has(runId)) continue;
      await this.ended(runId);
      this.#ended.add(runId);
    }
  }

  /** I1–I5 and I8, and the truth of every stored page. */
  async verify(): Promise<void> {
    await this.allEnded();
    const known = await this.withSql((sql) => sql<{ id: string }>('select id from windrow.runs'));
    expect(new Set(known.map((row) => row.id))).toEqual(new Set(this.client.acknowledged.keys()));
    await expectInvariants(this.databaseUrl);
    for (const role of [this.api, ...this.orchestrators, ...this.workers]) {
      if (!this.#excused.has(role) && !role.isRunning)
        throw new Error(`${role.name} ended: ${role.output.slice(-2_000)}`);
      expect(role.output).not.toMatch(/uncaught_exception|unhandled_rejection/);
    }
  }

  async close(): Promise<void> {
    await this.roles.reap();
    await Promise.all([this.links?.redis.close(), this.links?.postgres.close()]);
    await Promise.all([...this.wayOf.values()].map((way) => way.close()));
    await Promise.all([this.target.close(), this.redis.stop(), this.#dropDatabase()]);
    rmSync(this.#home, { recursive: true, force: true });
  }

  #envOf(kind: RoleKind): Record<string, string> {
    const way = this.wayOf.get(kind);
    return way ? { ...this.env, REDIS_URL: way.through(this.redis.url) } : this.env;
  }

  #lastWords(): string {
    const roles = [this.api, ...this.orchestrators, ...this.workers].filter((role) => role !== undefined);
    return roles.map((role) => `--- ${role.name} ${role.pid}\n${role.output.slice(-1_500)}`).join('\n');
  }
}

const pageOf = (url: string): number => Number(/\/page\/(\d+)/.exec(url)?.[1]);
