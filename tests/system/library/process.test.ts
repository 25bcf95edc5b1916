// Programs that use the library, as processes of their own: they end by themselves, whatever way their loop ended. The first is the one in the README.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { forNode } from '../../support/processes.ts';
import { readmeProgram } from '../../support/readers/fences.ts';
import { type Ended, runProgram } from '../../support/windrow.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const LIBRARY = pathToFileURL(join(ROOT, 'src/library/index.ts')).href;
/** Only a process that hangs takes as long. */
const LIMIT_MS = 170_000;

let folder: string;
let sandbox: Sandbox;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windrow-program-'));
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

/** A program that imports `windrow`, with an empty environment; resolves when it ended by itself. */
async function run(text: string): Promise<Ended> {
  const file = join(folder, `program-${randomUUID()}.mts`);
  await writeFile(file, text.replaceAll("'windrow'", `'${LIBRARY}'`));
  const env = { ...forNode(), HOME: folder };
  return runProgram(process.execPath, [file], { cwd: folder, env, timeoutMs: LIMIT_MS });
}

test('the lines of the README run and print the table that it shows', async () => {
  const { program, prints } = readmeProgram();
  const shown = prints.trim().split('\n');
  const { code, stdout, stderr } = await run(program);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const printed = stdout.trim().split('\n');
  const cells = (line: string): string[] => line.split('│').map((cell) => cell.trim());
  // The made-up jobs change from day to day; how many there are, of which sites, and their columns do not.
  expect(printed).toHaveLength(shown.length);
  expect(cells(printed[1]!)).toEqual(cells(shown[1]!));
  const sites = (lines: string[]): string[] =>
    lines
      .slice(3, -1)
      .map((line) => cells(line)[2]!)
      .sort();
  expect(sites(printed)).toEqual(sites(shown));
  expect(
    program
      .trim()
      .split('\n')
      .filter((line) => line.trim() !== ''),
  ).toHaveLength(6);
});

test.each(['jobs.ts', 'engine.ts'])('examples/%s runs', async (name) => {
  const { code, stdout, stderr } = await run(await readFile(join(ROOT, 'examples', name), 'utf8'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Registered Nurse');
});

const endings: [how: string, body: string, stdout: string][] = [
  ['was read to its end', 'for await (const job of jobs) count++;', '30'],
  ['was left with break', 'for await (const job of jobs) if (++count === 3) break;', '3'],
  ['was left by throwing', 'try { for await (const job of jobs) throw ++count; } catch {}', '1'],
  ['was aborted', 'try { for await (const job of jobs) { count++; stop.abort(); } } catch {}', '1'],
  ['was never begun', '', '0'],
  ['was left standing', 'await jobs[Symbol.asyncIterator]().next(); count++;', '1'],
];

test.each(endings)('a program ends by itself when its loop %s', async (_how, body, stdout) => {
  const program = `
    import { scrapeJobs } from 'windrow';
    const stop = new AbortController();
    const jobs = scrapeJobs({
      sites: ['linkedin', 'indeed'], searchTerm: 'engineer', results: ${stdout === '30' ? 15 : 900},
      signal: stop.signal, hostMap: { '*': '${sandbox.origin}' },
    });
    let count = 0;
    ${body}
    console.log(count);`;
  expect(await run(program)).toEqual({ code: 0, stdout: `${stdout}\n`, stderr: '' });
});
