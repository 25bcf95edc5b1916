// bin/windrow.mjs where Node is too old. The Node of these tests is new enough, so the launcher stands in a folder that asks for Node 99.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../../support/windrow.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windrow-launcher-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Given {
  /** Text of src/cli/main.ts: a clone. */
  source?: string;
  /** `npm ci` brought a Node along. */
  isInstalled?: boolean;
}

async function launcher(name: string, { source, isInstalled }: Given): Promise<string> {
  const at = async (path: string): Promise<string> => {
    const file = join(folder, name, path);
    await mkdir(dirname(file), { recursive: true });
    return file;
  };
  await cp(join(ROOT, 'bin/windrow.mjs'), await at('bin/windrow.mjs'));
  await writeFile(await at('package.json'), JSON.stringify({ type: 'module', engines: { node: '>=99.1.0' } }));
  if (source !== undefined) await writeFile(await at('src/cli/main.ts'), source);
  if (isInstalled) await symlink(process.execPath, await at('node_modules/node/bin/node'));
  return join(folder, name, 'bin/windrow.mjs');
}

const launch = (file: string, args: string[] = []) =>
  runProgram(process.execPath, [file, ...args], { cwd: folder, env: { PATH: process.env.PATH } });

test('a package says which Node it needs, in one sentence, and ends with 2', async () => {
  const { code, stdout, stderr } = await launch(await launcher('package', {}));
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `windrow: Node 99.1.0 or newer is needed and this is ${process.versions.node}.\n`,
  });
});

test('a clone without development dependencies says where a newer Node comes from', async () => {
  const { code, stderr } = await launch(await launcher('pruned', { source: '' }));
  expect(code).toBe(2);
  expect(stderr).toBe(
    `windrow: Node 99.1.0 or newer is needed and this is ${process.versions.node}. \`npm ci\` brings one along.\n`,
  );
});

test('a clone hands over to the Node it brought along, and ends with its code', async () => {
  const source = "console.log(process.argv.slice(2).join(' ')); process.exitCode = 7;";
  const { code, stdout } = await launch(await launcher('clone', { source, isInstalled: true }), ['scrape', '--json']);
  expect({ code, stdout }).toEqual({ code: 7, stdout: 'scrape --json\n' });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('on %s the command may finish and say goodbye', async (signal) => {
  const source = `
    const open = setInterval(() => {}, 1_000);
    process.on('${signal}', () => {
      console.log('stopping');
      clearInterval(open);
      process.exitCode = 130;
      setImmediate(() => console.log('stopped'));
    });
    console.log('ready');`;
  const file = await launcher(`on-${signal}`, { source, isInstalled: true });
  const { code, stdout } = await runProgram(process.execPath, [file], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    interruptAt: /ready/,
    signal,
  });
  expect({ code, stdout }).toEqual({ code: 130, stdout: 'ready\nstopping\nstopped\n' });
});

test('Ctrl-C reaches a command twice, and what has stopped by then still ends with its code', async () => {
  const interrupts = pathToFileURL(join(ROOT, 'src/compose/process/interrupts.ts')).href;
  const source = `
    import { onInterrupt } from '${interrupts}';
    const open = setInterval(() => {}, 1_000);
    const release = onInterrupt(() => {
      release();
      process.kill(process.pid, 'SIGINT');
      setImmediate(() => process.kill(process.pid, 'SIGINT'));
      setImmediate(() => clearInterval(open));
      process.exitCode = 130;
    });
    console.log('ready');`;
  const file = await launcher('twice', { source, isInstalled: true });
  const env = { PATH: process.env.PATH };
  const ended = await runProgram(process.execPath, [file], {
    cwd: folder,
    env,
    interruptAt: /ready/,
    signal: 'SIGINT',
  });
  expect(ended).toEqual({ code: 130, stdout: 'ready\n', stderr: '' });
});

test('a command that a signal ended ends the launcher by the same signal', async () => {
  const file = await launcher('killed', { source: "process.kill(process.pid, 'SIGTERM');", isInstalled: true });
  const child = spawn(process.execPath, [file], { stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
});
