import { expect, test } from 'vitest';
import { strip, stripEnd } from './strip.ts';

test('characters are taken off the ends and nowhere else', () => {
  expect(stripEnd('a, b,; ', ' ,;')).toBe('a, b');
  expect(strip(' - a - b - ', ' -')).toBe('a - b');
  expect(strip(',,,', ',')).toBe('');
  expect(stripEnd('', ',')).toBe('');
});
