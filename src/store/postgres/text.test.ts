import { expect, test } from 'vitest';
import { pgJson, pgText, plainArray, textArray } from './text.ts';

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

test('array parameters are written as PostgreSQL reads them', () => {
  expect(plainArray([1, null, 'abc'])).toBe('{1,NULL,abc}');
  expect(textArray(['plain', null, '', 'say "hi"', 'back\\slash', 'a,b{c}'])).toBe(
    String.raw`{"plain",NULL,"","say \"hi\"","back\\slash","a,b{c}"}`,
  );
});
