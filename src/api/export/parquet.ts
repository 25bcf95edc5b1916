// Parquet: a row group at a time, so memory is that of one group whatever the number of rows. Texts are UTF-8, numbers doubles, times milliseconds in UTC.
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { ColumnType, ExportTable } from './export.ts';

/** A group ends at the first of these. */
const GROUP_ROWS = 10_000;
const GROUP_CHARS = 8_000_000;

const TYPES = { text: 'STRING', number: 'DOUBLE', boolean: 'BOOLEAN', time: 'TIMESTAMP' } as const;

export async function* parquetParts(
  { columns, types = {} }: Pick<ExportTable<never, never>, 'columns' | 'types'>,
  chunks: AsyncIterable<(readonly unknown[])[]>,
): AsyncGenerator<Uint8Array> {
  const typeOf = (name: string): ColumnType => types[name] ?? 'text';
  const writer = new ByteWriter();
  const empty = columns.map((name) => ({ name, data: [], type: TYPES[typeOf(name)], nullable: true }));
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: empty }), createdBy: 'windrow' });
  let rows: (readonly unknown[])[] = [];
  let chars = 0;
  const taken = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  const group = async (): Promise<Uint8Array> => {
    const columnData = columns.map((name, index) => ({
      name,
      data: rows.map((row) => asType(row[index], typeOf(name))),
    }));
    await file.write({ columnData, rowGroupSize: rows.length });
    rows = [];
    chars = 0;
    return taken();
  };
  for await (const chunk of chunks) {
    for (const row of chunk) {
      rows.push(row);
      for (const cell of row) if (typeof cell === 'string') chars += cell.length;
    }
    if (rows.length >= GROUP_ROWS || chars >= GROUP_CHARS) yield await group();
  }
  if (rows.length > 0) yield await group();
  await file.finish();
  yield taken();
}

function asType(cell: unknown, type: ColumnType): unknown {
  if (cell === null || cell === undefined) return null;
  if (type === 'time') return new Date(cell as string);
  return type === 'text' ? String(cell).toWellFormed() : cell;
}
