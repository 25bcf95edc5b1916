// Private PostgreSQL and Redis servers that a test may stop, freeze, kill and start again; the shared ones of `npm test` are made of the same.
// Each runs behind the guard of the embedded store, so it ends with the process that started it. `stop` is for good and removes the folder;
// `halt` and `kill` leave everything in place for `start`. PostgreSQL keeps its durable settings by default: a crash must lose nothing.
import { randomInt, randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { chown, mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import type { ServerUser } from '../../src/store/embedded/data-folder.ts';
import { postgresProcessesIn, signalProcess, waitUntil } from '../../src/store/embedded/process.ts';
import { type GuardedProcess, guardedProcess } from '../../src/store/embedded/process-guard.ts';

const READY_LIMIT_MS = 120_000;

export interface OwnPostgres {
  /** Of the database `postgres`, as a superuser. */
  url: string;
  port: number;
  readonly pid: number;
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  halt(mode: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  /** To the main process. After SIGKILL its sessions end by themselves. */
  kill(signal: NodeJS.Signals): void;
  /** Stops every process of it, sessions too, until `thaw`: connections stay open and nobody answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
}

export interface OwnRedis {
  url: string;
  port: number;
  readonly pid: number;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Keeps nothing on disk, so it is always empty. */
  start(): Promise<void>;
  /** kill -9, then an empty one on the same port. */
  restart(): Promise<void>;
  pause(): void;
  resume(): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** `isDurable: false` is for a server that nobody breaks: databases come and go quicker when it need not wait for the disk. */
export async function startPostgres(
  options: {
    bin?: string;
    maxConnections?: number;
    isDurable?: boolean;
    /** Speaks TLS too, with the certificate of `tests/support/certs`. */
    hasTls?: boolean;
    settings?: Record<string, string>;
    /** It follows this one. */
    primary?: OwnPostgres;
  } = {},
): Promise<OwnPostgres> {
  const bin = options.bin ?? required('TEST_POSTGRES_BIN');
  const user = serverUser();
  const { folder, logFile } = serverFolder('pg', user);
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (user.ids) await chown(data, user.ids.uid, user.ids.gid);
  const [program, args] = options.primary
    ? ['pg_basebackup', ['-d', options.primary.url, '-R', '--checkpoint=fast', '--no-sync']]
    : ['initdb', ['-U', 'windrow', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions']];
  const making = await guardedProcess({
    command: join(bin, program),
    args: ['-D', data, ...args],
    user,
    logFile,
  });
  if ((await making.exited) !== 0) throw new Error(`${program} failed: ${await making.logTail()}`);
  const tls = options.hasTls ? certificateIn(folder, user) : null;
  const port = await freePort();
  const url = `postgres://windrow@127.0.0.1:${port}/postgres`;
  let server: GuardedProcess;

  async function start(): Promise<void> {
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: options.maxConnections ?? 100,
      shared_buffers: '64MB',
      jit: 'off',
      timezone: 'UTC',
      log_checkpoints: 'off',
      fsync: options.isDurable === false ? 'off' : 'on',
      ...(tls ? { ssl: 'on', ssl_cert_file: tls.cert, ssl_key_file: tls.key } : {}),
      ...options.settings,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // After a kill -9 the sessions take a moment to notice, and PostgreSQL refuses to start beside them.
    await waitUntil(async () => (await postgresProcessesIn(data, undefined)).length === 0, 60_000);
    server = await guardedProcess({ command: join(bin, 'postgres'), args: ['-D', data, ...args], user, logFile });
    await untilAnswers(() => answersSql(url), server, 'PostgreSQL');
  }
  async function signalAll(signal: NodeJS.Signals): Promise<void> {
    for (const pid of await postgresProcessesIn(data, server.pid)) signalProcess(pid, signal);
  }
  async function halt(mode: 'fast' | 'immediate'): Promise<void> {
    signalProcess(server.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await server.exited;
  }
  await start();
  return {
    url,
    port,
    get pid() {
      return server.pid;
    },
    async restart(mode) {
      await halt(mode);
      await start();
    },
    halt,
    start,
    kill: (signal) => signalProcess(server.pid, signal),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async stop() {
      await signalAll('SIGCONT');
      await halt('immediate');
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

export interface RedisOptions {
  port?: number;
  program?: string;
  /** More of its settings: `['--replicaof', '127.0.0.1 6379']`. */
  args?: string[];
  /** It is a sentinel with these lines in its file. */
  sentinel?: string[];
  /** Speaks TLS on this port too, with the certificate of `tests/support/certs`. */
  tlsPort?: number;
}

export async function startRedis(options: RedisOptions = {}): Promise<OwnRedis> {
  const program = options.program ?? required('TEST_REDIS_SERVER');
  const user = serverUser();
  const { folder, logFile } = serverFolder('redis', user);
  const port = options.port ?? (await freePort());
  let server: GuardedProcess;
  const tls = options.tlsPort ? certificateIn(folder, user) : null;
  // A sentinel writes into its file.
  const sentinelFile = join(folder, 'sentinel.conf');
  if (options.sentinel) writeFor(user, sentinelFile, `${options.sentinel.join('\n')}\n`);

  async function start(): Promise<void> {
    const args = [
      ...(options.sentinel ? [sentinelFile, '--sentinel'] : ['--save', '', '--appendonly', 'no']),
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--loglevel',
      'warning',
      ...(tls ? ['--tls-port', String(options.tlsPort), '--tls-cert-file', tls.cert, '--tls-key-file', tls.key] : []),
      ...(tls ? ['--tls-auth-clients', 'no'] : []),
      ...(options.args ?? []),
    ];
    server = await guardedProcess({ command: program, args, user, logFile });
    await untilAnswers(async () => (await redisCommand(port, 'PING')) === '+PONG', server, 'Redis');
  }
  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    signalProcess(server.pid, signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await server.exited;
  }
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    kill,
    start,
    async restart() {
      await kill();
      await start();
    },
    pause: () => signalProcess(server.pid, 'SIGSTOP'),
    resume: () => signalProcess(server.pid, 'SIGCONT'),
    async flush() {
      const answer = await redisCommand(port, 'FLUSHALL');
      if (answer !== '+OK') throw new Error(`FLUSHALL answered ${answer}`);
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A database of its own on a server that others use too. */
export async function freshDatabase(
  serverUrl = required('TEST_DATABASE_URL'),
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`) };
}

const PORT_MIN = 12_000;
const PORT_MAX = 31_999;

/**
 * A port that nothing listens on and that stays free until it is used, or is used again after a restart: it is below those that systems give to outgoing
 * connections, and handed out once in a run of the tests.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1_000; tries++) {
    const port = randomInt(PORT_MIN, PORT_MAX + 1);
    if (reserve(port) && (await canListen(port))) return port;
  }
  throw new Error(`found no free port from ${PORT_MIN} to ${PORT_MAX}`);
}

/** The files of a run are processes of their own, so what they have in common is a folder. */
function reserve(port: number): boolean {
  if (!process.env.TEST_FOLDER) return true;
  try {
    writeFileSync(join(process.env.TEST_FOLDER, `port-${port}`), '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) =>
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
  );
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export async function untilAnswers(
  answers: () => Promise<boolean>,
  server: GuardedProcess,
  what: string,
): Promise<void> {
  let hasEnded = false;
  server.exited.then(() => {
    hasEnded = true;
  });
  await waitUntil(async () => hasEnded || (await answers()), READY_LIMIT_MS);
  if (hasEnded || !(await answers())) throw new Error(`${what} did not start: ${await server.logTail()}`);
}

export async function answersSql(url: string): Promise<boolean> {
  return onServer(url, 'select 1').then(
    () => true,
    () => false,
  );
}

/** One inline command and the first line of its answer; '' when nobody answers. */
function redisCommand(port: number, command: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 10_000 });
    const end = (answer: string) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => socket.write(`${command}\r\n`));
    socket.on('data', (data) => end(data.toString().split('\r\n')[0] ?? ''));
    socket.on('error', () => end(''));
    socket.on('close', () => end(''));
    socket.on('timeout', () => end(''));
  });
}

/** A server reads its key only from a file of its own. */
function certificateIn(folder: string, user: ServerUser): { cert: string; key: string } {
  const certs = join(import.meta.dirname, 'certs');
  const [cert, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  writeFor(user, cert, readFileSync(join(certs, 'site.cert.pem'), 'utf8'));
  writeFor(user, key, readFileSync(join(certs, 'site.key.pem'), 'utf8'));
  return { cert, key };
}

export function writeFor(user: ServerUser, path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  if (user.ids) chownSync(path, user.ids.uid, user.ids.gid);
}

/** Servers do not run as root; `nobody` owns nothing that a broken test could harm. */
export function serverUser(): ServerUser {
  return process.getuid?.() === 0
    ? { ids: { uid: 65534, gid: 65534 }, name: 'nobody' }
    : { ids: undefined, name: 'this user' };
}

export function serverFolder(kind: string, user: ServerUser): { folder: string; logFile: string } {
  const folder = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), `windrow-${kind}-`));
  chmodSync(folder, 0o700);
  if (user.ids) chownSync(folder, user.ids.uid, user.ids.gid);
  return { folder, logFile: join(folder, 'server.log') };
}

export function required(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(
      `${name} is not set: run this through npm test (${dirname(import.meta.filename)}/run.ts), which provides it.`,
    );
  return value;
}
