// Everything that the API can do can be done from the command line: each operation has a command, which asks for it and shows the example of its answer, as
// text and as JSON. Commands run in this process, so that all of them take seconds.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { run } from '../../../src/cli/command-line.ts';
import { type ExampleServer, startExampleServer } from '../../support/api/example-server.ts';
import { COMMAND_OF, NOT_FOR_PEOPLE } from './operation-commands.ts';

let server: ExampleServer;
let folder: string;

/** Where an example is in the middle of things, a command would wait for the end. */
function answer(id: string, call: number, example: unknown): unknown {
  const of = (more: object) => ({ ...(example as object), ...more });
  if (id === 'getRun') return of({ status: call === 0 ? 'running' : 'completed' });
  if (id === 'importCompanies') return of({ refused: 0 });
  if (id === 'testWebhook') return of({ state: 'delivered', last_status: 204 });
  if (id === 'retryDeadLetters' || id === 'removeDeadLetters') return of({ has_more: false });
  return example;
}

beforeAll(async () => {
  server = await startExampleServer(answer);
  folder = await mkdtemp(join(tmpdir(), 'windrow-operations-'));
  await writeFile(join(folder, 'companies.json'), '[{"name":"Acme"}]');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

let stdout = '';
let stderr = '';
beforeEach(() => {
  vi.stubEnv('WINDROW_URL', server.url);
  vi.stubEnv('WINDROW_API_KEY', 'wdr_test');
  stdout = '';
  stderr = '';
  server.asked();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

/** Paths of arguments are in the folder. */
async function windrow(line: string): Promise<number> {
  const argv = line.split(' ').map((word) => (/^\w+\.(json|png)$/.test(word) ? join(folder, word) : word));
  for (const [stream, take] of [
    [process.stdout, (text: string) => (stdout += text)],
    [process.stderr, (text: string) => (stderr += text)],
  ] as const)
    vi.spyOn(stream, 'write').mockImplementation(((text: unknown, ...rest: unknown[]) => {
      take(text instanceof Uint8Array ? Buffer.from(text).toString('utf8') : String(text));
      const done = rest.find((one) => typeof one === 'function');
      if (done) queueMicrotask(done as () => void);
      return true;
    }) as never);
  return run(argv);
}

test('every operation of the API has a command, or a reason to have none', () => {
  const named = { ...COMMAND_OF, ...NOT_FOR_PEOPLE };
  expect(
    server.operations.filter((id) => !(id in named)),
    'Write a command for it, and its line in operation-commands.ts',
  ).toEqual([]);
  expect(
    Object.keys(named).filter((id) => !server.operations.includes(id)),
    'These are gone',
  ).toEqual([]);
  expect(Object.keys(COMMAND_OF).filter((id) => id in NOT_FOR_PEOPLE)).toEqual([]);
});

describe.each(Object.entries(COMMAND_OF))('%s: windrow %s', (id, line) => {
  test('asks for it and shows the answer', async () => {
    const code = await windrow(line);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(server.asked()).toContain(id);
    const text = stdout + stderr;
    expect(text).not.toBe('');
    expect(text).not.toMatch(/undefined|\[object Object\]|NaN/);
  });

  test('and as JSON', async () => {
    expect({ code: await windrow(`${line} --json`), stderr: '' }).toEqual({ code: 0, stderr: '' });
    const documents = stdout.trim().split('\n');
    for (const one of documents) expect(() => JSON.parse(one), one.slice(0, 200)).not.toThrow();
    expect(documents.length).toBeGreaterThan(0);
  });
});
