import { expect, test } from 'vitest';
import { RequestHeaders } from './request-headers.ts';

const problems = (headers: Record<string, string>) =>
  (RequestHeaders.safeParse(headers).error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);

test('A6: headers that a key or a language needs are taken', () => {
  expect(
    problems({ Authorization: 'Bearer x', 'X-Api-Key': 'k', 'Accept-Language': 'de, en;q=0.5', Cookie: 'a=b' }),
  ).toEqual([]);
});

test('A6: no header of the settings ends a line, and none replaces those that decide where a request goes', () => {
  for (const value of ['a\r\nX-Evil: 1', 'a\nb', 'a\rb', 'a\0b'])
    expect(problems({ 'X-Api-Key': value })).toEqual(['X-Api-Key must not contain line ends']);
  for (const name of ['a: b\r\nc', 'a b', '', 'ä', 'x'.repeat(101)])
    expect(problems({ [name]: 'x' })).toEqual([' has a name that no header can have']);
  for (const name of [
    'Host',
    'content-length',
    'Connection',
    'Transfer-Encoding',
    'Proxy-Authorization',
    'X-Forwarded-For',
    'Upgrade',
  ])
    expect(problems({ [name]: 'x' })).toEqual([`${name} is set by Windrow`]);
  expect(problems(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`x-${n}`, 'x'])))).toEqual([
    ' may have at most 50 entries',
  ]);
});
