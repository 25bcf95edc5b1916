// Units of measure and what they are worth in each other. Weight, volume, count and length are never turned into one another.
import type { Unit } from './product.ts';
import table from './units.json' with { type: 'json' };

export interface WrittenUnit {
  unit: Unit;
  /** How many `unit` one of the written unit is: a pint is 16 fl oz. */
  factor: number;
  /** `pack`, `pk`: counts packages rather than measures. */
  isPack: boolean;
}

const WRITTEN: ReadonlyMap<string, WrittenUnit> = new Map(
  table.units.flatMap(({ unit, factor, written, ...rest }) =>
    written.map((text): [string, WrittenUnit] => [text, { unit: unit as Unit, factor, isPack: 'isPack' in rest }]),
  ),
);

/** Longest first, dots after letters optional, as part of a regular expression. */
export const UNIT_PATTERN = [...WRITTEN.keys()]
  .sort((a, b) => b.length - a.length)
  .map((text) => text.split(' ').join('\\.?[ -]?'))
  .join('|');

export function unitOf(written: string): WrittenUnit | undefined {
  const bare = written.toLowerCase().replaceAll('.', '').trim();
  return WRITTEN.get(bare) ?? WRITTEN.get(bare.replace(/[ -]+/g, ' ')) ?? WRITTEN.get(bare.replace(/^[ -]+/, ''));
}

export type Base = 'g' | 'ml' | 'ct' | 'm';

/** The base a unit is measured in, and how much of it one unit is. */
export function baseOf(unit: Unit): { base: Base; factor: number } {
  return table.bases[unit] as { base: Base; factor: number };
}

const containing = (words: readonly string[]) => new RegExp(`(?<!\\p{L})(?:${words.join('|')})s?(?!\\p{L})`, 'iu');
const SOLID = containing(table.solid);
const LIQUID = containing(table.liquid);
const MAYBE = containing(table.maybeLiquid);

/** What `oz` means on a product with this name: fluid, weight, or nobody can say. */
export function ounceOf(title: string): 'fl oz' | 'oz' | 'ambiguous' {
  if (SOLID.test(title)) return 'oz';
  if (LIQUID.test(title)) return 'fl oz';
  return MAYBE.test(title) ? 'ambiguous' : 'oz';
}
