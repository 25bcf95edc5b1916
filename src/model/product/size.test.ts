import { expect, test } from 'vitest';
import { parseSize, totalOf } from './size.ts';

test.each([
  ['Cheddar 12 oz', 12, 'oz', 1],
  ['Rice 12oz.', 12, 'oz', 1],
  ['Orange Juice 64 fl. oz', 64, 'fl oz', 1],
  ['Whole Milk 1/2 gal', 64, 'fl oz', 1],
  ['Whole Milk 0.5 gal', 64, 'fl oz', 1],
  ['Whole Milk ½ gallon', 64, 'fl oz', 1],
  ['Whole Milk Half Gallon', 64, 'fl oz', 1],
  ['Whole Milk 1 gal (128 fl oz)', 128, 'fl oz', 1],
  ['Still water 2 x 500 ml', 500, 'ml', 2],
  ['Tomatoes 6x32 oz', 32, 'oz', 6],
  ['Tomatoes 6/32 oz', 32, 'oz', 6],
  ['Cola 12 pk / 12 fl oz cans', 12, 'fl oz', 12],
  ['Beans, pack of 6, 15 oz each', 15, 'oz', 6],
  ['Large Eggs 18 ct', 1, 'ct', 18],
  ['Large Eggs, 18-Count', 1, 'ct', 18],
  ['Large Eggs 1 dozen', 1, 'ct', 12],
  ['Large Eggs 5 dozen-count', 1, 'ct', 60],
  ['Apples 2 lb bag', 2, 'lb', 1],
  ['Ham 500 g (2 x 250 g)', 250, 'g', 2],
  ['Spring Water 16.9 fl oz, 24 count', 16.9, 'fl oz', 24],
  ['2% Reduced Fat Milk 1 gal', 128, 'fl oz', 1],
  ['98 % lean ground beef 1 lb', 1, 'lb', 1],
  ['Flour 1,5 kg', 1.5, 'kg', 1],
  ['Saffron 1 1/2 oz', 1.5, 'oz', 1],
  ['Cola 1.5 l', 1.5, 'l', 1],
])('%s: %d %s, %d of them', (text, value, unit, count) => {
  expect(parseSize(text)).toMatchObject({ value, unit, count });
});

test.each(['Whole Milk', 'Direct Coffee 100', '3.25% Milk', 'Vitamin D Milk', 'Model 4 lamp', '$5 off'])(
  '%s states no size',
  (text) => {
    expect(parseSize(text)).toBeNull();
  },
);

test('ounces are fluid on liquids, weight on solids, and in doubt on what may be either', () => {
  expect(parseSize('Apple juice 64 oz')).toMatchObject({ unit: 'fl oz', is_ambiguous: false });
  expect(parseSize('Milk chocolate 4 oz')).toMatchObject({ unit: 'oz', is_ambiguous: false });
  const sauce = parseSize('Tomato sauce 15 oz')!;
  expect(sauce).toMatchObject({ unit: 'oz', is_ambiguous: true });
  expect(totalOf(sauce)).toBeNull();
  expect(parseSize('64 oz', 'Apple juice')).toMatchObject({ unit: 'fl oz' });
});

test('the weight of many solid pieces is their weight together, and unsure', () => {
  const size = parseSize('Taco shells 12 ct, 4.6 oz')!;
  expect(size).toMatchObject({ value: 4.6, unit: 'oz', count: 1 });
  expect(size.confidence).toBeLessThan(0.8);
});

test('totals are in grams, millilitres and pieces', () => {
  expect(totalOf(parseSize('Butter 1 lb')!)).toEqual({ amount: 453.59237, base: 'g' });
  expect(totalOf(parseSize('Water 24 x 500 ml')!)).toEqual({ amount: 12_000, base: 'ml' });
  expect(totalOf(parseSize('Eggs 1 dozen')!)).toEqual({ amount: 12, base: 'ct' });
});
