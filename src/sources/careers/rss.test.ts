import { expect, test } from 'vitest';
import { feedEntries } from './rss.ts';

const feed = (items: string, doctype = '') =>
  `<?xml version="1.0"?>${doctype}<rss version="2.0"><channel><title>Jobs</title>${items}</channel></rss>`;

test('H6: a feed that is nested deeper than any is refused with a reason', () => {
  expect(() => feedEntries(feed('<a>'.repeat(100_000)), 'https://a.example/')).toThrow(
    /^The XML is nested more than 1000 levels deep$/,
  );
});

test('H6: entities that a feed declares are not expanded', () => {
  const names = [...'abcdefghij'];
  const lines = names.map((name, n) => `<!ENTITY ${name} "${`&${names[n - 1] ?? 'lt'};`.repeat(10)}">`);
  const bomb = feed(
    '<item><title>Welder &j;</title><link>https://a.example/1</link></item>',
    `<!DOCTYPE rss [${lines}]>`,
  );
  const [entry] = feedEntries(bomb, 'https://a.example/');
  expect(entry?.title?.length).toBeLessThan(100);
});

test('items that have nothing to read are left out, and the others keep their own elements', () => {
  const items = ['1', '2', '3'].map((n) => `<item><title>t${n}</title><link>https://a.example/${n}</link></item>`);
  const entries = feedEntries(feed(`<item><empty/></item>${items.join('')}`), 'https://a.example/');
  expect(entries.map(({ title, element }) => [title, element?.children[0]?.text])).toEqual([
    ['t1', 't1'],
    ['t2', 't2'],
    ['t3', 't3'],
  ]);
});
