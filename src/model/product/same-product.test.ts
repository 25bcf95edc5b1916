import { describe, expect, test } from 'vitest';
import pairs from './pairs.test-table.json' with { type: 'json' };
import { isSameProduct, productKeys } from './same-product.ts';

interface Side {
  title: string;
  brand?: string;
  gtin?: string;
}

const identity = ({ title, brand = null as string | null, gtin }: Omit<Side, 'brand'> & { brand?: string | null }) => ({
  title,
  brand,
  ids: (gtin === undefined ? {} : { gtin }) as Record<string, string>,
});

describe('offers of one product, and offers that only look like it', () => {
  test('no pair that differs is taken for the same, and nearly all that are the same are found', () => {
    const wrong: string[] = [];
    const missed: string[] = [];
    for (const { same, a, b } of pairs as { same: boolean; a: Side; b: Side }[]) {
      const found = isSameProduct(identity(a), identity(b));
      if (found && !same) wrong.push(`${a.title} ~ ${b.title}`);
      if (!found && same) missed.push(`${a.title} ~ ${b.title}`);
    }
    expect(wrong).toEqual([]);
    expect(missed).toEqual([]);
  });
});

test.each([
  ['what is sold by weight', { title: 'Acme Whole Chicken 3 lb', is_by_weight: true }],
  ['a name of common words alone', { title: 'Organic Whole Milk, 1 gallon', brand: null }],
  ['a name without a size or a model number', { title: 'Acme Oven Gloves', brand: 'Acme' }],
  ['a single word', { title: 'Oreo, 14 oz' }],
])('%s has no key', (_, product) => {
  expect(productKeys(product)).toEqual({ gtin: null, name: null });
});

test('a used one is not the new one', () => {
  const title = 'Acme AX-500 Drill';
  expect(isSameProduct({ title }, { title, condition: 'new' })).toBe(true);
  expect(isSameProduct({ title }, { title, condition: 'refurbished' })).toBe(false);
});

test('a size in a field of its own counts where the name has none', () => {
  const size = { value: 64, unit: 'fl oz' as const, count: 1, is_ambiguous: false, confidence: 1, text: '64 fl oz' };
  expect(isSameProduct({ title: 'Acme Oat Milk', size }, { title: 'Acme Oat Milk, half gallon' })).toBe(true);
});

test('time grows with the name, whatever it is made of', () => {
  for (const unit of ['1 x ', '12 fl oz ', 'a', '½', 'pack of 1 ', '& ', '1/2 '])
    expect(productKeys({ title: unit.repeat(20_000) })).toBeDefined();
});
