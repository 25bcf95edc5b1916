// One search on one board: a listing (postings/listing.ts) that ends with as many as were wanted, pauses as the person who asked wants it, and shows what
// the board calls gone as closed.
import type { Web } from '../../web/port.ts';
import type { Notes } from '../define.ts';
import { type Listing, openListing } from '../postings/listing.ts';
import type { BoardParams } from './params.ts';

export interface SearchOptions {
  source: string;
  params: BoardParams;
  web: Web;
  notes: Notes | undefined;
  /** Rows to leave out at the beginning, for boards that cannot start later themselves. */
  skip?: number;
  /** The board shows no more than this, whatever is asked. */
  cap?: number;
}

export function openSearch({ source, params, web, notes, skip = 0, cap }: SearchOptions): Listing {
  if (cap !== undefined && params.results_wanted + skip > cap)
    web.warn(`${source} shows at most ${cap} results of a search`);
  const wanted = Math.min(params.results_wanted, (cap ?? Number.POSITIVE_INFINITY) - skip);
  const pauseMs = () => pauseOf(params);
  return openListing({
    source,
    ref: null,
    params,
    web,
    notes,
    skip,
    wanted,
    gone: 'closed',
    goesOn: 'with the last page',
    pauseMs,
  });
}

function pauseOf({ min_pause_seconds: min, max_pause_seconds: max }: BoardParams): number {
  const [from, to] = [min ?? max ?? 0, max ?? min ?? 0];
  return (Math.min(from, to) + Math.random() * Math.abs(to - from)) * 1_000;
}
