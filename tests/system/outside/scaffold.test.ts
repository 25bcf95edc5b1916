// `windrow source new` for every kind, in a copy of this repository and in a folder of its own: what it writes passes its own test, the compiler, the linter and
// whatever else `npm run check` looks at, whether its name is short or long.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forNode } from '../../support/processes.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const MODULES = join(ROOT, 'node_modules');
const LIMIT_MS = 300_000;
const KINDS = ['board', 'ats', 'shop', 'page'];
/** As short as people choose them, and as long as they may be. */
const NAMES = KINDS.flatMap((kind) => [
  { kind, name: `${kind}1` },
  { kind, name: `${kind}-whose-name-is-as-long-as-it-may-be`.padEnd(40, 'x') },
]);
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'windrow-scaffold-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Ended {
  code: number | string;
  output: string;
}

function run(cwd: string, script: string, ...args: string[]): Promise<Ended> {
  return new Promise((done) => {
    const env = { ...forNode(), HOME: cwd };
    execFile(process.execPath, [script, ...args], { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

const tool = (name: string): string => join(MODULES, name);
const TSC = tool('typescript/bin/tsc');
const BIOME = tool('@biomejs/biome/bin/biome');

function expectPassed({ code, output }: Ended): void {
  expect(code, output.slice(0, 4_000)).toBe(0);
}

async function scaffold(cwd: string, cli: string, ...args: string[]): Promise<{ written: string[]; next: string[] }> {
  const made = await run(cwd, cli, 'source', '--json', 'new', ...args);
  expectPassed(made);
  return JSON.parse(made.output);
}

test('in a clone the source becomes a built-in one that `npm run check` accepts', { timeout: LIMIT_MS }, async () => {
  const clone = join(root, 'clone');
  const skipped = /^\/(dist|docs|\.git|\.windrow|coverage)(\/|$)|\/node_modules(\/|$)/;
  cpSync(ROOT, clone, { recursive: true, filter: (path) => !skipped.test(path.slice(ROOT.length)) });
  symlinkSync(MODULES, join(clone, 'node_modules'));
  const cli = join(clone, 'src/cli/main.ts');
  const files: string[] = [];
  for (const { kind, name } of NAMES) files.push(...(await scaffold(clone, cli, name, '--kind', kind)).written);
  const written = [...new Set(files)];
  expect(written.filter((path) => path.endsWith('index.ts')).toSorted()).toEqual([
    'src/sources/article/index.ts',
    'src/sources/boards/index.ts',
    'src/sources/careers/index.ts',
    'src/sources/shopping/index.ts',
  ]);
  const typescript = written.filter((path) => path.endsWith('.ts'));
  const project = { extends: './tsconfig.json', include: [...typescript, 'src/sources/built-in.ts', 'src/**/*.d.ts'] };
  writeFileSync(join(clone, 'tsconfig.scaffold.json'), JSON.stringify(project));
  const tests = written.filter((path) => path.endsWith('.test.ts'));
  const [types, lint, unused, shape, own] = await Promise.all([
    run(clone, TSC, '--noEmit', '-p', 'tsconfig.scaffold.json'),
    run(clone, BIOME, 'check', '--error-on-warnings', ...written),
    run(clone, tool('knip/bin/knip.js')),
    run(clone, tool('vitest/vitest.mjs'), 'run', '--project', 'arrows', 'tests/arrows.test.ts'),
    run(clone, tool('vitest/vitest.mjs'), 'run', '--project', 'sources', ...tests),
  ]);
  for (const ended of [types, lint, unused, shape, own]) expectPassed(ended);
  expect(own.output).toMatch(new RegExp(`Test Files.*${NAMES.length} passed`));
  const help = await run(clone, cli, 'scrape', 'ats1', '--help');
  expect(help.output).toContain('company (string), required');
});

test('in any folder it is a source of one’s own, which windrow.config.ts loads', { timeout: LIMIT_MS }, async () => {
  const folder = join(root, 'folder');
  mkdirSync(folder);
  const cli = join(ROOT, 'src/cli/main.ts');
  const entries: string[] = [];
  for (const [index, { kind, name }] of NAMES.entries()) {
    const { written, next } = await scaffold(folder, cli, name, '--kind', kind, '--dir', 'sources');
    expect(written).toContain(`sources/${name}.ts`);
    if (index === 0) expect(written).toContain('windrow.config.ts');
    else entries.push(/import .* from '.*';/.exec(next[0]!)![0]);
  }
  // What the command says of the second and later ones, done.
  const config = readFileSync(join(folder, 'windrow.config.ts'), 'utf8');
  const exported = entries.map((line) => /\{ (\w+) \}/.exec(line)![1]);
  writeFileSync(
    join(folder, 'windrow.config.ts'),
    `${entries.join('\n')}\n${config.replace('[board1]', `[board1, ${exported.join(', ')}]`)}`,
  );
  const types = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {},
    include: ['**/*.ts', join(ROOT, 'src/**/*.d.ts')],
    exclude: [],
  };
  types.compilerOptions = {
    typeRoots: [join(MODULES, '@types')],
    paths: { 'windrow/*': [join(ROOT, 'src/*/index.ts')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(types));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const register = join(ROOT, 'tests/support/roles/register-windrow.ts');
  const [compiled, lint, tests, doctor] = await Promise.all([
    run(folder, TSC, '--noEmit'),
    run(folder, BIOME, 'check', '--error-on-warnings', '--vcs-enabled=false', `--config-path=${ROOT}`, 'sources'),
    run(folder, '--import', register, '--test'),
    run(folder, cli, 'doctor', '--json'),
  ]);
  for (const ended of [compiled, lint, tests]) expectPassed(ended);
  expect(tests.output).toMatch(/\bfail 0\b/);
  expect(tests.output).toMatch(/\bpass 20\b/);
  for (const { name } of NAMES) expect(doctor.output).toContain(`${name} of ./windrow.config.ts`);
  const again = await run(folder, cli, 'source', 'new', 'board1', '--dir', 'sources');
  expect(again).toEqual({
    code: 2,
    output: expect.stringContaining('sources/board1.ts is there already; nothing was written'),
  });
});
