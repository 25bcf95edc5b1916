import { expect, test } from 'vitest';
import type { Money } from '../../model/product/money.ts';
import { parseSize } from '../../model/product/size.ts';
import { computeUnitPrice, parseUnitPrice, perBase } from './unit-price.ts';

const usd = (amount_minor: number): Money => ({ amount_minor, currency: 'USD', text: '' });

test.each([
  ['22.1 ¢/fl oz', 22.1, 1, 'fl oz'],
  ['12.4¢/oz', 12.4, 1, 'oz'],
  ['$3.99/lb', 399, 1, 'lb'],
  ['$3.99 per lb', 399, 1, 'lb'],
  ['($0.21 / ounce)', 21, 1, 'oz'],
  ['$0.033/fl oz', 3.3, 1, 'fl oz'],
  ['$2.17/100 ct', 217, 100, 'ct'],
  ['$6.40 per gallon', 640, 128, 'fl oz'],
])('%s is %d minor units per %d %s', (text, amount_minor, value, unit) => {
  expect(parseUnitPrice(text, { usual: 'USD' })).toMatchObject({
    amount_minor,
    currency: 'USD',
    per: { value, unit },
    basis: 'stated',
  });
});

test('the form with an equals sign names the unit first', () => {
  expect(parseUnitPrice('1 kg = 3,98 €')).toMatchObject({
    amount_minor: 398,
    currency: 'EUR',
    per: { value: 1, unit: 'kg' },
  });
  expect(parseUnitPrice('2,50 €/100 g')).toMatchObject({ amount_minor: 250, per: { value: 100, unit: 'g' } });
});

test('a plain price states no unit price, and a subscription is none', () => {
  for (const text of ['$3.99', '$15.95/mo', 'per lb', '', null])
    expect(parseUnitPrice(text, { usual: 'USD' }), String(text)).toBeNull();
});

test('dollars are compared per ounce and piece, others per 100 grams', () => {
  expect(computeUnitPrice(usd(320), parseSize('Rice 2 lb'))).toMatchObject({
    amount_minor: 10,
    per: { value: 1, unit: 'oz' },
    basis: 'computed',
  });
  expect(computeUnitPrice(usd(360), parseSize('Eggs 1 dozen'))).toMatchObject({
    amount_minor: 30,
    per: { value: 1, unit: 'ct' },
  });
  const euro = { amount_minor: 199, currency: 'EUR', text: '' };
  expect(computeUnitPrice(euro, parseSize('Mehl 1 kg'))).toMatchObject({
    amount_minor: 19.9,
    per: { value: 100, unit: 'g' },
  });
});

test('nothing is computed from a size in doubt', () => {
  expect(computeUnitPrice(usd(320), parseSize('Tomato sauce 15 oz'))).toBeNull();
  expect(computeUnitPrice(usd(320), parseSize('Taco shells 12 ct, 4.6 oz'))).toBeNull();
  expect(computeUnitPrice(usd(320), null)).toBeNull();
});

test('unit prices of different units are comparable by their base', () => {
  const perPound = perBase(parseUnitPrice('$4.5359237/lb', { usual: 'USD' })!);
  expect(perPound.base).toBe('g');
  expect(perPound.amountMinor).toBeCloseTo(1, 6);
});
