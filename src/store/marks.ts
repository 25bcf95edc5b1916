// Small facts that all processes share, such as the wire's epoch.
import type { Pool } from 'pg';
import { bindAll } from './postgres/bind.ts';
import { query } from './postgres/pool.ts';

export interface MarkStore {
  /** Null when it is not set. */
  getMark(name: string): Promise<string | null>;
  setMark(name: string, value: string): Promise<void>;
  /** Whether it is this process's turn to do something that one is enough for: true for one caller in so many seconds. */
  takeTurn(name: string, seconds: number): Promise<boolean>;
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

async function takeTurn(pool: Pool, name: string, seconds: number): Promise<boolean> {
  const rows = await query(
    pool,
    `insert into marks (name, value) values ('turn:' || $1, now()::text) on conflict (name) do update set value = excluded.value
     where marks.value::timestamptz < now() - make_interval(secs => $2) returning 1`,
    [name, seconds],
  );
  return rows.length > 0;
}

export const markStore = (pool: Pool): MarkStore => bindAll(pool, { getMark, setMark, takeTurn });
