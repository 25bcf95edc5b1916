import { expect, test } from 'vitest';
import { bounded, MAX_CHARS } from './limits.ts';

test('a field is cut where it is longer than any honest one, and left alone otherwise', () => {
  expect(bounded('Welder', 'title')).toBe('Welder');
  expect(bounded(null, 'title')).toBeNull();
  expect(bounded(3, 'date')).toBe(3);
  expect(bounded('@'.repeat(1_000_000), 'title')).toHaveLength(MAX_CHARS.title);
  expect(bounded(`a${'🚢'.repeat(MAX_CHARS.title)}`, 'title').isWellFormed()).toBe(true);
});

test('an address that is too long is none: half of one leads elsewhere', () => {
  expect(bounded(`https://a.example/${'a'.repeat(10_000)}`, 'url')).toBe('');
});
