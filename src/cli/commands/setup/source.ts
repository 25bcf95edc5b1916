// `windrow source new <name>`: the files of a new source, which work as they are and are then changed (docs/adding-a-source.md).
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../model/errors.ts';
import { command } from '../../command.ts';
import { createTerminal } from '../../terminal/terminal.ts';

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const INDEX = 'src/sources/boards/index.ts';
const PLACES = [
  ['source.ts.txt', 'src/sources/boards/{{name}}.ts'],
  ['test.ts.txt', 'tests/sources/{{name}}.test.ts'],
  ['page-1.json', 'tests/sources/fixtures/{{name}}/page-1.json'],
] as const;

/** Path from the root of the repository to text. */
export function scaffold(name: string): Record<string, string> {
  if (!NAME.test(name) || name.length > 40)
    throw new AppError(
      'invalid_usage',
      `"${name}" cannot be a source: names are lower-case words with hyphens, such as remote-harbour`,
    );
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const values: Record<string, string> = {
    name,
    title: words.join(' '),
    camel: name.charAt(0) + words.join('').slice(1),
  };
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key]!);
  return Object.fromEntries(
    PLACES.map(([file, path]) => [
      fill(path),
      fill(readFileSync(new URL(`source-template/${file}`, import.meta.url), 'utf8')),
    ]),
  );
}

export const make = () => {
  const source = command({
    name: 'source',
    about: 'Helps to write sources.',
    examples: [['windrow source new remote-harbour', 'writes a source, its fixture and its test, ready to be changed']],
  });
  source
    .command('new')
    .description('write the files of a new job board')
    .argument('<name>', 'lower-case words with hyphens')
    .option('--root <folder>', 'root of the repository', '.')
    .action(async (name: string, options: { root: string }) => {
      const terminal = createTerminal({ json: Boolean(source.opts().json) });
      if (!existsSync(join(options.root, INDEX)))
        throw new AppError(
          'invalid_usage',
          `${options.root} is not the root of the repository: it has no ${INDEX}. Go there, or name it with --root.`,
        );
      const files = Object.entries(scaffold(name)).map(([path, text]) => ({ path: join(options.root, path), text }));
      const taken = files.find(({ path }) => existsSync(path));
      if (taken) throw new AppError('invalid_usage', `${taken.path} is there already; nothing was written`);
      for (const { path, text } of files) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text, { flag: 'wx' });
      }
      if (source.opts().json) return terminal.document({ written: files.map(({ path }) => path) });
      for (const { path } of files) terminal.say(`wrote ${path}`);
      terminal.say(
        `next: add it to src/sources/boards/index.ts, then npx vitest run tests/sources/${name}.test.ts (docs/adding-a-source.md)`,
      );
    });
  return source;
};
