// Connections whose packets vanished: a cable, a firewall or a NAT that forgot them. Neither end is told, and a statement on one would wait for its whole timeout although
// the server is long there again. Silence alone proves nothing, a statement may take its time; so the server is asked, on a new connection, what it does for the silent ones.
// A backend that is not at work has not received the statement, or its answer was lost: the connection is closed, and the backend ended with the locks it holds.
import type { Socket } from 'node:net';
import pg from 'pg';

/** How long a connection is silent before the server is asked: longer than a large statement takes on a slow link. */
const SILENT_MS = 8_000;
const LOOK_EVERY_MS = 1_000;
const ASK_LIMIT_MS = 2_000;

/** Knows whether statements of it have no answer yet. */
export class WatchedClient extends pg.Client {
  isWaiting = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('drain', () => {
      this.isWaiting = false;
    });
  }

  // The declared overloads of `query` cannot be repeated by an override.
  override query = ((...args: Parameters<pg.Client['query']>) => {
    this.isWaiting = true;
    return super.query(...args);
  }) as unknown as pg.Client['query'];
}

interface Silence {
  sinceMs: number;
  bytesRead: number;
  /** The server said so once. It is asked twice: a server that was frozen answers before its backends have read what waits for them. */
  isUnknownToServer: boolean;
}

const AT_WORK = `state = 'active' and wait_event_type is distinct from 'Client'`;

/** Closes connections of the pool that are lost. Ends with the pool. */
export function closeLostConnections(pool: pg.Pool): void {
  const silences = new Map<WatchedClient, Silence>();
  let isAsking = false;
  pool.on('connect', (client) => silences.set(client as unknown as WatchedClient, silenceOf(client)));
  pool.on('remove', (client) => silences.delete(client as unknown as WatchedClient));

  const timer = setInterval(() => {
    if (pool.ended) return clearInterval(timer);
    const suspects: WatchedClient[] = [];
    for (const [client, silence] of silences) {
      if (!client.isWaiting || socketOf(client).bytesRead !== silence.bytesRead)
        silences.set(client, silenceOf(client));
      else if (performance.now() - silence.sinceMs >= SILENT_MS) suspects.push(client);
    }
    if (suspects.length === 0 || isAsking) return;
    isAsking = true;
    void ask(suspects).finally(() => {
      isAsking = false;
    });
  }, LOOK_EVERY_MS).unref();

  async function ask(suspects: WatchedClient[]): Promise<void> {
    const asked = suspects.map((client) => ({ client, silence: silences.get(client)! }));
    const lost: WatchedClient[] = [];
    const asking = new pg.Client({
      ...pool.options,
      connectionTimeoutMillis: ASK_LIMIT_MS,
      query_timeout: ASK_LIMIT_MS,
    });
    asking.on('error', () => {});
    try {
      await asking.connect();
      const atWork = await pidsAtWork(asking, suspects);
      for (const { client, silence } of asked) {
        // Something arrived while the server was asked.
        if (silences.get(client) !== silence || socketOf(client).bytesRead !== silence.bytesRead) continue;
        if (silence.isUnknownToServer && !atWork.has(pidOf(client))) lost.push(client);
        silence.isUnknownToServer = !atWork.has(pidOf(client));
      }
      if (lost.length > 0) await endBackends(asking, lost);
    } catch {
      // The server is away, which everybody who asks it for something hears. It is asked again in a second.
      return;
    } finally {
      asking.end().catch(() => {});
    }
    for (const client of lost) socketOf(client).destroy(lostError());
    if (lost.length > 0) retireIdle(pool);
  }
}

async function pidsAtWork(asking: pg.Client, clients: WatchedClient[]): Promise<Set<number>> {
  const { rows } = await asking.query<{ pid: number; own: number }>(
    `select pid, pg_backend_pid() as own from pg_stat_activity where pid = pg_backend_pid() or (pid = any($1) and ${AT_WORK})`,
    [clients.map(pidOf)],
  );
  // Behind a pooler the numbers that clients are told mean nothing to the server.
  const isDirect = rows.some(({ own }) => own === pidOf(asking));
  return new Set(isDirect ? rows.map(({ pid }) => pid) : clients.map(pidOf));
}

const endBackends = (asking: pg.Client, clients: WatchedClient[]): Promise<unknown> =>
  asking.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where pid = any($1) and usename = current_user and not (${AT_WORK})`,
    [clients.map(pidOf)],
  );

/** What happened to one probably happened to those that nobody uses now. */
function retireIdle(pool: pg.Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle--)
    pool.connect().then(
      (client) => client.release(true),
      // There was none left to retire, and no server to connect to.
      () => {},
    );
}

const lostError = (): Error =>
  Object.assign(new Error('PostgreSQL knows nothing of the statements on this connection: its packets were lost'), {
    code: 'ECONNRESET',
  });

function silenceOf(client: pg.ClientBase): Silence {
  return { sinceMs: performance.now(), bytesRead: socketOf(client).bytesRead, isUnknownToServer: false };
}

// Both are in every client, and missing in the declarations.
const socketOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
const pidOf = (client: pg.ClientBase): number => (client as unknown as { processID: number }).processID;
