// What a database of Windrow consists of, read from PostgreSQL itself: a new table is in the next backup without a line here.
import type { ClientBase } from 'pg';
import { quoted, type Table } from './format.ts';

/** Made by the migrations, not by rows. */
const MIGRATIONS = 'migrations';

/**
 * Every table with rows worth keeping, in an order in which references can be followed. Unlogged ones hold what may be lost; partitions are read through their
 * parents, and computed columns are computed again.
 */
export async function tablesOf(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(
    `select c.relname::text as name,
            (select coalesce(array_agg(a.attname::text order by a.attnum), '{}') from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
            (select coalesce(array_agg(distinct r.relname::text), '{}') from pg_constraint k join pg_class r on r.oid = k.confrelid
              where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
       from pg_class c
      where c.relnamespace = 'windrow'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relpersistence = 'p' and c.relname <> $1
      order by 1`,
    [MIGRATIONS],
  );
  const placed: Table[] = [];
  const isPlaced = (name: string): boolean => placed.some((table) => table.name === name);
  for (let left = rows; left.length > 0; ) {
    const next = left.filter(({ needs }) => needs.every(isPlaced));
    if (next.length === 0) throw new Error(`tables refer to each other in a circle: ${left.map(({ name }) => name)}`);
    placed.push(...next.map(({ name, columns }) => ({ name, columns })));
    left = left.filter(({ name }) => !isPlaced(name));
  }
  return placed;
}

/** Last values of the sequences that were used; they do not belong to a snapshot, so they are read after the rows. */
export async function sequencesOf(client: ClientBase): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences where schemaname = 'windrow' and last_value is not null order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** What a person would miss; the rest is written again by every start. */
const WORK = [
  'runs',
  'articles',
  'postings',
  'products',
  'companies',
  'alerts',
  'webhooks',
  'api_keys',
  'dead_letters',
];
const COUNTED = 100_000;

/** `runs: 1,204`, `articles: more than 100,000` */
export async function whatItHolds(client: ClientBase): Promise<string[]> {
  const held: string[] = [];
  for (const { name } of await tablesOf(client)) {
    if (!WORK.includes(name)) continue;
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from (select from windrow.${quoted(name)} limit ${COUNTED + 1}) t`,
    );
    const { n } = rows[0]!;
    const number = n > COUNTED ? `more than ${COUNTED.toLocaleString('en')}` : n.toLocaleString('en');
    if (n > 0) held.push(`${name.replaceAll('_', ' ')}: ${number}`);
  }
  return held;
}
