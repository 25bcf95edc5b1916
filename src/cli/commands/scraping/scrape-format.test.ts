import { expect, test } from 'vitest';
import type { Article } from '../../../model/item/article.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { articleWriter } from './scrape-format.ts';

test('what a page says stays text in a table: a spreadsheet would run a title that is a formula', () => {
  const lines: string[] = [];
  const writer = articleWriter('csv', { out: (line: string) => lines.push(line) } as unknown as Terminal);
  writer.article({
    url: 'https://a.example/',
    title: '=HYPERLINK("https://evil.example")',
    author: '@someone',
    published_at: null,
    language: 'en',
    image: null,
    content: 'One,\ntwo',
  } as Article);
  expect(lines).toEqual([
    'url,title,author,published_at,language,image,content',
    `https://a.example/,"'=HYPERLINK(""https://evil.example"")",'@someone,,en,,"One,\ntwo"`,
  ]);
});
