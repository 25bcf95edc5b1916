// How long to wait before the next try: doubling, with jitter, so that a thousand open pages do not come back in one moment. Pure.
const FIRST_MS = 500;
const MAX_MS = 15_000;

/** `tries`: how many have failed. */
export const backoffMs = (tries: number, random: () => number = Math.random): number =>
  Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(tries, 10)) * (0.5 + random() / 2);
