// Loads modules and takes their sources. A module that cannot be loaded is a problem with a file and a reason; the others are loaded all the same.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadOptions, SourceModules } from './load.ts';
import { createMerge } from './merge.ts';
import { isPath, pathOf } from './module-path.ts';
import { fromFolder, registerEntries } from './resolve-hook.ts';

/** For a module that waits for something at its top. */
const TIMEOUT_MS = 30_000;

export async function importSources(names: readonly string[], options: LoadOptions): Promise<SourceModules> {
  registerEntries();
  const merge = createMerge();
  for (const module of names) {
    try {
      merge.add(module, await importModule(module, options));
    } catch (error) {
      merge.refuse(module, reasonOf(error, module, options));
    }
  }
  return merge.result();
}

async function importModule(
  name: string,
  { folder, timeoutMs = TIMEOUT_MS }: LoadOptions,
): Promise<Record<string, unknown>> {
  const specifier = isPath(name)
    ? pathToFileURL(pathOf(name, folder)).href
    : fromFolder({ wanted: name, from: pathToFileURL(join(folder, 'windrow.config.ts')).href });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not load within ${timeoutMs / 1_000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([import(specifier) as Promise<Record<string, unknown>>, late]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown, name: string, { folder }: LoadOptions): string {
  const { code, message = String(error), stack = '' } = error as Partial<NodeJS.ErrnoException>;
  if (isPath(name)) {
    const path = pathOf(name, folder);
    if (!existsSync(path)) return 'there is no such file';
    if (statSync(path).isDirectory()) return 'it is a folder; name the file in it';
  } else if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`))
    return `there is no such package in ${folder}; install it there, or begin a path with ./`;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts\b/.test(message))
    return `Node ${process.versions.node} does not load TypeScript; use Node 22.18 or newer, or write it as .mjs`;
  if (code === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING')
    return 'Node does not load TypeScript from node_modules; the package has to bring JavaScript';
  const [first = message] = message.split('\n');
  const place = placeIn(stack, name, folder);
  return place === null || first.includes(place) ? first : `${first} (${place})`;
}

/** `my-source.ts:12`, where the stack names the module itself. */
function placeIn(stack: string, name: string, folder: string): string | null {
  if (!isPath(name)) return null;
  const { href, pathname } = pathToFileURL(pathOf(name, folder));
  const line = stack.split('\n').find((one) => one.includes(href) || one.includes(pathname));
  const number = line === undefined ? undefined : /:(\d+)(?::\d+)?\)?\s*$/.exec(line)?.[1];
  return number === undefined ? null : `line ${number}`;
}
