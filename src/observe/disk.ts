// Free space on the disks that Windrow writes to. Below `FULL_BYTES` nothing new is accepted into an embedded store: what is left is for finishing what was
// accepted, and for deleting, which needs room too.
import type { PartStatus } from './health.ts';

export const NEARLY_FULL_BYTES = 1024 ** 3;
export const FULL_BYTES = 64 * 1024 ** 2;

export const sizeText = (bytes: number): string =>
  bytes < NEARLY_FULL_BYTES ? `${Math.floor(bytes / 1024 ** 2)} MB` : `${(bytes / 1024 ** 3).toFixed(1)} GB`;

export interface DiskWatch {
  /** Looks again. */
  look(): Promise<{ status: PartStatus; detail: string }>;
  /** Why nothing may be accepted, by the last look; null when it may. */
  readonly refusal: string | null;
}

export interface DiskWatchOptions {
  /** Those on one disk are one; the least free one counts. */
  folders: readonly string[];
  /** True: the store is on it, so a full disk stops accepting. */
  hasStore: boolean;
  free(folder: string): Promise<number>;
  now?: () => Date;
}

export function createDiskWatch(options: DiskWatchOptions): DiskWatch {
  const { folders, hasStore, now = () => new Date() } = options;
  let fullSince: Date | null = null;
  let refusal: string | null = null;
  return {
    async look() {
      const least = Math.min(...(await Promise.all(folders.map(options.free))));
      const size = `${sizeText(least)} free on the disk of WINDROW_HOME`;
      if (least >= FULL_BYTES) {
        fullSince = null;
        refusal = null;
        return least >= NEARLY_FULL_BYTES
          ? { status: 'up', detail: size }
          : { status: 'degraded', detail: `Only ${size}. ${whatStops(hasStore)}` };
      }
      fullSince ??= now();
      const since = `The disk of WINDROW_HOME is full since ${fullSince.toISOString()} (${sizeText(least)} free).`;
      const detail = `${since} ${hasStore ? 'Nothing new is accepted, reads work' : 'Archive, cache and alert files are not written'}. Free some space: everything goes on by itself.`;
      refusal = hasStore ? detail : null;
      return { status: hasStore ? 'down' : 'degraded', detail };
    },
    get refusal() {
      return refusal;
    },
  };
}

const whatStops = (hasStore: boolean): string =>
  hasStore
    ? `Below ${sizeText(FULL_BYTES)} nothing new is accepted. Free some space, or keep data for a shorter time (RUN_RETENTION_DAYS and others).`
    : 'Archive, cache and alert files need it. Free some space.';
