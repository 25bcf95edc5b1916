import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

test('a cursor comes back as it was given, to its own list only', () => {
  const cursor = encodeCursor('jobs', '42');
  expect(decodeCursor('jobs', cursor, /^\d+$/)).toBe('42');
  expect(decodeCursor('jobs', undefined, /^\d+$/)).toBeNull();
  expect(() => decodeCursor('results', cursor, /^\d+$/)).toThrow(expect.objectContaining({ code: 'invalid_params' }));
});

test.each(['', '42', '; drop table runs', Buffer.from("jobs:1' or 1=1").toString('base64url')])(
  '%j is refused',
  (cursor) => {
    expect(() => decodeCursor('jobs', cursor, /^\d+$/)).toThrow(/next_cursor/);
  },
);
