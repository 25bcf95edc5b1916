import { expect, test } from 'vitest';
import { parseHostMap } from './host-map.ts';

test('an exact host wins over a suffix, the longer suffix over the shorter, everything over the star', () => {
  const map = parseHostMap(
    'a.example=http://127.0.0.1:1, *.example=http://127.0.0.1:2,*.deep.example=http://127.0.0.1:3,*=http://127.0.0.1:4',
  );
  expect(map.originFor('a.example')).toBe('http://127.0.0.1:1');
  expect(map.originFor('b.example')).toBe('http://127.0.0.1:2');
  expect(map.originFor('x.deep.example')).toBe('http://127.0.0.1:3');
  expect(map.originFor('other.test')).toBe('http://127.0.0.1:4');
});

test('hosts that are not named keep their own origin', () => {
  const map = parseHostMap('a.example=https://127.0.0.1:1/');
  expect(map.originFor('b.example')).toBeNull();
  expect(map.isEmpty).toBe(false);
});

test('nothing given is an empty map', () => {
  expect(parseHostMap(undefined).isEmpty).toBe(true);
  expect(parseHostMap(' ,').isEmpty).toBe(true);
});

test.each(['a.example', '=http://127.0.0.1', 'a=ftp://127.0.0.1', 'a=http://127.0.0.1/path', 'a=nowhere'])(
  '%s is reported',
  (text) => {
    expect(() => parseHostMap(text)).toThrow('not host=origin');
  },
);
