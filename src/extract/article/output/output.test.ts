import { expect, test } from 'vitest';
import { toHtml } from '../../../model/article/html.ts';
import { linesFrom, Markup, markupOf } from '../../../model/article/lines.ts';
import { toMarkdown } from '../../../model/article/markdown.ts';
import { blocksOf } from '../page/blocks.ts';
import { readPage } from '../page/tree.ts';
import { linesOf, textOf } from './lines.ts';

const lines = (html: string) => {
  const page = readPage(html);
  const blocks = blocksOf(page);
  // As it goes through the store: marks as JSON, beside the text.
  const markup = Markup.parse(JSON.parse(JSON.stringify(markupOf(linesOf(page, blocks, 'https://example.com/a/')))));
  return linesFrom(textOf(blocks), markup);
};

const ARTICLE = `<h2>One &amp; two</h2><p>Some <b>bold</b>, <i>slanted</i> and <a href="../x">linked</a> text.</p>
<ul><li>first</li><li>second <ul><li>deeper</li></ul></li></ul><ol><li>a</li><li>b</li></ol>
<blockquote><p>Said so.</p><p>Twice.</p></blockquote><pre>let a = 1;\n  a &lt; 2</pre>
<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>7</td></tr></table><p># not a heading</p>`;

test('Markdown keeps headings, lists, quotes, code, tables and links', () => {
  expect(toMarkdown(lines(ARTICLE))).toBe(
    [
      '## One & two',
      'Some **bold**, *slanted* and [linked](https://example.com/x) text.',
      '- first\n- second\n  - deeper',
      '1. a\n2. b',
      '> Said so.\n>\n> Twice.',
      '```\nlet a = 1;\n  a < 2\n```',
      '| Name | Age |\n| --- | --- |\n| Ann | 7 |',
      '\\# not a heading',
    ].join('\n\n'),
  );
});

test('HTML is the same text in few tags, escaped', () => {
  expect(toHtml(lines(ARTICLE))).toBe(
    `<h2>One &amp; two</h2>
<p>Some <strong>bold</strong>, <em>slanted</em> and <a href="https://example.com/x">linked</a> text.</p>
<ul>
<li>first</li>
<li>second</li>
<li>deeper</li>
</ul>
<ol>
<li>a</li>
<li>b</li>
</ol>
<blockquote>
<p>Said so.</p>
<p>Twice.</p>
</blockquote>
<pre><code>let a = 1;
  a &lt; 2</code></pre>
<table><tr><td>Name</td><td>Age</td></tr><tr><td>Ann</td><td>7</td></tr></table>
<p># not a heading</p>`,
  );
});

test('no script address and no markup gets through', () => {
  const html = toHtml(
    lines('<p onclick="x()">A <a href="javascript:alert(1)">click</a> &lt;script&gt;alert(1)&lt;/script&gt;</p>'),
  );
  expect(html).toBe('<p>A click &lt;script&gt;alert(1)&lt;/script&gt;</p>');
});
