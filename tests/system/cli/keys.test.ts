// `windrow keys`: the first key directly in the database, the others through a server that needs keys from then on.
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../../support/own-servers.ts';
import { type Ended, runWindrow } from '../../support/windrow.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
beforeAll(async () => {
  database = await freshDatabase();
  world = await startApiWorld({ isWithWorker: false, databaseUrl: database.url });
});
afterAll(async () => {
  await world?.stop();
  await database?.drop();
});

const directly = (...args: string[]) =>
  runWindrow(['keys', ...args, '--direct'], { cwd: tmpdir(), env: { DATABASE_URL: database.url } });
const through = (key: string, ...args: string[]) =>
  runWindrow(['keys', ...args], { cwd: tmpdir(), env: { WINDROW_URL: world.url, WINDROW_API_KEY: key } });
const linesOf = ({ code, stdout, stderr }: Ended): string[] => {
  expect(code, stderr).toBe(0);
  return stdout.trim().split('\n');
};

test('the first key is made in the database, and makes, lists, rotates and revokes others', async () => {
  const refused = await directly('create', 'ci', '--scope', 'read');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('--scope admin');
  const [id, admin] = linesOf(await directly('create', 'operator', '--scope', 'admin')) as [string, string];
  await expect.poll(async () => (await world.call('GET', '/runs')).status, { timeout: 60_000 }).toBe(401);

  const [second, key] = linesOf(
    await through(admin, 'create', 'Import', '--owner', 'data-team', '--scope', 'submit', '--expires-in', '30'),
  ) as [string, string];
  const [head, ...rows] = linesOf(await through(admin, 'list'));
  expect(head).toMatch(/^KEY +BEGINS +NAME +OWNER +SCOPE +STATUS/);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(new RegExp(`^${second} +${key.slice(0, 12)}… +Import +data-team +submit +active`));
  expect(rows[1]).toMatch(new RegExp(`^${id} `));
  expect(JSON.stringify(rows)).not.toContain(key);

  const rotated = await through(admin, 'rotate', second, '--json');
  expect(JSON.parse(linesOf(rotated).join('\n'))).toMatchObject({ replaces: second, replaced: { status: 'active' } });
  const revoked = await through(admin, 'revoke', second);
  expect(revoked.stderr).toContain(`Revoked ${second} (Import, of data-team).`);
  expect((await through(key, 'list')).stderr).toContain('was revoked');
  expect(linesOf(await directly('list', '--owner', 'data-team')).filter((line) => /revoked/.test(line))).toHaveLength(
    1,
  );
});

test('what is wrong with an option is said, and a key without the scope is told which it needs', async () => {
  expect(await directly('create', 'x', '--scope', 'root')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('read, submit, admin'),
  });
  const [, key] = linesOf(await directly('create', 'reader', '--scope', 'read')) as [string, string];
  const refused = await through(key, 'list');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('needs an API key with scope admin');
});
