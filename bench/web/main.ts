// The web layer's benches one after the other, each in a process of its own: overhead, memory, browser.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let failed = 0;
for (const name of ['overhead', 'memory', 'browser']) {
  console.log(`\n# web/${name}`);
  const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  if (spawnSync(process.execPath, [script], { stdio: 'inherit' }).status !== 0) failed += 1;
}
process.exitCode = failed === 0 ? 0 : 1;
