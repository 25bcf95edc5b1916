import { expect, test } from 'vitest';
import { highlighted, wordsLike } from './highlight.ts';

const words = (...all: string[]) => new Set(all);

test.each([
  ['Senior Kafka Engineer', words('kafka'), 'Senior <mark>Kafka</mark> Engineer'],
  [
    'Kafka & "x" <mark>kafka</mark>',
    words('kafka'),
    '<mark>Kafka</mark> &amp; &quot;x&quot; &lt;mark&gt;<mark>kafka</mark>&lt;/mark&gt;',
  ],
  ['kafkaesque', words('kafka'), null],
  ['', words('kafka'), null],
  ['Bäcker in Köln', words('köln'), 'Bäcker in <mark>Köln</mark>'],
])('%j', (text, wanted, html) => {
  expect(highlighted(text, wanted)).toBe(html);
});

test('of a long text the parts with the most different words are shown, in their order', () => {
  const filler = 'so it goes on and on. '.repeat(40);
  const text = `${filler}alpha. ${filler}alpha and beta! ${filler}beta. ${filler}`;
  const html = highlighted(text, words('alpha', 'beta'))!;
  expect(html).toMatch(/^… .*<mark>alpha<\/mark>\. .* … … .*<mark>alpha<\/mark> and <mark>beta<\/mark>! .* …$/);
  expect(html.length).toBeLessThan(700);
});

test('only words that begin like one of the search are looked up', () => {
  expect(wordsLike('Engineers and engines, not cooks; Öle', ['engin', 'öl'])).toEqual(['engineers', 'engines', 'öle']);
});

test('a text made to be slow is not', () => {
  const text = 'a1 b1 c1 '.repeat(50_000);
  const began = process.cpuUsage().user;
  expect(highlighted(text, words('a1', 'b1', 'c1'))).toContain('<mark>a1</mark> <mark>b1</mark>');
  // Compared with another measurement of the same run.
  const cpu = process.cpuUsage().user - began;
  const small = process.cpuUsage().user;
  for (let n = 0; n < 10; n++) highlighted('a1 b1 c1 '.repeat(5_000), words('a1', 'b1', 'c1'));
  expect(cpu).toBeLessThan(20 * (process.cpuUsage().user - small) + 2_000_000);
});
