// Room on the disk of the embedded server. Free bytes alone do not tell: a quota or a limit of file sizes stops writes on a disk with room, so a small file
// is written too.
import { rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** PostgreSQL needs a segment of its log (16 MB) and a checkpoint to come up; with less than this it fails again soon after. */
const STARTS_WITH_BYTES = 48 * 1024 * 1024;
const PROBE_BYTES = 65_536;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export const isNoRoom = (error: unknown): boolean => NO_ROOM.has((error as NodeJS.ErrnoException)?.code ?? '');

/** Of the folder, or the nearest one above it that is there. */
export async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return freeBytes(dirname(folder));
  }
}

/** Whether a server can be started in this folder, as far as space goes. */
export async function hasRoom(folder: string): Promise<boolean> {
  if ((await freeBytes(folder)) < STARTS_WITH_BYTES) return false;
  const probe = join(folder, 'space-probe');
  try {
    await writeFile(probe, Buffer.alloc(PROBE_BYTES), { flush: true });
    return true;
  } catch (error) {
    if (isNoRoom(error)) return false;
    throw error;
  } finally {
    await rm(probe, { force: true });
  }
}
