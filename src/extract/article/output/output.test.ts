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
<li>second
<ul>
<li>deeper</li>
</ul></li>
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
<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>7</td></tr></table>
<p># not a heading</p>`,
  );
});

test('no script address and no markup gets through', () => {
  const html = toHtml(
    lines('<p onclick="x()">A <a href="javascript:alert(1)">click</a> &lt;script&gt;alert(1)&lt;/script&gt;</p>'),
  );
  expect(html).toBe('<p>A click &lt;script&gt;alert(1)&lt;/script&gt;</p>');
});

test('lists inside lists are moved in by the mark of the list around them, and items of several paragraphs stay one', () => {
  const nested = lines(
    '<ol><li><p>one</p><p>more of one</p><ul><li>a<ol><li>deep</li></ol></li><li>b</li></ul></li><li>two</li></ol>',
  );
  expect(toMarkdown(nested)).toBe('1. one\n\n   more of one\n   - a\n     1. deep\n   - b\n2. two');
  expect(toHtml(nested).replaceAll('\n', '')).toBe(
    '<ol><li>one<p>more of one</p><ul><li>a<ol><li>deep</li></ol></li><li>b</li></ul></li><li>two</li></ol>',
  );
});

test('cells keep their column beside empty ones, wide ones and high ones, and are one though they have several lines', () => {
  const table = lines(
    `<table><tr><th>Kind<th colspan=2>Boats<th>Note<tr><td></td><td>Summer</td><td>Winter</td><td></td></tr>
     <tr><td rowspan=2>Ferries</td><td>4</td><td>2</td><td><p>big</p><p>slow</p></td></tr><tr><td>5</td><td>3</td></tr></table>`,
  );
  expect(toMarkdown(table)).toBe(
    [
      '| Kind | Boats |  | Note |',
      '| --- | --- | --- | --- |',
      '|  | Summer | Winter |  |',
      '| Ferries | 4 | 2 | big slow |',
      '|  | 5 | 3 |  |',
    ].join('\n'),
  );
});

test('code keeps its language and its own marks', () => {
  const code = lines(
    '<pre><code class="hljs language-python">print("```")</code></pre><p>Run <code>a `b`</code> now.</p><pre class="language-x&quot;onload=1">y</pre>',
  );
  expect(toMarkdown(code)).toBe('````python\nprint("```")\n````\n\nRun `` a `b` `` now.\n\n```x\ny\n```');
  expect(toHtml(code)).toContain('<pre><code class="language-x">y</code></pre>');
});
