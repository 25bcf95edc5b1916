// How to see all of a Workday site that shows at most 2,000 postings of any one query: by asking for parts of it. Pure.
// What a reader would get wrong: a facet need not cover every posting (some have no value for it), and the counts of a capped query may be too
// low. So a part can itself be capped and is then split again by another facet, and the source checks a sample of the whole against what
// the parts brought.
import { z } from 'zod';

export const WORKDAY_CAP = 2_000;
/** More ids than this in one query are refused by some tenants. */
const MAX_IDS = 100;
const MAX_FACET_DEPTH = 4;

export interface Facet {
  parameter: string;
  values: { id: string; count: number }[];
}

const RawValue = z.object({
  id: z.string().optional(),
  count: z.number().nullish(),
  facetParameter: z.string().optional(),
  values: z.array(z.unknown()).optional(),
});

/** Facets as one flat list: a value may itself be a facet (`locationMainGroup` holds `locations`). */
export function flatFacets(raw: unknown, depth = 0): Facet[] {
  if (!Array.isArray(raw) || depth > MAX_FACET_DEPTH) return [];
  return raw.flatMap((entry) => {
    const facet = RawValue.safeParse(entry);
    if (!facet.success || facet.data.facetParameter === undefined) return [];
    const inner = facet.data.values ?? [];
    const values = inner.flatMap((value) => {
      const parsed = RawValue.safeParse(value);
      return parsed.success && parsed.data.id !== undefined && parsed.data.facetParameter === undefined
        ? [{ id: parsed.data.id, count: parsed.data.count ?? 0 }]
        : [];
    });
    const own = values.length > 0 ? [{ parameter: facet.data.facetParameter, values }] : [];
    return [...own, ...flatFacets(inner, depth + 1)];
  });
}

export type AppliedFacets = Record<string, string[]>;

/** Parts of a query, none of which should be capped; empty when no facet can split it. */
export function splitQuery(facets: readonly Facet[], applied: AppliedFacets): AppliedFacets[] {
  const usable = facets.filter((facet) => applied[facet.parameter] === undefined && facet.values.length > 1);
  const facet = usable.sort((a, b) => rank(b) - rank(a))[0];
  if (facet === undefined) return [];
  return chunks(facet).map((ids) => ({ ...applied, [facet.parameter]: ids }));
}

/** Facets that cover most postings come first; one with a value too large for one query only where there is no other. */
function rank(facet: Facet): number {
  const largest = Math.max(...facet.values.map((value) => value.count));
  const covered = facet.values.reduce((sum, value) => sum + value.count, 0);
  return covered - (largest >= WORKDAY_CAP ? 1_000_000 : 0);
}

/** Values OR-ed together while they stay well below the cap, the largest first. */
function chunks(facet: Facet): string[][] {
  const groups: { ids: string[]; count: number }[] = [];
  for (const value of [...facet.values].sort((a, b) => b.count - a.count)) {
    const room = groups.find((group) => group.count + value.count < WORKDAY_CAP && group.ids.length < MAX_IDS);
    if (room === undefined) groups.push({ ids: [value.id], count: value.count });
    else {
      room.ids.push(value.id);
      room.count += value.count;
    }
  }
  return groups.map((group) => group.ids);
}
