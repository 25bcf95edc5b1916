// A fault breaks something, waits, and has mended it when it returns. Faults of one group break the same thing and never overlap; those of different
// groups do.
import type { Random } from '../../support/random.ts';
import type { SoakWorld } from '../world.ts';

export interface Fault {
  name: string;
  /** Whether workers may ask a site for more than its rate limit meanwhile: their shared clocks are gone, or they cannot see them. */
  losesPace?: boolean;
  /** Whether searches meanwhile may miss pages: what a board does not give is left out, and the search is `partial`, or `failed` with what it has. */
  breaksBoards?: boolean;
  strike(world: SoakWorld, random: Random): Promise<unknown>;
}

export type FaultGroup = Fault[];

/** Milliseconds, of a number of seconds. */
export const between = (random: Random, min: number, max: number): number =>
  Math.round(1_000 * (min + random.next() * (max - min)));
