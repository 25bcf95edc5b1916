import { expect, test } from 'vitest';
import { readLabel } from './google-label.ts';

test('every piece of the sentence finds its place', () => {
  const label =
    'St. Alder Oat Soap, 4 oz.  Current price: $3.97. Was $5.00. Alder.com and more. Used. Get it by Wed (Free). Free 14-day returns. Low price. Rated 4.8 out of 5. 1.8K reviews.';
  expect(readLabel(label)).toEqual({
    title: 'St. Alder Oat Soap, 4 oz',
    price: '$3.97',
    oldPrice: '$5.00',
    seller: 'Alder.com',
    condition: 'used',
    lines: ['Get it by Wed (Free)', 'Free 14-day returns'],
    badges: ['Low price'],
    rating: 4.8,
    reviews: { count: 1_800, isRounded: true },
  });
});

test('without a seller the store line is still no seller', () => {
  expect(readLabel('Whole Milk.  Current price: $2.62. In store, Tampa.')).toMatchObject({
    seller: null,
    lines: ['In store, Tampa'],
  });
});

test('one space behind the title is enough when the price follows', () => {
  expect(readLabel('Whole Milk. Current price: $2.62. Corner Basket.')).toMatchObject({
    title: 'Whole Milk',
    price: '$2.62',
    seller: 'Corner Basket',
  });
});

test('other labels and other languages are not the sentence', () => {
  for (const label of ['', 'About this result', 'Under $10 filter. Not selected.', 'Leite.  Preço atual: R$ 5. Loja.'])
    expect(readLabel(label), label).toBeNull();
});
