// TypeScript and Python in the documentation: it passes the type check of whoever imports the package, and what asks a server runs against one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forNode } from '../../support/processes.ts';
import { fences, ROOT } from '../../support/readers/fences.ts';
import { runProgram } from '../../support/windrow.ts';
import { type DashboardWorld, openDashboardWorld } from '../../support/worlds/dashboard-world.ts';

/** The sandbox need not be spared. */
const QUICK = { concurrency: 4, delayMs: 0 };
let world: DashboardWorld;
let cwd: string;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'windrow-documented-'));
  world = await openDashboardWorld({ web: { pace: { indeed: QUICK, linkedin: QUICK, ziprecruiter: QUICK } } });
});
afterAll(async () => {
  await world?.close();
  rmSync(cwd, { recursive: true, force: true });
});

/** Addresses of a server in the documentation. */
const SERVER = /http:\/\/(?:localhost|127\.0\.0\.1):8000/g;
/** What needs the whole of a large crawl would take minutes. */
const smaller = (code: string): string => code.replaceAll(SERVER, world.url).replace('limit: 200', 'limit: 10');

/** What fragments stand in: imports that the page has said before, and a caller's own values. */
const AROUND: Readonly<Record<string, string>> = {
  'docs/adding-a-source.md': `import { runSource } from 'windrow/testing';
    import { remoteHarbour } from './sources/remote-harbour.ts';`,
  'docs/sandbox.md': `import { startSandbox } from '@/sandbox/server.ts';
    import type { Replica } from '@/sandbox/replica.ts';
    declare function jobsOf(board: string, seed: number, nowMs: number): object;`,
  'docs/web-layer.md': `import { type Web, z } from 'windrow/sources';
    declare const web: Web;
    declare const url: string;
    declare const JobsPage: z.ZodType<{ jobs: string[] }>;`,
};

test('TypeScript in the documentation passes the type check, as an importer of the package', () => {
  const folder = join(ROOT, 'node_modules/.cache/windrow-docs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'sources'), { recursive: true });
  const paths = {
    windrow: [join(ROOT, 'src/library/index.ts')],
    'windrow/*': [join(ROOT, 'src/*/index.ts')],
    '@/*': [join(ROOT, 'src/*')],
  };
  const compilerOptions = {
    paths,
    noUnusedLocals: false,
    declaration: false,
    allowJs: true,
    incremental: true,
    tsBuildInfoFile: join(ROOT, 'node_modules/.cache/windrow-types/docs.json'),
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const options = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['.'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const source =
    "import type { Source } from 'windrow/sources';\nexport declare const remoteHarbour: Source<'posting'>;\n";
  writeFileSync(join(folder, 'sources/remote-harbour.ts'), source);
  const found = fences('ts', 'js');
  expect(found.length).toBeGreaterThan(9);
  for (const { at, language, code } of found) {
    const [page] = at.split(':');
    const isWhole = /^import /m.test(code);
    const name = `${at.replaceAll(/\W/g, '_')}.${language}`;
    writeFileSync(join(folder, name), `${isWhole ? '' : (AROUND[page!] ?? '')}\n${code}\nexport {};\n`);
  }
  const tsc = join(ROOT, 'node_modules/typescript/lib/tsc.js');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

const clients = () => fences('ts').filter(({ code }) => /createClient\(/.test(code));

test('programs with the TypeScript client run', async () => {
  const found = clients();
  expect(found.map(({ at }) => at.split(':')[0])).toEqual(['docs/client.md', 'docs/crawling.md']);
  const entries = join(ROOT, 'tests/support/roles/register-windrow.ts');
  for (const { at, code } of found) {
    const file = join(cwd, `${at.replaceAll(/\W/g, '_')}.mts`);
    writeFileSync(file, smaller(code));
    const ended = await runProgram(process.execPath, ['--import', entries, file], { cwd, env: forNode() });
    expect(ended, at).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.split('\n').length, at).toBeGreaterThan(3);
  }
});

test('programs in Python run, but for tables, which need pandas', async () => {
  const found = fences('python').filter(({ code }) => !code.includes('to_pandas'));
  expect(found.length).toBeGreaterThan(3);
  for (const { at, code } of found) {
    const env = { ...forNode(), PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
    const ended = await runProgram(process.env.TEST_PYTHON!, ['-c', smaller(code)], {
      cwd,
      env: { ...env, WINDROW_URL: world.url },
    });
    expect(ended, at).toMatchObject({ code: 0, stderr: '' });
  }
});
