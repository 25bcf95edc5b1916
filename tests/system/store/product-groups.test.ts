// Groups of products on a real database: offers of the same product join, what differs stays apart, and offers of before come along.
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { productKeys } from '../../../src/model/product/same-product.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { groupProducts } from '../../../src/store/products/product-groups.ts';
import { listProducts } from '../../../src/store/products/product-list.ts';
import { openStore } from '../../../src/store/store.ts';
import { freshDatabase } from '../../support/own-servers.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  await (await openStore({ connection: database.url, connectTimeoutMs: 30_000 })).close();
  pool = createPool({ connection: database.url, connectTimeoutMs: 30_000 });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});
beforeEach(() => pool.query('delete from products'));

interface Offer {
  title: string;
  seller: string;
  price?: number;
  gtin?: string;
  /** Stored before there were groups. */
  isOld?: boolean;
}

async function put({ title, seller, price = 1, gtin, isOld = false }: Offer): Promise<void> {
  const identity = { brand: null, size: null, condition: null, is_by_weight: false, ids: gtin ? { gtin } : {} };
  await pool.query(
    `insert into products (key, product, source, title, seller, zipcode, currency, price, data, scraped_at, identity)
     values (gen_random_uuid(), $1, 'kroger', $2, $3, '10001', 'USD', $4, $5, now(), $6)`,
    [
      gtin && isOld ? `gtin:${gtin}` : title,
      title,
      seller,
      price,
      JSON.stringify({ title, seller, price }),
      isOld ? null : JSON.stringify(identity),
    ],
  );
}

async function group(batch = 100): Promise<void> {
  let looked = batch;
  while (looked > 0) ({ looked } = await groupProducts(pool, { productKeys }, batch));
}

/** Sellers by group; those without one stand alone. */
async function groups(): Promise<string[]> {
  const { rows } = await pool.query<{ sellers: string }>(
    `select string_agg(seller, '+' order by seller) as sellers from products group by coalesce(group_id, key) order by 1`,
  );
  return rows.map(({ sellers }) => sellers);
}

const GTIN = '0016000275287';
const OTHER_GTIN = '8076809513753';

test('offers of one product in several shops are one group, and others are not', async () => {
  await put({ title: 'Acme Oat Milk, 64 fl oz', seller: 'a', price: 4 });
  await put({ title: 'Acme Oat Milk Half Gallon', seller: 'b', price: 3 });
  await put({ title: 'Acme Oat Milk Barista, 64 fl oz', seller: 'c' });
  await put({ title: 'Whole Milk, 1 gal', seller: 'd' });
  await put({ title: 'Whole Milk, 1 gal', seller: 'e' });
  await group();
  expect(await groups()).toEqual(['a+b', 'c', 'd', 'e']);
  const listed = await listProducts(pool, { limit: 10, order: 'price', descending: false, after: null });
  const [b] = listed.filter(({ group: { offers } }) => offers.length === 2);
  expect(b!.group.offers.map(({ seller, price }) => [seller, price])).toEqual([
    ['b', 3],
    ['a', 4],
  ]);
  const ofGroup = await listProducts(pool, {
    limit: 10,
    order: 'price',
    descending: false,
    after: null,
    groupId: b!.group.id!,
  });
  expect(ofGroup).toHaveLength(2);
});

test('a barcode joins different names, and offers without one join the barcode of their name', async () => {
  await put({ title: 'Acme Oat Rings, 8.9 oz', seller: 'a', gtin: GTIN });
  await put({ title: 'Rings by Acme', seller: 'b', gtin: GTIN });
  await put({ title: 'Acme Oat Rings 8.9 oz Box', seller: 'c' });
  await group();
  expect(await groups()).toEqual(['a+b+c']);
});

test('two barcodes of one name are two products, and what has none is with neither', async () => {
  await put({ title: 'Acme Oat Rings, 8.9 oz', seller: 'a', gtin: GTIN });
  await put({ title: 'Acme Oat Rings, 8.9 oz', seller: 'c' });
  await group();
  expect(await groups()).toEqual(['a+c']);
  await put({ title: 'Acme Oat Rings, 8.9 oz', seller: 'b', gtin: OTHER_GTIN });
  await group();
  expect(await groups()).toEqual(['a', 'b', 'c']);
});

test('an offer whose title changes leaves its group, and takes nobody along', async () => {
  await put({ title: 'Acme Oat Milk, 64 fl oz', seller: 'a' });
  await put({ title: 'Acme Oat Milk, 64 fl oz', seller: 'b' });
  await group();
  await pool.query(`update products set title = 'Acme Oat Milk, 32 fl oz', match_due = true where seller = 'b'`);
  await group();
  expect(await groups()).toEqual(['a', 'b']);
});

test('offers that were stored before there were groups come along in small steps', async () => {
  for (const seller of ['a', 'b', 'c']) await put({ title: 'Acme Oat Milk, 64 fl oz', seller, isOld: true });
  await put({ title: 'Rings', seller: 'd', gtin: GTIN, isOld: true });
  await put({ title: 'Other rings', seller: 'e', gtin: GTIN });
  await group(2);
  expect(await groups()).toEqual(['a+b+c', 'd+e']);
});
