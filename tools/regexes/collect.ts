// Every regular expression of src: literals as they are written, and those that a module puts together while it is loaded. Those that are made later, from
// what a caller gives, cannot be known here and are told by place.
import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

export interface Pattern {
  /** `src/extract/dates.ts:51`. */
  at: string;
  source: string;
  flags: string;
}

const ROOT = resolve(import.meta.dirname, '../..');
/** Browser code has a project of its own. */
const PROJECTS = ['tsconfig.json', 'src/dashboard/tsconfig.json'].map((file) => resolve(ROOT, file));

export async function collectPatterns(): Promise<Pattern[]> {
  const files = readdirSync(resolve(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test|\.d|\.generated)\.tsx?$/.test(file))
    .map((file) => resolve(ROOT, 'src', file));
  return [...literals(files), ...(await madeByLoading(files))];
}

function literals(files: string[]): Pattern[] {
  const found: Pattern[] = [];
  const api = new API({ cwd: ROOT });
  try {
    const programs = api
      .updateSnapshot({ openProjects: PROJECTS })
      .getProjects()
      .map(({ program }) => program);
    for (const file of files) {
      const visit = (node: Node): void => {
        if (node.kind === SyntaxKind.RegularExpressionLiteral) found.push(literal(file, node));
        node.forEachChild(visit);
      };
      visit(programs.flatMap((program) => program.getSourceFile(file) ?? [])[0]!);
    }
  } finally {
    api.close();
  }
  return found;
}

function literal(file: string, node: Node): Pattern {
  const text = node.getText();
  const end = text.lastIndexOf('/');
  const line = node.getSourceFile().text.slice(0, node.getStart()).split('\n').length;
  return { at: `${relative(ROOT, file)}:${line}`, source: text.slice(1, end), flags: text.slice(end + 1) };
}

/** The constructor is watched while the modules that call it are loaded. */
async function madeByLoading(files: string[]): Promise<Pattern[]> {
  const found: Pattern[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, given, newTarget) {
      const made = Reflect.construct(target, given, newTarget) as RegExp;
      const at = callerInSource();
      if (at !== null) found.push({ at, source: made.source, flags: made.flags });
      return made;
    },
  });
  try {
    for (const file of files) if (readFileSync(file, 'utf8').includes('new RegExp(')) await import(file);
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}

function callerInSource(): string | null {
  const line = new Error().stack!.split('\n').find((one) => one.includes('/src/') && !one.includes('node_modules'));
  const at = line?.match(/(src\/[\w./-]{1,200}:\d{1,6}):\d{1,6}/);
  return at?.[1] ?? null;
}
