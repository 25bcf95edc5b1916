// What does it cost to put an offer into the group of its product when there are many? Made-up offers, four shops a product, sizes written in different units. It promises
// that with eight times as many offers one costs at most twice as much: equal keys meet in an index, nothing is compared with everything. And that every group is right.
import { productKeys } from '../../src/model/product/same-product.ts';
import { createPool } from '../../src/store/postgres/pool.ts';
import { groupProducts } from '../../src/store/products/product-groups.ts';
import { openStore } from '../../src/store/store.ts';
import { freshDatabase } from '../../tests/support/own-servers.ts';
import { found } from '../found.ts';

const SIZES = [5_000, 40_000];
const BATCH = 500;
const MOST_GROWTH = 2;
const FORMS = ['64 fl oz', 'Half Gallon', '0.5 gal', '64 fl oz Bottle'];

const database = await freshDatabase();
await (await openStore({ connection: database.url })).close();
const pool = createPool({ connection: database.url });
const costs: number[] = [];
for (const size of SIZES) {
  await pool.query('truncate products');
  await pool.query(
    `insert into products (key, product, source, title, seller, zipcode, currency, price, data, scraped_at, identity)
     select gen_random_uuid(), n::text, 'kroger', 'Acme' || n / 4 || ' Oat Drink ' || ($2::text[])[1 + n % 4], 'shop ' || n % 4, '10001', 'USD', 1, '{}', now(),
       '{"brand": null, "size": null, "condition": null, "is_by_weight": false, "ids": {}}'
     from generate_series(0, $1 - 1) n`,
    [size, FORMS],
  );
  await pool.query('vacuum analyze products');
  const began = performance.now();
  for (let looked = BATCH; looked > 0; ) ({ looked } = await groupProducts(pool, { productKeys }, BATCH));
  const cost = (performance.now() - began) / size;
  costs.push(cost);
  const { rows } = await pool.query<{ wrong: string }>(
    'select count(*) as wrong from (select group_id from products group by group_id having count(*) <> 4 or group_id is null) g',
  );
  console.log(
    `${String(size).padStart(6)} offers: ${(1_000 * cost).toFixed(0)} µs an offer, ${rows[0]!.wrong} groups wrong`,
  );
  if (rows[0]!.wrong !== '0') process.exitCode = 1;
}
await pool.end();
await database.drop();
found('grouping an offer among 40,000, next to 5,000', costs[1]! / costs[0]!, 'times', { atMost: MOST_GROWTH });
