import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

const key = (keyId: string, perMinute: number | null = null) => ({ keyId, perMinute });

test('past the quota a caller is told when to come back, and others go on', async () => {
  const limit = createRateLimit({ perKey: 2, perAddress: 1 });
  expect(await limit.take(key('a'))).toMatchObject({
    'ratelimit-policy': '"key";q=2;w=60',
    ratelimit: expect.stringMatching(/^"key";r=1;t=\d+$/),
  });
  expect(await limit.take(key('a'))).toMatchObject({ ratelimit: expect.stringMatching(/^"key";r=0;/) });
  await expect(limit.take(key('a'))).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfterMs: expect.any(Number),
    details: { 'ratelimit-policy': '"key";q=2;w=60', ratelimit: expect.stringMatching(/^"key";r=0;t=\d+$/) },
  });
  expect(await limit.take(key('b'))).toMatchObject({ ratelimit: expect.stringMatching(/^"key";r=1;/) });
});

test('an address has a limit of its own, also one with the name of a key', async () => {
  const limit = createRateLimit({ perKey: 1, perAddress: 2 });
  await limit.take(key('a'));
  expect(await limit.take({ address: 'a' })).toMatchObject({ 'ratelimit-policy': '"address";q=2;w=60' });
});

test('the limit of a key counts instead of that of the settings, also where those have none', async () => {
  const limit = createRateLimit({ perKey: 0, perAddress: 0 });
  await limit.take(key('a', 1));
  await expect(limit.take(key('a', 1))).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('zero means no limit', () => {
  const limit = createRateLimit({ perKey: 0, perAddress: 0 });
  expect(limit.take(key('a'))).toBeNull();
  expect(limit.take({ address: 'a' })).toBeNull();
});
