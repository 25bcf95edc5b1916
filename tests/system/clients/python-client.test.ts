// The Python client of clients/python, by its own tests: against a server that answers as told, and against a whole Windrow on the sandbox web.
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forNode } from '../../support/processes.ts';
import { runProgram } from '../../support/windrow.ts';
import { type DashboardWorld, openDashboardWorld } from '../../support/worlds/dashboard-world.ts';

const FOLDER = resolve(import.meta.dirname, '../../../clients/python');
const KEY = 'key-of-the-python-client';
let world: DashboardWorld;

beforeAll(async () => {
  world = await openDashboardWorld({ keys: [KEY] });
});
afterAll(() => world?.close());

const run = (file: string) =>
  runProgram(process.env.TEST_PYTHON!, ['-W', 'error::SyntaxWarning', join(FOLDER, 'tests', file), '-v'], {
    cwd: FOLDER,
    env: {
      ...forNode(),
      PYTHONPATH: join(FOLDER, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      WINDROW_URL: world.url,
      WINDROW_API_KEY: KEY,
    },
  });

test.each([
  ['test_transport.py', 13],
  ['test_live.py', 9],
])('%s', async (file, count) => {
  const { code, stderr } = await run(file);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(`Ran ${count} tests`);
});
