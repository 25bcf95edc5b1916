import { expect, test } from 'vitest';
import { alternatesOf } from './alternates.ts';
import { readPage } from './tree.ts';

const of = (html: string, url = 'https://example.com/story/long-read') => alternatesOf(readPage(html), url);

test.each([
  ['<a href="/story/long-read/2">2</a>', 'https://example.com/story/long-read/2'],
  ['<a href="?page=2">Next</a>', 'https://example.com/story/long-read?page=2'],
  [
    '<link rel="next" href="https://example.com/story/long-read/page/2/">',
    'https://example.com/story/long-read/page/2/',
  ],
])('%s is the next page', (html, next) => {
  expect(of(html).next_page).toBe(next);
});

test('the third page follows the second', () => {
  expect(of('<a href="?page=1">1</a><a href="?page=3">3</a>', 'https://example.com/a?page=2').next_page).toBe(
    'https://example.com/a?page=3',
  );
});

test.each([
  ['the next article', '<link rel="next" href="https://example.com/story/another-one">'],
  ['page two of a listing', '<a href="/news/page/2">more news</a>'],
  ['another site', '<a href="https://other.example/story/long-read/2">2</a>'],
])('%s is not the next page', (_, html) => {
  expect(of(html).next_page).toBeNull();
});

test('AMP and print versions are found', () => {
  expect(of('<link rel="amphtml" href="/amp/story"><a href="/story/long-read?print=1">Print</a>')).toMatchObject({
    amp: 'https://example.com/amp/story',
    print: 'https://example.com/story/long-read?print=1',
  });
});
