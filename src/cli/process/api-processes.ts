// More API processes on the same port. The kernel distributes new connections among them (SO_REUSEPORT), so no process is in front of the others. They
// are `windrow api` with the same settings; they end with this process, and it ends when one of them does.
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { apiStopMs } from '../../compose/api.ts';
import type { Role } from '../../compose/process/role.ts';
import { flagOf, type SettingName } from '../../config.ts';
import { flagsFrom } from '../settings/flags.ts';
import { handedOn } from './inherited-socket.ts';
import type { ParentPeers } from './metric-peers.ts';

/** `.ts` in a clone, `.js` in a package. */
const MAIN = new URL(`../main${extname(import.meta.url)}`, import.meta.url);
const START_MS = 60_000;
const LISTENING = 'listening';

export interface ApiProcessesOptions {
  /** Beside this process. */
  count: number;
  /** Where this process listens. */
  url: string;
  /** The options of the command that runs here; settings among them hold for the others too. */
  options: Readonly<Record<string, unknown>>;
  /** One that was open before this process, which the others listen on too. */
  socket?: number | null;
  peers: ParentPeers;
}

/** Resolves when all of them listen. */
export async function runApiProcesses(role: Role, given: ApiProcessesOptions): Promise<void> {
  const { life } = role;
  if (given.count === 0) return;
  const children = Array.from({ length: given.count }, () =>
    fork(MAIN, argsOf(given), { execArgv: process.execArgv, ...handedOn(given.socket) }),
  );
  for (const child of children) given.peers.join(child);
  life.own('api processes', () => stopAll(children), apiStopMs(role.config));
  for (const child of children) {
    child.once('exit', (code, signal) => {
      if (!life.signal.aborted) life.fail('api process', new Error(`an API process exited with ${signal ?? code}`));
    });
  }
  await Promise.all(children.map(untilListening));
}

function argsOf({ options, url }: ApiProcessesOptions): string[] {
  const settings = Object.entries(flagsFrom(options)).flatMap(([name, value]) => [flagOf(name as SettingName)!, value]);
  const config = typeof options.config === 'string' ? ['--config', options.config] : [];
  const verbose = options.verbose ? ['--verbose'] : [];
  return ['api', ...settings, ...config, ...verbose, '--port', new URL(url).port, '--share-port'];
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('an API process did not start in time')), START_MS);
    const end = (settle: () => void) => {
      clearTimeout(late);
      settle();
    };
    child.on('message', (message) => message === LISTENING && end(resolve));
    child.once('error', (error) => end(() => reject(error)));
    child.once('exit', (code) =>
      end(() => reject(new Error(`an API process exited with ${code} before it was listening`))),
    );
  });
}

async function stopAll(children: ChildProcess[]): Promise<void> {
  const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
  await Promise.all(
    running.map((child) => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      return ended;
    }),
  );
}

/** In such a process: reports that it listens, and ends when its parent is gone. */
export function answerToParent(role: Role): void {
  if (!process.send) return;
  process.once('disconnect', () => role.life.finish());
  process.send(LISTENING);
}
