// Completes package-lock.json after a dependency changed. Some registries lack builds for other platforms, npm then leaves them out of the lock file, and
// `npm ci` refuses a lock file without them. Every optional dependency that a locked package names gets its entry here; npm installs only
// the ones that fit the machine. Run: node .ci/complete-lock.mjs [../bench/package-lock.json]
import { readFileSync, writeFileSync } from 'node:fs';

const OS = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'windows'];
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const file = new URL(process.argv[2] ?? '../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = [];
for (const [place, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const entry = `node_modules/${name}`;
    if (lock.packages[entry] || lock.packages[`${place}/${entry}`]) continue;
    const words = name.split(/[/-]/);
    const os = OS.find((one) => words.includes(one));
    const cpu = CPU.find((one) => words.includes(one));
    lock.packages[entry] = {
      version: version.replace(/^[\^~]/, ''),
      ...(cpu ? { cpu: [cpu] } : {}),
      ...(parent.dev ? { dev: true } : {}),
      optional: true,
      ...(os ? { os: [os === 'windows' ? 'win32' : os] } : {}),
      ...(words.includes('musl') ? { libc: ['musl'] } : {}),
    };
    added.push(name);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'the lock file was complete' : `added ${added.join(', ')}`);
