import { expect, test } from 'vitest';
import { MARKUP, mutate } from '../../../tests/support/mutate-html.ts';
import { extractArticle } from './index.ts';

const prose = (n: number) =>
  `<p class="para-${n}">Paragraph ${n} of the story says, as the mayor put it on Monday, that <a href="/x">the bridge</a> will open in the <b>spring</b>.</p>`;
const PAGE = `<!doctype html><html lang="en"><head><title>The bridge opens | Example News</title>
<meta property="og:title" content="The bridge opens"><meta name="author" content="Ann Example">
<script type="application/ld+json">{"@type":"NewsArticle","headline":"The bridge opens","datePublished":"2026-05-01T10:00:00+02:00"}</script></head>
<body><nav><ul>${'<li><a href="/s">Section</a></li>'.repeat(12)}</ul></nav><main><article class="story"><h1>The bridge opens</h1>
<div class="byline">By Ann Example <time datetime="2026-05-01">May 1, 2026</time></div><div class="article-body">${[1, 2, 3, 4, 5].map(prose).join('')}
<figure><img src="/a.jpg"><figcaption>The bridge. Photo: Example</figcaption></figure><blockquote><p>We have waited for years for this day.</p></blockquote>
<ul><li>First point of the plan</li><li>Second point of the plan</li></ul><table><tr><td>Length</td><td>300 m</td></tr></table>${[6, 7, 8].map(prose).join('')}</div>
<aside class="related"><h3>Related</h3><a href="/r">Another story</a></aside></article></main><footer>© Example News. All rights reserved.</footer></body></html>`;

const LIMIT_MS = 10_000;

function check(html: string, label: string): void {
  // CPU, not the clock: the machine may be busy.
  const started = process.cpuUsage();
  const got = extractArticle(html, 'https://news.example/2026/05/01/bridge', {
    markdown: true,
    html: true,
    explain: true,
  });
  expect(process.cpuUsage(started).user / 1_000, label).toBeLessThan(LIMIT_MS);
  expect(typeof got.content, label).toBe('string');
  expect(MARKUP.test(got.content), `${label}: markup in the text`).toBe(false);
  for (const value of [got.title, got.author, got.published_at, got.language, got.image]) {
    expect(value === null || typeof value === 'string', label).toBe(true);
    expect(MARKUP.test(value ?? ''), `${label}: markup in a field`).toBe(false);
  }
  expect(got.html, label).not.toMatch(/<script|on\w+=|javascript:/i);
}

test('the page itself is read right', () => {
  const got = extractArticle(PAGE, 'https://news.example/2026/05/01/bridge', {
    explain: true,
    now: new Date('2026-11-15'),
  });
  expect(got).toMatchObject({
    title: 'The bridge opens',
    author: 'Ann Example',
    published_at: '2026-05-01',
    language: 'en',
    not_article: null,
    explain: { title: { from: 'html' }, author: { from: 'heuristic' } },
  });
  expect(got.content).toContain('Paragraph 7');
  expect(got.content).not.toMatch(/Section|Photo:|All rights/);
});

test('500 broken pages never throw, hang or leave markup in the text', () => {
  for (let seed = 1; seed <= 500; seed++) check(mutate(PAGE, seed), `seed ${seed}`);
});

test.each([
  ['a million levels', '<div>'.repeat(1_000_000)],
  ['a million unclosed inline tags', '<b><i>x'.repeat(300_000)],
  ['megabytes of inline script', `<script>${'var a = "<p>x</p>"; '.repeat(300_000)}</script>${PAGE}`],
  [
    'megabytes of JSON-LD',
    `<script type="application/ld+json">[${'{"@type":"Article","a":{"b":{"c":1}}},'.repeat(60_000)}1]</script>${PAGE}`,
  ],
  ['one endless line of text', `<p>${'word '.repeat(1_000_000)}</p>`],
  ['a table of a hundred thousand cells', `<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(50_000)}</table>`],
  ['fifty thousand links', `${'<li><a href="/page/2">a link of some words</a></li>'.repeat(50_000)}`],
  ['an endless attribute', `<p class="${'a b-c '.repeat(500_000)}">x</p>${PAGE}`],
  ['closing tags only', '</div></p></a>'.repeat(200_000)],
  ['an author of at signs', `<meta name="author" content="${'@'.repeat(300_000)}">${PAGE}`],
  ['a by-line of at signs', PAGE.replace('By Ann Example', `By ${'@'.repeat(300_000)}`)],
  ['a stated author of at signs', PAGE.replace('"headline"', `"author":"${'@'.repeat(300_000)}","headline"`)],
  ['JSON-LD of tabs', `<script type="application/ld+json">${'\t'.repeat(2_000_000)}x</script>${PAGE}`],
  ['keywords of spaces', `<meta name="keywords" content="a${' '.repeat(300_000)}b">${PAGE}`],
  ['a title of spaces and dashes', `<title>${' -'.repeat(300_000)}</title>${PAGE}`],
  ['nothing', ''],
])('%s ends in bounded time', (label, html) => {
  const started = process.cpuUsage();
  const got = extractArticle(html, 'https://news.example/x');
  expect(process.cpuUsage(started).user / 1_000, label).toBeLessThan(20_000);
  expect(MARKUP.test(got.content)).toBe(false);
});
