import { expect, test } from 'vitest';
import { baskets, byUnitPrice, elsewhere, type Product } from './basket.ts';

const product = (seller: string | null, price: number | null, more: Partial<Product> = {}): Product =>
  ({ title: `${seller} ${price}`, seller, price, currency: 'USD', unit_price: null, ...more }) as Product;

test('a store costs the sum of its cheapest products, and full baskets come first', () => {
  const found = {
    milk: [product('Corner', 4), product('Corner', 3), product('Big', 2)],
    eggs: [product('Corner', 5)],
  };
  expect(baskets(found).map(({ seller, total, missing }) => [seller, total, missing])).toEqual([
    ['Corner', 8, []],
    ['Big', 2, ['eggs']],
  ]);
});

test('currencies are not mixed, and products without a price or a seller are in no basket', () => {
  const found = { milk: [product('A', 3), product('A', 2, { currency: 'EUR' }), product(null, 1), product('B', null)] };
  expect(baskets(found).map(({ seller, currency, total }) => [seller, currency, total])).toEqual([
    ['A', 'EUR', 2],
    ['A', 'USD', 3],
  ]);
});

test('products are in the order of their unit price, those without one last', () => {
  const sorted = [product('a', 1), product('b', 9, { unit_price: 0.5 }), product('c', 2, { unit_price: 0.7 })].toSorted(
    byUnitPrice,
  );
  expect(sorted.map(({ seller }) => seller)).toEqual(['b', 'c', 'a']);
});

test('the same product elsewhere is shown once a store, the cheapest first, and never in another currency', () => {
  const same = { same_as: 'one' };
  const here = product('A', 4, same);
  const all = [
    here,
    product('B', 5, same),
    product('B', 3, same),
    product('C', 2, { same_as: 'other' }),
    product('D', 2, { ...same, currency: 'EUR' }),
    product('E', 1, same),
  ];
  expect(elsewhere(here, all).map(({ seller, price }) => [seller, price])).toEqual([
    ['E', 1],
    ['B', 3],
  ]);
  expect(elsewhere(product('A', 4, { same_as: null }), all)).toEqual([]);
});
