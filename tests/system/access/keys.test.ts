// Keys of the store, in two API processes on one database: what is made or revoked through one holds in the other, and an outage of PostgreSQL changes nothing
// for those who were known before it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseContents, onDatabase } from '../../support/outputs/contents.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

const BOOTSTRAP = 'bootstrap-key-1';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let a: ApiWorld;
let b: ApiWorld;
beforeAll(async () => {
  database = await freshDatabase();
  const options = { apiKeys: [BOOTSTRAP], isWithWorker: false, databaseUrl: database.url };
  a = await startApiWorld(options);
  b = await startApiWorld(options);
});
afterAll(async () => {
  await a?.stop();
  await b?.stop();
  await database?.drop();
});

const as = (key: string) => ({ 'x-api-key': key });
const ask = (world: ApiWorld, key: string) => world.call('GET', '/runs', undefined, as(key));

async function make(body: object = {}) {
  const input = { name: 'a key', owner: 'team-a', scope: 'submit', ...body };
  const { status, body: made, text } = await a.call('POST', '/keys', input, as(BOOTSTRAP));
  expect(status, text).toBe(201);
  return made as { id: string; key: string; prefix: string; expires_at: string | null };
}

test('a key is shown once, works at once in every process, and is stored as a hash', async () => {
  const made = await make();
  expect(made.key).toMatch(/^wdr_[0-9a-f]{48}$/);
  expect((await ask(b, made.key)).status).toBe(200);
  expect((await ask(a, made.key)).status).toBe(200);
  const listed = await a.call('GET', '/keys', undefined, as(BOOTSTRAP));
  expect(listed.body.keys[0]).toMatchObject({ id: made.id, prefix: made.prefix, owner: 'team-a', scope: 'submit' });
  const shown = await b.call('GET', `/keys/${made.id}`, undefined, as(BOOTSTRAP));
  const dump = [...(await databaseContents(database.url)).values()].join('\n');
  expect(dump).toContain(made.id);
  for (const text of [listed.text, shown.text, JSON.stringify([a.lines, b.lines]), dump])
    expect(text).not.toContain(made.key);
});

test('a revoked key stops working in every process', async () => {
  const made = await make();
  expect((await ask(b, made.key)).status).toBe(200);
  expect((await a.call('DELETE', `/keys/${made.id}`, undefined, as(BOOTSTRAP))).body.status).toBe('revoked');
  expect(await ask(a, made.key)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  await expect.poll(async () => (await ask(b, made.key)).status, { timeout: 60_000 }).toBe(401);
  const rotated = await a.call('POST', `/keys/${made.id}/rotate`, undefined, as(BOOTSTRAP));
  expect(rotated).toMatchObject({ status: 409, body: { code: 'key_inactive' } });
});

test('after a rotation both keys work, until the old one expires', async () => {
  const made = await make();
  const rotate = (id: string, body?: object) => a.call('POST', `/keys/${id}/rotate`, body, as(BOOTSTRAP));
  const { body: second } = await rotate(made.id);
  expect(second).toMatchObject({ replaces: made.id, owner: 'team-a', scope: 'submit', expires_at: null });
  expect(second.replaced).toMatchObject({ id: made.id, status: 'active' });
  const hours = (Date.parse(second.replaced.expires_at) - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);
  for (const key of [made.key, second.key]) expect((await ask(b, key)).status).toBe(200);
  const { body: third } = await rotate(second.id, { grace_seconds: 0 });
  await expect.poll(async () => (await ask(b, second.key)).status, { timeout: 60_000 }).toBe(401);
  expect((await ask(b, third.key)).status).toBe(200);
});

test('a key that has expired is refused, and its limits and expiry can be changed', async () => {
  const made = await make({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
  const change = (body: object) => a.call('PATCH', `/keys/${made.id}`, body, as(BOOTSTRAP));
  expect((await change({ requests_per_minute: 7 })).body).toMatchObject({
    requests_per_minute: 7,
    expires_at: made.expires_at,
    name: 'a key',
  });
  expect((await change({ expires_at: null })).body.expires_at).toBeNull();
  expect((await change({ expires_at: '2020-01-01' })).status).toBe(422);
  await onDatabase(database.url, (client) =>
    client.query('update api_keys set expires_at = now(), changed_at = now() where id = $1', [made.id]),
  );
  await expect.poll(async () => (await ask(b, made.key)).text, { timeout: 60_000 }).toContain('has expired');
});

test('what is not allowed says so by field', async () => {
  const refused = async (body: object) =>
    (await a.call('POST', '/keys', { name: 'x', scope: 'read', ...body }, as(BOOTSTRAP))).body.errors?.[0].pointer;
  expect(await refused({ scope: 'root' })).toBe('/scope');
  expect(await refused({ owner: 'Team A' })).toBe('/owner');
  expect(await refused({ expires_at: 'soon' })).toBe('/expires_at');
  expect((await a.call('GET', '/keys/key_000000000000', undefined, as(BOOTSTRAP))).status).toBe(404);
});

test('when a key was last used is written at the latest when the process stops', async () => {
  const made = await make();
  const world = await startApiWorld({ apiKeys: [BOOTSTRAP], isWithWorker: false, databaseUrl: database.url });
  await ask(world, made.key);
  await world.stop();
  const { body } = await a.call('GET', `/keys/${made.id}`, undefined, as(BOOTSTRAP));
  expect(Date.parse(body.last_used_at)).toBeGreaterThan(Date.parse(body.created_at));
});
