// The file of an alert: one JSON line or CSV row per match, appended. Each begins with the number of its match, so the file itself says how far it is:
// after a crash half a line is cut off and writing continues after the last whole one. So a row is always one line, whatever text a page has.
import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { csvLine } from '../../model/csv.ts';
import { NOTICE_COLUMNS } from '../../model/posting/notice.ts';
import type { Match } from '../../store/alerts/alerts.ts';

/** Longer than any line: notices are bounded. */
const TAIL_BYTES = 64 * 1024;
const NEWLINE = 10;

/** The format of a file. */
interface FileFormat {
  /** Before the first match. */
  head: string;
  lineOf(match: Match): string;
  /** The match number of a line; none for a line that is not ours, since people edit files. */
  numberOf: RegExp;
}

const NDJSON: FileFormat = {
  head: '',
  lineOf: ({ seq, announcedAt, notice }) =>
    `${JSON.stringify({ match: Number(seq), announced_at: announcedAt.toISOString(), ...notice })}\n`,
  numberOf: /^\{"match":(\d{1,15}),/,
};

const CSV: FileFormat = {
  head: csvLine(['match', 'announced_at', ...NOTICE_COLUMNS]),
  lineOf: ({ seq, announcedAt, notice }) =>
    csvLine([Number(seq), announcedAt.toISOString(), ...NOTICE_COLUMNS.map((column) => inOneLine(notice[column]))]),
  numberOf: /^(\d{1,15}),/,
};

const inOneLine = <T>(cell: T): T | string => (typeof cell === 'string' ? cell.replace(/[\r\n]+/g, ' ') : cell);

const formatOf = (name: string): FileFormat => (/\.csv$/i.test(name) ? CSV : NDJSON);

/** The number of the last match in the file, null where there is none; half a line at its end is removed. */
export async function lastMatchIn(path: string): Promise<string | null> {
  const { numberOf } = formatOf(path);
  return withFile(path, async (file) => {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const tail = Buffer.alloc(size - start);
    await file.read(tail, 0, tail.length, start);
    const end = tail.lastIndexOf(NEWLINE) + 1;
    if (end < tail.length) await file.truncate(start + end);
    const lines = tail
      .subarray(0, end)
      .toString('utf8')
      .split('\n')
      .slice(start === 0 ? 0 : 1);
    return lines.reduceRight((found: string | null, line) => found ?? numberOf.exec(line)?.[1] ?? null, null);
  });
}

/** Appends and waits for the disk. A file that would grow past the limit becomes `<name>.old` first, in place of the one before. */
export async function appendMatches(folder: string, name: string, matches: Match[], maxBytes: number): Promise<void> {
  const path = join(folder, name);
  const { head, lineOf } = formatOf(name);
  const lines = matches.map(lineOf).join('');
  const whole = Buffer.from(head + lines);
  const isFull = await withFile(path, async (file) => {
    const { size } = await file.stat();
    const text = size === 0 ? whole : Buffer.from(lines);
    if (size > 0 && size + text.length > maxBytes) return true;
    await writeWhole(file, text, size);
    return false;
  });
  if (!isFull) return;
  await rename(path, `${path}.old`);
  await withFile(path, (file) => writeWhole(file, whole, 0));
}

async function writeWhole(file: FileHandle, text: Buffer, at: number): Promise<void> {
  for (let done = 0; done < text.length; )
    done += (await file.write(text, done, text.length - done, at + done)).bytesWritten;
  await file.datasync();
}

/** Never through a symbolic link: the caller chooses the name. */
async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o640);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
