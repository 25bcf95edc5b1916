import { expect, test } from 'vitest';
import { proxyErrors, proxyLabel, proxyOfAttempt } from './task-proxies.ts';

test.each([
  ['http://user:p%40ss@proxy.example:8080', 'proxy.example:8080'],
  ['https://proxy.example', 'proxy.example'],
  ['socks5://u:p@[2001:db8::1]:1080', '[2001:db8::1]:1080'],
  ['user:p@ss@proxy.example:8080', 'proxy.example:8080'],
  ['proxy.example:8080', 'proxy.example:8080'],
  ['proxy.example:8080:user:secret', 'proxy.example:8080'],
])('the name of a proxy has neither user nor password', (text, label) => {
  expect(proxyLabel(text)).toBe(label);
});

test('what is no proxy is named by its place and not repeated', () => {
  const errors = proxyErrors(['proxy.example:1', 'direct', 'ftp://u:hunter2@x:1', 'two words:1', '']);
  expect(errors.map((error) => error.pointer)).toEqual(['/proxies/1', '/proxies/2', '/proxies/3', '/proxies/4']);
  expect(JSON.stringify(errors)).not.toContain('hunter2');
});

test('every attempt takes the next proxy, and the same attempt always the same', () => {
  const proxies = ['a:1', 'b:1', 'c:1'];
  const of = (attempt: number, id = 't1') => proxyOfAttempt({ task_id: id, attempt, params: { proxies } });
  expect(new Set([of(1), of(2), of(3)])).toEqual(new Set(proxies));
  expect(of(4)).toBe(of(1));
  expect(of(1)).toBe(of(1));
});

test('tasks begin with different proxies', () => {
  const proxies = ['a:1', 'b:1', 'c:1', 'd:1'];
  const first = Array.from({ length: 50 }, (_, i) =>
    proxyOfAttempt({ task_id: `t${i}`, attempt: 1, params: { proxies } }),
  );
  expect(new Set(first).size).toBe(4);
});

test('a proxy of the task itself comes first, and a task without any leaves by the usual exit', () => {
  expect(proxyOfAttempt({ task_id: 't', attempt: 2, params: { proxy: 'x:1', proxies: ['a:1'] } })).toBe('x:1');
  expect(proxyOfAttempt({ task_id: 't', attempt: 1, params: { proxies: [] } })).toBeUndefined();
  expect(proxyOfAttempt({ task_id: 't', attempt: 1, params: {} })).toBeUndefined();
});
