import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { connectionError, isNotThereYet, serverAddress } from './connection-error.ts';

const POSTGRES = {
  server: 'PostgreSQL',
  setting: 'DATABASE_URL',
  url: 'postgres://someone:geheim@127.0.0.1:5433/windrow',
} as const;
const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5433'), { code: 'ECONNREFUSED' });

test('a server that cannot be reached is named with its address, its setting and the reason, without its password', () => {
  expect(connectionError(POSTGRES, refused())).toMatchObject({
    code: 'unavailable',
    message: 'Cannot reach PostgreSQL at 127.0.0.1:5433 (DATABASE_URL): connection refused',
  });
});

test('a host with several addresses gives the reason of the first', () => {
  expect(connectionError(POSTGRES, new AggregateError([refused(), refused()]))).toMatchObject({
    message: expect.stringMatching(/: connection refused$/),
  });
});

test('a reason that has no row is told in the words of the server', () => {
  const error = Object.assign(new Error('password authentication failed for user "someone"'), { code: '28P01' });
  expect(connectionError(POSTGRES, error)).toMatchObject({
    message: expect.stringMatching(/\(DATABASE_URL\): password authentication failed for user "someone"$/),
  });
});

test('a pooler that refuses a connection is named with the remedy, and not waited for', () => {
  const refusal = (message: string) => connectionError(POSTGRES, Object.assign(new Error(message), { code: '08P01' }));
  const error = refusal('unsupported startup parameter: options') as AppError;
  expect(error.message).toMatch(/it is PgBouncer \(.*\)\. Add \?pgbouncer=true to the URL/);
  expect(isNotThereYet(error)).toBe(false);
  expect(isNotThereYet(refusal('no such database: windrow') as AppError)).toBe(false);
  expect(isNotThereYet(refusal('server login has been failing') as AppError)).toBe(true);
});

test('an error that is not about the connection stays as it is', () => {
  for (const error of [new AppError('newer_database'), Object.assign(new Error('syntax error'), { code: '42601' })])
    expect(connectionError(POSTGRES, error)).toBe(error);
});

test('the port is the usual one unless the URL has another', () => {
  expect(serverAddress({ server: 'PostgreSQL', url: 'postgres://db/windrow' })).toBe('db:5432');
  expect(serverAddress({ server: 'Redis', url: 'rediss://:geheim@cache.example/0' })).toBe('cache.example:6379');
  expect(serverAddress({ server: 'PostgreSQL', url: 'postgres:///windrow?host=/run/postgresql' })).toBe(
    '/run/postgresql:5432',
  );
});
