// Where items go: each kind has a file of its own that knows how to save a harvest and how old the item behind a key is.
import { AppError } from '../model/errors.ts';
import type { Item, Kind } from '../model/item.ts';
import { articleAges, saveArticles } from './articles.ts';
import type { Client } from './pool.ts';
import { savePostings } from './postings.ts';

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

// Products have no table yet: a result that brings some is refused loudly instead of being counted as kept.
const TABLES: Partial<Record<Kind, ItemTable>> = {
  article: { save: saveArticles, ages: articleAges },
  posting: { save: savePostings },
};

export async function saveItems(client: Client, harvests: Harvest[]): Promise<void> {
  const byKind = Map.groupBy(harvests, (harvest) => harvest.kind);
  // In one order everywhere, so that two recorders never wait for each other crosswise.
  for (const kind of [...byKind.keys()].sort()) await tableOf(kind).save(client, byKind.get(kind) as Harvest<never>[]);
}

function tableOf(kind: Kind): ItemTable {
  const table = TABLES[kind];
  if (!table) throw new AppError('internal', `Items of kind ${kind} have no table.`);
  return table;
}

export async function agesOf(client: Client, kind: string, keys: string[]): Promise<Map<string, number>> {
  const table = (TABLES as Record<string, ItemTable | undefined>)[kind];
  return keys.length === 0 || !table?.ages ? new Map() : table.ages(client, keys);
}
