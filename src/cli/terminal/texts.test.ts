// The small pure parts of the command line: what they make of text.
import { expect, test } from 'vitest';
import { nearest } from '../../model/nearest.ts';
import { submission } from '../commands/scraping/submit.ts';
import { addressLines, checkAddresses } from './addresses.ts';
import { columns } from './table.ts';

test('a slip of the fingers finds its name, another word does not', () => {
  const known = ['submit', 'scrape', 'sandbox', 'doctor'];
  expect(nearest('sumbit', known)).toBe('submit');
  expect(nearest('scrap', known)).toBe('scrape');
  expect(nearest('sandbxo', known)).toBe('sandbox');
  expect(nearest('destroy', known)).toBeNull();
  expect(nearest('x', known)).toBeNull();
});

test('addresses come one a line, with comments', () => {
  expect(addressLines('# mine\nhttps://a.example/\r\n\n  https://b.example/ \n')).toEqual([
    'https://a.example/',
    'https://b.example/',
  ]);
});

test('every address that is none is named', () => {
  expect(() => checkAddresses(['https://a.example/', 'b.example', 'ftp://c.example/'])).toThrow(
    'b.example, ftp://c.example/',
  );
});

test('a request is made of addresses, a body, an array or lines', () => {
  expect(submission(['https://a/'], '', {})).toEqual({ articles: [{ url: 'https://a/' }] });
  expect(submission([], 'https://a/\nhttps://b/', { priority: 2 })).toEqual({
    articles: [
      { priority: 2, url: 'https://a/' },
      { priority: 2, url: 'https://b/' },
    ],
  });
  expect(submission([], '["https://a/", {"url":"https://b/","priority":1}]', { priority: 9, maxAge: 0 })).toEqual({
    articles: [
      { priority: 9, url: 'https://a/' },
      { priority: 1, url: 'https://b/' },
    ],
    max_age_seconds: 0,
  });
  expect(submission([], '{"articles":[{"url":"https://a/"}],"max_age_seconds":60}', {})).toEqual({
    articles: [{ url: 'https://a/' }],
    max_age_seconds: 60,
  });
});

test('what is no request is wrong usage', () => {
  for (const text of ['', '{', '{"urls":[]}', '[]'])
    expect(() => submission([], text, {}), text).toThrow(expect.objectContaining({ code: 'invalid_usage' }));
});

test('columns line up', () => {
  expect(
    columns([
      ['a', 'bb', 'c'],
      ['aaa', 'b', 'long one'],
    ]),
  ).toEqual(['a    bb  c', 'aaa  b   long one']);
});
