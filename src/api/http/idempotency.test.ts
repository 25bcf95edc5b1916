import { expect, test } from 'vitest';
import { parseIdempotencyKey } from './idempotency.ts';

test('a key is the same quoted and bare', () => {
  expect(parseIdempotencyKey('"8e03978e-40d5"')).toBe('8e03978e-40d5');
  expect(parseIdempotencyKey(' 8e03978e-40d5 ')).toBe('8e03978e-40d5');
  expect(parseIdempotencyKey('"a\\"b"')).toBe('a"b');
});

test.each(['', '""', 'with space', 'ä', 'x'.repeat(256)])('%j is no key', (header) => {
  expect(parseIdempotencyKey(header)).toBeNull();
});
