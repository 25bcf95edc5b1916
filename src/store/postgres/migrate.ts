// Numbered, append-only migrations. Any number of processes may start at once: each migration is one transaction behind an advisory lock, so the first does it and
// the others find it done. While a fleet is upgraded, processes of two versions run beside each other: a database of a newer Windrow is used as long as its migrations
// only added to what this one knows, and refused when one of them begins with `-- breaking:`.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { AppError } from '../../model/errors.ts';
import { sessionRefusal } from './pooler.ts';

const FOLDER = new URL('../migrations/', import.meta.url);
const LOCK_KEY = 7_246_301;
/** Waiting for another process's migration, or rewriting a table, is not a slow query. */
const UNHURRIED = { query_timeout: 2 ** 31 - 1 };
/** What waits for a lock holds up all who come after it, so a migration waits less than a request may, and tries again. */
const LOCK_WAIT_MS = 1_000;
const LOCK_TRIES = 300;
const LOCK_NOT_AVAILABLE = '55P03';

export interface Migration {
  version: number;
  name: string;
}

type Log = (event: string, fields: object) => void;

export async function migrate(pool: Pool, log: Log = () => {}): Promise<Migration[]> {
  const files = await knownMigrations();
  const applied: Migration[] = [];
  const refusal = await sessionRefusal(pool);
  if (refusal) throw refusal;
  const client = await pool.connect();
  let isBroken = true;
  try {
    for (let next = await step(client, files, log); next; next = await step(client, files, log)) {
      applied.push(next);
      log('store.migrated', { ...next });
    }
    isBroken = false;
  } finally {
    client.release(isBroken);
  }
  return applied;
}

export async function knownMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return names.map((name) => ({ version: Number.parseInt(name, 10), name }));
}

/** One migration in its own transaction; null when all are done. */
async function step(client: ClientBase, files: Migration[], log: Log): Promise<Migration | null> {
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction(client, () => applyNext(client, files, log));
    } catch (error) {
      const isLocked = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
      if (!isLocked || tries === LOCK_TRIES) throw error;
      await sleep(LOCK_WAIT_MS);
    }
  }
}

async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that is lost has rolled back already; what went wrong is the first error.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function applyNext(client: ClientBase, files: Migration[], log: Log): Promise<Migration | null> {
  await lockMigrations(client);
  await client.query("select set_config('lock_timeout', $1, true)", [String(LOCK_WAIT_MS)]);
  await ensureTable(client);
  const schema = await readSchema(client, files);
  if (schema.refusal) throw schema.refusal;
  if (schema.newest > schema.known) log('store.newer', { newest: schema.newest, known: schema.known });
  const next = schema.missing[0];
  if (!next) return null;
  await applyMigration(client, next, schema.compatibleSince);
  return next;
}

/** Until the end of the transaction nobody else changes the schema. */
export async function lockMigrations(client: ClientBase): Promise<void> {
  await client.query("select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)");
  await client.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK_KEY], ...UNHURRIED });
}

/** In the caller's transaction. */
export async function applyMigration(
  client: ClientBase,
  { version, name }: Migration,
  compatibleSince: number,
): Promise<void> {
  const sql = await readFile(new URL(name, FOLDER), 'utf8');
  await client.query("select set_config('search_path', 'windrow, public', true)");
  await client.query({ text: sql, ...UNHURRIED });
  await client.query('insert into windrow.migrations (version, name, compatible_since) values ($1, $2, $3)', [
    version,
    name,
    isBreaking(sql) ? version : compatibleSince,
  ]);
}

/** A process that knows only what came before can no longer work with the tables. */
export const isBreaking = (sql: string): boolean => sql.startsWith('-- breaking:');

export async function ensureTable(client: ClientBase): Promise<void> {
  await client.query('create schema if not exists windrow');
  await client.query(
    'create table if not exists windrow.migrations (version int primary key, name text not null, applied_at timestamptz not null default now(), compatible_since int)',
  );
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'windrow.migrations'::regclass and attname = 'compatible_since'`,
  );
  if (rowCount === 0) await client.query('alter table windrow.migrations add column compatible_since int');
}

export interface SchemaState {
  /** The last migration of the database, and of this Windrow. */
  newest: number;
  known: number;
  /** Who knows this migration can work with the database. */
  compatibleSince: number;
  missing: Migration[];
  /** Why this Windrow cannot use the database. */
  refusal: AppError | null;
}

/** Of a database that has the table of migrations. */
export async function readSchema(client: ClientBase | Pool, files: Migration[]): Promise<SchemaState> {
  // Rows from before the column was there count as breaking.
  const { rows } = await client.query<{ version: number; since: number }>(
    `select version, coalesce((to_jsonb(m) ->> 'compatible_since')::int, version) as since from windrow.migrations m order by version`,
  );
  const done = new Set(rows.map(({ version }) => version));
  const known = files.at(-1)?.version ?? 0;
  const { version: newest, since: compatibleSince } = rows.at(-1) ?? { version: 0, since: 0 };
  const isRefused = newest > known && compatibleSince > known;
  return {
    newest,
    known,
    compatibleSince,
    missing: files.filter(({ version }) => !done.has(version)),
    refusal: isRefused ? tooNew(newest, known) : null,
  };
}

const tooNew = (newest: number, known: number): AppError =>
  new AppError(
    'newer_database',
    `The database is at migration ${newest}, this Windrow knows only ${known}. Start the newer Windrow, or use another database.`,
  );
