// How a person moves through a page: pauses that are mostly short and sometimes long, and scrolling in uneven steps with a look back now
// and then. Pure: it plans, the page carries out.

export interface BrowsingPattern {
  /** Before doing anything with a page that has loaded. */
  pageLoadDelayMs: [least: number, most: number];
  /** Between two scrolls. */
  scrollDelayMs: [least: number, most: number];
  /** Before a click. */
  clickDelayMs: [least: number, most: number];
}

export const READER: BrowsingPattern = {
  pageLoadDelayMs: [150, 900],
  scrollDelayMs: [120, 700],
  clickDelayMs: [80, 400],
};

/** A pause in the range, the product of two draws: short ones are common, long ones rare. */
export function pauseMs([least, most]: [number, number], random: () => number): number {
  return Math.round(least + (most - least) * random() * random());
}

export interface ScrollStep {
  byPx: number;
  thenMs: number;
}

const MAX_STEPS = 40;

/** Steps from the top to the bottom of a page. */
export function planScroll(
  heightPx: number,
  viewportPx: number,
  pattern: BrowsingPattern,
  random: () => number,
): ScrollStep[] {
  const steps: ScrollStep[] = [];
  let at = 0;
  while (at < heightPx - viewportPx && steps.length < MAX_STEPS) {
    const isLookBack = at > viewportPx && random() < 0.08;
    const byPx = Math.round((isLookBack ? -0.3 : 0.5 + 0.4 * random()) * viewportPx);
    at += byPx;
    steps.push({ byPx, thenMs: pauseMs(pattern.scrollDelayMs, random) });
  }
  return steps;
}
