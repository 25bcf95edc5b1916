// `windrow source new <name>`: the files of a new source, which work as they are and then become the site's own (docs/adding-a-source.md). In a clone of this
// repository they become a built-in source; anywhere else a source of one's own, loaded by windrow.config.ts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Option } from 'commander';
import { AppError } from '../../../model/errors.ts';
import { CONFIG_NAMES } from '../../../source-modules/load.ts';
import { command } from '../../command.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import { LISTS, withSource } from './scaffold/register.ts';
import { configText, SCAFFOLD_KINDS, type Scaffold, type ScaffoldKind, scaffold } from './scaffold/scaffold.ts';

/** By this file a folder is known as this repository. */
const REPOSITORY = 'src/sources/built-in.ts';

interface Written {
  written: string[];
  /** What is left to do, a sentence each. */
  next: string[];
}

export const make = () => {
  const source = command({
    name: 'source',
    about: 'Helps to write sources.',
    examples: [
      [
        'windrow source new remote-harbour --kind board',
        'writes a source, a saved page and a test, ready to be changed',
      ],
      ['windrow source new acme-shop --kind shop --dir sources', 'the same in a folder of your own'],
    ],
  });
  source
    .command('new')
    .description('write the files of a new source: a job board, a career system, a shop, or the pages of one site')
    .argument('<name>', 'lower-case words with hyphens')
    .addOption(new Option('--kind <kind>', 'what it is').choices([...SCAFFOLD_KINDS]).default('board'))
    .option(
      '--dir <folder>',
      'folder to write into; in a clone of Windrow without it the source becomes a built-in one',
    )
    .action(async (name: string, options: { kind: ScaffoldKind; dir?: string }) => {
      const isJson = Boolean(source.opts().json);
      const terminal = createTerminal({ json: isJson });
      const isInside = options.dir === undefined && existsSync(REPOSITORY);
      const made = scaffold({ name, kind: options.kind, place: isInside ? 'repository' : 'folder' });
      const folder = isInside ? '.' : (options.dir ?? '.');
      const paths = await writeAll(folder, made.files);
      const { written, next } = isInside ? register(options.kind, name, made) : configure(folder, made);
      const all = [...paths, ...written];
      if (isJson) return terminal.document({ written: all, next });
      for (const path of all) terminal.say(`wrote ${path}`);
      for (const sentence of next) terminal.say(`next: ${sentence}`);
    });
  return source;
};

/** Everything or nothing. */
async function writeAll(folder: string, files: Record<string, string>): Promise<string[]> {
  const all = Object.entries(files).map(([path, text]) => ({ path: join(folder, path), text }));
  const taken = all.find(({ path }) => existsSync(path));
  if (taken) throw new AppError('invalid_usage', `${taken.path} is there already; nothing was written`);
  for (const { path, text } of all) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
  }
  return all.map(({ path }) => path);
}

function register(kind: ScaffoldKind, name: string, { exported, testPath }: Scaffold): Written {
  const { index, importPath } = LISTS[kind];
  const path = importPath(name);
  const text = withSource(readFileSync(index, 'utf8'), path, exported);
  if (text !== null) writeFileSync(index, text);
  return {
    written: text === null ? [] : [index],
    next: [
      ...(text === null ? [`add ${exported} of ${path} to the list in ${index}`] : []),
      `npx vitest run ${testPath}, then change the files to what the site is (docs/adding-a-source.md)`,
    ],
  };
}

/** The configuration lies where Windrow is started: here, unless the folder is somewhere else. */
function configure(folder: string, { exported, sourcePath, testPath }: Scaffold): Written {
  const away = relative('.', folder);
  const root = isAbsolute(away) || away.split(sep)[0] === '..' ? resolve(folder) : '.';
  const importPath = `./${relative(root, join(folder, sourcePath)).split(sep).join('/')}`;
  const existing = CONFIG_NAMES.map((name) => join(root, name)).find((path) => existsSync(path));
  const test = `node --test ${join(folder, testPath)}, then change the files to what the site is`;
  if (existing !== undefined)
    return {
      written: [],
      next: [
        `add to ${existing}: import { ${exported} } from '${importPath}'; and ${exported} in its list of sources`,
        test,
      ],
    };
  const path = join(root, CONFIG_NAMES[0]);
  writeFileSync(path, configText({ exported, importPath }), { flag: 'wx' });
  return { written: [path], next: [test] };
}
