// Where items go: each kind has a file of its own that knows how to save a harvest, and a table if its items are reused.
import type { Item, Kind } from '../../model/item/item.ts';
import type { Provenance } from '../../model/provenance/provenance.ts';
import { saveArticles } from '../articles/articles.ts';
import type { Client } from '../postgres/pool.ts';
import { savePostings } from '../postings/postings.ts';
import { saveProducts } from '../products/products.ts';
import { type OriginIds, saveOrigins } from './origins.ts';

/** What one part of a result brought, of the attempt that held the lease. */
export interface ItemBatch<T extends Item = Item> {
  kind: Kind;
  /** The task's key. */
  key: string;
  taskId: string;
  source: string;
  attempt: number;
  /** 1, 2, …; the last part of a result included. */
  part: number;
  items: T[];
  /** Where their fields came from. */
  provenance?: Provenance;
}

interface ItemTable {
  save(client: Client, itemBatches: ItemBatch<never>[], originIds: OriginIds): Promise<void>;
  /** Where the item behind a task's key is kept, with `scraped_at`; kinds that are never reused have none. */
  table?: string;
}

const TABLES: Record<Kind, ItemTable> = {
  article: { save: saveArticles, table: 'articles' },
  posting: { save: savePostings },
  product: { save: saveProducts, table: 'cart_search_results' },
};

export async function saveItems(client: Client, itemBatches: ItemBatch[]): Promise<void> {
  const originIds = await saveOrigins(client, itemBatches);
  const byKind = Map.groupBy(itemBatches, (harvest) => harvest.kind);
  // In one order everywhere, so that two recorders never wait for each other crosswise.
  for (const kind of [...byKind.keys()].sort())
    await TABLES[kind].save(client, byKind.get(kind) as ItemBatch<never>[], originIds);
}

export const itemTableOf = (kind: Kind): string | null => TABLES[kind].table ?? null;
