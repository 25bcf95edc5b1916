// Windrow roles as real processes, to be killed for real. A `Roles` owns what it started: call `reap` in an after hook and nothing outlives the
// test. What a process printed is kept (the last part of it), because a fault test that fails without logs teaches nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import net from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess, waitUntil } from '../../src/store/embedded/process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const OUTPUT_MAX_CHARS = 2_000_000;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** What a process of ours gets of the environment of `npm test`: where programs are, and the compiled code of the processes before it. */
export function forNode(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) };
}

/** Nobody waits minutes in a test for a site that is away. Companies are not tried again, as in the time of a test they never were. */
const QUICK_RETRIES = { RETRY_WAITS: 'all=300ms,unknown_source=1s/5s,company=5m' };
/** On a busy machine PostgreSQL may take seconds for an answer that is none of a broken one. */
const PATIENT = { DATABASE_ANSWER_MS: '20000', DATABASE_LOCK_TIMEOUT_SECONDS: '5' };

export class RoleProcess {
  readonly #child: ChildProcess;
  readonly name: string;
  readonly exited: Promise<Exit>;
  #output = '';
  #exit: Exit | undefined;

  constructor(name: string, child: ChildProcess, logFile?: string) {
    this.name = name;
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-OUTPUT_MAX_CHARS);
        if (logFile) appendFileSync(logFile, text);
      });
    }
    this.exited = new Promise((done, failed) => {
      child.once('error', failed);
      // `close` comes after the last output, `exit` may come before it.
      child.once('close', (code, signal) => {
        this.#exit = { code, signal };
        done(this.#exit);
      });
    });
    this.exited.catch(() => {});
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.name} was not started`);
    return this.#child.pid;
  }

  /** Both outputs, as they came. */
  get output(): string {
    return this.#output;
  }

  /** The JSON lines among the output: the log. */
  get events(): Record<string, unknown>[] {
    return this.#output.split('\n').flatMap((line) => {
      if (!line.startsWith('{') || !line.endsWith('}')) return [];
      return [JSON.parse(line) as Record<string, unknown>];
    });
  }

  get isRunning(): boolean {
    return this.#exit === undefined;
  }

  /** Waits for a line; fails at once, with the output, if the process ends first. */
  async waitForLine(pattern: RegExp, limitMs = 120_000): Promise<RegExpExecArray> {
    let match: RegExpExecArray | null = null;
    await waitUntil(async () => {
      match = pattern.exec(this.#output);
      return match !== null || !this.isRunning;
    }, limitMs);
    if (match === null) throw this.#problem(`did not print ${pattern}`);
    return match;
  }

  /** Waits until a GET of the address answers with 2xx. */
  async waitForHttp(url: string, limitMs = 120_000): Promise<void> {
    const isThere = await waitUntil(async () => {
      if (!this.isRunning) return true;
      const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.ok === true;
    }, limitMs);
    if (!isThere || !this.isRunning) throw this.#problem(`did not answer at ${url}`);
  }

  /** kill -9, and gone when this returns. */
  async kill(): Promise<void> {
    if (this.isRunning) signalProcess(this.pid, 'SIGKILL');
    await this.exited;
  }

  pause(): void {
    signalProcess(this.pid, 'SIGSTOP');
  }

  resume(): void {
    signalProcess(this.pid, 'SIGCONT');
  }

  /** SIGTERM, and how it ended; fails if it has not after the limit. */
  async terminate(limitMs = 120_000): Promise<Exit> {
    if (this.isRunning) signalProcess(this.pid, 'SIGTERM');
    return this.waitForExit(limitMs);
  }

  async waitForExit(limitMs = 120_000): Promise<Exit> {
    const limit = new AbortController();
    const late = sleep(limitMs, undefined, { signal: limit.signal }).catch(() => undefined);
    const exit = await Promise.race([this.exited, late]);
    limit.abort();
    if (!exit) throw this.#problem(`still ran after ${limitMs} ms`);
    return exit;
  }

  #problem(what: string): Error {
    const state = this.#exit ? `ended with ${this.#exit.code ?? this.#exit.signal}` : 'is running';
    return new Error(`${this.name} ${what}; it ${state}. Its last output:\n${this.#output.slice(-4_000)}`);
  }
}

/** What a forked process sends before it ends. On a busy machine its end may be heard of first. */
export async function reportOf<T>(child: ChildProcess): Promise<T> {
  const [[code], report] = await Promise.all([
    once(child, 'exit'),
    Promise.race([once(child, 'message'), once(child, 'disconnect').then(() => undefined)]),
  ]);
  if (code !== 0 || report === undefined) throw new Error(`it ended with ${code} and without a report`);
  return report[0] as T;
}

/** A port that stays open whoever listens on it, as one of systemd's. This process never accepts a connection of it. */
export interface ListeningSocket {
  fd: number;
  port: number;
  close(): void;
}

export function openSocket(port: number): ListeningSocket {
  const make = (net as unknown as { _createServerHandle(host: string, port: number, family: number): object })
    ._createServerHandle;
  const handle = make('127.0.0.1', port, 4) as { fd: number; close(): void };
  return { fd: handle.fd, port, close: () => handle.close() };
}

/** The process has to know its own number, which a shell that turns into it does. */
const passedOn = (command: string, args: string[]): [string, string[]] => [
  'sh',
  ['-c', 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', 'sh', command, ...args],
];

export interface RoleOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** Another script than the command line; for tests of single parts. */
  script?: string;
  /** Turns the command into the one that is run: on a disk of its own, say. */
  wrap?(command: string, args: string[]): [string, string[]];
  /** A listening socket that it gets as systemd would pass it on. */
  socket?: ListeningSocket | undefined;
}

export class Roles {
  readonly #started: RoleProcess[] = [];
  readonly #logFolder: string | undefined;

  /** Keeps everything that is printed in a file each, if a folder is given. */
  constructor(logFolder?: string) {
    this.#logFolder = logFolder;
  }

  /** `node src/cli/main.ts <args>`. Only Node, HOME and what is given reaches it: a test decides its whole environment. */
  start(args: string[], options: RoleOptions = {}): RoleProcess {
    const wrap = options.wrap ?? (options.socket ? passedOn : (command: string, given: string[]) => [command, given]);
    const child = spawn(...wrap(process.execPath, [options.script ?? join(ROOT, 'src/cli/main.ts'), ...args]), {
      cwd: options.cwd ?? ROOT,
      env: { ...forNode(), HOME: process.env.HOME, ...QUICK_RETRIES, ...PATIENT, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe', ...(options.socket ? [options.socket.fd] : [])],
    });
    const logFile = this.#logFolder && join(this.#logFolder, `${args[0]}-${child.pid}.log`);
    const role = new RoleProcess(args.join(' '), child, logFile);
    this.#started.push(role);
    return role;
  }

  /** Kills whatever still runs, paused processes too. */
  async reap(): Promise<void> {
    await Promise.all(this.#started.splice(0).map((role) => role.kill()));
  }
}
