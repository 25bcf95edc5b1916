import { expect, test } from 'vitest';
import { textSigns, titleWordsOf } from './words.ts';

const share = (text: string, title: string): number => textSigns(text, titleWordsOf(title)).titleWords;

test('words of the title are found whatever their case, inside of others too', () => {
  expect(share('The HARBOUR is closed for repairs.', 'harbour repair plan')).toBe(2 / 3);
  expect(share('Nothing of the kind stands in here.', 'harbour repair plan')).toBe(0);
});

test('words beyond ASCII are found, and those that only lower case makes ASCII', () => {
  expect(share('Die ÜBUNG macht den Meister, sagt man.', 'übung macht meister')).toBe(1);
  expect(share('Ten degrees \u212aelvin above the zero point.', 'kelvin zero')).toBe(1);
});

test('what a text before had is forgotten', () => {
  share('The harbour is closed for repairs.', 'harbour');
  expect(share('Two brothers walk along the shore.', 'harbour')).toBe(0);
});

test('short texts and titles without longer words have none', () => {
  expect(share('harbour', 'harbour')).toBe(0);
  expect(share('The harbour is closed for repairs.', 'the is a')).toBe(0);
});

test('words, sentences, capitals and digits of a text', () => {
  const signs = textSigns('In 2024, Ada Sample paid 3.50. “Why?” Ünder all.', []);
  expect(signs).toEqual({ words: 9, sentences: 3, upperShare: 4 / 9, digitShare: 7 / 48, titleWords: 0 });
});
