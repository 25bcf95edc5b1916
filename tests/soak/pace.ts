// I6, from the log of the sandbox: how many requests of a board or shop were open at a time. While the shared clocks of the workers are lost or out of their
// sight, and while a frozen worker holds a request open, there may be more.
import type { Struck } from './soak.ts';
import { PACES, type SoakWorld } from './world.ts';

/** A request that was begun under a fault may last so long. */
const SLACK_MS = 30_000;

export function overPace(world: SoakWorld, faults: Struck[]): string[] {
  const excused = faults.filter(({ losesPace }) => losesPace);
  // The log counts from 1970.
  const isExcused = (at: number) =>
    excused.some(({ beganMs, endedMs }) => {
      const ms = at - performance.timeOrigin;
      return ms > beganMs && ms < endedMs + SLACK_MS;
    });
  return Object.values(PACES).flatMap(({ host, concurrency }) => {
    const moments = world.sandbox
      .log(host)
      .flatMap(({ startMs, endMs }) => [
        { ms: startMs, step: 1 },
        ...(endMs === null ? [] : [{ ms: endMs, step: -1 }]),
      ]);
    moments.sort((a, b) => a.ms - b.ms || a.step - b.step);
    let open = 0;
    let most = 0;
    for (const { ms, step } of moments) {
      open += step;
      if (!isExcused(ms)) most = Math.max(most, open);
    }
    return most > concurrency ? [`I6 ${most} requests of ${host} were open at a time, allowed are ${concurrency}`] : [];
  });
}
