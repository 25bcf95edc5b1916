import fc from 'fast-check';
import { expect, test } from 'vitest';
import { absoluteUrl, canonicalUrl } from './url.ts';

test.each([
  ['an empty path becomes /', 'https://news.example', 'https://news.example/'],
  ['white space around it is dropped', '  https://news.example/a\n', 'https://news.example/a'],
  ['scheme and host are written small', 'HTTPS://News.Example/Path', 'https://news.example/Path'],
  ['the default port is dropped', 'http://news.example:80/a', 'http://news.example/a'],
  ['an empty port is dropped', 'http://news.example:/a', 'http://news.example/a'],
  ['another port stays', 'http://news.example:8080/a', 'http://news.example:8080/a'],
  ['a name in another script becomes IDNA', 'http://bücher.example/', 'http://xn--bcher-kva.example/'],
  ['the fragment is dropped', 'https://news.example/a#comments', 'https://news.example/a'],
  ['dot segments are resolved', 'https://news.example/a/./b/../c', 'https://news.example/a/c'],
  ['a trailing slash is another page', 'https://news.example/a/', 'https://news.example/a/'],
  ['parameters are sorted by name, then by value', 'https://n.example/?b=2&a=9&b=1', 'https://n.example/?a=9&b=1&b=2'],
  ['blank values are kept', 'https://n.example/?b=&a', 'https://n.example/?a=&b='],
  ['empty parts of a query mean nothing', 'https://n.example/?&&a=1&', 'https://n.example/?a=1'],
  ['a query with nothing in it is dropped', 'https://n.example/?', 'https://n.example/'],
  ['a space in a query is a plus', 'https://n.example/?q=two%20words', 'https://n.example/?q=two+words'],
  ['a plus in a query stays told apart from a space', 'https://n.example/?q=a%2Bb', 'https://n.example/?q=a%2Bb'],
  ['a space in a path is %20', 'https://n.example/two words', 'https://n.example/two%20words'],
  ['a plus in a path is a plus', 'https://n.example/a+b', 'https://n.example/a+b'],
  ['other letters become UTF-8 escapes', 'https://n.example/é?ü=ß', 'https://n.example/%C3%A9?%C3%BC=%C3%9F'],
  ['escapes are written in capitals', 'https://n.example/%c3%a9?a=%c3%a9', 'https://n.example/%C3%A9?a=%C3%A9'],
  ['escapes that are not UTF-8 survive', 'https://n.example/caf%e9?a=%a3', 'https://n.example/caf%E9?a=%A3'],
  ['needless escapes are undone', 'https://n.example/%7euser/%61?%61=%7e', 'https://n.example/~user/a?a=~'],
  ['an escaped slash or question mark stays one', 'https://n.example/a%2fb%3fc', 'https://n.example/a%2Fb%3Fc'],
  ['an escaped percent sign stays one', 'https://n.example/100%25?a=%2541', 'https://n.example/100%25?a=%2541'],
  [
    'reserved characters of a value are escaped',
    'https://n.example/?u=http://x/,y',
    'https://n.example/?u=http%3A%2F%2Fx%2F%2Cy',
  ],
  ['an equals sign in a value belongs to the value', 'https://n.example/?a=b=c', 'https://n.example/?a=b%3Dc'],
  ['what a path may not hold bare is escaped', 'https://n.example/a|b', 'https://n.example/a%7Cb'],
  [
    'tracking parameters are dropped',
    'https://n.example/?utm_source=x&id=1&fbclid=y&UTM_Medium=z',
    'https://n.example/?id=1',
  ],
  [
    'names that only look like tracking stay',
    'https://n.example/?utm=1&ref=2&gclidx=3',
    'https://n.example/?gclidx=3&ref=2&utm=1',
  ],
  ['user and password stay', 'http://user:pass@n.example:81/a', 'http://user:pass@n.example:81/a'],
  ['an IPv6 address stays', 'http://[::1]/a', 'http://[::1]/a'],
])('%s', (_, given, expected) => {
  expect(canonicalUrl(given)).toBe(expected);
});

test('what is no absolute URL is refused', () => {
  for (const bad of ['', 'news.example/a', '/a', 'http://']) expect(() => canonicalUrl(bad)).toThrow(TypeError);
});

test('different bytes are different pages', () => {
  expect(canonicalUrl('https://n.example/?a=%A3')).not.toBe(canonicalUrl('https://n.example/?a=%A4'));
});

test('the canonical spelling of a canonical spelling is itself', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const once = canonicalUrl(url);
      expect(canonicalUrl(once)).toBe(once);
    }),
  );
});

test('what a page calls an address and is none is no address', () => {
  const base = 'https://www.jobs.example/a/';
  expect(absoluteUrl('../company/7', base)).toBe('https://www.jobs.example/company/7');
  for (const none of [null, undefined, '', 'http://', 'https://a b/', '//['])
    expect(absoluteUrl(none, base)).toBeNull();
});
