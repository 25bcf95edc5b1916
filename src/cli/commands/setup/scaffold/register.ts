// Where a new source of this repository is registered: an import and an entry in the list of its kind, put where the formatter would put them.
import type { ScaffoldKind } from './scaffold.ts';

interface List {
  /** From the root of the repository. */
  index: string;
  /** How the index names a source of this kind. */
  importPath(name: string): string;
}

export const LISTS: Record<ScaffoldKind, List> = {
  board: { index: 'src/sources/boards/index.ts', importPath: (name) => `./${name}.ts` },
  ats: { index: 'src/sources/careers/index.ts', importPath: (name) => `../ats/${name}.ts` },
  shop: { index: 'src/sources/shopping/index.ts', importPath: (name) => `./${name}.ts` },
  page: { index: 'src/sources/article/index.ts', importPath: (name) => `./${name}.ts` },
};

/** The text of an index with one source more; null when it has no list that an entry could be added to. */
export function withSource(index: string, importPath: string, exported: string): string | null {
  const lines = index.split('\n');
  const end = lines.lastIndexOf('];');
  if (end < 0) return null;
  lines.splice(end, 0, `  ${exported},`);
  lines.splice(importAt(lines, importPath), 0, `import { ${exported} } from '${importPath}';`);
  return lines.join('\n');
}

/** Before the first import that sorts behind it: what lies further up comes first. */
function importAt(lines: readonly string[], path: string): number {
  const imports = lines.flatMap((line, at) => {
    const other = /^import .* from '(\.[^']+)';$/.exec(line)?.[1];
    return other === undefined ? [] : [{ at, other }];
  });
  const behind = imports.find(({ other }) => sortsBehind(other, path));
  return behind?.at ?? (imports.at(-1)?.at ?? -1) + 1;
}

function sortsBehind(other: string, path: string): boolean {
  const up = (text: string): number => text.split('../').length;
  if (up(other) !== up(path)) return up(other) < up(path);
  return other.localeCompare(path, 'en', { numeric: true }) > 0;
}
