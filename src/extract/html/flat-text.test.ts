import { expect, test } from 'vitest';
import { flatText } from './flat-text.ts';

test('a text lies on its own and is still the same, whatever it holds and however long it is', () => {
  const odd = 'naïve – “quoted” 東京 \ud800 half a pair, \u0000 and 🚢';
  for (const text of ['', 'short', odd, odd.slice(3, 30), odd.repeat(500), `${odd}${odd}`])
    expect(flatText(text)).toBe(text);
});

test('one text does not change with the next', () => {
  const first = flatText('the first of two texts');
  flatText('another text of the same');
  expect(first).toBe('the first of two texts');
});
