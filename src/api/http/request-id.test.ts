import { expect, test } from 'vitest';
import { requestIdOf } from './request-id.ts';

test("the caller's id is kept when it is short and printable", () => {
  expect(requestIdOf({ headers: { 'x-request-id': 'abc-123' } })).toBe('abc-123');
});

test.each(['', 'with space', 'x'.repeat(129), 'tab\t', 'ä'])('instead of %j a new one is made', (given) => {
  expect(requestIdOf({ headers: { 'x-request-id': given } })).toMatch(/^req_[0-9a-f-]{36}$/);
});
