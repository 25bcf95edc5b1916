// Writes a backup: all rows as they were at one moment, while the database is in use. Nothing is locked and nothing is kept in memory.

import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import copyStreams from 'pg-copy-streams';
import { AppError } from '../../model/errors.ts';
import { knownMigrations, readSchema } from '../postgres/migrate.ts';
import { sequencesOf, tablesOf } from './catalog.ts';
import { copyLine, FORMAT, footerLine, headerLine, quoted, ROWS_END, type Table } from './format.ts';

/** Rows compress to a third at the first level already; higher ones cost several times the time. */
const GZIP_LEVEL = 1;

export interface BackupOptions {
  /** The version of Windrow. */
  windrow: string;
  onTable?: (name: string) => void;
}

export interface BackupSummary {
  migration: number;
  rows: Record<string, number>;
}

export async function writeBackup(client: ClientBase, out: Writable, options: BackupOptions): Promise<BackupSummary> {
  await client.query('begin isolation level repeatable read read only');
  // A reader of the stream may be slow.
  await client.query(
    `select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`,
  );
  const { rows: there } = await client.query(`select to_regclass('windrow.migrations') is not null as there`);
  if (!there[0].there)
    throw new AppError('unusable_backup', 'There is nothing to back up: the database has no tables of Windrow.');
  const { newest, refusal } = await readSchema(client, await knownMigrations());
  if (refusal) throw refusal;
  const tables = await tablesOf(client);
  const rows: Record<string, number> = {};
  async function* parts(): AsyncGenerator<string | Buffer> {
    yield headerLine({
      format: FORMAT,
      windrow: options.windrow,
      migration: newest,
      at: new Date().toISOString(),
      tables,
    });
    for (const table of tables) {
      options.onTable?.(table.name);
      yield copyLine(table);
      const copy = client.query(copyStreams.to(selectOf(table)));
      yield* copy;
      rows[table.name] = copy.rowCount;
      yield ROWS_END;
    }
    yield footerLine({ rows, sequences: await sequencesOf(client) });
  }
  await pipeline(parts, createGzip({ level: GZIP_LEVEL }), out);
  await client.query('commit');
  return { migration: newest, rows };
}

/** A query, since COPY of a table leaves out its partitions. */
const selectOf = ({ name, columns }: Table): string =>
  `copy (select ${columns.map(quoted).join(', ')} from windrow.${quoted(name)}) to stdout`;
