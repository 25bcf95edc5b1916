import { expect, test } from 'vitest';
import { extractArticle } from './index.ts';
import { createSiteMemory } from './site-memory.ts';

const about =
  'The factory, a maker of anvils since 1904, was bought by a group of local investors in the spring after a long fight over its debts.';
const more = 'It was a long day, and many people came to see how the matter would end before the evening.';
const page = (story: string) =>
  `<html><head><title>What happened today</title></head><body><article><h1>What happened today</h1><p>${story} ${more}</p><p>${about}</p><p>${more} ${story}</p><p>${story}</p></article></body></html>`;

test('a paragraph that every page of a site has is known after the first', () => {
  const memory = createSiteMemory();
  const first = extractArticle(page('The first story tells of a new factory in the north.'), 'https://acme.example/1', {
    memory,
  });
  const second = extractArticle(
    page('The second story tells of a strike in the old works.'),
    'https://acme.example/2',
    { memory },
  );
  expect(first.content).toContain('maker of anvils');
  expect(second.content).not.toContain('maker of anvils');
  expect(second.content).toContain('The second story');
});

test('the same page read twice is not boilerplate', () => {
  const memory = createSiteMemory();
  const html = page('The only story tells of a new factory in the north.');
  const once = extractArticle(html, 'https://acme.example/1', { memory });
  expect(extractArticle(html, 'https://acme.example/1', { memory }).content).toBe(once.content);
});

test('other hosts are other memories, and the memory has a bound', () => {
  const memory = createSiteMemory({ maxHosts: 2, maxBlocksPerHost: 3 });
  for (let i = 0; i < 50; i++)
    extractArticle(page(`Story number ${i} of the series of stories.`), `https://host${i}.example/1`, { memory });
  const again = extractArticle(page('Story of a host that was forgotten long ago.'), 'https://host1.example/2', {
    memory,
  });
  expect(again.content).toContain('maker of anvils');
});
