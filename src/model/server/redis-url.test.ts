import { expect, test } from 'vitest';
import { parseRedisUrl, redisAddress } from './redis-url.ts';

test('one server, with what is usual where nothing is said', () => {
  expect(parseRedisUrl('redis://cache.example')).toEqual({
    hosts: [{ host: 'cache.example', port: 6379 }],
    master: null,
    isTls: false,
    username: null,
    password: null,
    db: 0,
    params: {},
  });
  expect(parseRedisUrl('rediss://me:p%40ss@[::1]:7000/3?ca_file=/etc/ca.pem')).toMatchObject({
    hosts: [{ host: '::1', port: 7000 }],
    isTls: true,
    username: 'me',
    password: 'p@ss',
    db: 3,
    params: { ca_file: '/etc/ca.pem' },
  });
});

test('sentinels, the name of the server and its database', () => {
  expect(parseRedisUrl('redis+sentinel://:secret@a,b:26380,10.0.0.3/main/2?sentinel_password=other')).toMatchObject({
    hosts: [
      { host: 'a', port: 26379 },
      { host: 'b', port: 26380 },
      { host: '10.0.0.3', port: 26379 },
    ],
    master: 'main',
    password: 'secret',
    db: 2,
    params: { sentinel_password: 'other' },
  });
  expect(redisAddress('redis+sentinel://:secret@a,b:26380/main')).toBe('a:26379, b:26380 (sentinels of main)');
});

test('what is no address is none', () => {
  const wrong = [
    '',
    'http://a',
    'redis://a,b',
    'redis+sentinel://a',
    'redis+sentinel://a/',
    'redis://a/x',
    'redis://a?tls=1',
  ];
  for (const url of [...wrong, 'redis://a:99999', 'redis://a b', 'redis+sentinel://a/b/1/2', 'redis://%zz:a@b'])
    expect([url, parseRedisUrl(url)]).toEqual([url, null]);
});
