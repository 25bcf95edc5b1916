// Priorities 1..10 (lower is sooner) fall into three bands. Strict order would starve the low band for as long as high work keeps
// coming, so a refill of the wire gives every band that has work a minimum share.

export const BANDS = ['high', 'medium', 'low'] as const;
export type Band = (typeof BANDS)[number];

export function bandOf(priority: number): Band {
  if (priority <= 3) return 'high';
  return priority <= 7 ? 'medium' : 'low';
}

const FIRST_OF_BAND: Record<Band, number> = { high: 1, medium: 4, low: 8 };
/** How much later a task takes its turn for each step of priority within its band: in practice 1 goes before 2, and yet 2 does not wait for ever. */
const PRIORITY_STEP_MS = 600_000;

/** What the priority of a task adds to its turn: in milliseconds, since turns are times. */
export const priorityDelayMs = (priority: number): number =>
  Math.max(0, priority - FIRST_OF_BAND[bandOf(priority)]) * PRIORITY_STEP_MS;

/** The part of a refill that a band gets when it has that much waiting, whatever the bands above it want. */
const MINIMUM_SHARE: Record<Band, number> = { high: 0.5, medium: 0.15, low: 0.05 };

/** How many tasks to send from each band: minimum shares first, then the rest from the top down. */
export function shareOut(room: number, waiting: Record<Band, number>): Record<Band, number> {
  const take: Record<Band, number> = { high: 0, medium: 0, low: 0 };
  let left = room;
  for (const band of BANDS) {
    const minimum = Math.min(waiting[band], Math.ceil(room * MINIMUM_SHARE[band]), left);
    take[band] = minimum;
    left -= minimum;
  }
  for (const band of BANDS) {
    const more = Math.min(waiting[band] - take[band], left);
    take[band] += more;
    left -= more;
  }
  return take;
}

/**
 * In which order a worker looks at the bands on its n-th take. Mostly from the top; one take in eight starts at medium and one in
 * sixteen at low, so that what was dispatched to a lower band is also read while the high stream never runs dry.
 */
export function bandOrder(take: number): readonly Band[] {
  if (take % 16 === 15) return ['low', 'high', 'medium'];
  if (take % 8 === 3) return ['medium', 'high', 'low'];
  return BANDS;
}

/** In which order it looks at its lanes on that take: each comes first in its turn, in every band, so that a lane that never runs dry starves no other. */
export function laneOrder(lanes: readonly string[], take: number): readonly string[] {
  if (lanes.length < 2) return lanes;
  const first = (take + Math.floor(take / 16)) % lanes.length;
  return [...lanes.slice(first), ...lanes.slice(0, first)];
}
