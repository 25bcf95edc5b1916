// Command lines that people copy, from the documentation and from the dashboard: each names a command that is there, and flags that it has. Alone in its process:
// what it loads must not be loaded already where tests/regexes.test.ts watches patterns being made.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { flagOf, SETTING_NAMES } from '../../../src/config.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync(['docs/*.md', 'src/dashboard/screens/**/*.tsx', 'src/dashboard/screens/**/*.ts'], { cwd: ROOT }),
].filter((file) => !file.endsWith('.test.ts'));

/** Up to what ends it: the line, a comment, a pipe, a template's own value. */
const LINE = /npx windrow ((?:[a-z][a-z-]*)(?:[^\n`#|<>$]*))/g;

const settings = new Set(SETTING_NAMES.map((name) => flagOf(name)).filter(Boolean));
const ALWAYS = new Set(['--help', '--version', '--json', '--config', '--verbose']);

async function problemWith(line: string): Promise<string | null> {
  const words = line.trim().split(/\s+/);
  const row = COMMANDS[words[0]!];
  // Sources are commands of it, and take their parameters as flags.
  if (words[0] === 'scrape') return null;
  if (!row) return words[0] === 'help' || words[0]!.startsWith('-') ? null : `no command ${words[0]}`;
  let command = (await (await row.load()).make()) as Command;
  for (const word of words.slice(1)) {
    const child = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (!child) break;
    command = child;
  }
  // `windrow runs --limit 5` is its usual verb.
  const usual = (command as unknown as { _defaultCommandName?: string })._defaultCommandName;
  command = command.commands.find((one) => one.name() === usual) ?? command;
  if (
    command.commands.length > 0 &&
    words[1] &&
    /^[a-z-]+$/.test(words[1]) &&
    command.name() === words[0] &&
    !command.registeredArguments.length
  )
    return `${words[0]} has no command ${words[1]}`;
  for (const word of words) {
    const flag = /^(--[a-z][a-z-]*)/.exec(word)?.[1];
    if (!flag || ALWAYS.has(flag) || settings.has(flag)) continue;
    if (!command.options.some(({ long }) => long === flag)) return `${command.name()} has no ${flag}`;
  }
  return null;
}

test.each(FILES)('%s names commands and flags that are there', async (file) => {
  const problems: string[] = [];
  for (const [, line] of readFileSync(resolve(ROOT, file), 'utf8').matchAll(LINE)) {
    const problem = await problemWith(line!);
    if (problem) problems.push(`${line!.trim()}: ${problem}`);
  }
  expect(problems).toEqual([]);
});
