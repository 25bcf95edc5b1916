import { expect, test } from 'vitest';
import { readTarget } from './address.ts';

const read = (target: string) => {
  const { path, search, fault } = readTarget(target);
  return { path, search, fault };
};

test('an address without a fault is taken as it is', () => {
  expect(read('/a/b?x=1&y=%20')).toEqual({ path: '/a/b', search: 'x=1&y=%20', fault: null });
  expect(read('http://host.example/a?x=1')).toEqual({ path: '/a', search: 'x=1', fault: null });
  expect(read('/a?default=1')).toEqual({ path: '/a', search: 'default=1', fault: null });
});

test('a fault is taken out of the query or the path', () => {
  expect(read('/a?x=1&fault=slow:20&y=2')).toEqual({ path: '/a', search: 'x=1&y=2', fault: 'slow:20' });
  expect(read('/fault/slow:20/a/b?x=1')).toEqual({ path: '/a/b', search: 'x=1', fault: 'slow:20' });
  expect(read('/fault/404')).toEqual({ path: '/', search: '', fault: '404' });
  expect(read('/fault/redirect-to:http%3A%2F%2F10.0.0.1%2F/a')).toEqual({
    path: '/a',
    search: '',
    fault: 'redirect-to:http://10.0.0.1/',
  });
  expect(read('/fault/%E0%A4%A/a').fault).toBe('%E0%A4%A');
});

test('another fault is put where the first one stood', () => {
  expect(readTarget('/a?x=1&fault=redirect:2').pathWith('redirect:1')).toBe('/a?x=1&fault=redirect%3A1');
  expect(readTarget('/a?x=1&fault=redirect:1').pathWith(null)).toBe('/a?x=1');
  expect(readTarget('/fault/redirect:2/a?x=1').pathWith('redirect:1')).toBe('/fault/redirect%3A1/a?x=1');
  expect(readTarget('/fault/redirect:1/a?x=1').pathWith(null)).toBe('/a?x=1');
});
