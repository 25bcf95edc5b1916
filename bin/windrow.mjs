#!/usr/bin/env node
// Starts the CLI on a Node that strips types: the one that came with `npm ci` (24), or the machine's own if that is as new.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bundled = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const ownIsEnough = Number.parseInt(process.versions.node, 10) >= 24;
if (!existsSync(bundled) && !ownIsEnough) {
  console.error(`windrow: Node 24 is needed and this is ${process.version}. Run \`npm ci\`, which brings it along.`);
  process.exit(2);
}
const child = spawn(existsSync(bundled) ? bundled : process.execPath, [main, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`windrow: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)));
