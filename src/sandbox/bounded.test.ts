import { expect, test } from 'vitest';
import { BoundedMap } from './bounded.ts';

test('what was used longest ago is forgotten first', () => {
  const map = new BoundedMap<string>(2);
  map.set('a', '1');
  map.set('b', '2');
  map.get('a');
  map.set('c', '3');
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual(['1', undefined, '3']);
});

test('the limit is on weight, replacing an entry gives its weight back, and what is too heavy is not kept', () => {
  const map = new BoundedMap<string>(10, (text) => text.length);
  for (let i = 0; i < 100; i++) map.set('a', '123456');
  map.set('b', '1234');
  expect([map.get('a'), map.get('b')]).toEqual(['123456', '1234']);
  map.set('c', '12345678901');
  expect([map.get('c'), map.get('a')]).toEqual([undefined, '123456']);
  map.set('d', '1234567');
  expect([map.get('a'), map.get('b'), map.get('d')]).toEqual([undefined, undefined, '1234567']);
});
