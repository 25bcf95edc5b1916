// `npm run dashboard`: src/dashboard/ becomes src/dashboard/built/, what the API serves. `npm ci` does the same, without a line of output: the dashboard
// is a linked devDependency (src/dashboard/package.json) whose `prepare` script this is, and npm shows the output of such a script only when it fails.
//   node tools/dashboard/build.ts            the types of the API, and the page
//   node tools/dashboard/build.ts --watch    again after every change
//   node tools/dashboard/build.ts --out dist/dashboard/built    elsewhere, without the types
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type InlineConfig } from 'vite';
import { writeApiTypes } from './api-types.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'src/dashboard');
/** Smaller files gain nothing. */
const COMPRESSED_FROM_BYTES = 800;

/** Next to each file its compressed copies: the server sends them as they are. */
function compress(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\.(br|gz|txt)$/.test(path) || statSync(path).size < COMPRESSED_FROM_BYTES) continue;
    const bytes = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    );
  }
}

const { values } = parseArgs({
  options: { watch: { type: 'boolean', default: false }, out: { type: 'string' } },
});
const out = resolve(values.out ?? join(PAGE, 'built'));
const config: InlineConfig = {
  configFile: false,
  root: PAGE,
  base: '/ui/',
  publicDir: false,
  logLevel: values.watch ? 'info' : 'warn',
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    // Nothing as a data: URL: the policy of the page allows images of that kind only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    watch: values.watch ? {} : null,
  },
  plugins: [{ name: 'compressed copies', writeBundle: () => compress(out) }],
};
if (values.out === undefined) await writeApiTypes();
await build(config);
