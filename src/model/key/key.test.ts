import { expect, test } from 'vitest';
import { covers, keyHash, keyStatus, newKey, SCOPES } from './key.ts';

test('a scope includes the ones before it', () => {
  for (const [has, given] of SCOPES.entries())
    for (const [needs, needed] of SCOPES.entries()) expect(covers(given, needed)).toBe(has >= needs);
});

test('a new key is random, begins with what is shown of it, and is known by its hash', () => {
  const [a, b] = [newKey(), newKey()];
  expect(a.key).toMatch(/^wdr_[0-9a-f]{48}$/);
  expect(a.prefix).toBe(a.key.slice(0, 12));
  expect(keyHash(a.key)).toEqual(a.hash);
  expect(new Set([a.key, b.key, a.id, b.id]).size).toBe(4);
});

test.each([
  [null, null, 'active'],
  [new Date(2_000), null, 'active'],
  [new Date(1_000), null, 'expired'],
  [new Date(2_000), new Date(500), 'revoked'],
] as const)('a key that expires at %s and was revoked at %s is %s', (expiresAt, revokedAt, status) => {
  expect(keyStatus({ expiresAt, revokedAt }, 1_000)).toBe(status);
});
