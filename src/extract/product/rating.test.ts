import { expect, test } from 'vitest';
import { one, parse } from '../html/html.ts';
import { outOfFive, parseRating, parseReviewCount, ratingIn } from './rating.ts';

test.each([
  ['4.8', 4.8, null],
  ['Rated 4.8 out of 5,', 4.8, 5],
  ['4,90/5,00', 4.9, 5],
  ['8,7/10 (608 Bewertungen)', 8.7, 10],
  ['2 reviews, 4.5 out of 5 stars', 4.5, 5],
  ['5つ星のうち4.3', 4.3, 5],
  ['4.9 | 10 Reviews', 4.9, null],
  ['4.8 (178)', 4.8, null],
  ['92 %', 92, 100],
])('%s is %d of %s', (text, value, best) => {
  expect(parseRating(text)).toEqual({ value, best });
});

test('words around numbers that rate nothing are no rating', () => {
  for (const text of ['178 reviews', 'Save 20 now', '', null]) expect(parseRating(text), String(text)).toBeNull();
});

test('ratings of other scales are told out of five', () => {
  expect(outOfFive({ value: 9, best: 10 })).toBe(4.5);
  expect(outOfFive({ value: 4.2, best: null })).toBe(4.2);
  expect(outOfFive({ value: 92, best: null })).toBe(4.6);
});

test('an element shows its rating by label or by how full its stars are', () => {
  const rating = (html: string) => ratingIn(one(parse(html), '*')!);
  expect(rating('<span aria-label="4.0 out of 5 stars"><svg></svg></span>')).toEqual({ value: 4, best: 5 });
  expect(rating('<div class="stars"><i style="width: 86%"></i></div>')).toEqual({ value: 86, best: 100 });
  expect(rating('<div>no stars yet</div>')).toBeNull();
});

test.each([
  ['(43)', 43, false],
  ['19,204 reviews', 19_204, false],
  ['(1.8K)', 1_800, true],
  ['9k+', 9_000, true],
  ['1.2M', 1_200_000, true],
  ['2,3 mil avaliações', 2_300, true],
])('%s are %d reviews', (text, count, isRounded) => {
  expect(parseReviewCount(text)).toEqual({ count, isRounded });
});

test('a rating is not a count', () => {
  expect(parseReviewCount('4.5')).toBeNull();
  expect(parseReviewCount('none')).toBeNull();
});
