// The files of a new source, from templates that work as they are: the same source for both places, which differ in where the files lie, what they import
// and who runs the test. Pure, but for reading the templates.
import { readdirSync, readFileSync } from 'node:fs';
import { AppError } from '../../../../model/errors.ts';

export const SCAFFOLD_KINDS = ['board', 'ats', 'shop', 'page'] as const;
export type ScaffoldKind = (typeof SCAFFOLD_KINDS)[number];

/** `repository`: this one, where the source becomes a built-in. `folder`: any other, where it is one's own. */
export type ScaffoldPlace = 'repository' | 'folder';

export interface ScaffoldRequest {
  name: string;
  kind: ScaffoldKind;
  place: ScaffoldPlace;
}

export interface Scaffold {
  /** Path from the root of the repository, or from the folder, to text. */
  files: Record<string, string>;
  /** Of the source itself. */
  sourcePath: string;
  testPath: string;
  /** What the source is exported as. */
  exported: string;
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const NAME_MAX = 40;
const ROOMS: Record<ScaffoldKind, string> = { board: 'boards', ats: 'ats', shop: 'shopping', page: 'article' };
/** The formatter's. */
const LINE_WIDTH = 120;

export function scaffold({ name, kind, place }: ScaffoldRequest): Scaffold {
  if (!NAME.test(name) || name.length > NAME_MAX)
    throw new AppError(
      'invalid_usage',
      `"${name}" cannot be the name of a source: names are lower-case words with hyphens, such as remote-harbour`,
    );
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const exported = name.charAt(0) + words.join('').slice(1);
  const isInside = place === 'repository';
  const sourcePath = isInside ? `src/sources/${ROOMS[kind]}/${name}.ts` : `${name}.ts`;
  const tests = isInside ? 'tests/sources/' : '';
  const values: Record<string, string> = {
    name,
    title: words.join(' '),
    camel: exported,
    imports: isInside ? insideImports(exported, sourcePath) : outsideImports(exported, name),
  };
  const library = isInside ? '../index.ts' : 'windrow/sources';
  const fill = (text: string): string =>
    text
      .replace(/\{\{import ([^{}]*)\}\}/g, (_, names: string) => importLine(names, library))
      .replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key]!);
  const folder = new URL(`templates/${kind}/`, import.meta.url);
  const pages = readdirSync(folder).filter((file) => file.startsWith('page-'));
  const files = ['source.ts.txt', 'test.ts.txt', ...pages].map((file): [string, string] => {
    const text = fill(readFileSync(new URL(file, folder), 'utf8'));
    if (file === 'source.ts.txt') return [sourcePath, text];
    if (file === 'test.ts.txt') return [`${tests}${name}.test.ts`, text];
    return [`${tests}fixtures/${name}/${file}`, text];
  });
  return { files: Object.fromEntries(files), sourcePath, testPath: `${tests}${name}.test.ts`, exported };
}

/** The text of a windrow.config.ts that has this source. */
export function configText(values: { exported: string; importPath: string }): string {
  const text = readFileSync(new URL('templates/windrow.config.ts.txt', import.meta.url), 'utf8');
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key as keyof typeof values]);
}

/** As the formatter would break it. */
function importLine(names: string, from: string): string {
  const line = `import { ${names} } from '${from}';`;
  // A single name stays on its line, however long that is.
  if (line.length <= LINE_WIDTH || !names.includes(',')) return line;
  return `import {\n  ${names.replaceAll(', ', ',\n  ')},\n} from '${from}';`;
}

const insideImports = (exported: string, sourcePath: string): string =>
  [
    `import assert from 'node:assert/strict';`,
    `import { test } from 'vitest';`,
    importLine(exported, `../../${sourcePath}`),
    `import { runSource, runUnderFaults } from '../../src/testing/index.ts';`,
  ].join('\n');

/** Node's own test runner: nothing has to be installed for it. */
const outsideImports = (exported: string, name: string): string =>
  [
    `import assert from 'node:assert/strict';`,
    `import { test } from 'node:test';`,
    `import { runSource, runUnderFaults } from 'windrow/testing';`,
    importLine(exported, `./${name}.ts`),
  ].join('\n');
