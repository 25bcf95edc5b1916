// `npm test`: provides the servers, runs Vitest with the arguments given (`npm test -- --project unit`) and ends with its code. Vitest gets a process
// group of its own, so that whatever a broken test left running ends with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { startTestServers } from './servers.ts';

const args = process.argv.slice(2);
/** Python for workers in another language, a pooler of connections, the others for the files in deploy/. */
const ALWAYS = ['python', 'pgbouncer', 'prometheus', 'promtool', 'systemd'] as const;
const say = (line: string) => process.stdout.write(`test: ${line}\n`);

process.exitCode = await main();

async function main(): Promise<number> {
  const compiled = compileAhead();
  const servers = await startTestServers(
    { also: [...ALWAYS, ...(wantsBrowser(args) ? (['chromium'] as const) : [])], isDurable: false },
    say,
  ).catch((error: Error) => {
    say(error.message);
    return undefined;
  });
  if (!servers) return 1;
  try {
    return await runVitest({ ...servers.env, NODE_COMPILE_CACHE: await compiled });
  } finally {
    await servers.stop();
  }
}

/**
 * A process of ours starts in half the time when it finds its code compiled, and the tests start some two hundred. Those they kill leave nothing behind
 * for the next, so it is done here, once. Returns the folder.
 */
async function compileAhead(): Promise<string> {
  const root = resolve(import.meta.dirname, '../..');
  const folder = join(root, 'node_modules/.cache/windrow');
  const script = ['command-line', 'process/everything'].map(
    (name) => `import ${JSON.stringify(join(root, `src/cli/${name}.ts`))};`,
  );
  const child = spawn(process.execPath, ['--input-type=module', '-e', script.join('')], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) say('the command line does not load; tests that use it will fail');
  return folder;
}

/** Chromium is a large download; a run of other projects does without. */
function wantsBrowser(given: string[]): boolean {
  const projects = given.flatMap((arg, i) =>
    arg === '--project' ? [given[i + 1] ?? ''] : arg.startsWith('--project=') ? [arg.slice(10)] : [],
  );
  return projects.length === 0 || projects.some((name) => name === 'browser' || /[*!]/.test(name));
}

function runVitest(env: Record<string, string>): Promise<number> {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  let interrupts = 0;
  const forward = (signal: NodeJS.Signals) => {
    interrupts++;
    endGroup(child.pid, interrupts === 1 ? signal : 'SIGKILL');
  };
  process.on('SIGINT', forward).on('SIGTERM', forward).on('SIGHUP', forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      endGroup(child.pid, 'SIGKILL');
      resolve(interrupts > 0 ? 130 : (code ?? 1));
    });
  });
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
