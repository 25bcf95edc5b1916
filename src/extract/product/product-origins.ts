// Where the fields of a product came from: from those of its draft, and from the rules of product-draft.ts. One object for all products that were read in the
// same way.
import type { Origins } from '../../model/provenance/origins.ts';
import type { DraftOrigins } from './product-draft.ts';

interface Decided {
  /** The size was stated apart from the name. */
  isSized: boolean;
  hasUnitPrice: boolean;
}

const ALWAYS: Origins = {
  position: 'computed',
  source: 'computed',
  scraped_at: 'computed',
  parse: 'computed',
  locality: 'request:zipcode',
};

const known = new WeakMap<DraftOrigins, Map<string, Origins>>();

export function productOrigins(said: DraftOrigins, { isSized, hasUnitPrice }: Decided): Origins {
  const key = `${isSized} ${hasUnitPrice}`;
  const ofSource = known.get(said) ?? new Map<string, Origins>();
  known.set(said, ofSource);
  const before = ofSource.get(key);
  if (before) return before;
  const { sizeText, size = sizeText, unit_price: unitPrice, ...taken } = said;
  const origins: Record<string, string> = { ...ALWAYS };
  for (const [field, origin] of Object.entries(taken)) if (origin !== undefined) origins[field] = origin;
  const sized = isSized ? size : 'rule:size-in-title';
  const priced = hasUnitPrice ? unitPrice : 'computed';
  if (sized !== undefined) origins.size = sized;
  if (priced !== undefined) origins.unit_price = priced;
  if (origins.review_count !== undefined) origins.review_count_is_rounded = origins.review_count;
  ofSource.set(key, origins);
  return origins;
}
