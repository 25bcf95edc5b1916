// `npm run bench -- [name …]`: runs the benches named, or all of them (`--all` says so). Each is a folder with a main.ts that says what it found (found.ts) and exits 1
// when a ratio it promises is not reached. Ratios are measured within one run, so they hold on any machine. With `--json [file]` (bench/results.json) what was found is
// kept there, with the machine and the versions; of a file that exists only the benches that ran are replaced. `--compare A B` compares two of them,
// `--readme` writes the table of README.md from it. `--rows 500000` and `--minutes 8` bound what the benches of much data load.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestServers } from '../tests/support/servers.ts';
import { compare } from './compare.ts';
import type { Found } from './found.ts';
import { withTable } from './readme.ts';
import { keepResults, machine, readResults, versions } from './results.ts';

const folder = new URL('./', import.meta.url);
const all = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/main.ts`, folder)))
  .map((entry) => entry.name);
const { values: option, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    json: { type: 'boolean' },
    out: { type: 'string' },
    compare: { type: 'boolean' },
    readme: { type: 'boolean' },
    minutes: { type: 'string' },
    rows: { type: 'string' },
  },
});
const RESULTS = fileURLToPath(new URL('results.json', folder));
const [before, after] = positionals;
if (option.compare) {
  if (before === undefined || after === undefined) {
    console.error('bench: --compare takes two files: npm run bench -- --compare BEFORE.json AFTER.json');
    process.exit(2);
  }
  compare(before, after);
  process.exit(0);
}
if (option.readme) {
  const readme = new URL('../README.md', folder);
  writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), readResults(RESULTS)));
  process.exit(0);
}
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`bench: no bench named ${unknown.join(', ')}; there are: ${all.join(', ')}`);
  process.exit(2);
}
/** How much a bench loads, for those that load much. */
const sizes = {
  ...(option.minutes === undefined ? {} : { BENCH_LOAD_MINUTES: option.minutes }),
  ...(option.rows === undefined ? {} : { BENCH_POSTINGS: option.rows, BENCH_ROWS: option.rows }),
};
const bad = Object.values(sizes).find((text) => !(Number(text) > 0));
if (bad !== undefined) {
  console.error(`bench: --minutes and --rows take a number above 0, not ${bad}`);
  process.exit(2);
}
const wanted = option.all || positionals.length === 0 ? all : positionals;
const out = option.out ?? (option.json ? RESULTS : null);
const temporary = mkdtempSync(join(tmpdir(), 'windrow-bench-'));
const servers = await startTestServers({ isDurable: true }, (line) => console.log(`bench: ${line}`));
let failed = 0;
for (const name of wanted) {
  console.log(`\n## ${name}`);
  const file = join(temporary, name);
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(`${name}/main.ts`, folder))], {
    stdio: 'inherit',
    env: { ...process.env, ...servers.env, ...sizes, BENCH_RESULTS: file },
  });
  if (status !== 0) failed++;
  if (out === null) continue;
  const found = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Found)
    : [];
  const seconds = Math.round((performance.now() - began) / 1_000);
  keepResults(out, name, {
    at: new Date().toISOString(),
    seconds,
    isKept: status === 0,
    machine: machine(),
    versions: versions(servers.env),
    found,
  });
}
await servers.stop();
rmSync(temporary, { recursive: true, force: true });
if (out !== null) console.log(`\nbench: kept in ${out}`);
if (failed > 0) console.error(`\nbench: ${failed} did not reach what they promise`);
process.exit(failed > 0 ? 1 : 0);
