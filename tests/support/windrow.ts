// `windrow …` as a process of its own, judged by exit code, stdout and stderr.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { forNode } from './processes.ts';

const MAIN = join(resolve(import.meta.dirname, '../..'), 'src/cli/main.ts');
const LIMIT_MS = 180_000;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  input?: string;
  /** Sent when this appears on either output. */
  interruptAt?: RegExp;
  signal?: NodeJS.Signals;
}

/** In an empty environment: nothing of this machine's settings shines through. `cwd` should be empty too. */
export function runWindrow(args: string[], options: RunOptions & { cwd: string }): Promise<Ended> {
  return runProgram(process.execPath, [MAIN, ...args], {
    ...options,
    env: { ...forNode(), HOME: options.cwd, ...options.env },
  });
}

/** Any program, in the environment given. */
export function runProgram(
  program: string,
  args: string[],
  options: Omit<RunOptions, 'env'> & { cwd: string; env: NodeJS.ProcessEnv; timeoutMs?: number },
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  child.stdin?.end(options.input);
  const out = { stdout: '', stderr: '' };
  let isInterrupted = false;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      out[name] += text;
      if (isInterrupted || !options.interruptAt?.test(out[name])) return;
      isInterrupted = true;
      child.kill(options.signal ?? 'SIGTERM');
    });
  }
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done({ code, ...out }));
  });
}
