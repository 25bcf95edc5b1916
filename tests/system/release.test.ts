// `npm run release` in a small repository of its own.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../support/windrow.ts';

const TOOL = resolve(import.meta.dirname, '../../tools/release.ts');
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n### Added\n- A shop.\n\n## 0.1.0 - 2026-01-31\n\n### Added\n- All.\n';

let folder: string;
let root: string;

const run = (program: string, ...args: string[]) =>
  runProgram(program, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'T',
      GIT_AUTHOR_EMAIL: 't@example.com',
      GIT_COMMITTER_NAME: 'T',
      GIT_COMMITTER_EMAIL: 't@example.com',
    },
  });
const release = (...args: string[]) => run(process.execPath, TOOL, ...args);
const git = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run('git', ...args);
  expect(code, stderr).toBe(0);
  return stdout.trim();
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windrow-release-'));
  root = join(folder, 'clone');
  await mkdir(root);
  const manifest = {
    name: 'little',
    version: '0.1.0',
    scripts: { check: 'node -e "process.exit(0)"', audit: 'node -e "process.exit(0)"' },
  };
  await writeFile(join(root, 'package.json'), JSON.stringify(manifest));
  await writeFile(
    join(root, 'package-lock.json'),
    JSON.stringify({
      name: 'little',
      version: '0.1.0',
      lockfileVersion: 3,
      packages: { '': { name: 'little', version: '0.1.0' } },
    }),
  );
  await writeFile(join(root, 'CHANGELOG.md'), CHANGELOG);
  await writeFile(join(root, '.gitignore'), '*.tgz\n');
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'first');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a dry run prints every step and changes nothing', async () => {
  const before = await readdir(root);
  const { code, stdout } = await release('--dry-run');
  expect(code).toBe(0);
  const date = new Date().toISOString().slice(0, 10);
  expect(stdout.replaceAll(/\d{4}-\d\d-\d\d/g, date).split('\n')).toEqual([
    'little 0.1.0 -> 0.2.0 (dry run: nothing is changed)',
    '- npm run check',
    '- npm run audit',
    `- CHANGELOG.md: what is unreleased becomes 0.2.0 - ${date}`,
    '- npm version 0.2.0 --no-git-tag-version',
    '- npm pack',
    '- git add CHANGELOG.md package.json package-lock.json',
    '- git commit --quiet -m "release: 0.2.0"',
    '- git tag -a v0.2.0 -m "little 0.2.0"',
    'Then: git push --follow-tags && npm publish little-0.2.0.tgz',
    '',
  ]);
  expect(await readdir(root)).toEqual(before);
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('tag')).toBe('');
});

test('changes that are not committed, another branch and a version that comes before are refused', async () => {
  await git('checkout', '--quiet', '-b', 'other');
  await writeFile(join(root, 'new.txt'), 'new');
  const refused = await release();
  expect(refused.code).toBe(1);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toContain('there are changes that are not committed');
  expect(refused.stderr).toContain('this is the branch other, and releases are made from main');
  await rm(join(root, 'new.txt'));
  await git('checkout', '--quiet', 'main');
  expect(await release('0.0.9')).toMatchObject({ code: 1, stderr: 'release: 0.0.9 does not come after 0.1.0\n' });
});

test('a release moves changelog and version on, packs, commits and tags; then there is nothing to release', async () => {
  const { code, stdout, stderr } = await release('minor');
  expect(code, stdout + stderr).toBe(0);
  expect(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).toMatch(
    /## Unreleased\n\n## 0\.2\.0 - [\d-]{10}\n\n### Added\n- A shop\./,
  );
  for (const file of ['package.json', 'package-lock.json'])
    expect(JSON.parse(await readFile(join(root, file), 'utf8'))).toMatchObject({ version: '0.2.0' });
  expect(await readdir(root)).toContain('little-0.2.0.tgz');
  expect(await git('log', '-1', '--format=%s')).toBe('release: 0.2.0');
  expect(await git('tag', '--points-at', 'HEAD')).toBe('v0.2.0');
  expect(await git('status', '--porcelain')).toBe('');
  expect(await release('--dry-run')).toMatchObject({
    code: 1,
    stderr: 'release: nothing is unreleased in CHANGELOG.md\n',
  });
});
