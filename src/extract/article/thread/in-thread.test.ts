import { afterEach, expect, test } from 'vitest';
import { type ArticleExtractor, createArticleExtractor } from './in-thread.ts';

const open: ArticleExtractor[] = [];
const make = (options: Parameters<typeof createArticleExtractor>[0]) => {
  const extractor = createArticleExtractor(options);
  open.push(extractor);
  return extractor;
};
afterEach(async () => {
  for (const extractor of open.splice(0)) await extractor.close();
});

const sentence = 'The council met on Tuesday to discuss the new bridge, which has been planned for many years. ';
const page = (paragraphs: number) =>
  `<html lang="en"><head><title>The bridge</title></head><body><article><h1>The bridge</h1>${`<p>${sentence.repeat(3)}</p>`.repeat(paragraphs)}</article></body></html>`;

test('a small page is read at once and a large one in a thread, with the same answer', async () => {
  const inline = make({ inlineChars: 10_000_000 });
  const threaded = make({ inlineChars: 0 });
  const now = new Date('2026-11-15');
  const html = page(20);
  expect(await threaded.extract(html, 'https://example.com/a', { now })).toEqual(
    await inline.extract(html, 'https://example.com/a', { now }),
  );
  expect((await threaded.extract(html)).content).toContain('The council met');
});

test('a page past the deadline ends its thread, and the next page gets a new one', async () => {
  const extractor = make({ inlineChars: 0, deadlineMs: 1 });
  await expect(extractor.extract(page(20_000))).rejects.toMatchObject({ code: 'task_timeout' });
  await expect(extractor.extract(page(20_000))).rejects.toMatchObject({ code: 'task_timeout' });
});

test('cancelling ends the work', async () => {
  const extractor = make({ inlineChars: 0 });
  const stop = new AbortController();
  const work = extractor.extract(page(20_000), null, { signal: stop.signal });
  stop.abort();
  await expect(work).rejects.toMatchObject({ code: 'cancelled' });
});

test('the event loop turns while a large page is read', async () => {
  const extractor = make({ inlineChars: 0 });
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  await extractor.extract(page(8_000));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});

test('more pages than may wait are refused, and closing settles those that wait', async () => {
  const extractor = make({ inlineChars: 0, maxWaiting: 1 });
  const first = extractor.extract(page(8_000));
  const second = extractor.extract(page(10));
  await expect(extractor.extract(page(10))).rejects.toMatchObject({ code: 'internal' });
  const outcomes = Promise.allSettled([first, second]);
  await extractor.close();
  expect((await outcomes).map((o) => o.status)).toEqual(['rejected', 'rejected']);
});
