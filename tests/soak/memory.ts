// I7: memory and open handles of every role, as the system counts them.
import { readdirSync, readFileSync } from 'node:fs';
import { type Place, ROLES, type SoakWorld } from './world.ts';

export interface Size {
  megabytes: number;
  handles: number;
}

export type Sizes = Map<Place, Size>;

export const sizes = (world: SoakWorld): Sizes => new Map(ROLES.map((place) => [place, sizeOf(world.at(place).pid)]));

/** Only Linux tells. */
function sizeOf(pid: number): Size {
  if (process.platform !== 'linux') return { megabytes: 0, handles: 0 };
  const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return { megabytes: Math.round(Number(rss?.[1] ?? 0) / 1_024), handles: readdirSync(`/proc/${pid}/fd`).length };
}

/** Of each role the larger of two sizes. */
export const larger = (one: Sizes, other: Sizes): Sizes =>
  new Map(
    [...one].map(([place, { megabytes, handles }]) => {
      const second = other.get(place)!;
      return [place, { megabytes: Math.max(megabytes, second.megabytes), handles: Math.max(handles, second.handles) }];
    }),
  );

/**
 * The first size is taken under load, the last one at rest. Handles are closed when they are not needed; memory a process may keep once it has used it, and a
 * process that was killed meanwhile began anew.
 */
export function growth(begin: Sizes, end: Sizes): string[] {
  return [...end].flatMap(([place, size]) => {
    const first = begin.get(place)!;
    const isLarger = size.megabytes > 2 * first.megabytes + 100 || size.handles > 1.1 * first.handles + 5;
    return isLarger ? [`I7 ${place} grew from ${JSON.stringify(first)} to ${JSON.stringify(size)}`] : [];
  });
}
