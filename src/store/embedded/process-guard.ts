// Runs a program that must not outlive this process. A small shell starts the program and waits on a pipe that only this process holds open; when the
// process ends, for whatever reason, the pipe closes and the shell stops the program: SIGINT first, after 1.5 s SIGQUIT (PostgreSQL drops everything and
// recovers at its next start), after 10 s SIGKILL, which ends a frozen one too. The shell has its own session, so that Ctrl-C in a terminal does not reach it.
import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { AppError } from '../../model/errors.ts';
import type { ServerUser } from './data-folder.ts';

// A background command of a shell reads from /dev/null by default, hence descriptor 3.
const GUARD = `
exec 3<&0 </dev/null
"$@" >&2 3<&- &
program=$!
echo $program
exec >/dev/null
{
  read _ <&3
  kill -INT $program
  n=0
  while kill -0 $program; do
    sleep 0.1
    n=$((n+1))
    [ $n -eq 15 ] && kill -QUIT $program
    [ $n -eq 100 ] && kill -KILL $program
  done
} 2>/dev/null &
watcher=$!
exec 3<&-
wait $program
code=$?
kill $watcher 2>/dev/null
exit $code
`;

export interface GuardedProcess {
  /** Of the program itself, not of the shell. */
  pid: number;
  /** The exit code; 128 + n when signal n ended it. */
  exited: Promise<number>;
  /** Stops the program as the end of this process would. */
  end(): void;
  /** What it wrote to the log since it started, the last lines of it. */
  logTail(): Promise<string>;
}

export interface GuardedOptions {
  command: string;
  args: string[];
  user: ServerUser;
  /** Both outputs of the program are appended here. */
  logFile: string;
}

export async function guardedProcess(options: GuardedOptions): Promise<GuardedProcess> {
  const log = await open(options.logFile, 'a', 0o600);
  try {
    const logStart = (await log.stat()).size;
    const shell = spawn('/bin/sh', ['-c', GUARD, 'windrow-guard', options.command, ...options.args], {
      ...options.user.ids,
      cwd: '/',
      detached: true,
      // Nothing of ours: a PGDATA or PGOPTIONS of the caller would change what the server does.
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['pipe', 'pipe', log.fd],
    });
    const exited = new Promise<number>((resolve, reject) => {
      shell.once('error', reject);
      shell.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
    });
    // Read by whoever awaits `exited`; without this line a failed spawn would count as unhandled before that.
    exited.catch(() => {});
    const [stdin, stdout] = [shell.stdin!, shell.stdout!];
    // Writing never happens; a shell that died makes the pipe report an error that says nothing new.
    stdin.on('error', () => {});
    let said = '';
    stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await Promise.race([finished(stdout), exited.then(() => finished(stdout))]);
    const pid = Number(said);
    if (!Number.isInteger(pid) || pid <= 0) {
      throw new AppError('embedded_failed', `/bin/sh could not start ${options.command}. See ${options.logFile}.`);
    }
    return { pid, exited, end: () => stdin.end(), logTail: () => tailOf(options.logFile, logStart) };
  } finally {
    await log.close();
  }
}

async function tailOf(path: string, from: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - 2_000);
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.max(0, size - start)),
      0,
      Math.max(0, size - start),
      start,
    );
    const lines = buffer.subarray(0, bytesRead).toString('utf8').trim().split('\n');
    return lines.slice(-6).join(' | ') || 'no output';
  } finally {
    await file.close();
  }
}
