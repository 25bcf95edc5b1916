// Command lines in the documentation. Each is one that its command takes: options, arguments and choices are read by the command itself. What asks a server is run
// against one, on the sandbox web, in this process.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { run } from '../../../src/cli/command-line.ts';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { forNode } from '../../support/processes.ts';
import { fences, ROOT } from '../../support/readers/fences.ts';
import { type ShellCommand, shellCommands } from '../../support/readers/shell-lines.ts';
import { runProgram } from '../../support/windrow.ts';
import { type DashboardWorld, openDashboardWorld } from '../../support/worlds/dashboard-world.ts';

interface Line extends ShellCommand {
  at: string;
}

const LINES: Line[] = fences('bash').flatMap(({ at, code }) => shellCommands(code).map((one) => ({ ...one, at })));
/** `npx windrow …` and `windrow …`, without the program. */
const windrowArgs = ({ words: [first, second, ...rest] }: Line): string[] | null =>
  first === 'windrow' ? [second!, ...rest] : first === 'npx' && second === 'windrow' ? rest : null;

const OURS = LINES.filter((line) => windrowArgs(line));
const REQUESTS = LINES.filter(({ words }) => words[0] === 'curl');

/** Not run here, by the beginning of what follows `windrow`, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'up|api|orchestrator|worker': 'a role, which runs until it is stopped',
  'scrape|doctor|version|plan': 'no server; tests/system/cli runs them',
  'backup|restore': 'a database of its own; tests/system/store/backup.test.ts',
  replay: 'archived pages; tests/system/failures and outside',
  'source new|sources acme-jobs': 'a folder with modules; tests/system/outside',
  'dead-letters (show|retry 0)': 'a dead letter; tests/system/cli/dead-letters.test.ts',
  'keys create operator': 'a database without a server',
  'quality (show|accept)': 'a suspect result; tests/system/api/quality.test.ts',
  'webhooks test': 'a receiver; tests/system/engine/webhooks.test.ts',
  'companies add https': 'a career page of the internet; tests/system/cli/companies.test.ts',
};
const PATTERN = new RegExp(`^(${Object.keys(NOT_RUN).join('|')})`);

let world: DashboardWorld;
let folder: string;
/** Ids in the documentation → those of the same kind here. */
const ids = new Map<string, string>();
/** Nobody listens there, and nobody has to. */
const RECEIVER = 'http://127.0.0.1:9/';
const KEY = 'key-of-the-documented-commands';
const QUICK = { concurrency: 4, delayMs: 0 };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'windrow-documented-'));
  world = await openDashboardWorld({
    keys: [KEY],
    web: { allowPrivate: ['127.0.0.1'], pace: { indeed: QUICK, linkedin: QUICK } },
  });
  const search = { site_name: ['indeed'], search_term: 'nurse', results_wanted: 3 };
  const alert = { name: 'Any', search: { q: 'nurse' } };
  const hook = { url: RECEIVER, events: ['run.completed'] };
  const cart = await world.call('POST', '/cart', { items: ['milk'], zipcode: '10001' });
  ids.set('job_a1b2c3d4e5f6', await world.submit(['https://www.bbc.com/news/story-1']));
  ids.set('manual_a1b2c3d4e5f60718', (await world.call('POST', '/jobs/scrape', search)).data.run_id);
  ids.set('crawl_a1b2c3d4e5f60718', (await world.call('POST', '/crawl', { url: 'https://n5.maze.example/' })).run_id);
  ids.set('7b0c8f0e-6a55-4f7e-9b0f-0d3c8f6f2b1a', cart.job_id);
  ids.set('alr_01890a5d7e8f70008a1b2c3d4e5f6071', (await world.call('POST', '/alerts', alert)).id);
  ids.set('whk_a1b2c3d4e5f60718', (await world.call('POST', '/webhooks', hook)).id);
  ids.set('key_a1b2c3d4e5f6', (await world.call('POST', '/keys', { name: 'Any', scope: 'submit' })).id);
});
afterAll(async () => {
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

let printed = '';
beforeEach(() => {
  vi.stubEnv('WINDROW_URL', world.url);
  vi.stubEnv('WINDROW_API_KEY', KEY);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const here = (word: string): string =>
  [...ids]
    .reduce((text, [documented, own]) => text.replace(documented, own), word)
    .replace(/(?:http:\/\/)?(?:localhost|127\.0\.0\.1):8000/, world.url)
    .replace('https://hooks.example.com/windrow', RECEIVER)
    .replace(/^(?:500|50|20)$/, '5')
    .replace(/"limit": 500/, '"limit": 10');

/** Files are read from the repository and written elsewhere. */
const fileHere = (word: string, i: number, words: readonly string[]): string => {
  if (words[i - 1] === '--out') return join(folder, word);
  return /^(?:deploy|examples)\//.test(word) ? join(ROOT, word) : word;
};

/** A problem with the usage; nothing is done. */
async function usageProblem(argv: string[]): Promise<string | null> {
  const row = COMMANDS[argv[0]!];
  if (!row) return `no command ${argv[0]}`;
  const command = await (await row.load()).make();
  for (const one of allOf(command))
    one
      .exitOverride()
      .configureOutput({ outputError: () => {} })
      .action(() => {});
  try {
    await command.parseAsync(argv.slice(1), { from: 'user' });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const allOf = (command: Command): Command[] =>
  command.commands.length > 0 ? command.commands.flatMap(allOf) : [command];

test('each command line of windrow is one that its command takes', async () => {
  expect(OURS.length).toBeGreaterThan(60);
  const problems: string[] = [];
  for (const line of OURS) {
    const argv = windrowArgs(line)!;
    // A module of the reader's own is a command only in its folder.
    const problem = argv.join(' ') === 'scrape acme-jobs' ? null : await usageProblem(argv);
    if (problem) problems.push(`${line.at}: ${line.line}: ${problem}`);
  }
  expect(problems).toEqual([]);
});

test('each request with curl is answered with 2xx', async () => {
  expect(REQUESTS.length).toBeGreaterThan(25);
  const problems: string[] = [];
  for (const { at, line, words } of REQUESTS) {
    // A site of the reader's own, and the sandbox alone.
    if (line.includes('acme-jobs')) continue;
    const args = ['-sS', '-m', '60', '-H', `x-api-key: ${KEY}`, '-w', '\n%{http_code}', ...words.slice(1).map(here)];
    const { stdout } = await runProgram('curl', args, { cwd: folder, env: forNode() });
    // By then a run may have ended, which is documented too.
    if (!/\n2\d\d$|"not_cancellable"/.test(stdout)) problems.push(`${at}: ${line}: ${stdout.slice(-300)}`);
  }
  expect(problems).toEqual([]);
});

test('what asks a server runs against one and ends with 0', async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(take);
  vi.spyOn(process.stderr, 'write').mockImplementation(take);
  // As the README added it, if that has run.
  const config = { scraper_type: 'greenhouse', board: 'acme' };
  await world.call('POST', '/companies/import', { companies: [{ name: 'Acme', scraping_config: config }] });
  const problems: string[] = [];
  let count = 0;
  for (const line of OURS) {
    const argv = windrowArgs(line)!.map(here).map(fileHere);
    if (PATTERN.test(windrowArgs(line)!.join(' '))) continue;
    printed = '';
    process.exitCode = undefined;
    const code = await run(argv);
    count++;
    if (code !== 0) problems.push(`${line.at}: ${line.line}: ended with ${code}: ${printed.slice(-300)}`);
  }
  process.exitCode = undefined;
  expect(problems).toEqual([]);
  expect(count).toBeGreaterThan(30);
});

function take(text: unknown, ...rest: unknown[]): true {
  printed += text instanceof Uint8Array ? Buffer.from(text).toString('utf8') : String(text);
  const done = rest.find((one) => typeof one === 'function');
  if (done) queueMicrotask(done as () => void);
  return true;
}

/** Programs of the reader's system, and of other hosts. */
const OF_THE_SYSTEM = ['export', 'cp', 'gzip', 'pip', 'docker', 'kubectl', 'systemctl'];

test('other lines run a script or a file that is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const isThere = ({ words: [program, first = '', second = ''], at }: Line): boolean => {
    if (OF_THE_SYSTEM.includes(program!)) return true;
    if (program === 'npm' && first === 'run') return second in scripts;
    if (program === 'npm') return ['ci', 'install'].includes(first) || first in scripts;
    if (program === 'npx') return existsSync(join(ROOT, 'node_modules', first));
    if (program === 'node' && first === '--test') return true;
    if (['node', 'python3'].includes(program!))
      return existsSync(join(ROOT, first)) || existsSync(join(ROOT, at.split(':')[0]!, '..', first));
    return false;
  };
  const others = LINES.filter((line) => !OURS.includes(line) && !REQUESTS.includes(line));
  expect(others.filter((line) => !isThere(line)).map(({ at, line }) => `${at}: ${line}`)).toEqual([]);
});
