// Sources of one's own are known to some workers only, so their tasks have lanes of their own: `http+acme-jobs` is the lane of the workers of lane http that
// have the source acme-jobs. Whoever lacks the source never sees such a task, and while nobody has it, it waits where it is: nothing is tried in vain.

export const ownLane = (lane: string, source: string): string => `${lane}+${source}`;

/** The lanes that a worker takes from: those it was given, and each of them for every source of its own. */
export function lanesWith(lanes: readonly string[], ownSources: readonly string[]): string[] {
  return [...lanes, ...ownSources.flatMap((source) => lanes.map((lane) => ownLane(lane, source)))];
}
