// Keeps the embedded server running. One that died is started again; if that fails, again after growing waits. Without disk space it waits for as long as it
// takes, since the process is needed to say so and to go on by itself; for any other reason it gives up after some deaths, since starting again does not help.
import { copyFile, rm, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, asAppError } from '../../model/errors.ts';
import type { EmbeddedStore } from './embedded.ts';
import { clearHome, readServerFile, writeHome } from './home.ts';
import { type RunningServer, type ServerOptions, startServer } from './server.ts';
import { freeBytes, hasRoom } from './space.ts';

const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
const LOG_CHECK_MS = 30_000;
/** If it dies more often than this within the window, restarting does not help. */
const RESTARTS_MAX = 5;
const RESTART_WINDOW_MS = 300_000;
const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 15_000;

export interface Supervised {
  home: string;
  connection: EmbeddedStore['connection'];
  server: RunningServer;
  serverOptions: ServerOptions;
  onLost: (error: AppError) => void;
  releaseOurs: () => Promise<void>;
}

export function supervise(parts: Supervised): EmbeddedStore {
  const { home, connection, serverOptions } = parts;
  const { log, place } = serverOptions;
  const stopping = new AbortController();
  const deaths: number[] = [];
  let server = parts.server;
  let whyDown: string | null = null;
  const logTimer = setInterval(() => {
    boundLog(serverOptions.logFile).catch((error) => log('embedded.log_unbounded', { error: String(error) }));
  }, LOG_CHECK_MS);
  logTimer.unref();

  async function keepRunning(): Promise<void> {
    for (;;) {
      const code = await server.exited;
      if (stopping.signal.aborted) return;
      log('embedded.died', { pid: server.pid, code });
      if (await hasRoom(place.folder)) countDeath(await server.logTail());
      server = await startAgain();
      whyDown = null;
      log('embedded.ready', { pid: server.pid, isNew: false });
      await tellHome();
    }
  }

  async function startAgain(): Promise<RunningServer> {
    const since = new Date().toISOString();
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LAST_WAIT_MS)) {
      const isFull = !(await hasRoom(place.folder));
      whyDown = isFull
        ? `The embedded PostgreSQL has stopped: no space is left on the disk of WINDROW_HOME since ${since}. Free some: it starts again by itself, and accepted work goes on.`
        : `The embedded PostgreSQL has stopped at ${since} and is being started again.`;
      if (isFull) {
        log('embedded.no_space', {
          folder: place.folder,
          free_mb: Math.floor((await freeBytes(place.folder)) / 1024 ** 2),
        });
      } else {
        try {
          return await startServer({ ...serverOptions, signal: stopping.signal });
        } catch (error) {
          stopping.signal.throwIfAborted();
          const { message } = asAppError(error);
          if (await hasRoom(place.folder)) countDeath(message);
          log('embedded.start_failed', { error: message, seconds: waitMs / 1_000 });
        }
      }
      await sleep(waitMs, undefined, { signal: stopping.signal });
    }
  }

  function countDeath(reason: string): void {
    const now = performance.now();
    deaths.push(now);
    while (deaths[0] !== undefined && now - deaths[0] > RESTART_WINDOW_MS) deaths.shift();
    if (deaths.length <= RESTARTS_MAX) return;
    throw new AppError(
      'embedded_failed',
      `The embedded PostgreSQL exited ${deaths.length} times in a few minutes: ${reason}`,
    );
  }

  /** Other commands find the server by its socket, which is the same; the number in the file is for people. */
  async function tellHome(): Promise<void> {
    try {
      const file = await readServerFile(home);
      if (file?.postgres) await writeHome(home, { ...file, postgres: { ...file.postgres, pid: server.pid } });
    } catch (error) {
      log('embedded.home_file_failed', { error: String(error) });
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
    get whyDown() {
      return whyDown;
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** The server appends, so emptying the file under it is safe; one older part is kept, unless the disk has no room for it. */
export async function boundLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size <= LOG_LIMIT_BYTES) return;
  await copyFile(logFile, `${logFile}.1`).catch(() => rm(`${logFile}.1`, { force: true }));
  await truncate(logFile, 0);
}
