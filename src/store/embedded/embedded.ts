// The embedded store: a real PostgreSQL from an npm package, private to one home folder, reached by a unix socket and never by TCP. It runs as long as the
// process that started it: `stop` ends it, a kill -9 of that process ends it within two seconds, and if the server itself crashes it is started again on
// the same socket (supervise.ts), so that a pool only sees broken connections.
import { chmod, chown, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { AppError } from '../../model/errors.ts';
import { nativeDirOfPackage, usableBinaries } from './binaries.ts';
import { ensureCluster, PG_DATABASE, PG_USER, writeConfiguration } from './cluster.ts';
import { type DataFolder, findDataFolder } from './data-folder.ts';
import { clearHome, readServerFile, writeHome } from './home.ts';
import { type HomeLock, homeLock } from './lock.ts';
import { embeddedProblem, hasGlibc } from './platform.ts';
import { type ServerOptions, startServer } from './server.ts';
import { freeBytes, hasRoom, isNoRoom } from './space.ts';
import { boundLog, supervise } from './supervise.ts';

export { readHome } from './home.ts';
export { type HomeLock, homeLock } from './lock.ts';

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
  /** Why the server is not running now, and what to do, as a sentence; null while it runs. */
  readonly whyDown: string | null;
  /** Safe to call twice. */
  stop(): Promise<void>;
}

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedStore> {
  const problem = embeddedProblem({ platform: process.platform, isGlibc: hasGlibc() });
  if (problem !== null) throw new AppError('embedded_failed', problem);
  const home = resolve(options.home);
  const lock = options.lock ?? (await takeLock(home));
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
    throw await namingFullDisk(home, error);
  }
}

async function takeLock(home: string): Promise<HomeLock> {
  try {
    return await homeLock(home);
  } catch (error) {
    throw isNoRoom(error) ? await namingFullDisk(home, error) : error;
  }
}

/** PostgreSQL that finds no space says so in a log that has no space either. */
async function namingFullDisk(home: string, error: unknown): Promise<unknown> {
  const folder = await realpath(join(home, 'postgres')).catch(() => home);
  // A folder that cannot be looked into is another problem, which the error names.
  const isFull = isNoRoom(error) || !(await hasRoom(folder).catch(() => true));
  if (!isFull) return error;
  const freeMb = Math.floor((await freeBytes(folder)) / 1024 ** 2);
  return new AppError(
    'embedded_failed',
    `The disk of ${folder} is full (${freeMb} MB free): the embedded PostgreSQL cannot start. Free some space and start again. Nothing that was accepted is lost.`,
    { cause: error },
  );
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
