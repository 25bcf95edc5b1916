// Homes, servers and the processes that hold them, for tests of the embedded store. One `EmbeddedHomes` owns all it made; `reap` in an after hook.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Client } from 'pg';
import { nativeDirOfPackage } from '../../src/store/embedded/binaries.ts';
import { type EmbeddedOptions, type EmbeddedStore, startEmbedded } from '../../src/store/embedded/embedded.ts';
import { readServerFile } from '../../src/store/embedded/home.ts';
import { postgresProcessesIn, signalProcess, waitUntil } from '../../src/store/embedded/process.ts';

// With AS_USER the modules are loaded first, as root: the test's own folder may be closed to others.
const CHILD = `
  const { startEmbedded } = await import(process.env.EMBEDDED);
  const options = JSON.parse(process.env.OPTIONS);
  if (process.env.AS_USER) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }
  const store = await startEmbedded(options);
  console.log('ready ' + JSON.stringify({ pid: store.pid, connection: store.connection }));
  process.stdin.on('end', () => store.stop()).resume();
`;

type Connection = EmbeddedStore['connection'];

export interface EmbeddedChild {
  process: ChildProcess;
  ready: Promise<{ pid: number; connection: Connection }>;
  exited: Promise<number | null>;
}

export class EmbeddedHomes {
  readonly #folders: string[] = [];
  readonly #stores: EmbeddedStore[] = [];
  readonly #children: ChildProcess[] = [];

  folder(mode = 0o755): string {
    const folder = mkdtempSync(join(tmpdir(), 'windrow-embedded-'));
    chmodSync(folder, mode);
    this.#folders.push(folder);
    return folder;
  }

  /** A home with spaces in its path, and too long a path for a socket in it. */
  home(mode?: number): string {
    return join(this.folder(mode), HOME_NAME);
  }

  /** The package's files where a test may change or hide them. */
  packageCopy(folder: string): string {
    mkdirSync(join(folder, 'package'));
    cpSync(dirname(nativeDirOfPackage()), join(folder, 'package'), { recursive: true, verbatimSymlinks: true });
    return join(folder, 'package', 'native');
  }

  async start(home: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedStore> {
    const store = await startEmbedded({ home, ...options });
    this.#stores.push(store);
    return store;
  }

  /** The server under a process of its own, which can be killed; `by`: a command that runs others. */
  startInChild(options: EmbeddedOptions, asUser = false, by: string[] = []): EmbeddedChild {
    const [command = '', ...args] = [...by, process.execPath, '--input-type=module', '-e', CHILD];
    const child = spawn(command, args, {
      env: {
        ...process.env,
        EMBEDDED: resolve(import.meta.dirname, '../../src/store/embedded/embedded.ts'),
        OPTIONS: JSON.stringify(options),
        ...(asUser ? { AS_USER: '1' } : {}),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    let output = '';
    const exited = new Promise<number | null>((done) => child.once('close', done));
    const ready = new Promise<{ pid: number; connection: Connection }>((done, failed) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          const line = /ready (\{.*\})/.exec(output)?.[1];
          if (line) done(JSON.parse(line));
        });
      }
      exited.then(() => failed(new Error(`ended early: ${output}`)));
    });
    ready.catch(() => {});
    return { process: child, ready, exited };
  }

  async reap(): Promise<void> {
    for (const child of this.#children.splice(0)) child.kill('SIGKILL');
    await Promise.all(this.#stores.splice(0).map((store) => store.stop()));
    for (const folder of this.#folders.splice(0)) {
      // A server whose parent was just killed is still leaving.
      await waitUntil(async () => (await serversIn(folder)) === 0, 60_000);
      // The next start would remove the socket's folder of a killed one; here there is no next start.
      const socketDir = (await readServerFile(join(folder, HOME_NAME)))?.postgres?.socketDir;
      if (socketDir) rmSync(socketDir, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  }
}

const HOME_NAME = `home of tests ${'long '.repeat(20)}path`;

async function serversIn(folder: string): Promise<number> {
  const data = join(folder, HOME_NAME, 'postgres', 'data');
  return existsSync(data) ? (await postgresProcessesIn(realpathSync(data), undefined)).length : 0;
}

export async function sql(connection: Connection, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection);
  // A server that is killed under an idle client reports here; the query that follows fails by itself.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** The shells between a test and the server `pid`: the one that waits for it, and the one that watches the pipe. */
export function guardsOf(pid: number): { parent: number; watchers: number[] } {
  const parent = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return { parent, watchers: childrenOf(parent).filter((child) => child !== pid) };
}

/** Shells that guard a server of this home. */
export function guardsIn(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const command = commandOf(pid);
      return command.includes('windrow-guard') && command.includes(home);
    });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    // It ended while we looked.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** kill -9 of a process and all below it; frozen first, so that none of them can react to another's end. */
export function killTree(pid: number): void {
  for (const one of treeOf(pid, (each) => signalProcess(each, 'SIGSTOP'))) signalProcess(one, 'SIGKILL');
}

/** A process and all below it; each is seen before those below it are looked for. */
export function treeOf(pid: number, see: (pid: number) => void = () => {}): number[] {
  const tree = [pid];
  for (const one of tree) {
    see(one);
    tree.push(...childrenOf(one));
  }
  return tree;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch (error) {
    // It ended while we looked.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH')
      return [];
    throw error;
  }
}
