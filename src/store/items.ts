// Where items go: each kind has a file of its own that knows how to save a harvest and how old the item behind a key is.
import type { Item, Kind } from '../model/item.ts';
import { articleAges, saveArticles } from './articles.ts';
import type { Client } from './pool.ts';
import { savePostings } from './postings.ts';
import { saveProducts, shelfAges } from './products.ts';

/** What one part of a result brought, of the attempt that held the lease. */
export interface Harvest<T extends Item = Item> {
  kind: Kind;
  /** The task's key. */
  key: string;
  taskId: string;
  /** 1, 2, …; the last part of a result included. */
  part: number;
  items: T[];
}

interface ItemTable {
  save(client: Client, harvests: Harvest<never>[]): Promise<void>;
  /** Seconds since the item behind each key was scraped, by the database's clock; kinds that are never reused have none. */
  ages?(client: Client, keys: string[]): Promise<Map<string, number>>;
}

const TABLES: Record<Kind, ItemTable> = {
  article: { save: saveArticles, ages: articleAges },
  posting: { save: savePostings },
  product: { save: saveProducts, ages: shelfAges },
};

export async function saveItems(client: Client, harvests: Harvest[]): Promise<void> {
  const byKind = Map.groupBy(harvests, (harvest) => harvest.kind);
  // In one order everywhere, so that two recorders never wait for each other crosswise.
  for (const kind of [...byKind.keys()].sort()) await TABLES[kind].save(client, byKind.get(kind) as Harvest<never>[]);
}

export async function agesOf(client: Client, kind: string, keys: string[]): Promise<Map<string, number>> {
  const table = (TABLES as Record<string, ItemTable | undefined>)[kind];
  return keys.length === 0 || !table?.ages ? new Map() : table.ages(client, keys);
}
