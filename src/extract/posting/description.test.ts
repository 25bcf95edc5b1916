import { expect, test } from 'vitest';
import { describe, describeText } from './description.ts';

const HTML = `<div class="x" onclick="steal()"><h2>About</h2><p>We <b>make</b>&nbsp;boats. <a href="https://a.example/x?y=1&z=2" onclick="t()">Site</a>
<a href="javascript:alert(1)">bad</a></p><ul><li>Sails<ul><li>Masts &amp; ropes</li></ul></li><li>Oars</li></ul><script>alert(1)</script>
<img src="https://t.example/pixel.gif"><table><tr><th>Day</th><th>Pay</th></tr><tr><td>Mon</td><td>10</td></tr></table>line one<br>line two</div>`;

test('clean HTML keeps structure and drops what could act', () => {
  const html = describe(HTML)!.html;
  expect(html).toContain('<h2>About</h2>');
  expect(html).toContain('<a href="https://a.example/x?y=1&amp;z=2">Site</a>');
  expect(html).toContain('<ul><li>Sails<ul><li>Masts &amp; ropes</li></ul></li><li>Oars</li></ul>');
  expect(html).not.toMatch(/script|onclick|javascript|pixel|class=/);
});

test('Markdown keeps headings, nested lists, links and tables', () => {
  expect(describe(HTML)!.markdown).toBe(
    [
      '## About',
      'We **make** boats. [Site](https://a.example/x?y=1&z=2) bad',
      '- Sails\n  - Masts & ropes\n- Oars',
      '| Day | Pay |\n| --- | --- |\n| Mon | 10 |',
      'line one',
      'line two',
    ].join('\n\n'),
  );
});

test('plain text has a line for each block', () => {
  expect(describe(HTML)!.plain.split('\n')).toEqual([
    'About',
    'We make boats. Site bad',
    '- Sails',
    '  - Masts & ropes',
    '- Oars',
    'Day | Pay',
    'Mon | 10',
    'line one',
    'line two',
  ]);
});

test('escaped markup is text', () => {
  expect(describe('&lt;p&gt;Hello&lt;/p&gt;')!.plain).toBe('<p>Hello</p>');
});

test('text without markup is escaped', () => {
  expect(describeText('a < b\n\nnext')!.html).toBe('<p>a &lt; b</p><p>next</p>');
});

test('markup nested beyond reason is read as text', () => {
  expect(describe(`${'<b>'.repeat(5_000)}deep`)?.markdown).toBe('deep');
});

test('a description without words is none', () => {
  expect(describe('<div> <script>1</script></div>')).toBeNull();
  expect(describeText('  ')).toBeNull();
});
