// The embedded store: a real PostgreSQL from an npm package, private to one home folder, reached by a unix socket and never by TCP. It runs as long as the
// process that started it: `stop` ends it, a kill -9 of that process ends it within two seconds, and if the server itself crashes it is started again on
// the same socket, so that a pool only sees broken connections.
import { chmod, chown, copyFile, mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { AppError, asAppError } from '../../model/errors.ts';
import { nativeDirOfPackage, usableBinaries } from './binaries.ts';
import { ensureCluster, PG_DATABASE, PG_USER, writeConfiguration } from './cluster.ts';
import { type DataFolder, findDataFolder } from './data-folder.ts';
import { clearHome, readServerFile, writeHome } from './home.ts';
import { type HomeLock, homeLock } from './lock.ts';
import { type RunningServer, type ServerOptions, startServer } from './server.ts';

export { readHome } from './home.ts';
export { type HomeLock, homeLock } from './lock.ts';

const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
const LOG_CHECK_MS = 30_000;
/** If it crashes more often than this within the window, restarting does not help. */
const RESTARTS_MAX = 5;
const RESTART_WINDOW_MS = 300_000;
/** 107 bytes on Linux, 103 on macOS, with the name of the socket itself. */
const SOCKET_DIR_MAX = 80;

export interface EmbeddedOptions {
  home: string;
  /** Already taken by the caller, who then releases it; without it the start takes and `stop` releases it. */
  lock?: HomeLock;
  log?: (event: string, fields?: object) => void;
  /** Ends a start that is under way. */
  signal?: AbortSignal;
  /** Called once if the server died and could not be brought back. */
  onLost?: (error: AppError) => void;
  nativeDir?: string;
  systemDir?: string;
}

export interface EmbeddedStore {
  connection: { host: string; user: string; database: string };
  /** Of PostgreSQL; another one after it was started again. */
  readonly pid: number;
  /** Safe to call twice. */
  stop(): Promise<void>;
}

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedStore> {
  if (process.platform === 'win32') {
    throw new AppError(
      'embedded_failed',
      'The embedded PostgreSQL does not run on Windows. Set DATABASE_URL, or use WSL.',
    );
  }
  const home = resolve(options.home);
  const lock = options.lock ?? (await homeLock(home));
  const releaseOurs = async () => {
    if (!options.lock) await lock.release();
  };
  let socketDir: string | undefined;
  try {
    await removeOldSocketDir(home);
    const log = options.log ?? (() => {});
    const place = await findDataFolder({ home, systemDir: options.systemDir ?? '/var/lib/windrow', log });
    const bin = await usableBinaries(options.nativeDir ?? nativeDirOfPackage(), place.folder, place.user);
    const logFile = join(home, 'postgres.log');
    await boundLog(logFile);
    const { isNew } = await ensureCluster(place, bin, logFile, options.signal);
    socketDir = await makeSocketDir(place);
    const connection = { host: socketDir, user: PG_USER, database: PG_DATABASE };
    const startedAt = new Date().toISOString();
    // Before the server: if we are killed now, the next start still knows which folder to remove.
    await writeHome(home, {
      pid: process.pid,
      started: startedAt,
      postgres: { pid: 0, socketDir, user: PG_USER, database: PG_DATABASE },
    });
    const configFile = await writeConfiguration(place, socketDir);
    const serverOptions: ServerOptions = { place, bin, configFile, logFile, log, signal: options.signal };
    const server = await startServer(serverOptions);
    try {
      await ensureDatabase(connection);
      await writeHome(home, {
        pid: process.pid,
        started: startedAt,
        postgres: { pid: server.pid, socketDir, user: PG_USER, database: PG_DATABASE },
      });
    } catch (error) {
      await server.stop();
      throw error;
    }
    log('embedded.ready', { pid: server.pid, folder: place.folder, isNew });
    return supervise({ home, connection, server, serverOptions, onLost: options.onLost ?? (() => {}), releaseOurs });
  } catch (error) {
    if (socketDir) await rm(socketDir, { recursive: true, force: true });
    await clearHome(home);
    await releaseOurs();
    throw error;
  }
}

interface Supervised {
  home: string;
  connection: EmbeddedStore['connection'];
  server: RunningServer;
  serverOptions: ServerOptions;
  onLost: (error: AppError) => void;
  releaseOurs: () => Promise<void>;
}

function supervise(parts: Supervised): EmbeddedStore {
  const { home, connection, serverOptions } = parts;
  const stopping = new AbortController();
  let server = parts.server;
  const logTimer = setInterval(() => {
    boundLog(serverOptions.logFile).catch((error) =>
      serverOptions.log('embedded.log_unbounded', { error: String(error) }),
    );
  }, LOG_CHECK_MS);
  logTimer.unref();

  async function keepRunning(): Promise<void> {
    const deaths: number[] = [];
    for (;;) {
      const code = await server.exited;
      if (stopping.signal.aborted) return;
      const now = performance.now();
      deaths.push(now);
      while (deaths[0] !== undefined && now - deaths[0] > RESTART_WINDOW_MS) deaths.shift();
      serverOptions.log('embedded.died', { pid: server.pid, code, deaths: deaths.length });
      if (deaths.length > RESTARTS_MAX) {
        throw new AppError(
          'embedded_failed',
          `The embedded PostgreSQL exited ${deaths.length} times in a few minutes: ${await server.logTail()}`,
        );
      }
      server = await startServer({ ...serverOptions, signal: stopping.signal });
      const file = await readServerFile(home);
      if (file?.postgres) await writeHome(home, { ...file, postgres: { ...file.postgres, pid: server.pid } });
      serverOptions.log('embedded.ready', { pid: server.pid, isNew: false });
    }
  }

  const watching = keepRunning().catch((error) => {
    if (!stopping.signal.aborted) parts.onLost(asAppError(error));
  });

  async function stop(): Promise<void> {
    stopping.abort();
    clearInterval(logTimer);
    await server.stop();
    await watching;
    // The watcher may have been starting a new one at that very moment.
    await server.stop();
    await rm(connection.host, { recursive: true, force: true });
    await clearHome(home);
    await parts.releaseOurs();
  }

  let stopped: Promise<void> | undefined;
  return {
    connection,
    get pid() {
      return server.pid;
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function ensureDatabase(connection: EmbeddedStore['connection']): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [connection.database]);
    if (rowCount === 0) await client.query(`create database ${connection.database}`);
  } finally {
    await client.end();
  }
}

/** Short, because the path of a unix socket is limited to about a hundred bytes, whatever the home is called. */
async function makeSocketDir(place: DataFolder): Promise<string> {
  const base = /^[\w/.-]+$/.test(tmpdir()) && tmpdir().length < SOCKET_DIR_MAX ? tmpdir() : '/tmp';
  const folder = await mkdtemp(join(base, 'windrow-'));
  await chmod(folder, 0o700);
  if (place.user.ids) await chown(folder, place.user.ids.uid, place.user.ids.gid);
  return folder;
}

async function removeOldSocketDir(home: string): Promise<void> {
  const old = (await readServerFile(home))?.postgres?.socketDir;
  if (old && /\/windrow-\w+$/.test(old)) await rm(old, { recursive: true, force: true });
}

/** The server appends, so emptying the file under it is safe; one older part is kept. */
async function boundLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size <= LOG_LIMIT_BYTES) return;
  await copyFile(logFile, `${logFile}.1`);
  await truncate(logFile, 0);
}
