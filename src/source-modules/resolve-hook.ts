// Makes `windrow/sources` and the other entries of this package the modules that run here, for whoever imports them: a file in any folder, with no package
// installed or with another copy of it. Errors are known by their class, so there must not be two of them in a process.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Stands before a specifier that is to be resolved as if the file behind `?from=` imported it. */
export const FROM_FOLDER = 'windrow-module:';

const ROOT = new URL('../../', import.meta.url);
/** Run from dist/ the modules are JavaScript; in a clone they are what dist/ is made of. */
const IS_BUILT = !import.meta.url.endsWith('.ts');

let isRegistered = false;

export function registerEntries(): void {
  if (isRegistered) return;
  isRegistered = true;
  const entries = readEntries();
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const own = entries.get(specifier);
      if (own !== undefined) return { url: own, shortCircuit: true };
      if (!specifier.startsWith(FROM_FOLDER)) return nextResolve(specifier, context);
      const { wanted, from } = JSON.parse(decodeURIComponent(specifier.slice(FROM_FOLDER.length))) as FolderImport;
      return nextResolve(wanted, { ...context, parentURL: from });
    },
  });
}

interface FolderImport {
  wanted: string;
  /** Address of a file in the folder. */
  from: string;
}

export const fromFolder = (given: FolderImport): string => FROM_FOLDER + encodeURIComponent(JSON.stringify(given));

/** `windrow/sources` → address, by what package.json exports. */
function readEntries(): Map<string, string> {
  const text = readFileSync(new URL('package.json', ROOT), 'utf8');
  const { name, exports } = JSON.parse(text) as { name: string; exports?: Record<string, { default?: string }> };
  const entries = Object.entries(exports ?? {}).flatMap(([path, entry]): [string, string][] => {
    if (entry.default === undefined) return [];
    const file = IS_BUILT ? entry.default : entry.default.replace(/^\.\/dist\/(.*)\.js$/, './src/$1.ts');
    return [[`${name}${path.slice(1)}`, new URL(file, ROOT).href]];
  });
  return new Map(entries);
}
