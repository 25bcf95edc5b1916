// How many rows each selector, or each path of a mapping, found something in. A site that renames a class fails nowhere: one selector finds nothing any more.
import { z } from 'zod';

const count = z.int().nonnegative();
export const Yield = z.object({ rows: count, found: count });
/** By what was looked for: `title: h2 a`. Another selector in its place is another name, with no history. */
export const Yields = z.record(z.string(), Yield);
export type Yield = z.infer<typeof Yield>;
export type Yields = z.infer<typeof Yields>;

export const YIELDS_MAX = 60;
const NAME_CHARS = 200;

export const yieldName = (field: string, looked: string): string => `${field}: ${looked}`.slice(0, NAME_CHARS);

export function countYield(yields: Yields, name: string, isFound: boolean): void {
  addYields(yields, { [name]: { rows: 1, found: isFound ? 1 : 0 } });
}

export function addYields(yields: Yields, more: Yields): void {
  for (const [name, { rows, found }] of Object.entries(more)) {
    const one = yields[name];
    if (one) {
      one.rows += rows;
      one.found += found;
    } else if (Object.keys(yields).length < YIELDS_MAX) yields[name] = { rows, found };
  }
}
