// What a result says of where its items came from, and what is answered about a stored item.
import { z } from 'zod';
import { ORIGINS_MAX, type Origins, UNKNOWN_ORIGIN } from './origins.ts';

/** Beside the items of a result: most items of a site are read in one of a few ways, so each way is there once. */
export const Provenance = z.object({
  /** Of the source that read them. */
  version: z.int32(),
  origins: z
    .array(
      z
        .record(z.string().max(ORIGINS_MAX.chars), z.string().max(ORIGINS_MAX.chars))
        .refine((map) => Object.keys(map).length <= ORIGINS_MAX.fields, 'too many fields'),
    )
    .max(1_000),
  /** For each item, by its place, which of `origins` is about it; -1 where nothing is known. */
  of: z.array(z.int32()),
});
export type Provenance = z.infer<typeof Provenance>;

/** What is known of a stored item; null: it was stored without. */
export interface StoredProvenance {
  sourceVersion: number | null;
  origins: Origins | null;
  taskId: string | null;
  attempt: number | null;
  /** Pages of that attempt in the archive of its worker. */
  pages: readonly ArchivedPage[];
}

export const ArchivedPage = z.object({ url: z.string(), id: z.string() });
export type ArchivedPage = z.infer<typeof ArchivedPage>;

export const NOT_KNOWN: StoredProvenance = {
  sourceVersion: null,
  origins: null,
  taskId: null,
  attempt: null,
  pages: [],
};

/** Values that say nothing need no origin. */
export function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false || value === 'unknown') return false;
  return typeof value !== 'object' || Object.values(value).some(isFilled);
}

/** The origin of each filled field; `unknown` where none was recorded. `named`: what the origins call a field that is shown under another name. */
export function originsShown(item: object, origins: Origins | null, named: Origins = {}): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [field, value] of Object.entries(item))
    if (isFilled(value)) shown[field] = origins?.[named[field] ?? field] ?? UNKNOWN_ORIGIN;
  return shown;
}
