import { expect, test } from 'vitest';
import { pgJson, pgText } from './text.ts';

test('NUL and lone surrogates are dropped from text', () => {
  expect(pgText('a\0b\ud800c')).toBe('ab\ufffdc');
  expect(pgText(null)).toBe(null);
});

test('NUL and lone surrogates are dropped from JSON values, and a written-out escape stays', () => {
  expect(JSON.parse(pgJson({ a: 'x\0y', b: ['\udc00'] }))).toEqual({ a: 'xy', b: ['\ufffd'] });
  expect(JSON.parse(pgJson({ a: '\\u0000' }))).toEqual({ a: '\\u0000' });
});

test('a whole surrogate pair is kept', () => {
  expect(JSON.parse(pgJson({ a: '😀' }))).toEqual({ a: '😀' });
});
