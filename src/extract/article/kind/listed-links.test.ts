import { expect, test } from 'vitest';
import { readView } from '../page/read.ts';
import { listedLinks } from './listed-links.ts';

test('a listing gives the links it lists, each once, and none of its menus', () => {
  const cards = [1, 2, 3, 4].map(
    (n) =>
      `<div class="card"><h3><a href="/story/${n}">Story number ${n}</a></h3><p>What happened in it, told in a few words.</p><a href="/story/${n}">Read more</a></div>`,
  );
  const { view } = readView(
    `<title>News</title><body><nav><ul><li><a href="/about/us">About us all</a></li><li><a href="/b">Who we are here</a></li><li><a href="/c">How to find us</a></li></ul></nav>
     <main><h1>News</h1>${cards.join('')}</main></body>`,
  );
  expect(listedLinks(view, 'https://example.com/news')).toEqual(
    [1, 2, 3, 4].map((n) => ({ url: `https://example.com/story/${n}`, title: `Story number ${n}` })),
  );
});
