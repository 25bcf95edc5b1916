// The disks that this process writes to, for /health, and the refusal of new work when the one of an embedded store is full.
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { AppError } from '../model/errors.ts';
import { createDiskWatch, type DiskWatch } from '../observe/disk.ts';
import type { PartStatus } from '../observe/health.ts';
import { freeBytes } from '../store/embedded/space.ts';
import type { Store } from '../store/store.ts';
import type { Role } from './process/role.ts';

const LOOK_MS = 1_000;
const RETRY_AFTER_MS = 10_000;

function configuredDisk({ databaseUrl, home }: Config): DiskWatch {
  // The folder of the server may be a link to another disk.
  const folders = [resolve(home), join(resolve(home), 'postgres')];
  return createDiskWatch({ folders, hasStore: !databaseUrl, free: freeBytes });
}

/** A store that accepts nothing new while its disk is full. */
export function refusingWhenFull({ config, life }: Role, store: Store): Store {
  const disk = configuredDisk(config);
  // A disk that cannot be asked is not known to be full; /health says what is wrong with it.
  const look = () => void disk.look().catch(() => {});
  const timer = setInterval(look, LOOK_MS);
  life.own('disk watch', async () => clearInterval(timer));
  look();
  return {
    ...store,
    async submit(submission) {
      if (disk.refusal) throw new AppError('unavailable', disk.refusal, { retryAfterMs: RETRY_AFTER_MS });
      return store.submit(submission);
    },
  };
}

/** For /health: the disk of PostgreSQL, as far as its errors tell, and those of this process. */
export function diskProbe(config: Config, store: Store): () => Promise<{ status: PartStatus; detail: string }> {
  const disk = configuredDisk(config);
  return async () => {
    const since = await store.diskFullSince();
    if (since === null) return disk.look();
    return {
      status: 'down',
      detail: `The disk of PostgreSQL is full since ${since.toISOString()}. Nothing new is accepted, reads work. Free some space: everything goes on by itself.`,
    };
  };
}
