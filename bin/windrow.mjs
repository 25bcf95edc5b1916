#!/usr/bin/env node
// Starts the command line: a package's from dist/, a clone's from src/, whose types Node itself removes. A Node that is too old hands over to the one that
// `npm ci` brought into a clone. This file has to run on any Node that knows modules.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => new URL(`../${path}`, import.meta.url);
const isClone = existsSync(at('src/cli/main.ts'));
const main = at(isClone ? 'src/cli/main.ts' : 'dist/cli/main.js');
const bundled = fileURLToPath(at('node_modules/node/bin/node'));
const needed = JSON.parse(readFileSync(at('package.json'), 'utf8')).engines.node.replace('>=', '');

if (isAtLeast(process.versions.node, needed)) await import(main.href);
else if (existsSync(bundled)) handOver();
else {
  const remedy = isClone ? ' `npm ci` brings one along.' : '';
  console.error(`windrow: Node ${needed} or newer is needed and this is ${process.versions.node}.${remedy}`);
  process.exitCode = 2;
}

function isAtLeast(version, least) {
  const [own, other] = [version, least].map((text) => text.split('.').map(Number));
  const differs = own.findIndex((part, i) => part !== other[i]);
  return differs === -1 || own[differs] > other[differs];
}

/** Signals go on to the child, which decides when it has ended; this process ends as the child did. */
function handOver() {
  const child = spawn(bundled, [fileURLToPath(main), ...process.argv.slice(2)], {
    // The last is a socket of systemd.
    stdio: process.env.LISTEN_FDS ? [0, 1, 2, 3] : 'inherit',
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`windrow: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (code !== null) process.exit(code);
    for (const one of signals) process.removeAllListeners(one);
    process.kill(process.pid, signal);
  });
}
