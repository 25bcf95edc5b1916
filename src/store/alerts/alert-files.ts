// The files of alerts in the store: which have new matches, and how far each is. A file belongs to one folder, since every machine may have one; the
// writer locks the row of its alert, so that two processes with the same folder never write the same file.
import type { Pool } from 'pg';
import { query, transaction } from '../postgres/pool.ts';
import { MATCH_COLUMNS, type Match, type MatchRow, toMatch } from './alerts.ts';

export interface AlertFile {
  id: string;
  file: string;
}

export async function filesDue(pool: Pool, folder: string, limit: number): Promise<AlertFile[]> {
  await query(pool, 'update alerts set file_folder = $1 where file is not null and file_folder is null', [folder]);
  return query<AlertFile & Record<string, unknown>>(
    pool,
    `select a.id, a.file from alerts a where a.file is not null and a.file_folder = $1
       and exists (select 1 from alert_matches m where m.alert_id = a.id and m.seq > a.file_seq) order by a.id limit $2`,
    [folder, limit],
  );
}

export interface FileWriter {
  /** The number of the last match that is in the file; null where it has none. */
  lastIn(): Promise<string | null>;
  /** Returns once the disk has them. */
  append(matches: Match[]): Promise<void>;
}

export async function writeFile(
  pool: Pool,
  { id, file }: AlertFile,
  writer: FileWriter,
  limit: number,
): Promise<number> {
  return transaction(pool, async (client) => {
    const { rows: held } = await client.query<{ file_seq: string }>(
      'select file_seq from alerts where id = $1 and file = $2 for no key update skip locked',
      [id, file],
    );
    if (!held[0]) return 0;
    const inFile = await writer.lastIn();
    const { rows: known } = await client.query<{ newest: string | null }>(
      'select max(seq) as newest from alert_matches where alert_id = $1',
      [id],
    );
    const { rows } = await client.query<MatchRow>(
      `select ${MATCH_COLUMNS} from alert_matches m join postings p on p.key = m.posting_key
       where m.alert_id = $1 and m.seq > greatest($2::bigint, $3::bigint) order by m.seq limit $4`,
      [id, held[0].file_seq, inFile, limit],
    );
    if (rows.length > 0) await writer.append(rows.map(toMatch));
    // None: the remaining matches belong to deleted postings.
    const upTo = rows.length > 0 ? rows.at(-1)!.seq : known[0]!.newest;
    await client.query('update alerts set file_seq = greatest(file_seq, $2::bigint, $3::bigint) where id = $1', [
      id,
      upTo,
      inFile,
    ]);
    return rows.length;
  });
}
