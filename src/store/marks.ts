// Small facts that all processes share, such as the wire's epoch.
import type { Pool } from 'pg';
import { bindAll } from './postgres/bind.ts';
import { query } from './postgres/pool.ts';

export interface MarkStore {
  /** Null when it is not set. */
  getMark(name: string): Promise<string | null>;
  setMark(name: string, value: string): Promise<void>;
}

async function getMark(pool: Pool, name: string): Promise<string | null> {
  const rows = await query<{ value: string }>(pool, 'select value from marks where name = $1', [name]);
  return rows[0]?.value ?? null;
}

async function setMark(pool: Pool, name: string, value: string): Promise<void> {
  const text =
    'insert into marks (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value';
  await query(pool, text, [name, value]);
}

export const markStore = (pool: Pool): MarkStore => bindAll(pool, { getMark, setMark });
