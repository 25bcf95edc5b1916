// What a page says of its title, author and dates in the ways that mislead.
import { expect, test } from 'vitest';
import { extractArticle } from '../index.ts';

const PROSE =
  `<p>${'The harbour was full of boats that morning, and nobody had seen the ferry come in. '.repeat(4)}</p>`.repeat(4);
const read = (head: string, top: string, end = '') =>
  extractArticle(
    `<html lang="en"><head>${head}</head><body><article>${top}${PROSE}${end}</article></body></html>`,
    'https://harbour-daily.example/story',
    { now: new Date('2026-01-15T12:00:00Z') },
  );
const ld = (facts: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', ...facts })}</script>`;
const TITLE = '<title>The ferry that never came | Harbour Daily</title>';
const H1 = '<h1>The ferry that never came</h1>';

test.each<[string, string, string, string]>([
  [
    'the line names all of them, the system only the first',
    ld({ author: { name: 'Ada Example' } }),
    '<div><span>Ada Example</span>, <span>Ben Sample</span> &amp; <span>Cleo Probe</span></div>',
    'Ada Example, Ben Sample, Cleo Probe',
  ],
  [
    'the paper signs behind its authors',
    `<meta property="og:site_name" content="Harbour Daily">${ld({ author: { name: 'Ada Example and Ben Sample, Harbour Daily' } })}`,
    '',
    'Ada Example and Ben Sample',
  ],
  ['degrees stay', '', '<p>By Ada Example, MD, RDN</p>', 'Ada Example, MD, RDN'],
  ['a role goes', '', '<p>By Ada Example, Senior Analyst</p>', 'Ada Example'],
  ['the date is stuck to the name', '', '<div>by Ada ExampleNovember 20, 2025</div>', 'Ada Example'],
  [
    'the name stands in an element beside the date',
    '',
    '<div><span>Dec 17, 2025</span><span>Ada K. Example</span></div>',
    'Ada K. Example',
  ],
  [
    'it is on behalf of others',
    '',
    '<div>Dec. 19, 2025 · Ada Example on behalf of the harbour office</div>',
    'Ada Example',
  ],
  [
    'who checked it did not write it',
    ld({ author: { name: 'Ada Example' } }),
    '<div class="author">Reviewed by Ben Sample</div>',
    'Ada Example',
  ],
  ['the name of a firm ends like a role', ld({ author: { name: 'Top Growth Marketing' } }), '', 'Top Growth Marketing'],
  [
    'a team of the site signs',
    ld({ author: { name: 'The Harbour Daily Team' } }),
    '<div class="reviewer author">Ben Sample</div>',
    'The Harbour Daily Team',
  ],
  ['the label is a line of its own', '', '<div>By</div><div>The Harbour Team</div>', 'The Harbour Team'],
  [
    'a paper has a tag for each',
    '<meta name="dc.creator" content="Example, Ada"><meta name="dc.creator" content="Sample, Ben">',
    '',
    'Ada Example, Ben Sample',
  ],
  [
    'a link to more of them is no name',
    '',
    '<a rel="author" href="/ada">View More Posts</a><p>By Ada Example</p>',
    'Ada Example',
  ],
])('author: %s', (_, head, line, author) => {
  expect(read(TITLE + head, H1 + line).author).toBe(author);
});

test.each<[string, string, string, string]>([
  [
    'the name of the blog is an h1 too',
    '<title>The ferry that never came - The Harbour Blog of Ada</title>',
    `<h1>The Harbour Blog</h1>${H1}`,
    'The ferry that never came',
  ],
  [
    'the theme makes it an h2, the author a section an h1',
    TITLE,
    '<h2>The ferry that never came</h2><h1>But what came in the end was a boat</h1>',
    'The ferry that never came',
  ],
  ['a label stands in front', TITLE, '<h1>Blog: The ferry that never came</h1>', 'The ferry that never came'],
  [
    'a year in front is part of it',
    '<title>Ferry prices and all their hidden costs | Harbour Daily</title>',
    '<h1>2025 ferry prices and all their hidden costs</h1>',
    '2025 ferry prices and all their hidden costs',
  ],
])('title: %s', (_, head, top, title) => {
  expect(read(head, top).title).toBe(title);
});

test.each<[string, string, string, string, string]>([
  [
    'published first is told at the end',
    '',
    '<time datetime="2022-09-30">30 Sep 2022</time>',
    '<p>This article was originally published on 26 Sep 2019 but has been updated.</p>',
    '2019-09-26',
  ],
  [
    'day and month are in the order of another country',
    ld({ datePublished: '2024-09-10' }),
    '<p>09.10.2024</p>',
    '',
    '2024-09-10',
  ],
  ['only the last change is told', '', '', '<p>Last updated: November 13, 2025</p>', '2025-11-13'],
  [
    'the column beside the text says when',
    '',
    '',
    '<aside><h4>Published</h4><div>July 8, 2025</div></aside>',
    '2025-07-08',
  ],
  [
    'who wrote it stands beside the last change',
    ld({ datePublished: '2018-06-12' }),
    '<div>Written by Ada Example — Updated on March 7, 2025</div>',
    '',
    '2018-06-12',
  ],
])('date: %s', (_, head, line, end, date) => {
  expect(read(TITLE + head, H1 + line, end).date?.slice(0, 10)).toBe(date);
});
