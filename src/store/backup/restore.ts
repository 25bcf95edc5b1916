// Restores a backup, in one transaction: either the database holds afterwards what the backup holds, or what it held before. The tables are made by the migrations up to
// that of the backup, filled, and then brought up to date as by any start of a newer Windrow.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import copyStreams from 'pg-copy-streams';
import { AppError } from '../../model/errors.ts';
import { applyMigration, ensureTable, knownMigrations, lockMigrations, readSchema } from '../postgres/migrate.ts';
import { tablesOf, whatItHolds } from './catalog.ts';
import { BackupReader, CUT_OFF, copyLine, type Footer, type Header, quoted, type Table, unusable } from './format.ts';

export interface RestoreOptions {
  /** What the database holds is replaced. */
  isForced: boolean;
  onTable?: (name: string) => void;
}

export interface RestoreSummary {
  /** Of the backup. */
  windrow: string;
  at: string;
  migration: number;
  /** Migrations of this Windrow that came after it. */
  applied: string[];
  rows: Record<string, number>;
}

export async function restoreBackup(
  client: ClientBase,
  source: Readable,
  options: RestoreOptions,
): Promise<RestoreSummary> {
  const gunzip = createGunzip();
  const unzipping = pipeline(source, gunzip).catch((error: Error) => error);
  try {
    const reader = new BackupReader(gunzip);
    const header = await reader.header();
    const files = await knownMigrations();
    const before = files.filter(({ version }) => version <= header.migration);
    if (before.at(-1)?.version !== header.migration)
      throw unusable(
        `Windrow ${header.windrow} wrote it at migration ${header.migration}, which this version does not know. Use that version or a later one.`,
      );
    await client.query('begin');
    await lockMigrations(client);
    await refuseOthers(client);
    await makeRoom(client, options.isForced);
    for (const file of before) await applyNext(client, file);
    const rows = await fill(client, reader, header, options);
    const applied = files.slice(before.length);
    for (const file of applied) await applyNext(client, file);
    // The wire holds other tasks than those that were on their way then: they are sent again, at no cost in attempts.
    await client.query(`update windrow.marks set value = 'restored' where name = 'wire_epoch'`);
    await client.query('commit');
    for (const { name } of await tablesOf(client)) await client.query(`analyze windrow.${quoted(name)}`);
    return {
      windrow: header.windrow,
      at: header.at,
      migration: header.migration,
      applied: applied.map(({ name }) => name),
      rows,
    };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw readable(error);
  } finally {
    source.destroy();
    gunzip.destroy();
    await unzipping;
  }
}

/** A migration in the transaction of the caller; all of them have the same lock. */
async function applyNext(client: ClientBase, file: { version: number; name: string }): Promise<void> {
  const { compatibleSince } = await readSchema(client, [file]);
  await applyMigration(client, file, compatibleSince);
}

/** What runs would write into tables that are being replaced, and know nothing of it. */
async function refuseOthers(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'windrow' and pid <> pg_backend_pid()`,
  );
  if (rows[0]!.n > 0)
    throw new AppError(
      'database_in_use',
      `Windrow is running on this database (${rows[0]!.n} connections). Stop every API, orchestrator and \`up\` first, then restore.`,
    );
}

async function makeRoom(client: ClientBase, isForced: boolean): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('windrow.migrations') is not null as there`,
  );
  const held = rows[0]!.there && !isForced ? await whatItHolds(client) : [];
  if (held.length > 0)
    throw new AppError(
      'database_not_empty',
      `The database is not empty: it holds ${held.join(', ')}. Restore into another database, or replace all of it with --force.`,
    );
  await client.query('drop schema if exists windrow cascade');
  await ensureTable(client);
}

async function fill(
  client: ClientBase,
  reader: BackupReader,
  { tables }: Header,
  { onTable }: RestoreOptions,
): Promise<Record<string, number>> {
  const own = await tablesOf(client);
  refuseOtherTables(tables, own);
  const names = own.map(({ name }) => `windrow.${quoted(name)}`);
  // What triggers count and mark is in the backup.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(', ')}`);
  const rows: Record<string, number> = {};
  for (const table of tables) {
    onTable?.(table.name);
    const copy = client.query(copyStreams.from(copyLine(table)));
    await pipeline(Readable.from(reader.rows(table)), copy);
    rows[table.name] = copy.rowCount;
  }
  const footer = await reader.footer();
  compareCounts(rows, footer);
  for (const [name, value] of Object.entries(footer.sequences))
    await client.query('select setval($1::regclass, $2::bigint)', [`windrow.${quoted(name)}`, value]);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  return rows;
}

/** The names go into statements, and a backup may have been made up. */
function refuseOtherTables(given: Table[], own: Table[]): void {
  const columnsOf = new Map(own.map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of given) {
    const known = columnsOf.get(name);
    const unknown = known ? columns.find((column) => !known.has(column)) : name;
    if (unknown !== undefined)
      throw unusable(`at its migration there is no ${known ? `column ${unknown} in ${name}` : `table ${name}`}.`);
  }
}

function compareCounts(rows: Record<string, number>, footer: Footer): void {
  for (const [name, count] of Object.entries(rows))
    if (footer.rows[name] !== count)
      throw unusable(`${name} has ${count} rows in it, and should have ${footer.rows[name]}.`);
}

/** What zlib says of a file that is none, or not all of one. */
function readable(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'Z_BUF_ERROR') return unusable(CUT_OFF, error);
  if (code === 'Z_DATA_ERROR') return unusable('it is not one of `windrow backup`, or it is damaged.', error);
  return error;
}
