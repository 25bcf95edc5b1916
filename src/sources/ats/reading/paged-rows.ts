// The rows of a list that comes in pages, however a vendor counts them. Pages are turned by what was received: a page that is shorter than asked for is no
// end, and a total is only believed as far as rows come.
// What a reader would get wrong: vendors that ignore an offset give the first page for ever. A page that brings nothing new ends the list, and what the
// vendor says there is more of is told by `finish`.
import { z } from 'zod';
import type { Notes } from '../../define.ts';
import type { Listing } from '../../postings/listing.ts';

export interface RowsPage {
  rows: readonly unknown[];
  /** What the vendor says there is; null where it does not say. */
  total?: number | null | undefined;
  /** No page follows, whatever the total says. */
  isLast?: boolean;
}

export interface PagedList {
  board: Listing;
  notes: Notes | undefined;
  idOf(raw: unknown): string | null;
  /** Ids that are known already. An incremental scrape of a list whose newest come first ends where nothing is new. */
  known?: readonly string[] | undefined;
  isNewestFirst?: boolean;
  maxPages?: number;
}

export interface PagedRows {
  rows: AsyncGenerator<unknown>;
  /** What the vendor says there is, for `finish`; null if the end was not looked for. */
  total(): number | null;
}

const MAX_PAGES = 500;
/** Newest come first, though rarely strictly. */
const KNOWN_PAGES = 3;

const Place = z.object({ page: z.int(), offset: z.int(), total: z.number() });

export function pagedRows(
  { board, notes, idOf, known, isNewestFirst = false, maxPages = MAX_PAGES }: PagedList,
  ask: (at: { page: number; offset: number }) => Promise<RowsPage>,
): PagedRows {
  const from = board.resumeAt(Place);
  const knownIds = isNewestFirst && known !== undefined ? new Set(known) : null;
  const seen = new Set<string>();
  let largest = from?.total ?? 0;
  let isCut = false;

  async function* rows(): AsyncGenerator<unknown> {
    let [page, offset, knownPages] = [from?.page ?? 0, from?.offset ?? 0, 0];
    for (; page < maxPages; page++) {
      const at = { page, offset };
      const answer = await board.page(() => ask(at));
      const total = answer.total ?? null;
      if (total !== null && largest > 0 && total !== largest) notes?.incomplete('the list changed while it was read');
      largest = Math.max(largest, total ?? 0);
      board.reached({ ...at, total: largest } satisfies z.infer<typeof Place>);
      const ids = answer.rows.map(idOf);
      const isNew = ids.some((id) => id === null || !seen.has(id));
      for (const id of ids) if (id !== null) seen.add(id);
      yield* answer.rows;
      offset += answer.rows.length;
      if (!isNew || answer.isLast || (total !== null && offset >= total)) return;
      if (knownIds !== null) {
        knownPages = ids.every((id) => id !== null && knownIds.has(id)) ? knownPages + 1 : 0;
        isCut = knownPages >= KNOWN_PAGES;
        if (isCut) return;
      }
    }
    notes?.incomplete(`more than ${maxPages} pages`);
  }

  return { rows: rows(), total: () => (isCut || largest === 0 ? null : largest) };
}
