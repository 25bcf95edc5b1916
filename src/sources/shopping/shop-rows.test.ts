import { expect, test } from 'vitest';
import { z } from 'zod';
import { KrogerProduct, krogerDraft } from './kroger.ts';
import { readRows } from './shop-rows.ts';

const Row = z.object({ name: z.string(), price: z.number().nullish() });

test('rows that cannot be read are refused one by one, and named', () => {
  const skipped: unknown[] = [];
  const rows = readRows(
    [{ name: 'Milk' }, { id: 7 }, 'text', { name: 'Eggs', price: 'x', sku: 'e1' }, { name: 'Tea' }],
    Row,
    {
      about: 'shop',
      notes: { skipped: (row) => void skipped.push(row) },
    },
  );
  expect(rows.map(({ name }) => name)).toEqual(['Milk', 'Tea']);
  expect(skipped).toEqual([
    { id: '7', reason: 'name is required' },
    { id: null, reason: expect.stringMatching(/^the row /) },
    { id: 'e1', reason: expect.stringMatching(/^price /) },
  ]);
});

test('none readable is another layout, and no rows are none', () => {
  expect(() => readRows([{}, {}], Row, { about: 'shop' })).toThrow(/none of the 2 rows could be read \(name/);
  expect(readRows([], Row, { about: 'shop' })).toEqual([]);
});

test('a product of Kroger needs neither a UPC nor a picture', () => {
  const draft = krogerDraft(
    KrogerProduct.parse({ productId: '0001', description: 'Milk', images: [{ sizes: [{}] }] }),
    null,
  );
  expect(draft).toMatchObject({ title: 'Milk', ids: { kroger_product_id: '0001' }, image: null });
});
