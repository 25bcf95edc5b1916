// `npm run build`: src/ becomes dist/, what an installed package runs. Node strips types only outside node_modules, so a package brings JavaScript.
// tsc compiles; this adds the files that code reads when it runs and the page that Vite makes of src/dashboard, and keeps of the declarations only those that the package's entries reach: nobody can
// import the others.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
/** Code is compiled, and what only tests read stays behind. */
const NOT_COPIED = /\.ts$|\.test-table\.json$/;
const DASHBOARD = 'dashboard';
const RELATIVE = /((?:from|import|import\()\s*['"])(\.{1,2}\/[^'"]+)\.ts(['"])/g;

interface Entry {
  types: string;
  default: string;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

function run(script: string, ...args: string[]): void {
  const { status, error } = spawnSync(process.execPath, [join(ROOT, script), ...args], { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${script} ended with ${status}`);
}

function compile(): void {
  run('node_modules/typescript/bin/tsc', '-p', join(ROOT, 'tsconfig.build.json'));
  run('tools/dashboard/build.ts', '--out', join(DIST, DASHBOARD, 'built'));
}

function copyData(): void {
  for (const file of filesIn(SRC).filter((path) => !NOT_COPIED.test(path))) {
    if (file.startsWith(join(SRC, DASHBOARD))) continue;
    const target = join(DIST, file.slice(SRC.length));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
}

/** The package's entries, by the names in `exports`. */
function entries(): Entry[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, Entry | string>;
  };
  return Object.values(exports).filter((entry) => typeof entry !== 'string');
}

/** Declarations say `./x.ts`, as the sources do; beside compiled code they have to say `./x.js`. Returns what the entries reach. */
function linkDeclarations(): Set<string> {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(RELATIVE, '$1$2.js$3'));
    for (const [, , specifier] of text.matchAll(RELATIVE)) visit(`${resolve(dirname(path), specifier!)}.d.ts`);
  };
  for (const { types } of entries()) visit(join(ROOT, types));
  return reached;
}

rmSync(DIST, { recursive: true, force: true });
compile();
copyData();
const missing = entries().flatMap((entry) => Object.values(entry).filter((path) => !existsSync(join(ROOT, path))));
if (missing.length > 0) throw new Error(`package.json exports what src/ does not have: ${missing.join(', ')}`);
const declarations = linkDeclarations();
for (const file of filesIn(DIST)) if (file.endsWith('.d.ts') && !declarations.has(file)) rmSync(file);
// On stderr, since `npm pack --json` gives its stdout to programs.
console.error(`dist: ${filesIn(DIST).length} files, ${declarations.size} of them declarations`);
