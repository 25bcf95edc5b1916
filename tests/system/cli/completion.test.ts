// Completion in real shells. bash is on every machine that runs these tests; zsh and fish are looked at where they are installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { runWindrow } from '../../support/windrow.ts';

const folder = mkdtempSync(join(tmpdir(), 'windrow-completion-'));
const file = (shell: string): string => join(folder, `windrow.${shell}`);

beforeAll(async () => {
  await Promise.all(
    ['bash', 'zsh', 'fish'].map(async (shell) => {
      const { code, stdout, stderr } = await runWindrow(['completion', shell], { cwd: folder });
      expect(code, stderr).toBe(0);
      writeFileSync(file(shell), stdout);
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What bash offers for the last word of a line. */
function offered(line: string): string[] {
  const words = line.split(' ');
  const script = `source ${file('bash')}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _windrow; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', script], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
}

test('bash offers commands, verbs, options and their values', () => {
  expect(offered('windrow ')).toEqual([...Object.keys(COMMANDS), 'help']);
  expect(offered('windrow dead')).toEqual(['dead-letters']);
  expect(offered('windrow runs ')).toEqual(expect.arrayContaining(['list', 'show', 'follow', 'cancel', '--kind']));
  expect(offered('windrow runs list --k')).toEqual(['--kind']);
  expect(offered('windrow runs list --kind ')).toEqual(['article', 'posting', 'company', 'cart', 'crawl', 'map']);
  expect(offered('windrow --json runs c')).toEqual(['cancel']);
  expect(offered('windrow scrape ind')).toEqual(['indeed']);
  expect(offered('windrow completion z')).toEqual(['zsh']);
});

test.each(['zsh', 'fish'])('%s can read its script, where it is installed', (shell) => {
  const { error, status, stderr } = spawnSync(shell, ['-n', file(shell)], { encoding: 'utf8' });
  if (error) expect(readFileSync(file(shell), 'utf8')).toContain('windrow runs list');
  else expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('init writes a settings file that Windrow reads, for its owner alone, and never overwrites one', async () => {
  const first = await runWindrow(['init'], { cwd: folder });
  expect(first).toMatchObject({ code: 0, stdout: '' });
  const path = join(folder, 'windrow.env');
  expect(statSync(path).mode & 0o077).toBe(0);
  // As a person would: a comment becomes a setting.
  const text = readFileSync(path, 'utf8').replace('# PORT=8000', 'PORT=8123');
  writeFileSync(path, text);
  const config = await runWindrow(['config', '--json'], { cwd: folder });
  expect(JSON.parse(config.stdout)).toMatchObject({
    settings: { port: { value: '8123' } },
    problems: [],
    warnings: [],
  });
  const again = await runWindrow(['init'], { cwd: folder });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('windrow.env is there already. It was not changed.');
  expect(readFileSync(path, 'utf8')).toBe(text);
});
