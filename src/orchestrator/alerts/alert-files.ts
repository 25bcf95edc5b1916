// Writes the files of alerts: matches that are not in their file yet, file after file. Any number of instances may do it; a file is written by those that
// have its folder, one at a time.
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AlertFile } from '../../store/alerts/alert-files.ts';
import type { AlertFileStore } from '../../store/alerts/alert-store.ts';
import { appendMatches, lastMatchIn } from './alert-file.ts';

export interface AlertFilesOptions {
  store: AlertFileStore;
  /** Made if it is not there. */
  folder: string;
  /** A file that would grow past this is put aside as `<name>.old`. */
  maxBytes: number;
  onWritten(file: string, matches: number): void;
  /** Once for each time a file begins to fail. */
  onFailed(file: string, error: unknown): void;
}

const FILES_AT_A_TIME = 1_000;
const MATCHES_AT_A_TIME = 500;
const ID_FILE = '.windrow-folder';

export function createAlertFiles(options: AlertFilesOptions): (signal: AbortSignal) => Promise<void> {
  const { store, folder } = options;
  const failing = new Set<string>();
  let folderId: string | undefined;

  async function writeOne(due: AlertFile, signal: AbortSignal): Promise<void> {
    const writer = {
      lastIn: () => lastMatchIn(join(folder, due.file)),
      append: (matches: Parameters<typeof appendMatches>[2]) =>
        appendMatches(folder, due.file, matches, options.maxBytes),
    };
    for (let written = 0; !signal.aborted; ) {
      const count = await store.writeAlertFile(due, writer, MATCHES_AT_A_TIME);
      written += count;
      if (count === MATCHES_AT_A_TIME) continue;
      if (written > 0) options.onWritten(due.file, written);
      return;
    }
  }

  return async (signal) => {
    folderId ??= await idOf(folder);
    for (const due of await store.alertFilesDue(folderId, FILES_AT_A_TIME)) {
      if (signal.aborted) return;
      try {
        await writeOne(due, signal);
        failing.delete(due.id);
      } catch (error) {
        // A full disk or a folder in the place of one file must not keep the others waiting; it is tried again.
        if (!failing.has(due.id)) options.onFailed(due.file, error);
        failing.add(due.id);
      }
    }
  };
}

/** Id of the folder, independent of its path: several machines may each have one, or share one. */
async function idOf(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, ID_FILE);
  const known = await readFile(path, 'utf8').catch(orNull('ENOENT'));
  if (known !== null) return known.trim();
  // Written to another file and linked, so that nobody reads half of it and only the first one wins.
  const draft = join(folder, `${ID_FILE}-${randomUUID()}`);
  try {
    await writeFile(draft, `${randomUUID()}\n`, { flush: true });
    await link(draft, path).catch(orNull('EEXIST'));
  } finally {
    // On a full disk there would be one more with every try.
    await rm(draft, { force: true });
  }
  return (await readFile(path, 'utf8')).trim();
}

const orNull =
  (code: string) =>
  (error: NodeJS.ErrnoException): null => {
    if (error.code !== code) throw error;
    return null;
  };
