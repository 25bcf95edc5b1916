// PostgreSQL and Redis over TLS, with a CA of one's own that the URLs name.
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, type OwnPostgres, type OwnRedis, startPostgres, startRedis } from '../../support/own-servers.ts';
import { Roles } from '../../support/processes.ts';
import { Fleet } from '../../support/worlds/fleet.ts';

const CERTS = resolve(import.meta.dirname, '../../support/certs');
const CA = join(CERTS, 'site.cert.pem');
const OTHER_CA = join(CERTS, 'expired.cert.pem');

const roles = new Roles();
let postgres: OwnPostgres;
let redis: OwnRedis;
let tlsPort: number;
let f: Fleet;
beforeAll(async () => {
  tlsPort = await freePort();
  [postgres, redis] = await Promise.all([startPostgres({ hasTls: true, isDurable: false }), startRedis({ tlsPort })]);
});
afterAll(async () => {
  await roles.reap();
  await f?.close();
  await Promise.all([postgres?.stop(), redis?.stop()]);
});

const postgresUrl = (ca: string) => `${postgres.url}?sslmode=verify-full&sslrootcert=${ca}`;
const redisUrl = (ca: string, host = '127.0.0.1') => `rediss://${host}:${tlsPort}/0?ca_file=${ca}`;

test('every connection of a fleet is encrypted, and its server is who it says', async () => {
  f = await Fleet.start({ postgresUrl: postgresUrl(CA), workers: 1, env: { REDIS_URL: redisUrl(CA) } });
  await f.submit(f.urls(5));
  await f.verify();
  const open = await f.withSql((sql) =>
    sql<{ ssl: boolean }>(
      `select s.ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.application_name = 'windrow'`,
    ),
  );
  expect(open.length).toBeGreaterThan(1);
  expect(open.every(({ ssl }) => ssl)).toBe(true);
});

test('a server of another CA, or of another name, is refused with the reason and the setting', async () => {
  const doctor = async (env: Record<string, string>): Promise<string> => {
    const role = roles.start(['doctor'], { env });
    await role.waitForExit();
    return role.output;
  };
  const [other, unnamed, missing] = await Promise.all([
    doctor({ DATABASE_URL: postgresUrl(OTHER_CA), REDIS_URL: redisUrl(OTHER_CA) }),
    doctor({ REDIS_URL: `rediss://127.0.0.1:${tlsPort}` }),
    doctor({ REDIS_URL: redisUrl('/nowhere/ca.pem') }),
  ]);
  expect(other).toMatch(
    /FAIL.*Cannot reach PostgreSQL at 127\.0\.0\.1:\d+ \(DATABASE_URL\): its TLS certificate is not trusted.*sslrootcert=/,
  );
  expect(other).toMatch(
    /FAIL.*Cannot reach Redis at 127\.0\.0\.1:\d+ \(REDIS_URL\): its TLS certificate is not trusted.*ca_file=/,
  );
  expect(unnamed).toMatch(/FAIL.*Redis.*its TLS certificate is not trusted/);
  expect(missing).toMatch(/FAIL.*\/nowhere\/ca\.pem, which cannot be read/);
  const worker = roles.start(['worker'], { env: { REDIS_URL: redisUrl(OTHER_CA), LOG_LEVEL: 'info' } });
  await worker.waitForLine(/wire\.error.*certificate/);
});
