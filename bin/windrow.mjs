#!/usr/bin/env node
// Starts the CLI on the Node that came with `npm ci` (24), whatever Node the machine has: types are stripped by it.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`windrow: cannot start ${node}: ${error.message}. Run \`npm ci\` first.`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)));
