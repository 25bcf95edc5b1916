// Groups of offers of the same product: new and changed offers get the keys they are compared by, and the groups of those keys. The rule is in
// model/product/same-product.ts; here is what it means for rows.
// What a reader would get wrong: a barcode decides. Offers without one join the barcode that others of their name have, if it is only one.
import type { Pool } from 'pg';
import { keyOf } from '../../model/ids.ts';
import type { ProductIdentity, ProductKeys } from '../../model/product/same-product.ts';
import { type Client, transaction } from '../postgres/pool.ts';
import { plainArray, textArray } from '../postgres/text.ts';

export interface ProductGroupRules {
  productKeys(product: ProductIdentity): ProductKeys;
}

export interface ProductsGrouped {
  looked: number;
  /** Offers that are in another group than before. */
  moved: number;
}

/** One instance groups at a time, and the others find nothing to do. */
const LOCK_KEY = 7_246_307;
/** Offers of one name that are moved in one go; the rest of a larger group follows with its next offer. */
const MOVED_MAX = 5_000;

interface Due {
  key: string;
  version: string;
  product: string;
  title: string;
  identity: Omit<ProductIdentity, 'title'> | null;
  match_name: string | null;
}

export async function groupProducts(
  pool: Pool,
  { productKeys }: ProductGroupRules,
  batch: number,
): Promise<ProductsGrouped> {
  return transaction(pool, async (client) => {
    const { rows: lock } = await client.query<{ ours: boolean }>('select pg_try_advisory_xact_lock($1) as ours', [
      LOCK_KEY,
    ]);
    if (!lock[0]?.ours) return { looked: 0, moved: 0 };
    const { rows: due } = await client.query<Due>(
      `select key, xmin::text as version, product, title, identity, match_name from products p where match_due order by key limit $1 for update`,
      [batch],
    );
    if (due.length === 0) return { looked: 0, moved: 0 };
    const keyed = due.map((row) => {
      const keys = productKeys({ title: row.title, ...(row.identity ?? identityOfName(row.product)) });
      return { ...row, gtin: keys.gtin, name: keys.name === null ? null : keyOf(`same:${keys.name}`) };
    });
    await client.query(
      `update products p set gtin = u.gtin, match_name = u.name, match_due = false,
         group_id = case when u.gtin is null and u.name is null then null else p.group_id end
       from unnest($1::uuid[], $2::text[], $3::uuid[]) as u(key, gtin, name) where p.key = u.key`,
      [
        plainArray(keyed.map((row) => row.key)),
        textArray(keyed.map((row) => row.gtin)),
        plainArray(keyed.map((row) => row.name)),
      ],
    );
    const names = keyed.flatMap((row) => [row.name ?? [], row.match_name ?? []].flat());
    const moved = await regroup(client, [...new Set(names)], keyed);
    return { looked: due.length, moved };
  });
}

/** Of an offer that was stored before its brand was: what its name says, if that is a barcode. */
const identityOfName = (product: string): Omit<ProductIdentity, 'title'> =>
  product.startsWith('gtin:') ? { ids: { gtin: product.slice('gtin:'.length) } } : {};

async function regroup(
  client: Client,
  names: string[],
  keyed: { key: string; gtin: string | null }[],
): Promise<number> {
  const { rows: blocks } = await client.query<{ name: string; gtins: string; gtin: string | null }>(
    `select match_name as name, count(distinct gtin)::text as gtins, min(gtin) as gtin from products p where match_name = any($1::uuid[]) group by match_name`,
    [plainArray(names)],
  );
  const groupOf = (gtin: string): string => keyOf(`gtin:${gtin}`);
  const { rowCount: byName } = await client.query(
    `update products p set group_id = u.group_id
     from (select key, w.group_id from unnest($1::uuid[], $2::uuid[]) as w(name, group_id)
       cross join lateral (select key from products q where q.match_name = w.name and q.gtin is null and q.group_id is distinct from w.group_id
         order by key limit ${MOVED_MAX}) m) u
     where p.key = u.key`,
    [
      plainArray(blocks.map(({ name }) => name)),
      plainArray(blocks.map(({ name, gtins, gtin }) => (gtins === '1' ? groupOf(gtin!) : name))),
    ],
  );
  const barcoded = keyed.filter((row) => row.gtin !== null);
  const { rowCount: byGtin } = await client.query(
    `update products p set group_id = u.group_id from unnest($1::uuid[], $2::uuid[]) as u(key, group_id)
     where p.key = u.key and p.group_id is distinct from u.group_id`,
    [plainArray(barcoded.map((row) => row.key)), plainArray(barcoded.map((row) => groupOf(row.gtin!)))],
  );
  return (byName ?? 0) + (byGtin ?? 0);
}
