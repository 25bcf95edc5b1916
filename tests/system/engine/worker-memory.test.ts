// A worker begins as any other process; or, told so, with the flags of a small one, under the pid it was started with.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { LEAN_FLAGS } from '../../../src/cli/process/lean.ts';
import { Roles } from '../../support/processes.ts';

const redis = process.env.TEST_REDIS_URL;
if (redis === undefined) throw new Error('TEST_REDIS_URL is not set; run `npm test`');
const roles = new Roles();
afterEach(() => roles.reap());

test.each([
  ['by default', [], []],
  ['with --lean on', ['--lean', 'on'], LEAN_FLAGS],
])('%s', async (_, given, expected) => {
  const worker = roles.start(['worker', '--lanes', 'nothing', ...given], { env: { REDIS_URL: redis } });
  await worker.waitForLine(/process\.started/);
  const flags = readFileSync(`/proc/${worker.pid}/cmdline`, 'utf8').split('\0');
  expect(LEAN_FLAGS.filter((flag) => flags.includes(flag))).toEqual(expected);
  expect(await worker.terminate()).toEqual({ code: 0, signal: null });
});
