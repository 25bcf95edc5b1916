// One run of the embedded server: cleans up after an earlier one, starts it, waits until it is ready, stops it. The caller holds the home lock, so any
// PostgreSQL that uses the data folder is a leftover of a killed parent and may be stopped.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../model/errors.ts';
import { dataFolder } from './cluster.ts';
import { type DataFolder, orUndefined } from './data-folder.ts';
import { postgresProcessesIn, signalProcess, waitUntil } from './process.ts';
import { type GuardedProcess, guardedProcess } from './process-guard.ts';

/** Recovery after a crash is part of starting; `max_wal_size` bounds it far below this. */
const READY_LIMIT_MS = 120_000;

export interface RunningServer {
  pid: number;
  exited: Promise<number>;
  logTail(): Promise<string>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  place: DataFolder;
  bin: string;
  configFile: string;
  logFile: string;
  log: (event: string, fields?: object) => void;
  signal: AbortSignal | undefined;
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const data = dataFolder(options.place);
  await stopLeftover(data, options);
  const server = await guardedProcess({
    command: join(options.bin, 'postgres'),
    args: ['-D', data, '-c', `config_file=${options.configFile}`],
    user: options.place.user,
    logFile: options.logFile,
  });
  try {
    await untilReady(server, data, options);
  } catch (error) {
    await stopServer(server);
    throw error;
  }
  return { pid: server.pid, exited: server.exited, logTail: server.logTail, stop: () => stopServer(server) };
}

async function untilReady(server: GuardedProcess, data: string, options: ServerOptions): Promise<void> {
  let exitCode: number | undefined;
  server.exited.then(
    (code) => {
      exitCode = code;
    },
    () => {
      exitCode = -1;
    },
  );
  const end = performance.now() + READY_LIMIT_MS;
  while (!(await isReady(data, server.pid))) {
    options.signal?.throwIfAborted();
    if (exitCode !== undefined || performance.now() > end) {
      const what =
        exitCode === undefined ? `was not ready after ${READY_LIMIT_MS / 1000} s` : `exited with code ${exitCode}`;
      throw new AppError(
        'embedded_failed',
        `The embedded PostgreSQL ${what}: ${await server.logTail()} (log: ${options.logFile})`,
      );
    }
    await sleep(10);
  }
}

/** The server writes its state into the eighth line of postmaster.pid, and its own pid into the first. */
async function isReady(data: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(orUndefined))?.split('\n');
  return Number(lines?.[0]) === pid && lines?.[7]?.trim() === 'ready';
}

/** SIGINT ends sessions and writes a checkpoint; SIGQUIT leaves the rest to recovery. */
async function stopServer(server: GuardedProcess): Promise<void> {
  // Its number may belong to another process by now.
  if (await Promise.race([server.exited.then(() => true), nextTurn(false)])) return;
  for (const [signal, limitMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 6_000],
    ['SIGKILL', 2_000],
  ] as const) {
    signalProcess(server.pid, signal);
    const limit = new AbortController();
    const isOver = await Promise.race([
      server.exited.then(() => true),
      sleep(limitMs, false, { signal: limit.signal }).catch(() => false),
    ]);
    limit.abort();
    if (isOver) return;
  }
  throw new AppError('embedded_failed', `The embedded PostgreSQL (process ${server.pid}) cannot be stopped.`);
}

async function stopLeftover(data: string, { log, place }: ServerOptions): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const written = (await readFile(pidFile, 'utf8').catch(orUndefined))?.split('\n')[0];
  const mainPid = written === undefined ? undefined : Number(written);
  const left = () => postgresProcessesIn(data, mainPid, place.user);
  const found = await left();
  if (found.length > 0) {
    log('embedded.leftover', { pids: found });
    await stopProcesses(found, mainPid, left);
  }
  // PostgreSQL trusts the pid in this file if any process of its user has it now; nobody is at work in the folder, so it is stale.
  await rm(pidFile, { force: true });
}

async function stopProcesses(
  found: number[],
  mainPid: number | undefined,
  left: () => Promise<number[]>,
): Promise<void> {
  const isEmpty = async () => (await left()).length === 0;
  if (mainPid !== undefined && found.includes(mainPid)) {
    signalProcess(mainPid, 'SIGINT');
    if (await waitUntil(isEmpty, 3_000)) return;
    signalProcess(mainPid, 'SIGQUIT');
    if (await waitUntil(isEmpty, 6_000)) return;
  } else if (await waitUntil(isEmpty, 500)) {
    // Sessions whose main process was killed notice it and leave by themselves, unless a statement keeps them busy.
    return;
  }
  for (const pid of await left()) signalProcess(pid, 'SIGKILL');
  if (await waitUntil(isEmpty, 2_000)) return;
  throw new AppError(
    'embedded_failed',
    `PostgreSQL processes of an earlier start cannot be stopped: ${(await left()).join(', ')}.`,
  );
}
