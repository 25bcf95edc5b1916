// XLSX: rows are written as they come, so memory stays flat. Texts are cells of type text, which Excel never runs as formulas, whatever they begin with.
// What a reader would get wrong: a sheet has at most 1,048,576 rows, so more go on in a second sheet; a cell has at most 32,767 characters, so longer texts are cut.
import { writeXlsxStream } from 'hucre/xlsx';
import type { ExportTable } from './export.ts';

const CELL_CHARS = 32_767;
/** What XML cannot hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export async function* xlsxParts(
  { name, columns, types = {} }: Pick<ExportTable<never, never>, 'name' | 'columns' | 'types'>,
  chunks: AsyncIterable<(readonly unknown[])[]>,
): AsyncGenerator<Uint8Array> {
  async function* rows() {
    for await (const chunk of chunks)
      for (const row of chunk) yield row.map((cell, index) => asCell(cell, types[columns[index]!] === 'time'));
  }
  const made = writeXlsxStream(rows(), {
    name,
    columns: columns.map((column) => ({ header: column })),
    freezePane: { rows: 1 },
    zip64: true,
  });
  yield* made;
}

function asCell(cell: unknown, isTime: boolean): string | number | boolean | Date | null {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'number' || typeof cell === 'boolean') return cell;
  const text = String(cell);
  if (isTime) return new Date(text);
  return text.slice(0, CELL_CHARS).toWellFormed().replace(NOT_IN_XML, '');
}
