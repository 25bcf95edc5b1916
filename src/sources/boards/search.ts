// One search on one board, page after page: what every board does alike. A row that cannot be read costs itself and nothing else, a row that came
// before is not given again, and it ends with as many as were wanted.
// What a reader would get wrong: pages are turned by what was received, never by what was kept. A page of rows that were all seen before is not the end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { AppError, asAppError, type ErrorCode } from '../../model/errors.ts';
import { annualSalary, type Posting, type PostingDraft, type Salary, toPosting } from '../../model/posting/posting.ts';
import { issueWords } from '../../model/zod-messages.ts';
import type { Web } from '../../web/port.ts';
import type { Notes } from '../define.ts';
import type { Advert } from '../postings/advert.ts';
import { idIn } from '../postings/text.ts';
import { advertToPosting } from '../postings/to-posting.ts';
import type { BoardParams } from './params.ts';

/** What boards know beyond an advertisement of a career page. */
export interface Found {
  advert: Advert;
  /** The board's guess, used only where neither employer nor text says anything. */
  estimate?: Salary | null;
  more?: Partial<Omit<PostingDraft, 'source' | 'external_id' | 'title' | 'job_url'>>;
}

export interface SearchOptions {
  source: string;
  params: BoardParams;
  web: Web;
  notes: Notes | undefined;
  /** Rows to leave out at the beginning, for boards that cannot start later themselves. */
  skip?: number;
  /** The board shows no more than this, whatever is asked. */
  cap?: number;
  nowMs?: number;
}

export interface Search {
  readonly nowMs: number;
  /** As many as were wanted. */
  readonly isFull: boolean;
  /** One page of results. Failures are counted; `skippable` ones give null, so that a search by offset can go on. */
  page<T>(ask: () => Promise<T>, options?: { skippable?: boolean }): Promise<T | null>;
  /** A second request for one row: null when it failed and the list has to do, `gone` when the board says so. */
  detail<T>(id: string, ask: () => Promise<T>): Promise<T | 'gone' | null>;
  /** Whether a row with this id is wanted: it did not come before, and there are not enough yet. */
  isNew(id: string): boolean;
  /** The row and its id under `key`, if it can be read and is wanted. */
  read<Row>(raw: unknown, row: z.ZodType<Row>, key: string): { id: string; row: Row } | null;
  /** The posting, unless it cannot be made, is before the offset, or enough were found. What the board calls `gone` is closed. */
  posting<T = null>(id: string, make: (detail: T | null) => Found, detail?: T | 'gone' | null): Posting | null;
  /** A row that cannot even be named, or not be read. */
  skip(id: string | null, reason: string): void;
  /** Throws when rows were there and none of them could be read: then the board has changed. */
  finish(): void;
}

/** The board will answer the next request of this kind the same way. */
const STOPS: readonly ErrorCode[] = ['rate_limited', 'blocked', 'captcha', 'robots'];
const FATAL: readonly ErrorCode[] = [
  ...STOPS,
  'cancelled',
  'task_timeout',
  'internal',
  'invalid_params',
  'layout_changed',
];
const MAX_FAILED_IN_A_ROW = 2;
const MAX_PACE_WAIT_MS = 120_000;

export function openSearch(options: SearchOptions): Search {
  const { source, params, web, notes, skip = 0, nowMs = Date.now() } = options;
  const wanted = Math.min(params.results_wanted, (options.cap ?? Number.POSITIVE_INFINITY) - skip);
  if (options.cap !== undefined && params.results_wanted + skip > options.cap)
    web.warn(`${source} shows at most ${options.cap} results of a search`);
  const seen = new Set<string>();
  let [pages, rows, unreadable, passed, given, failedInARow] = [0, 0, 0, 0, 0, 0];
  let detailsStopped: string | null = null;

  const search: Search = {
    nowMs,
    get isFull() {
      return given >= wanted;
    },
    async page(ask, { skippable = false } = {}) {
      if (pages++ > 0) await pause(params, web.signal);
      try {
        const answer = await patiently(ask, web.signal);
        web.countPage(true);
        failedInARow = 0;
        return answer;
      } catch (thrown) {
        web.countPage(false);
        const error = asAppError(thrown);
        failedInARow += 1;
        if (!skippable || pages === 1 || FATAL.includes(error.code) || failedInARow > MAX_FAILED_IN_A_ROW) throw error;
        notes?.incomplete(`a page could not be read: ${error.code}`);
        return null;
      }
    },
    async detail(id, ask) {
      if (detailsStopped !== null) return null;
      try {
        return await patiently(ask, web.signal);
      } catch (thrown) {
        const error = asAppError(thrown);
        if (error.code === 'not_found') return 'gone';
        if (error.code === 'cancelled' || error.code === 'task_timeout' || error.code === 'internal') throw error;
        if (STOPS.includes(error.code)) {
          detailsStopped = error.code;
          web.warn(`descriptions stopped after ${given} postings: ${error.message}`);
        }
        notes?.skipped({ id, reason: `no description: ${error.code}` });
        return null;
      }
    },
    isNew(id) {
      rows += 1;
      if (seen.has(id)) return false;
      seen.add(id);
      return !search.isFull;
    },
    read(raw, schema, key) {
      const id = idIn(raw, key);
      const parsed = schema.safeParse(raw);
      if (parsed.success && id !== null) return search.isNew(id) ? { id, row: parsed.data } : null;
      const issue = parsed.error?.issues[0];
      search.skip(id, issue ? `${issue.path.join('.') || 'the row'} ${issueWords(issue)}` : 'a row without an id');
      return null;
    },
    posting(id, make, detail) {
      if (search.isFull || passed++ < skip) return null;
      try {
        const found = make(detail === 'gone' ? null : (detail ?? null));
        const posting = toBoardPosting(found, source, params, nowMs);
        given += 1;
        return detail === 'gone' ? { ...posting, is_closed: true } : posting;
      } catch (thrown) {
        unreadable += 1;
        notes?.skipped({ id, reason: asAppError(thrown).message });
        return null;
      }
    },
    skip(id, reason) {
      rows += 1;
      unreadable += 1;
      notes?.skipped({ id, reason });
    },
    finish() {
      if (rows > 0 && unreadable >= rows)
        throw new AppError('layout_changed', `none of the ${rows} rows could be read`);
    },
  };
  return search;
}

function toBoardPosting(
  { advert, estimate, more }: Found,
  source: string,
  params: BoardParams,
  nowMs: number,
): Posting {
  const posting = advertToPosting(advert, { source, ref: '', params, nowMs });
  const stated = posting.salary ?? estimate ?? null;
  const salary = params.enforce_annual_salary ? yearly(stated) : stated;
  const isDerivedAgain = salary !== posting.salary || more?.posted_at !== undefined;
  // Ids of boards are unique without a tenant.
  posting.company_ref = null;
  if (more !== undefined) Object.assign(posting, more);
  posting.salary = salary;
  // Deriving again costs as much as the first time; only pay and date have anything derived from them that a board adds.
  return isDerivedAgain ? toPosting(posting) : posting;
}

/** What was said stays in `raw` and in the flags. */
function yearly(salary: Salary | null): Salary | null {
  const annual = salary === null || salary.interval === 'year' ? null : annualSalary(salary);
  if (salary === null || annual === null) return salary;
  return {
    ...salary,
    ...annual,
    interval: 'year',
    raw: salary.raw ?? `${salary.min ?? ''} - ${salary.max ?? ''} per ${salary.interval}`,
    flags: [...salary.flags, 'annualised'],
  };
}

/**
 * A turn that is too far off is refused, so that the slot is free for other hosts. In the middle of a search that would throw away the pages before, so here
 * it is waited for, up to a limit.
 */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let leftMs = MAX_PACE_WAIT_MS; ; ) {
    try {
      return await ask();
    } catch (thrown) {
      const error = asAppError(thrown);
      const waitMs = error.details?.paced === true ? (error.retryAfterMs ?? 1_000) : Number.POSITIVE_INFINITY;
      if (waitMs > leftMs) throw error;
      leftMs -= Math.max(waitMs, 100);
      await wait(waitMs, signal);
    }
  }
}

/** Between pages, where the person who asked wants it slower than the pace of the source. */
async function pause(
  { min_pause_seconds: min, max_pause_seconds: max }: BoardParams,
  signal: AbortSignal,
): Promise<void> {
  const [from, to] = [min ?? max ?? 0, max ?? min ?? 0];
  const ms = (Math.min(from, to) + Math.random() * Math.abs(to - from)) * 1_000;
  if (ms > 0) await wait(ms, signal);
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw signal.reason instanceof AppError ? signal.reason : new AppError('cancelled');
  }
}
