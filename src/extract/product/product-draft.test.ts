import { expect, test } from 'vitest';
import { Product } from '../../model/product/product.ts';
import { completeProduct, fulfilmentFrom, linkOf, type ProductDraft } from './product-draft.ts';

const context = {
  source: 'test',
  position: 1,
  scrapedAt: '2026-11-15T00:00:00.000Z',
  locality: { requested: null, evidence: null },
};
const complete = (draft: ProductDraft) => Product.parse(completeProduct(draft, context));
const usd = (amount_minor: number) => ({ amount_minor, currency: 'USD', text: `$${amount_minor / 100}` });

test('what nobody stated stays unknown', () => {
  expect(complete({ title: ' Thing ' })).toMatchObject({
    title: 'Thing',
    price: null,
    unit_price: null,
    size: null,
    rating: null,
    availability: 'unknown',
  });
});

test('size and unit price come from the name, or from the size that stands apart', () => {
  expect(complete({ title: 'Rice 2 lb', price: usd(320) }).unit_price).toMatchObject({
    amount_minor: 10,
    per: { unit: 'oz' },
    basis: 'computed',
  });
  expect(complete({ title: 'Rice', sizeText: '2 lb', price: usd(320) }).size).toMatchObject({ value: 2, unit: 'lb' });
});

test('a stated unit price is kept, and what is sold by weight gets no computed one', () => {
  const stated = {
    amount_minor: 9,
    currency: 'USD',
    per: { value: 1, unit: 'oz' as const },
    basis: 'stated' as const,
    text: '9¢/oz',
  };
  expect(complete({ title: 'Rice 2 lb', price: usd(320), unit_price: stated }).unit_price).toEqual(stated);
  expect(complete({ title: 'Ham 2 lb', price: usd(320), is_by_weight: true }).unit_price).toBeNull();
});

test('an old price that is not higher is no reduction', () => {
  expect(complete({ title: 'Tea', price: usd(300), old_price: usd(300) }).old_price).toBeNull();
  expect(complete({ title: 'Tea', price: usd(300), old_price: usd(400) }).old_price).toEqual(usd(400));
});

test('claims outside the scale are not known', () => {
  expect(complete({ title: 'Tea', rating: 9.9, review_count: 12.4 })).toMatchObject({ rating: null, review_count: 12 });
  expect(complete({ title: 'Tea', rating: Number.NaN, review_count: -1 })).toMatchObject({
    rating: null,
    review_count: null,
  });
});

test.each([
  ['In store, Tampa', 'in_store', 'Tampa', null],
  ['Get it by Wed (Free)', 'delivery', null, 0],
  ['$5.99 delivery by Thu, Feb 8', 'delivery', null, 599],
  ['Pickup today', 'pickup', null, null],
  ['Free shipping on orders over $35', 'shipping', null, null],
])('%s', (line, type, place, cost_minor) => {
  expect(fulfilmentFrom(line, 'USD')).toMatchObject({ type, place, cost_minor });
});

test('lines about something else are no fulfilment', () => {
  for (const line of ['Free 14-day returns', '40% OFF', '']) expect(fulfilmentFrom(line), line).toBeNull();
});

test('links are absolute, of the web, and without tracking', () => {
  expect(linkOf('/a?utm_source=x&b=1', 'https://shop.example/p')).toBe('https://shop.example/a?b=1');
  for (const address of ['data:image/gif;base64,x', 'javascript:1', '', null, 'http://'])
    expect(linkOf(address, 'https://shop.example/'), String(address)).toBeNull();
});
