import { expect, test } from 'vitest';
import { linesFrom, type Markup, shifted } from './lines.ts';
import { textAs } from './text-format.ts';

const TEXT = 'Ferries\n\nThey are back at last.\n\na  b\n\n  c\n\nEnd.';
const MARKS: Markup = [
  { kind: 'heading', from: 0, to: 7, level: 2 },
  { kind: 'picture', from: 9, to: 9, src: 'https://example.com/a (1).jpg', alt: 'A [ferry]' },
  { kind: 'paragraph', from: 9, to: 31, spans: [{ from: 18, to: 22, href: 'https://example.com/back', strong: true }] },
  { kind: 'code', from: 33, to: 42 },
];

test('a text and its marks are Markdown, HTML or just the text', () => {
  expect(textAs('markdown', TEXT, { markup: MARKS })).toBe(
    '## Ferries\n\n![A \\[ferry\\]](https://example.com/a%20%281%29.jpg)\n\nThey are [**back**](https://example.com/back) at last.\n\n```\na  b\n\n  c\n```\n\nEnd.',
  );
  expect(textAs('html', TEXT, { markup: MARKS })).toBe(
    '<h2>Ferries</h2>\n<p><img src="https://example.com/a (1).jpg" alt="A [ferry]"></p>\n<p>They are <a href="https://example.com/back"><strong>back</strong></a> at last.</p>\n<pre><code>a  b\n\n  c</code></pre>\n<p>End.</p>',
  );
  expect(textAs('text', TEXT, { markup: MARKS })).toBe(TEXT);
});

test.each([
  ['nothing was stored beside the text', null],
  ['the marks are of another make', { markup: [{ kind: 'marquee' }] }],
])('where %s, it is paragraphs', (_, details) => {
  expect(textAs('markdown', 'One.\n\nTwo.', details)).toBe('One.\n\nTwo.');
});

test('marks beyond the text, or over one another, are left out', () => {
  const lines = linesFrom('One.\n\nTwo.', [
    { kind: 'quote', from: 0, to: 4, spans: [{ from: 2, to: 99, em: true }] },
    { kind: 'heading', from: 2, to: 5, level: 1 },
    { kind: 'code', from: 6, to: 99 },
  ]);
  expect(lines.map((line) => line.kind)).toEqual(['quote', 'paragraph']);
});

test('the marks of a second page follow the first', () => {
  const second = shifted(MARKS, TEXT.length + 2);
  expect(textAs('markdown', `${TEXT}\n\n${TEXT}`, { markup: [...MARKS, ...second] })).toBe(
    [1, 2].map(() => textAs('markdown', TEXT, { markup: MARKS })).join('\n\n'),
  );
});
