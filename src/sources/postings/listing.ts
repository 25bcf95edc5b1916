// One scrape of one board: rows become postings one by one, and a row that cannot be read costs itself and nothing else.
// What a reader would get wrong: a row that is skipped was still there. It is named to the notes by its id, because whoever follows the
// positions must not take it for gone; a board of which no row could be read has changed its layout and is an error.
import { z } from 'zod';
import { AppError, asAppError, type ErrorCode } from '../../model/errors.ts';
import type { Posting } from '../../model/posting/posting.ts';
import { issueErrors } from '../../model/zod-messages.ts';
import type { Notes } from '../define.ts';
import type { Advert } from './advert.ts';
import { advertToPosting } from './to-posting.ts';

/** What every career source takes besides the names of its board. */
export const COMMON_PARAMS = {
  /** Shown as the company where the vendor gives none, or only a legal entity. */
  company_name: z.string().min(1).max(300).optional(),
  /** Whose board it is, as the list of companies calls it: shown where nobody else names the company. */
  company_default: z.string().min(1).max(1_000).optional(),
  /** External ids that are known already: an incremental scrape fetches and yields the others only. */
  known: z.array(z.string()).max(100_000).optional(),
  description_format: z.enum(['markdown', 'html', 'plain']).default('markdown'),
  /** Keeps the vendor's own record with each posting. */
  include_raw: z.boolean().default(false),
};
export const CommonParams = z.object(COMMON_PARAMS);
export type CommonParams = z.infer<typeof CommonParams>;

export interface RowReader<Row> {
  row: z.ZodType<Row>;
  /** The external id of a row, readable or not; null where it does not even have that. */
  idOf(raw: unknown): string | null;
  /** Null for what is no open advertisement: unlisted, internal, a notice among the rows. */
  toAdvert(row: Row, raw: unknown): Advert | null;
}

export interface Board {
  /** Rows that were there, whether they could be read or not, each id once. */
  readonly seen: number;
  /** The row if it can be read, did not come before in this scrape, and is not known already. */
  read<Row>(raw: unknown, reader: Pick<RowReader<Row>, 'row' | 'idOf'>): { id: string; row: Row } | null;
  /** The posting of an advertisement; null if it cannot be made into one. */
  posting(id: string, make: () => Advert | null): Posting | null;
  /** Both of the above, for boards whose list says everything. */
  take<Row>(raw: unknown, reader: RowReader<Row>): Posting | null;
  /** A second call for one row. `gone` when the vendor says so; null when it failed and the list has to do. */
  detail<T>(id: string, fetch: () => Promise<T>): Promise<T | 'gone' | null>;
  /** To be called when all rows were given: `total` is what the vendor says there are. */
  finish(total?: number | null): void;
}

export interface BoardOptions {
  source: string;
  /** Board token or tenant. */
  ref: string;
  params: CommonParams;
  notes?: Notes | undefined;
  nowMs?: number;
}

const SILENT: Notes = { skipped() {}, incomplete() {} };
/** A vendor that answers a detail like this will answer the next one the same way: the list has to do for the rest. */
const STOPS_DETAILS: readonly ErrorCode[] = ['rate_limited', 'blocked', 'captcha', 'robots'];

export function openBoard(options: BoardOptions): Board {
  const { source, ref, params, notes = SILENT, nowMs = Date.now() } = options;
  const known = new Set(params.known);
  const seen = new Set<string>();
  let [rows, unreadable, nameless] = [0, 0, 0];
  let detailsStopped: string | null = null;

  const skip = (id: string | null, reason: string) => {
    unreadable += 1;
    notes.skipped({ id, reason });
  };

  const board: Board = {
    get seen() {
      return seen.size + nameless;
    },
    read(raw, reader) {
      rows += 1;
      const id = reader.idOf(raw);
      if (id === null) nameless += 1;
      else if (seen.has(id)) return null;
      else seen.add(id);
      const parsed = reader.row.safeParse(raw);
      if (!parsed.success || id === null) {
        const [wrong] = id === null ? [] : issueErrors(parsed.error?.issues ?? []);
        skip(
          id,
          wrong
            ? `${wrong.pointer.slice(1).replaceAll('/', '.') || 'row'}: ${wrong.detail}`
            : 'nothing in it tells which posting it is',
        );
        return null;
      }
      return known.has(id) ? null : { id, row: parsed.data };
    },
    posting(id, make) {
      try {
        const advert = make();
        return advert && advertToPosting(advert, { source, ref, params, nowMs });
      } catch (thrown) {
        skip(id, asAppError(thrown).message);
        return null;
      }
    },
    take(raw, reader) {
      const found = board.read(raw, reader);
      return found && board.posting(found.id, () => reader.toAdvert(found.row, raw));
    },
    async detail(id, fetch) {
      if (detailsStopped !== null) {
        notes.skipped({ id, reason: detailsStopped });
        return null;
      }
      try {
        return await fetch();
      } catch (thrown) {
        const error = asAppError(thrown);
        if (error.code === 'not_found') return 'gone';
        if (error.code === 'cancelled' || error.code === 'task_timeout' || error.code === 'internal') throw error;
        const reason = `${error.code}: ${error.message}`;
        if (STOPS_DETAILS.includes(error.code)) detailsStopped = `not asked for after ${reason}`;
        notes.skipped({ id, reason });
        return null;
      }
    },
    finish(total) {
      if (rows > 0 && unreadable >= rows)
        throw new AppError('layout_changed', `none of the ${rows} rows of the board could be read`);
      if (typeof total === 'number' && board.seen < total)
        notes.incomplete(`the board says that it has ${total} postings and showed ${board.seen}`);
    },
  };
  return board;
}

/** All rows of an answer that holds the whole board. */
export function* takeAll<Row>(board: Board, rows: Iterable<unknown>, reader: RowReader<Row>): Generator<Posting> {
  for (const raw of rows) {
    const posting = board.take(raw, reader);
    if (posting !== null) yield posting;
  }
}
