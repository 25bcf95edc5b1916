// One file of an alert: a line of JSON a match, appended. Each line has the number of its match, so the file itself says how far it is: after a crash half a
// line is cut off and writing goes on behind the last whole one.
import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Match } from '../store/alerts.ts';

/** Longer than any line: notices are bounded. */
const TAIL_BYTES = 64 * 1024;
const NEWLINE = 10;

/** What a line looks like to whoever reads the file. */
export const lineOf = ({ seq, announcedAt, notice }: Match): string =>
  `${JSON.stringify({ match: Number(seq), announced_at: announcedAt.toISOString(), ...notice })}\n`;

/** The number of the last match in the file, null where there is none; half a line at its end is removed. */
export async function lastMatchIn(path: string): Promise<string | null> {
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
    return lines.reduceRight((found: string | null, line) => found ?? matchOf(line), null);
  });
}

/** Null for a line that is not ours: people edit files. */
function matchOf(line: string): string | null {
  return /^\{"match":(\d{1,15}),/.exec(line)?.[1] ?? null;
}

/** Appends and waits for the disk. A file that would grow past the limit becomes `<name>.old` first, in place of the one before. */
export async function appendMatches(folder: string, name: string, matches: Match[], maxBytes: number): Promise<void> {
  const path = join(folder, name);
  const text = Buffer.from(matches.map(lineOf).join(''));
  const isFull = await withFile(path, async (file) => {
    const { size } = await file.stat();
    if (size > 0 && size + text.length > maxBytes) return true;
    await writeWhole(file, text, size);
    return false;
  });
  if (!isFull) return;
  await rename(path, `${path}.old`);
  await withFile(path, (file) => writeWhole(file, text, 0));
}

async function writeWhole(file: FileHandle, text: Buffer, at: number): Promise<void> {
  for (let done = 0; done < text.length; )
    done += (await file.write(text, done, text.length - done, at + done)).bytesWritten;
  await file.datasync();
}

/** Never through a link: the name is the caller's, the folder is ours. */
async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o640);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
