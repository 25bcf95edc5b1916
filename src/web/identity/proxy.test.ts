import { expect, test } from 'vitest';
import { DIRECT, keyOfExit, parseProxy, parseTiers } from './proxy.ts';

test.each([
  [
    'http://u:p%40ss@proxy.example:8080',
    { scheme: 'http', host: 'proxy.example', port: 8080, username: 'u', password: 'p@ss' },
  ],
  ['https://proxy.example', { scheme: 'https', port: 443 }],
  ['socks5://u:p@10.0.0.1:1081', { scheme: 'socks5', host: '10.0.0.1', port: 1081 }],
  ['socks5h://proxy.example', { scheme: 'socks5', port: 1080 }],
  ['u:p@proxy.example:3128', { scheme: 'http', username: 'u', password: 'p' }],
  ['proxy.example:3128', { scheme: 'http', port: 3128, username: '' }],
  ['proxy.example:3128:user:pa/ss', { username: 'user', password: 'pa/ss', port: 3128 }],
])('%s is read', (text, expected) => {
  expect(parseProxy(text)).toMatchObject(expected);
});

test('the label never holds credentials, and neither do complaints', () => {
  expect(parseProxy('http://user:secret@proxy.example:8080').label).toBe('proxy.example:8080');
  expect(() => parseProxy('http://user:secret@:x')).toThrow(/^(?!.*secret)/);
  expect(() => parseProxy('ftp://user:secret@proxy.example')).toThrow(
    'a proxy has to be http, https or socks5, not ftp',
  );
});

test('tiers are divided by semicolons, members by commas, spaces or lines', () => {
  const tiers = parseTiers('direct; http://a:1, http://b:2\nsocks5://c:3 # spare\n; https://d:4');
  expect(tiers.map((tier) => tier.map((exit) => (exit === DIRECT ? DIRECT : exit.label)))).toEqual([
    ['direct'],
    ['a:1', 'b:2', 'c:3'],
    ['d:4'],
  ]);
  expect(parseTiers('  ')).toEqual([]);
});

test('exits behind one gateway are told apart by their user, whose name is not shown', () => {
  const keys = ['gate.example:1', 'http://ann-1:x@gate.example:1', 'http://ann-2:x@gate.example:1'].map((text) =>
    keyOfExit(parseProxy(text), 'direct'),
  );
  expect(new Set(keys).size).toBe(3);
  expect(keys[0]).toBe('gate.example:1');
  expect(keys.join()).not.toContain('ann');
  expect(keyOfExit(DIRECT, 'oslo')).toBe('oslo');
});
