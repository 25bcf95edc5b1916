// Rows of one answer that have the same id are one advertisement in several places: vendors repeat a row for each office.
// What a reader would get wrong: only rows of the same answer. Boards show the same row again on the next page, and that adds nothing.
import type { Advert } from './advert.ts';
import type { RowReader } from './listing.ts';

/** The rows behind the first of their id; none where the rows are not all there yet. */
export function repeatedRows<Row, Detail>(
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  { idOf }: RowReader<Row, Detail>,
): Map<string, unknown[]> {
  const repeated = new Map<string, unknown[]>();
  if (!Array.isArray(rows)) return repeated;
  const seen = new Set<string>();
  for (const raw of rows) {
    const id = idOf(raw);
    if (id === null) continue;
    if (seen.has(id)) repeated.set(id, [...(repeated.get(id) ?? []), raw]);
    else seen.add(id);
  }
  return repeated;
}

const MAX_REPEATS = 50;

/** The advertisement with the places of the other rows of its id. */
export function withPlacesOf<Row, Detail>(
  advert: Advert | null,
  rows: readonly unknown[] | undefined,
  reader: RowReader<Row, Detail>,
): Advert | null {
  if (advert === null || rows === undefined) return advert;
  const others = rows.slice(0, MAX_REPEATS).flatMap((raw) => {
    const row = reader.row.safeParse(raw);
    return (row.success ? reader.toAdvert(row.data, raw, null)?.places : null) ?? [];
  });
  return { ...advert, places: [...(advert.places ?? []), ...others] };
}
