// The files of the dashboard as `npm run dashboard` made them, with their compressed copies, read once. What is below assets/ has the hash of its content in
// its name, so a browser may keep it for ever; the page itself names those files and is asked for every time.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../dashboard/built/', import.meta.url));
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** The better one first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

export interface PageFile {
  type: string;
  plain: Buffer;
  /** By the name of the encoding. */
  compressed: ReadonlyMap<string, Buffer>;
}

export interface BuiltPage {
  /** When it was built, as far as the file system knows. */
  at: number | null;
  index: PageFile;
  /** By name. */
  assets: ReadonlyMap<string, PageFile>;
}

/** Null when it was not built. */
export function readBuiltPage(folder = FOLDER): BuiltPage | null {
  // Written last, so with it everything is there.
  if (builtAt(folder) === null) return null;
  const names = readdirSync(join(folder, 'assets'));
  const all = new Set([...names.map((name) => `assets/${name}`), ...readdirSync(folder)]);
  const read = (name: string): PageFile => ({
    type: TYPES[extname(name)]!,
    plain: readFileSync(join(folder, name)),
    compressed: new Map(
      ENCODINGS.filter(([, end]) => all.has(name + end)).map(([encoding, end]) => [
        encoding,
        readFileSync(join(folder, name + end)),
      ]),
    ),
  });
  const assets = names.filter((name) => extname(name) in TYPES).map((name) => [name, read(`assets/${name}`)] as const);
  return { at: builtAt(folder), index: read('index.html'), assets: new Map(assets) };
}

/** Null when it was not built. */
export const builtAt = (folder = FOLDER): number | null =>
  statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? null;

/** The smallest form that the client takes, by its `Accept-Encoding`. */
export function smallest(file: PageFile, accepts: string): { encoding: string | null; body: Buffer } {
  const taken = new Set(
    accepts.split(',').flatMap((one) => {
      const [name = '', weight = ''] = one.split(';').map((part) => part.trim());
      return weight.startsWith('q=') && Number(weight.slice(2)) === 0 ? [] : [name.toLowerCase()];
    }),
  );
  for (const [encoding] of ENCODINGS) {
    const body = taken.has(encoding) ? file.compressed.get(encoding) : undefined;
    if (body) return { encoding, body };
  }
  return { encoding: null, body: file.plain };
}
