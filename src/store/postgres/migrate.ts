// Numbered, append-only migrations. Any number of processes may start at once: one advisory lock lets the first through and the
// others find the work done. A database from a newer Windrow is refused, since this one cannot know what its columns mean.
import { readdir, readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import { AppError } from '../../model/errors.ts';

const FOLDER = new URL('../migrations/', import.meta.url);
const LOCK_KEY = 7_246_301;

export interface Migration {
  version: number;
  name: string;
}

export async function migrate(
  pool: Pool,
  log: (event: string, fields: object) => void = () => {},
): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  const client = await pool.connect();
  const applied: Migration[] = [];
  try {
    // Waiting for another process's migration is not a slow query.
    await client.query("select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)");
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    try {
      await client.query('create schema if not exists windrow');
      await client.query(
        'create table if not exists windrow.migrations (version int primary key, name text not null, applied_at timestamptz not null default now())',
      );
      const { rows } = await client.query<{ version: number }>('select version from windrow.migrations');
      const done = new Set(rows.map((row) => row.version));
      const newest = Math.max(0, ...done);
      const known = Math.max(...files.map(versionOf));
      if (newest > known) {
        throw new AppError(
          'newer_database',
          `The database is at migration ${newest}, this Windrow knows only ${known}. Start the newer Windrow, or use another database.`,
        );
      }
      for (const name of files) {
        const version = versionOf(name);
        if (done.has(version)) continue;
        const sql = await readFile(new URL(name, FOLDER), 'utf8');
        await client.query('begin');
        try {
          await client.query('set local search_path = windrow, public');
          await client.query(sql);
          await client.query('insert into windrow.migrations (version, name) values ($1, $2)', [version, name]);
          await client.query('commit');
        } catch (error) {
          await client.query('rollback');
          throw error;
        }
        applied.push({ version, name });
        log('store.migrated', { version, name });
      }
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
    }
  } finally {
    // Not back to the pool: this session has no timeouts.
    client.release(true);
  }
  return applied;
}

const versionOf = (name: string): number => Number.parseInt(name, 10);
