import { expect, test } from 'vitest';
import { all, attr, cleanText, one, parse, text } from './html.ts';

test('selects one and all, and reads text and attributes', () => {
  const doc = parse('<ul><li><a href=" /a ">One</a><li><a href="/b">Two</a></ul>');
  expect(all(doc, 'li a').map((a) => [attr(a, 'href'), text(a)])).toEqual([
    ['/a', 'One'],
    ['/b', 'Two'],
  ]);
  expect(one(doc, 'ol')).toBeNull();
  expect(attr(one(doc, 'a'), 'title')).toBeNull();
});

test('text ends a word where a block ends, not where a span does', () => {
  expect(text(parse('<div>One</div><div>T<b>w</b>o<br>three</div><script>no</script>'))).toBe('One Two three');
});

test('soft hyphens vanish and non-breaking spaces are spaces', () => {
  expect(cleanText('  Donau\u00addampf\u00a0schiff ')).toBe('Donaudampf schiff');
});

test('a million levels of nesting end quickly', () => {
  const started = process.cpuUsage();
  expect(text(parse(`${'<div>'.repeat(1_000_000)}deep`)).length).toBeLessThan(10);
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(20_000);
});

test('a depth inside the limit is read whole', () => {
  expect(text(parse(`${'<div>'.repeat(1_000)}deep`))).toBe('deep');
});

test('H6: levels past the limit are not in the tree, however many there are in one chunk', () => {
  const doc = parse(`${'<b>'.repeat(20_000)}deep`);
  expect(all(doc, 'b')).toHaveLength(1_500);
  expect(one(doc, 'i')).toBeNull();
});
