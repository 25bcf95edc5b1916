// Roles as processes: that they are seen to start, to fail and to end, and that none is left.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processMark } from '../../../src/store/embedded/process.ts';
import { freePort } from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';

const SCRIPT = `
import { createServer } from 'node:http';
const [what, port] = process.argv.slice(2);
console.log(JSON.stringify({ event: 'begun', secret: process.env.SECRET ?? 'none', given: process.env.GIVEN }));
if (what === 'fail') { console.error('cannot go on'); process.exit(3); }
const server = createServer((_, response) => response.end('ok')).listen(Number(port), '127.0.0.1', () => console.log('listening'));
if (what === 'deaf') process.on('SIGTERM', () => {});
else process.on('SIGTERM', () => server.close(() => process.exit(0)));
`;

const roles = new Roles();
let folder: string;
let script: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'windrow-roles-'));
  script = join(folder, 'role.mjs');
  writeFileSync(script, SCRIPT);
});

afterEach(async () => {
  await roles.reap();
  rmSync(folder, { recursive: true });
});

test('a role is ready when it says so and when it answers, and ends with its code', async () => {
  const port = await freePort();
  process.env.SECRET = 'of the test runner';
  const role = roles.start(['serve', String(port)], { script, env: { GIVEN: 'yes' } });
  delete process.env.SECRET;
  await role.waitForLine(/^listening$/m);
  await role.waitForHttp(`http://127.0.0.1:${port}/`);
  expect(role.events).toEqual([{ event: 'begun', secret: 'none', given: 'yes' }]);
  expect(await role.terminate()).toEqual({ code: 0, signal: null });
  expect(role.isRunning).toBe(false);
});

test('a role that ends before it is ready fails the wait at once, with what it printed', async () => {
  const role = roles.start(['fail'], { script });
  const began = performance.now();
  await expect(role.waitForLine(/listening/)).rejects.toThrow(
    /fail did not print \/listening\/; it ended with 3.*cannot go on/s,
  );
  expect(performance.now() - began).toBeLessThan(60_000);
});

test('a role that ignores SIGTERM is reported, and reaped even when paused', async () => {
  const role = roles.start(['deaf', String(await freePort())], { script });
  await role.waitForLine(/listening/);
  await expect(role.terminate(100)).rejects.toThrow('still ran after 100 ms');
  role.pause();
  const { pid } = role;
  await roles.reap();
  expect(await processMark(pid)).toBeUndefined();
});
