// The packages an installation gets, from the lock file alone: same answer everywhere, without a network. Advisories of today are `npm run audit`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Locked {
  /** A folder of ours, in a clone. */
  link?: boolean;
  version: string;
  license?: string;
  dev?: boolean;
}

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const production = Object.entries(packages)
  .filter(([path, { dev, link }]) => path !== '' && dev !== true && link !== true)
  .map(([path, locked]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    ...locked,
  }));

/** Permit use in a program of any licence, as long as their texts stay with them, which npm sees to. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Unlicense',
  'CC0-1.0',
  'Zlib',
]);
/** Allowed for one package, because of how it is used. */
const AS_USED = new Map([
  // Data that is read as it is; its attribution is in its package.
  ['caniuse-lite', 'CC-BY-4.0'],
  // Unchanged: the licence asks for a summary of changes. Only the command of js-yaml imports it.
  ['argparse', 'PSF-2.0'],
]);

const isAllowed = (name: string, licence: string): boolean => {
  const one = (text: string): boolean => ALLOWED.has(text) || AS_USED.get(name) === text;
  const plain = licence.replace(/^\((.*)\)$/, '$1');
  return plain.includes(' OR ') ? plain.split(' OR ').some(one) : plain.split(' AND ').every(one);
};

test('every package of an installation has a licence that allows what Windrow does with it', () => {
  expect(production.length).toBeGreaterThan(100);
  const others = production
    .filter(({ name, license }) => license === undefined || !isAllowed(name, license))
    .map(({ name, version, license }) => `${name}@${version}: ${license ?? 'no licence'}`);
  expect(
    others,
    'Read the licence. If it asks for no more than its text, add it to ALLOWED; otherwise use another package',
  ).toEqual([]);
});

test('a choice of licences needs one that is allowed, several at once need all', () => {
  expect(isAllowed('a', '(MIT OR GPL-3.0)')).toBe(true);
  expect(isAllowed('a', '(MIT AND GPL-3.0)')).toBe(false);
  expect(isAllowed('a', 'CC-BY-4.0')).toBe(false);
});

/** The first versions without a weakness that would reach us, by major version; later majors are fine. */
const FIXED: Record<string, { versions: string[]; why: string }> = {
  undici: { versions: ['6.23.0', '7.18.0'], why: 'CVE-2026-22036, decompression without a limit' },
  ws: { versions: ['8.17.1'], why: 'CVE-2024-37890, many headers end the process' },
  fastify: { versions: ['5.3.2'], why: 'CVE-2025-32442, validation is passed by another content type' },
  'find-my-way': { versions: ['8.2.2', '9.0.1'], why: 'CVE-2024-45813, routes with two parameters take forever' },
  'tough-cookie': { versions: ['4.1.3'], why: 'CVE-2023-26136, prototype pollution' },
  semver: { versions: ['5.7.2', '6.3.1', '7.5.2'], why: 'CVE-2022-25883, ranges take forever' },
  cookie: { versions: ['0.7.0'], why: 'CVE-2024-47764, names are not checked' },
  'playwright-core': {
    versions: ['1.55.1'],
    why: 'CVE-2025-59288, browsers are fetched without a check of the certificate',
  },
  nanoid: { versions: ['3.3.8', '5.0.9'], why: 'CVE-2024-55565, ids that can be guessed' },
};

function isFixed(version: string, fixed: readonly string[]): boolean {
  const [major = 0, ...rest] = version.split('.').map(Number);
  const same = fixed.find((one) => Number(one.split('.')[0]) === major);
  if (same === undefined) return major > Math.max(...fixed.map((one) => Number(one.split('.')[0])));
  const [minor = 0, patch = 0] = rest;
  const [, wantedMinor = 0, wantedPatch = 0] = same.split('.').map(Number);
  return minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch);
}

test('H2: no copy of a package is older than the fix of a weakness we know of', () => {
  const old = production
    .filter(({ name, version }) => FIXED[name] !== undefined && !isFixed(version, FIXED[name].versions))
    .map(({ name, version }) => `${name}@${version}: ${FIXED[name]!.why}`);
  expect(old, 'npm explain <name> says what brings it in; "overrides" in package.json sets a version').toEqual([]);
  expect(isFixed('7.17.9', ['6.23.0', '7.18.0'])).toBe(false);
  expect(isFixed('5.28.0', ['6.23.0', '7.18.0'])).toBe(false);
  expect(isFixed('8.0.0', ['6.23.0', '7.18.0'])).toBe(true);
});

/** Data that was written or computed for Windrow. What was made by others is in NOTICE, with its place. */
const OWN_DATA = [
  'cli/commands/setup/scaffold/templates',
  'extract/article/page',
  'extract/article/weights',
  'extract/location/city-names.json',
  'extract/location/countries.json',
  'extract/location/places.test-table.json',
  'extract/location/regions.json',
  'extract/money/currencies.json',
  'extract/posting',
  'extract/product',
  'extract/salary',
  'model/product',
  'planner/fleet-costs.json',
  'sandbox',
  'sources/boards/markets.json',
  'sources/shopping/google',
  'web/blocks/blocks.json',
  'web/identity/profiles.json',
];

test('NOTICE names all data that others made, and no file that is gone', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !entry.parentPath.includes('dashboard') && /\.(?:json|csv|txt|dat|bin|gz)$/.test(entry.name),
    )
    .map((entry) => relative(join(ROOT, 'src'), join(entry.parentPath, entry.name)));
  const noticed = [...read('NOTICE').matchAll(/^ {2}Where: +(\S+)$/gm)].map(([, file]) => file!);
  expect(noticed.filter((file) => !files.includes(file))).toEqual([]);
  const unknown = files.filter(
    (file) => !noticed.includes(file) && !OWN_DATA.some((own) => file === own || file.startsWith(`${own}/`)),
  );
  expect(unknown, 'Whose data is it? Ours: add it to OWN_DATA. Made by others: an entry in NOTICE').toEqual([]);
});
