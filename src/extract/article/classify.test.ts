import { expect, test } from 'vitest';
import { extractArticle } from './index.ts';

const page = (head: string, body: string) => `<html lang="en"><head>${head}</head><body>${body}</body></html>`;
const story =
  '<p>The council met on Tuesday to discuss the new bridge, which has been planned for many years and will cost a lot of money.</p>';
const article = (extra = '', head = '') =>
  page(`<title>The bridge</title>${head}`, `<article><h1>The bridge</h1>${story.repeat(8)}${extra}</article>`);

test('an error page says so and has no content', () => {
  const got = extractArticle(
    page(
      '<title>404 - Page not found</title>',
      '<h1>Page not found</h1><p>The page you were looking for has moved or does not exist any more.</p>',
    ),
  );
  expect(got).toMatchObject({ not_article: 'error', content: '', word_count: 0 });
});

test('a login page says so', () => {
  const got = extractArticle(
    page(
      '<title>Sign in</title>',
      '<h1>Sign in</h1><form><input type="text"><input type="password"><button>Go</button></form>',
    ),
  );
  expect(got.not_article).toBe('login');
});

test('search results and listings say so instead of returning their teasers', () => {
  const teasers = Array.from(
    { length: 12 },
    (_, i) => `<div><h3><a href="/a${i}">Headline number ${i} of the day</a></h3><p>Short teaser ${i}.</p></div>`,
  ).join('');
  expect(
    extractArticle(page('<title>Search results for bridge</title>', teasers), 'https://x.example/search?q=bridge')
      .not_article,
  ).toBe('search');
  expect(extractArticle(page('<title>Latest news</title>', teasers), 'https://x.example/').not_article).toBe('listing');
});

test('an article about error 404 is an article', () => {
  const html = page(
    '<title>Why 404 pages matter</title>',
    `<article><h1>Why a page not found matters</h1>${story.repeat(8)}</article>`,
  );
  expect(extractArticle(html)).toMatchObject({ not_article: null });
});

test('an article is an article, free and whole', () => {
  expect(extractArticle(article())).toMatchObject({
    not_article: null,
    paywalled: false,
    teaser: false,
    live_blog: false,
  });
});

test('a paywall is seen by what is stated and by what is shown', () => {
  const stated =
    '<script type="application/ld+json">{"@type":"NewsArticle","headline":"The bridge","isAccessibleForFree":"False"}</script>';
  expect(extractArticle(article('', stated)).paywalled).toBe(true);
  const cut = page(
    '<title>The bridge</title>',
    `<article><h1>The bridge</h1>${story.repeat(2)}<div class="paywall">Subscribe now to continue reading this story.</div></article>`,
  );
  expect(extractArticle(cut)).toMatchObject({ paywalled: true, teaser: true });
});

test('a stated word count that the text falls far short of marks a teaser', () => {
  const stated =
    '<script type="application/ld+json">{"@type":"NewsArticle","headline":"The bridge","wordCount":2400}</script>';
  expect(extractArticle(article('', stated)).teaser).toBe(true);
});

test('a live blog is called one', () => {
  const stated = '<script type="application/ld+json">{"@type":"LiveBlogPosting","headline":"The bridge"}</script>';
  expect(extractArticle(article('', stated)).live_blog).toBe(true);
});
