// The shape of the code, checked by reading it: which room may import which, how long a file may grow, no default exports. A room that is not in
// the table may import nothing of ours, so a new room begins with a line here.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');
const ROOT = resolve(import.meta.dirname, '..');
const MAX_LINES = 600;
/** Past this a folder is no longer read from top to bottom; it becomes folders by noun. */
const MAX_FILES = 20;

/** What each room sees besides itself; `room/file.ts` opens one file only. */
const SEES: Record<string, string[]> = {
  model: [],
  extract: ['model'],
  web: ['model', 'extract'],
  sources: ['model', 'extract', 'web/port.ts'],
  worker: ['sources', 'web', 'wire/port.ts', 'model'],
  store: ['model'],
  wire: ['model'],
  orchestrator: ['store', 'wire', 'model'],
  api: ['orchestrator', 'store', 'wire', 'model', 'observe', 'mcp'],
  observe: ['model'],
  planner: ['model'],
  sandbox: ['model'],
  'source-modules': ['sources', 'model'],
  testing: ['sources', 'web', 'worker', 'sandbox', 'model'],
  dashboard: ['client'],
  client: [],
  mcp: ['model'],
  'config.ts': ['setting.ts', 'model'],
  // Puts the rooms together; with the command line and the library, which use it, it alone knows the configuration.
  compose: [
    'api',
    'orchestrator',
    'store',
    'wire',
    'worker',
    'web',
    'sources',
    'source-modules',
    'model',
    'observe',
    'sandbox',
    'config.ts',
    'setting.ts',
  ],
  library: [
    'compose',
    'orchestrator',
    'worker',
    'web',
    'sources',
    'source-modules',
    'store',
    'wire',
    'model',
    'observe',
    'sandbox',
    'config.ts',
  ],
};
/** The command line wires everything. */
const SEES_ALL = 'cli';

interface SourceFile {
  /** From `src/`, with forward slashes. */
  path: string;
  text: string;
}

function sourceFiles(): SourceFile[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.generated.ts'))
    .map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(join(SRC, path), 'utf8') }));
}

const IMPORT =
  /(?:^|[;}\n])\s*(?:import|export)\b(?:[^;'"`]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2]!);
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

/** Why `from` may not import `specifier`; undefined when it may. */
function problemWith(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = relative(SRC, resolve(SRC, dirname(from), specifier))
    .split(sep)
    .join('/');
  if (target.startsWith('../')) {
    return isTest(from) && target.startsWith('../tests/support/')
      ? undefined
      : `${from} imports ${specifier}: outside src/`;
  }
  const room = roomOf(from);
  if (room === SEES_ALL || room === roomOf(target)) return undefined;
  const allowed = (SEES[room] ?? []).some((seen) => target === seen || target.startsWith(`${seen}/`));
  return allowed
    ? undefined
    : `${from} imports ${specifier}: ${room} sees ${SEES[room]?.join(', ') || 'nothing of ours'}`;
}

/** `config.ts` and `setting.ts`, which lie in no room, are each one of their own that nobody but the command line sees. */
function roomOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : path;
}

const files = sourceFiles();

test('imports follow the arrows between rooms', () => {
  const problems = files.flatMap(({ path, text }) =>
    importsOf(text).flatMap((specifier) => problemWith(path, specifier) ?? []),
  );
  expect(problems).toEqual([]);
});

test('every room is in the table of arrows', () => {
  const rooms = new Set(files.map(({ path }) => roomOf(path)).filter((room) => !room.endsWith('.ts')));
  expect([...rooms].filter((room) => room !== SEES_ALL && !(room in SEES))).toEqual([]);
});

test(`no file has more than ${MAX_LINES} lines`, () => {
  const long = files
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES);
  expect(long).toEqual([]);
});

test(`no folder has more than ${MAX_FILES} files`, () => {
  const counts = new Map<string, number>();
  for (const room of ['src', 'tests', 'bench']) {
    for (const entry of readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })) {
      const folder = relative(ROOT, entry.parentPath);
      if (!entry.isFile() || /node_modules|fixtures|migrations|dashboard\/built/.test(folder)) continue;
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  expect([...counts].filter(([, files]) => files > MAX_FILES)).toEqual([]);
});

test('no module has a default export', () => {
  expect(
    files.filter(({ text }) => /^export\s+default\b|\bas\s+default\b/m.test(text)).map(({ path }) => path),
  ).toEqual([]);
});

describe('the check itself', () => {
  test('finds imports of every form', () => {
    const text = `import a from './a.ts';\nimport { b,\n  c } from "./b.ts";\nimport type { D } from './d.ts';\nimport './e.ts';\nexport { f } from './f.ts';\nexport * from './g.ts';\nconst h = await import('./h.ts');\n// from './not.ts'\nexport const x = 'y';`;
    expect(importsOf(text)).toEqual(['./a.ts', './b.ts', './d.ts', './e.ts', './f.ts', './g.ts', './h.ts']);
  });

  test('refuses what the arrows forbid and allows what they give', () => {
    expect(problemWith('model/run.ts', '../store/runs.ts')).toBe(
      'model/run.ts imports ../store/runs.ts: model sees nothing of ours',
    );
    expect(problemWith('sources/boards/x.ts', '../../web/http.ts')).toContain(
      'sources sees model, extract, web/port.ts',
    );
    expect(problemWith('sources/boards/x.ts', '../../web/port.ts')).toBeUndefined();
    expect(problemWith('worker/loop.ts', '../wire/redis.ts')).toContain('worker/loop.ts imports ../wire/redis.ts');
    expect(problemWith('store/pool.ts', '../config.ts')).toContain('store/pool.ts imports ../config.ts');
    expect(problemWith('cli/main.ts', '../config.ts')).toBeUndefined();
    expect(problemWith('web/http.ts', '../../tests/support/target.ts')).toContain('outside src/');
    expect(problemWith('web/http.test.ts', '../../tests/support/target.ts')).toBeUndefined();
    expect(problemWith('attic/old.ts', '../model/run.ts')).toContain('attic sees nothing of ours');
  });
});
