import { expect, test } from 'vitest';
import { HIDDEN } from '../model/secrets.ts';
import { redact, redactText } from './redact.ts';

test('fields that name a secret are hidden whatever they hold', () => {
  expect(
    redact({ authorization: 'Bearer abc', 'x-api-key': 'k', headers: { cookie: 'a=b' }, run_id: 'job_1' }),
  ).toEqual({
    authorization: HIDDEN,
    'x-api-key': HIDDEN,
    headers: { cookie: HIDDEN },
    run_id: 'job_1',
  });
});

test('credentials inside addresses are hidden and the rest of the text stays', () => {
  expect(redactText('GET http://user:pa55@proxy.example:8080/x failed')).toBe(
    `GET http://${HIDDEN}@proxy.example:8080/x failed`,
  );
  expect(redactText('proxy user:pa55@proxy.example:8080 refused')).toBe(`proxy ${HIDDEN}@proxy.example:8080 refused`);
  expect(redactText('https://medium.com/@someone/story')).toBe('https://medium.com/@someone/story');
  expect(redactText('https://a.example/x?token=hunter2&q=1')).toBe(`https://a.example/x?token=${HIDDEN}&q=1`);
  expect(redactText('mail a@b.example')).toBe('mail a@b.example');
});

test('errors keep their type, message and cause, without credentials', () => {
  const line = redact({ error: new Error('connect postgres://u:p@db/x', { cause: new TypeError('inner') }) });
  expect(line.error).toMatchObject({
    type: 'Error',
    message: `connect postgres://${HIDDEN}@db/x`,
    cause: { type: 'TypeError', message: 'inner' },
  });
});

test('a cyclic object ends in a mark instead of a stack overflow', () => {
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic.self = cyclic;
  expect(JSON.stringify(redact({ cyclic }))).toContain('[…]');
});

test('log injection stays inside one JSON string', () => {
  expect(JSON.stringify(redact({ url: 'a\nb\u001b[31m' }))).toBe('{"url":"a\\nb\\u001b[31m"}');
});

test('proxies are shown by host and port, in whatever form they were given', () => {
  const params = {
    search_term: 'nurse',
    proxy: 'user:hunter2@p.example:1',
    proxies: ['http://u:hunter2@a.example:1', 'b.example:2:u:hunter2', 'nonsense hunter2'],
  };
  expect(redact({ params }).params).toEqual({
    search_term: 'nurse',
    proxy: 'p.example:1',
    proxies: ['a.example:1', 'b.example:2', HIDDEN],
  });
});
