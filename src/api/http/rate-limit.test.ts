import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

test('past the quota a caller is told when to come back, and others go on', async () => {
  const limit = createRateLimit(4)!;
  expect(await limit.take('a')).toBeNull();
  await limit.take('a');
  expect(await limit.take('a')).toMatchObject({
    'ratelimit-policy': '"default";q=4;w=60',
    ratelimit: expect.stringMatching(/^"default";r=1;t=/),
  });
  await limit.take('a');
  await expect(limit.take('a')).rejects.toMatchObject({ code: 'too_many_requests', retryAfterMs: expect.any(Number) });
  expect(await limit.take('b')).toBeNull();
});

test('zero means no limit', () => {
  expect(createRateLimit(0)).toBeNull();
});
