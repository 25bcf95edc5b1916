// The OpenAPI document as a promise to those who generate clients from it: free of faults by the rules of redocly.yaml, and with names that stay.
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECURITY } from '../src/api/docs/openapi.ts';
import { apiDocument } from '../tools/dashboard/api-document.ts';
import { OPERATIONS_FILE, operationsOf } from '../tools/openapi/operations.ts';

const ROOT = resolve(import.meta.dirname, '..');
const file = join(tmpdir(), `windrow-openapi-${process.pid}.json`);
const document = { ...apiDocument(), security: SECURITY };

beforeAll(() => writeFileSync(file, JSON.stringify(document)));
afterAll(() => rmSync(file, { force: true }));

interface Finding {
  ruleId: string;
  message: string;
  location: { pointer?: string }[];
}

/** Redocly asks its own server for newer versions, unless it believes to be in CI. */
const QUIET = { ...process.env, CI: 'true', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

async function lint(): Promise<string[]> {
  const cli = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
  const args = [cli, 'lint', file, '--config', join(ROOT, 'redocly.yaml'), '--format=json', '--max-problems=1000'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: QUIET, maxBuffer: 50e6 }).catch(
    (error: { stdout: string; stderr: string }) => {
      if (error.stdout?.startsWith('{')) return error;
      throw error;
    },
  );
  const { problems } = JSON.parse(stdout) as { problems: Finding[] };
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}

test('the OpenAPI document keeps the rules of redocly.yaml', async () => {
  expect(await lint()).toEqual([]);
});

test('operations keep their ids and paths, and new ones are written down', () => {
  const known = JSON.parse(readFileSync(OPERATIONS_FILE, 'utf8')) as Record<string, string>;
  const now = operationsOf(document);
  const changed = Object.entries(known).flatMap(([id, route]) =>
    now[id] === route ? [] : [`${id} was ${route} and is ${now[id] ?? 'gone'}`],
  );
  expect(
    changed,
    'Clients call operations by these ids. If it has to be: `npm run openapi`, and say it in CHANGELOG.md',
  ).toEqual([]);
  expect(Object.keys(now), 'An operation is new: run `npm run openapi` and commit it').toEqual(Object.keys(known));
});
