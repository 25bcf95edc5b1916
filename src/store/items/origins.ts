// Where the fields of items came from: each way of reading is a row of its own, and an item names its row by a number that follows from its content. So a million
// items of one board cost eight bytes each, and a row is true for items of old versions of a source too. Rows are never changed and few.
import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Kind } from '../../model/item/item.ts';
import type { Origins } from '../../model/provenance/origins.ts';
import type { ArchivedPage, Provenance, StoredProvenance } from '../../model/provenance/provenance.ts';
import { bindAll } from '../postgres/bind.ts';
import { type Client, query } from '../postgres/pool.ts';
import { jsonList, pgJson, plainArray } from '../postgres/text.ts';

interface Batch {
  provenance?: Provenance | undefined;
}

/** The number of the row for each item of a batch, by its place; null where nothing was said. */
export type OriginIds = (batch: Batch, place: number) => string | null;

export const NO_ORIGINS: OriginIds = () => null;

/** In the transaction that stores the items, before them. */
export async function saveOrigins(client: Client, batches: readonly Batch[]): Promise<OriginIds> {
  const idsOf = new Map<Batch, string[]>();
  const rows = new Map<string, { version: number; text: string }>();
  for (const batch of batches) {
    if (!batch.provenance) continue;
    const { version, origins } = batch.provenance;
    const ids = origins.map((one) => {
      const text = pgJson(one);
      const id = hash('sha256', `${version} ${text}`, 'buffer').readBigInt64BE().toString();
      rows.set(id, { version, text });
      return id;
    });
    idsOf.set(batch, ids);
  }
  if (rows.size > 0) {
    // In one order, so that two recorders never wait for each other crosswise.
    const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
    await client.query({
      name: 'save-origins',
      text: `insert into item_origins (id, source_version, origins)
             select * from rows from (unnest($1::bigint[], $2::int[]), jsonb_array_elements($3::jsonb)) as o(id, source_version, origins)
             on conflict do nothing`,
      values: [
        plainArray(sorted.map(([id]) => id)),
        plainArray(sorted.map(([, row]) => row.version)),
        jsonList(sorted.map(([, row]) => row.text)),
      ],
    });
  }
  return (batch, place) => idsOf.get(batch)?.[batch.provenance?.of[place] ?? -1] ?? null;
}

/** Where items that are listed came from. */
export interface ProvenanceStore {
  /** By key; without an entry the item is gone. */
  provenanceOf(kind: Kind, keys: readonly string[]): Promise<Map<string, StoredProvenance>>;
}

export const provenanceStore = (pool: Pool): ProvenanceStore => bindAll(pool, { provenanceOf });

const TABLES: Record<Kind, string> = { article: 'articles', posting: 'postings', product: 'products' };

interface Row extends Record<string, unknown> {
  key: string;
  task_id: string | null;
  attempt: number | null;
  source_version: number | null;
  origins: Origins | null;
  pages: ArchivedPage[] | null;
}

/** Of items that are listed, by their keys. */
export async function provenanceOf(
  pool: Pool,
  kind: Kind,
  keys: readonly string[],
): Promise<Map<string, StoredProvenance>> {
  const rows = await query<Row>(
    pool,
    `select i.key, i.task_id, i.attempt, o.source_version, o.origins, c.metadata->'archived' as pages
     from ${TABLES[kind]} i left join item_origins o on o.id = i.origins_id left join outcomes c on c.task_id = i.task_id
     where i.key = any($1::uuid[])`,
    [plainArray([...keys])],
  );
  return new Map(
    rows.map(({ key, task_id: taskId, attempt, source_version: sourceVersion, origins, pages }) => [
      key,
      { taskId, attempt, sourceVersion, origins, pages: pages ?? [] },
    ]),
  );
}
