import { expect, test } from 'vitest';
import { toDecimal } from './money.ts';
import { Product } from './product.ts';
import { productView } from './product-view.ts';

const product: Product = Product.parse({
  position: 1,
  title: 'Oat Drink 64 fl oz',
  brand: 'Meadow',
  seller: { name: 'Corner Market', id: null, domain: null },
  price: { amount_minor: 429, currency: 'USD', text: '$4.29' },
  old_price: { amount_minor: 500, currency: 'USD', text: '$5.00' },
  unit_price: {
    amount_minor: 6.7031,
    currency: 'USD',
    per: { value: 1, unit: 'fl oz' },
    basis: 'computed',
    text: null,
  },
  size: { value: 64, unit: 'fl oz', count: 1, is_ambiguous: false, confidence: 0.85, text: '64 fl oz' },
  is_by_weight: false,
  condition: null,
  availability: 'in_stock',
  fulfilment: [
    { type: 'in_store', text: 'In store, Tampa', place: 'Tampa', cost_minor: null },
    { type: 'delivery', text: 'Free by Wed', place: null, cost_minor: 0 },
  ],
  rating: 4.5,
  review_count: 1800,
  review_count_is_rounded: true,
  image: null,
  ids: { sku: 'a-1', google_oid: '77' },
  product_link: 'https://search.example/p/77',
  merchant_link: null,
  sponsored: false,
  source: 'google-shopping',
  scraped_at: '2026-11-15T10:00:00.000Z',
  locality: { requested: '33602', evidence: 'In store, Tampa' },
  parse: { rule: 'label', confidence: 0.9 },
});

test('the contract sees flat fields and decimal numbers', () => {
  expect(productView(product)).toEqual({
    title: 'Oat Drink 64 fl oz',
    price: 4.29,
    currency: 'USD',
    price_text: '$4.29',
    old_price: 5,
    unit_price: 0.067031,
    unit: 'fl oz',
    seller: 'Corner Market',
    link: 'https://search.example/p/77',
    image: null,
    rating: 4.5,
    reviews: 1800,
    delivery: 'In store, Tampa; Free by Wed',
    product_id: '77',
    same_as: expect.stringMatching(/^[0-9a-f-]{36}$/),
    zipcode: '33602',
    scraped_at: '2026-11-15T10:00:00.000Z',
  });
});

test('what is not known is null', () => {
  const bare = {
    ...product,
    price: null,
    old_price: null,
    unit_price: null,
    fulfilment: [],
    ids: {},
    product_link: null,
  };
  expect(productView(bare)).toMatchObject({
    price: null,
    currency: null,
    unit: null,
    delivery: null,
    product_id: null,
    link: null,
  });
});

test('decimals follow the currency', () => {
  expect(toDecimal(1200, 'JPY')).toBe(1200);
  expect(toDecimal(1500, 'KWD')).toBe(1.5);
  expect(toDecimal(29, 'USD')).toBe(0.29);
});
