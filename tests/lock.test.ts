// The lock files, checked by reading them: each file that npm fetches is known by its hash, on every platform. npm leaves out builds for other platforms
// that the registry does not have, and `npm ci` then fails where the registry has them. The remedy is a version that is published for all platforms, by
// `npm i --save-exact` or an entry under `overrides` in package.json.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Locked {
  /** A folder of ours. */
  link?: boolean;
  version?: string;
  resolved?: string;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
}

type Packages = Record<string, Locked>;

const ROOT = resolve(import.meta.dirname, '..');

/** What is wrong with a lock file, a sentence each. */
function problemsOf(packages: Packages): string[] {
  const ours = new Set(Object.values(packages).flatMap(({ link, resolved }) => (link && resolved ? [resolved] : [])));
  const fetched = Object.entries(packages).filter(([path, { link }]) => !link && !ours.has(path));
  return fetched.flatMap(([path, locked]) => [
    ...(path !== '' && !locked.integrity?.startsWith('sha512-') ? [`${path} has no integrity`] : []),
    ...(locked.resolved !== undefined ? [`${path} names a registry: ${locked.resolved}`] : []),
    ...Object.keys(locked.optionalDependencies ?? {})
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `${path || 'the project'} may need ${name}, which has no entry`),
  ]);
}

/** As Node looks for a package: beside the one that asks for it, then in each folder above. */
function isLocked(packages: Packages, from: string, name: string): boolean {
  const inside = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (packages[inside] !== undefined) return true;
  return from !== '' && isLocked(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

describe.each(['package-lock.json', 'bench/package-lock.json', 'tools/regexes/package-lock.json'])('%s', (file) => {
  test('has the integrity of every package, of all platforms, and names no registry', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { packages: Packages };
    expect(Object.keys(packages).length).toBeGreaterThan(1);
    expect(problemsOf(packages)).toEqual([]);
  });
});

test('the check finds a missing hash, a registry and a missing platform', () => {
  const integrity = 'sha512-AAAA';
  expect(
    problemsOf({
      '': { optionalDependencies: { here: '1.0.0' } },
      'node_modules/here': {
        integrity,
        optionalDependencies: { 'here-linux': '1.0.0', 'here-mac': '1.0.0', up: '1.0.0' },
      },
      'node_modules/here/node_modules/here-linux': { integrity },
      'node_modules/here/node_modules/deep': {
        integrity,
        optionalDependencies: { 'here-linux': '1.0.0', up: '1.0.0' },
      },
      'node_modules/up': { version: '1.0.0' },
      'node_modules/other': { integrity, resolved: 'https://registry.example/other.tgz' },
      'src/part': { version: '0.0.0' },
      'node_modules/part': { link: true, resolved: 'src/part' },
    }),
  ).toEqual([
    'node_modules/here may need here-mac, which has no entry',
    'node_modules/up has no integrity',
    'node_modules/other names a registry: https://registry.example/other.tgz',
  ]);
});
