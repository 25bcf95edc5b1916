// The points of the charts of the queue: what the server noted, and after that what the page has seen.
export interface Seen {
  /** Seconds since 1970. */
  at: number;
  waiting: number | null;
  active: number | null;
  age: number | null;
}

export const HOURS = 6;
/** Further apart than this there was no orchestrator: no line is drawn across. */
const GAP_SECONDS = 180;
const NOTHING = { waiting: null, active: null, age: null };

/** What was seen goes on where what was noted ends. */
export function joined(noted: readonly Seen[], seen: readonly Seen[]): Seen[] {
  const last = noted.at(-1)?.at ?? 0;
  const all = [...noted, ...seen.filter(({ at }) => at > last)];
  // Always as wide: a server that was started a moment ago shows a moment.
  const end = all.at(-1)?.at ?? 0;
  const drawn: Seen[] = all.length > 0 ? [{ ...NOTHING, at: end - HOURS * 3_600 }] : [];
  for (const one of all.filter(({ at }) => at > end - HOURS * 3_600)) {
    const before = drawn.at(-1);
    if (before && before.waiting !== null && one.at - before.at > GAP_SECONDS)
      drawn.push({ ...NOTHING, at: before.at + 1 });
    drawn.push(one);
  }
  return drawn;
}
