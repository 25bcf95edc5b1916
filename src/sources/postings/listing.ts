// One reading of one list of advertisements, a search on a job board or the board of a company: pages of rows, rows become postings one by one, and a row
// that cannot be read costs itself and nothing else. Duplicates, limits, second requests for one row, notes and the end are decided here for all sources.
// What a reader would get wrong: a row that is skipped was still there. It is named to the notes by its id, because whoever follows the positions must not
// take it for gone; and pages are turned by what was received, never by what was kept.
import { z } from 'zod';
import { AppError, asAppError, type ErrorCode } from '../../model/errors.ts';
import type { Posting } from '../../model/posting/posting.ts';
import { originsOf, withOrigins } from '../../model/provenance/origins.ts';
import { issueWords } from '../../model/zod-messages.ts';
import type { Web } from '../../web/port.ts';
import type { Notes } from '../define.ts';
import type { Advert } from './advert.ts';
import { ahead } from './ahead.ts';
import { repeatedRows, withPlacesOf } from './repeated-rows.ts';
import { inSlices } from './slices.ts';
import { advertToPosting, type PostingParams } from './to-posting.ts';
import { askInTurn, wait } from './wait.ts';

export interface RowReader<Row, Detail = never> {
  row: z.ZodType<Row>;
  /** The external id of a row, readable or not; null where it does not even have that. */
  idOf(raw: unknown): string | null;
  /** Null for what is no open advertisement: unlisted, internal, a notice among the rows. */
  toAdvert(row: Row, raw: unknown, detail: Detail | null): Advert | null;
}

/** A second request for a row. */
export interface DetailRequest<Row, Detail> {
  ask(id: string, row: Row): Promise<Detail>;
  /** How many are under way at the same time; one where it is left out. */
  atOnce?: number;
}

export interface Listing {
  readonly nowMs: number;
  /** Rows that were there, whether they could be read or not, each id once. */
  readonly seen: number;
  /** Rows that could be read. */
  readonly readable: number;
  /** As many postings as were wanted were given. */
  readonly isFull: boolean;
  /** Where an earlier attempt stopped, in the words it used with `reached`; null if this is the first, or if they cannot be understood. */
  resumeAt<T>(place: z.ZodType<T>): T | null;
  /** Called before each page: what stood on the pages before is given, or about to be. */
  reached(place: unknown): void;
  /** One page; read or not, it is counted. */
  page<T>(ask: () => Promise<T>): Promise<T>;
  /** One page of many that are asked for by number or offset: null where it failed, can be left out, and is not the first. */
  pageOrNull<T>(ask: () => Promise<T>): Promise<T | null>;
  /** The row if it can be read, did not come before, is not known already, and is still wanted. */
  read<Row>(raw: unknown, reader: Pick<RowReader<Row>, 'row' | 'idOf'>): { id: string; row: Row } | null;
  /** A second request for one row. `gone` when the site says so; null when it failed and the list has to do. */
  detail<T>(id: string, ask: () => Promise<T>): Promise<T | 'gone' | null>;
  /** The posting of an advertisement; null if it cannot be made into one, stands before the offset, or enough were given. */
  posting(id: string, make: () => Advert | null): Posting | null;
  /** The postings of rows that say everything themselves. */
  take<Row, Detail = never>(rows: Iterable<unknown>, reader: RowReader<Row, Detail>): AsyncGenerator<Posting>;
  /** The postings of rows that need a second request each; none is made where `request` is null. */
  takeDetailed<Row, Detail>(
    rows: Iterable<unknown> | AsyncIterable<unknown>,
    reader: RowReader<Row, Detail>,
    request: DetailRequest<Row, Detail> | null,
  ): AsyncGenerator<Posting>;
  /** To be called when all rows were given: `total` is what the site says there are. Throws when rows were there and none could be read. */
  finish(total?: number | null): void;
}

export interface ListingOptions {
  source: string;
  /** Board token or tenant; null where ids are unique without one. */
  ref: string | null;
  params: PostingParams & { known?: string[] | undefined };
  web: Pick<Web, 'signal' | 'warn' | 'countPage'>;
  notes?: Notes | undefined;
  nowMs?: number;
  /** Rows to leave out at the beginning, for sites that cannot start later themselves. */
  skip?: number;
  /** How many postings are enough. */
  wanted?: number;
  /** What becomes of a posting whose own page is gone: left out of a company's board, shown as closed by a search. */
  gone?: 'left out' | 'closed';
  /**
   * Where an attempt goes on: with the page that was reached last, or with the one before it. Lists move, and a company's position that slipped from one page
   * to another between two attempts must not be taken for gone.
   */
  goesOn?: 'with the last page' | 'with the page before';
  /** Between two pages, besides the pace of the source. */
  pauseMs?: () => number;
}

const SILENT: Notes = { skipped() {}, incomplete() {} };
/** The site will answer the next request of this kind the same way. */
const STOPS: readonly ErrorCode[] = ['rate_limited', 'blocked', 'captcha', 'robots'];
/** Nothing that a site says. */
const OURS: readonly ErrorCode[] = ['cancelled', 'task_timeout', 'internal', 'unavailable'];
const NO_PAGE_LEFT_OUT: readonly ErrorCode[] = [...STOPS, ...OURS, 'invalid_params'];
const MAX_FAILED_IN_A_ROW = 2;

/** A page that was reached, and what was counted before it. */
const Reached = z.object({
  at: z.unknown(),
  /** Of a search: boards repeat rows of one page on the next. Of a company's board, which may be large, the page before is enough. */
  ids: z.array(z.string()),
  /** Rows besides those. */
  seen: z.int(),
  readable: z.int(),
  unreadable: z.int(),
  passed: z.int(),
  given: z.int(),
});

export function openListing(options: ListingOptions): Listing {
  const { source, ref, params, web, notes = SILENT, nowMs = Date.now() } = options;
  const { skip: offset = 0, wanted = Number.POSITIVE_INFINITY, gone = 'left out', pauseMs = () => 0 } = options;
  const { goesOn = 'with the page before' } = options;
  const known = new Set(params.known);
  const ids = new Set<string>();
  let [pages, failedInARow, nameless, readable, unreadable, passed, given] = [0, 0, 0, 0, 0, 0, 0];
  let detailsStopped: string | null = null;
  let seenBefore = 0;
  let lastPage: z.infer<typeof Reached> | null = null;

  const skip = (id: string | null, reason: string): null => {
    unreadable += 1;
    notes.skipped({ id, reason });
    return null;
  };

  const listing: Listing = {
    nowMs,
    get seen() {
      return seenBefore + ids.size + nameless;
    },
    get readable() {
      return readable;
    },
    get isFull() {
      return given >= wanted;
    },
    resumeAt(place) {
      const before = Reached.safeParse(notes.resumeAt).data;
      const at = before && place.safeParse(before.at);
      if (!at?.success) return null;
      ({ seen: seenBefore, readable, unreadable, passed, given } = before!);
      for (const id of before!.ids) ids.add(id);
      return at.data;
    },
    reached(at) {
      const isExact = goesOn === 'with the last page';
      const counts = isExact ? { ids: [...ids], seen: seenBefore + nameless } : { ids: [], seen: listing.seen };
      const page = { at, ...counts, readable, unreadable, passed, given };
      const from = isExact ? page : lastPage;
      if (from !== null) notes.reached?.(from);
      lastPage = page;
    },
    async page(ask) {
      const ms = pages++ > 0 ? pauseMs() : 0;
      if (ms > 0) await wait(ms, web.signal);
      try {
        const answer = await askInTurn(ask, web.signal);
        web.countPage(true);
        failedInARow = 0;
        return answer;
      } catch (thrown) {
        web.countPage(false);
        failedInARow += 1;
        throw thrown;
      }
    },
    async pageOrNull(ask) {
      try {
        return await listing.page(ask);
      } catch (thrown) {
        const error = asAppError(thrown);
        const isFatal = NO_PAGE_LEFT_OUT.includes(error.code) || (error.code === 'layout_changed' && readable === 0);
        if (pages === 1 || isFatal || failedInARow > MAX_FAILED_IN_A_ROW) throw error;
        notes.incomplete(`a page could not be read: ${error.code}`);
        return null;
      }
    },
    read(raw, reader) {
      const id = reader.idOf(raw);
      if (id === null) nameless += 1;
      else if (ids.has(id)) return null;
      else ids.add(id);
      if (listing.isFull) return null;
      if (id === null) return skip(id, 'nothing in it tells which posting it is');
      const parsed = reader.row.safeParse(raw);
      if (!parsed.success) return skip(id, whatIsWrong(parsed.error.issues[0]!));
      readable += 1;
      return known.has(id) ? null : { id, row: parsed.data };
    },
    async detail(id, ask) {
      if (detailsStopped !== null) {
        notes.skipped({ id, reason: detailsStopped });
        return null;
      }
      try {
        return await askInTurn(ask, web.signal);
      } catch (thrown) {
        const error = asAppError(thrown);
        if (error.code === 'not_found') return 'gone';
        if (OURS.includes(error.code)) throw error;
        const reason = `${error.code}: ${error.message}`;
        if (STOPS.includes(error.code)) {
          detailsStopped = `not asked for after ${reason}`;
          web.warn(`descriptions stopped after ${given} postings: ${error.message}`);
        }
        notes.skipped({ id, reason });
        return null;
      }
    },
    posting(id, make) {
      if (listing.isFull) return null;
      try {
        const advert = make();
        if (advert === null || passed++ < offset) return null;
        const posting = advertToPosting(advert, { source, ref, params, nowMs });
        given += 1;
        return posting;
      } catch (thrown) {
        return skip(id, asAppError(thrown).message);
      }
    },
    async *take(rows, reader) {
      const repeated = repeatedRows(rows, reader);
      for await (const raw of inSlices(rows, notes)) {
        const found = listing.read(raw, reader);
        const posting =
          found &&
          listing.posting(found.id, () =>
            withPlacesOf(reader.toAdvert(found.row, raw, null), repeated.get(found.id), reader),
          );
        if (posting !== null) yield posting;
      }
    },
    async *takeDetailed(rows, reader, request) {
      const repeated = repeatedRows(rows, reader);
      const postings = ahead(inSlices(rows, notes), request?.atOnce ?? 1, async (raw) => {
        const found = listing.read(raw, reader);
        if (found === null) return null;
        const { id, row } = found;
        const isAsked = request !== null && passed >= offset;
        const detail = isAsked ? await listing.detail(id, () => request.ask(id, row)) : null;
        const whole = (advert: Advert | null) => withPlacesOf(advert, repeated.get(id), reader);
        if (detail !== 'gone') return listing.posting(id, () => whole(reader.toAdvert(row, raw, detail)));
        return gone === 'left out' ? null : closed(listing.posting(id, () => whole(reader.toAdvert(row, raw, null))));
      });
      for await (const posting of postings) if (posting !== null) yield posting;
    },
    finish(total) {
      if (listing.seen > 0 && unreadable >= listing.seen)
        throw new AppError('layout_changed', `none of the ${listing.seen} rows could be read`);
      if (typeof total === 'number' && listing.seen < total)
        notes.incomplete(`the board says that it has ${total} postings and showed ${listing.seen}`);
    },
  };
  return listing;
}

function whatIsWrong(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom') return issue.message;
  return `${issue.path.join('.') || 'the row'} ${issueWords(issue)}`;
}

const closed = (posting: Posting | null): Posting | null =>
  posting && withOrigins({ ...posting, is_closed: true }, { ...originsOf(posting), is_closed: 'rule:page-gone' });
