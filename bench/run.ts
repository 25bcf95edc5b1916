// `npm run bench [-- name …]`: runs the benches named, or all of them. Each is a folder with a main.ts that prints its own table and exits 1
// when the ratio it promises is not reached. Ratios are measured within one run, so they hold on any machine.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startTestServers } from '../tests/support/servers.ts';

const folder = new URL('./', import.meta.url);
const all = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/main.ts`, folder)))
  .map((entry) => entry.name);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`bench: no bench named ${unknown.join(', ')}; there are: ${all.join(', ')}`);
  process.exit(2);
}
const servers = await startTestServers({ isDurable: true }, (line) => console.log(`bench: ${line}`));
let failed = 0;
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n## ${name}`);
  const main = fileURLToPath(new URL(`${name}/main.ts`, folder));
  if (spawnSync(process.execPath, [main], { stdio: 'inherit', env: { ...process.env, ...servers.env } }).status !== 0)
    failed++;
}
await servers.stop();
if (failed > 0) console.error(`\nbench: ${failed} did not reach what they promise`);
process.exit(failed > 0 ? 1 : 0);
