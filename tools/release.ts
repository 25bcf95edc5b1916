// `npm run release -- [major|minor|patch|1.2.3] [--dry-run]`, from the root of a clean clone: checks, moves the changelog and the version on, packs,
// commits and tags. It publishes nothing: what it made is looked at first, and the last line says how it goes out.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { nextVersion, stepFor, unreleased, withRelease } from './release/changelog.ts';

const BRANCH = 'main';
/** What a release changes. */
const FILES = ['CHANGELOG.md', 'package.json', 'package-lock.json'];

interface Action {
  /** What a person would type, or read. */
  says: string;
  run(): void;
}

function main(): void {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const isDry = values['dry-run'];
  const { name, version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    name: string;
    version: string;
  };
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const wanted = positionals[0] ?? stepFor(unreleased(changelog), current);
  const obstacles = obstaclesTo(wanted);
  for (const obstacle of obstacles) console.error(`release: ${obstacle}`);
  if (wanted === undefined || (obstacles.length > 0 && !isDry)) {
    process.exitCode = 1;
    return;
  }

  const version = nextVersion(current, wanted);
  const date = new Date().toISOString().slice(0, 10);
  console.log(`${name} ${current} -> ${version}${isDry ? ' (dry run: nothing is changed)' : ''}`);
  const actions: Action[] = [
    command('npm', 'run', 'check'),
    command('npm', 'run', 'audit'),
    {
      says: `CHANGELOG.md: what is unreleased becomes ${version} - ${date}`,
      run: () => writeFileSync('CHANGELOG.md', withRelease(changelog, version, date)),
    },
    command('npm', 'version', version, '--no-git-tag-version'),
    command('npm', 'pack'),
    command('git', 'add', ...FILES),
    command('git', 'commit', '--quiet', '-m', `release: ${version}`),
    command('git', 'tag', '-a', `v${version}`, '-m', `${name} ${version}`),
  ];
  for (const { says, run } of actions) {
    console.log(`- ${says}`);
    if (!isDry) run();
  }
  console.log(`Then: git push --follow-tags && npm publish ${name}-${version}.tgz`);
  if (obstacles.length > 0) process.exitCode = 1;
}

/** Why there can be no release now. */
function obstaclesTo(wanted: string | undefined): string[] {
  const branch = output('git', 'branch', '--show-current');
  return [
    ...(wanted === undefined ? ['nothing is unreleased in CHANGELOG.md'] : []),
    ...(output('git', 'status', '--porcelain') !== '' ? ['there are changes that are not committed'] : []),
    ...(branch !== BRANCH ? [`this is the branch ${branch}, and releases are made from ${BRANCH}`] : []),
  ];
}

const command = (program: string, ...args: string[]): Action => ({
  says: [program, ...args.map((arg) => (arg.includes(' ') ? `"${arg}"` : arg))].join(' '),
  run: () => {
    const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    if (error) throw error;
    if (status !== 0)
      throw new Error(
        `${program} ${args[0]} ended with ${status}; the release is not complete. Begin again after: git restore ${FILES.join(' ')}`,
      );
  },
});

function output(program: string, ...args: string[]): string {
  const { stdout, status, error } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
  return stdout.trim();
}

try {
  main();
} catch (error) {
  console.error(`release: ${(error as Error).message}`);
  process.exitCode = 1;
}
