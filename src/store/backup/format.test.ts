import { expect, test } from 'vitest';
import { BackupReader, copyLine, footerLine, type Header, headerLine, ROWS_END } from './format.ts';

const header: Header = {
  format: 1,
  windrow: '0.1.0',
  migration: 29,
  at: '2026-11-18T00:00:00.000Z',
  tables: [
    { name: 'empty', columns: ['a'] },
    { name: 'full', columns: ['a', 'b'] },
    { name: 'last', columns: ['a'] },
  ],
};
// COPY writes a backslash in a value as two.
const ROWS = ['1\tone\n', '2\t\\\\.\n', '3\t\\\\.\\n\n', '4\t\\N\n'].join('');
const [empty, full, last] = header.tables as [Header['tables'][0], Header['tables'][0], Header['tables'][0]];
const footer = { rows: { empty: 0, full: 4, last: 1 }, sequences: { full_seq: '4' } };
const WHOLE = [
  headerLine(header),
  ...[copyLine(empty), ROWS_END, copyLine(full), ROWS, ROWS_END, copyLine(last), '\n', ROWS_END],
  footerLine(footer),
].join('');

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(text: string, size: number): Promise<unknown[]> {
  const reader = new BackupReader(inChunks(text, size));
  const { tables } = await reader.header();
  const found: unknown[] = [];
  for (const table of tables) {
    const rows: Buffer[] = [];
    for await (const chunk of reader.rows(table)) rows.push(chunk);
    found.push(Buffer.concat(rows).toString());
  }
  return [...found, await reader.footer()];
}

test('a backup is read the same however it comes in pieces', async () => {
  for (const size of [1, 2, 3, 4, 5, 7, 64, 100_000])
    expect(await readAll(WHOLE, size), `pieces of ${size}`).toEqual(['', ROWS, '\n', footer]);
});

test('a backup that is cut off anywhere is refused', async () => {
  for (let length = 0; length < WHOLE.length; length++)
    await expect(readAll(WHOLE.slice(0, length), 9), `${length} bytes`).rejects.toMatchObject({
      code: 'unusable_backup',
    });
});

test('what names another table or format is refused', async () => {
  await expect(readAll(WHOLE.replace('windrow."full"', 'windrow."others"'), 50)).rejects.toThrow(
    'where full should begin',
  );
  await expect(readAll(WHOLE.replace('"format":1', '"format":2'), 50)).rejects.toThrow('in another format (2)');
  await expect(readAll(WHOLE.replace('"name":"empty"', '"name":"x; drop"'), 50)).rejects.toThrow('not complete');
});
