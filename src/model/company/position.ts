// A position: a posting of one company followed over time. `changesOf` decides, from what is known and what one scrape saw, what was created,
// changed, reopened and closed. Pure: the store applies the answer.
// What a reader would get wrong: not seeing a position proves nothing unless the scrape was full, complete and of believable size. Everything
// else only ever adds or refreshes; positions nobody has seen for long are closed by `staleChanges` instead.
import { hash } from 'node:crypto';
import type { Posting } from '../posting/posting.ts';

/** What is compared from scrape to scrape; the description as a hash, the rest as text a person can read in the history. */
export const WATCHED = [
  'title',
  'location',
  'remote_type',
  'job_types',
  'department',
  'salary',
  'description',
] as const;
export type WatchedField = (typeof WATCHED)[number];
export type PositionContent = Record<WatchedField, string | null>;

export interface KnownPosition {
  /** `job_hash` of its posting. */
  key: string;
  external_id: string;
  active: boolean;
  lastSeenMs: number;
  content: PositionContent;
}

export interface ScrapeOutcome {
  mode: 'full' | 'incremental';
  /** `partial`: some of what is there was not seen, for whatever reason. */
  status: 'completed' | 'partial' | 'failed';
  atMs: number;
  /** Rows that were there and could not be read; with the id where at least that was clear. */
  unreadable: readonly { id: string | null }[];
  /** What the scrape before found, if it was too small to close anything: a second one like it confirms it. */
  unconfirmed: number | null;
  /** Of a large board: what became positions while it was read, and is in neither list. */
  stored?: StoredAlready;
}

export interface StoredAlready {
  /** Postings, all of them active positions. */
  found: number;
  /** Those of the unreadable rows' ids that are among them. */
  ids: readonly string[];
}

/** How many postings the last full and complete scrapes of a company found, oldest first. Empty ones are not in it. */
export type CompanyHistory = readonly number[];

export interface FieldChange {
  field: WatchedField;
  before: string | null;
  after: string | null;
}

export type PositionChange =
  | { kind: 'created'; key: string; posting: Posting; content: PositionContent }
  | { kind: 'updated'; key: string; posting: Posting; content: PositionContent; changes: FieldChange[] }
  | { kind: 'reopened'; key: string; posting: Posting; content: PositionContent; changes: FieldChange[] }
  | { kind: 'unchanged'; key: string }
  | { kind: 'closed'; key: string; reason: 'missing' | 'said_closed' | 'stale' };

/** Why a scrape closed nothing that it did not see; `null` where it was allowed to. */
export type ClosingRefused = 'incremental' | 'failed' | 'partial' | 'unreadable_rows' | 'empty' | 'suspiciously_small';

export interface ScrapeVerdict {
  changes: PositionChange[];
  counts: { found: number; new: number; updated: number; unchanged: number; deactivated: number; errors: number };
  closingRefused: ClosingRefused | null;
  /** Both to be kept for the next scrape. */
  history: number[];
  unconfirmed: number | null;
}

const HISTORY_LENGTH = 5;
/** Fewer positions than this may all go; an empty list of so many is never believed. */
const MANY = 5;
/** A list of this share of the usual size, or less, has to be confirmed by a second scrape. */
const SMALL_SHARE = 0.5;

export function changesOf(
  known: readonly KnownPosition[],
  postings: readonly Posting[],
  outcome: ScrapeOutcome,
  history: CompanyHistory,
): ScrapeVerdict {
  const byKey = new Map(known.map((position) => [position.key, position]));
  const scraped = new Map(postings.map((posting) => [posting.job_hash, posting]));
  const { stored = { found: 0, ids: [] } } = outcome;
  const readableIds = new Set([...[...scraped.values()].map((posting) => posting.external_id), ...stored.ids]);
  const hintedIds = new Set(outcome.unreadable.flatMap(({ id }) => (id === null || readableIds.has(id) ? [] : [id])));
  const found = stored.found + scraped.size + hintedIds.size;
  const closingRefused = whyNotClose(known, found, outcome, history);

  const changes: PositionChange[] = [];
  for (const [key, posting] of scraped) {
    const change = changeOf(byKey.get(key), posting, closingRefused === null);
    if (change !== null) changes.push(change);
  }
  for (const position of known) {
    if (scraped.has(position.key)) continue;
    // It was there, and that is all that is known of it.
    if (hintedIds.has(position.external_id)) {
      if (position.active) changes.push({ kind: 'unchanged', key: position.key });
    } else if (position.active && closingRefused === null)
      changes.push({ kind: 'closed', key: position.key, reason: 'missing' });
  }
  const count = (...kinds: PositionChange['kind'][]) => changes.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    changes,
    counts: {
      found,
      new: count('created'),
      updated: count('updated', 'reopened'),
      unchanged: stored.found + count('unchanged'),
      deactivated: count('closed'),
      errors: outcome.unreadable.length,
    },
    closingRefused,
    ...nextMemory(history, found, outcome, closingRefused),
  };
}

/** Positions that no scrape has seen for so long that they are taken for gone, whatever the reason. */
export function staleChanges(
  known: readonly Pick<KnownPosition, 'key' | 'active' | 'lastSeenMs'>[],
  nowMs: number,
  staleAfterMs: number,
): Extract<PositionChange, { kind: 'closed' }>[] {
  return known
    .filter((position) => position.active && nowMs - position.lastSeenMs > staleAfterMs)
    .map(({ key }) => ({ kind: 'closed', key, reason: 'stale' }));
}

function changeOf(before: KnownPosition | undefined, posting: Posting, mayClose: boolean): PositionChange | null {
  const key = posting.job_hash;
  if (posting.is_closed) {
    if (before?.active !== true) return null;
    return mayClose ? { kind: 'closed', key, reason: 'said_closed' } : { kind: 'unchanged', key };
  }
  if (before === undefined) return { kind: 'created', key, posting, content: contentOf(posting) };
  const content = mergedContent(before.content, contentOf(posting));
  const changes = WATCHED.filter((field) => content[field] !== before.content[field]).map((field) => ({
    field,
    before: before.content[field],
    after: content[field],
  }));
  if (!before.active) return { kind: 'reopened', key, posting, content, changes };
  return changes.length === 0 ? { kind: 'unchanged', key } : { kind: 'updated', key, posting, content, changes };
}

/** A posting without its text was read from a list only, because its page failed: what it does not say, it says nothing about. */
function mergedContent(before: PositionContent, now: PositionContent): PositionContent {
  if (now.description !== null || before.description === null) return now;
  const merged = WATCHED.map((field) => [field, saysLess(now[field], before[field]) ? before[field] : now[field]]);
  return Object.fromEntries(merged) as PositionContent;
}

/** Nothing, `unknown`, or the beginning of what is known: `Denver, Colorado` where the page said `Denver, Colorado, United States`. */
function saysLess(now: string | null, before: string | null): boolean {
  return now === null || (before !== null && (now === 'unknown' || before.startsWith(now)));
}

export function contentOf(posting: Posting): PositionContent {
  const text = posting.description_html ?? posting.description;
  return {
    title: posting.title,
    location: posting.locations.length > 0 ? posting.locations.map((l) => l.raw).join(' | ') : posting.location,
    remote_type: posting.remote_type,
    job_types: posting.job_types.join(', ') || null,
    department: posting.department,
    salary: salaryText(posting),
    // White space comes and goes with a vendor's editor and means nothing.
    description: text === null ? null : hash('sha256', text.replace(/\s+/g, ' ').trim(), 'hex'),
  };
}

function salaryText({ salary_min, salary_max, currency, salary_interval }: Posting): string | null {
  if (salary_min === null && salary_max === null) return null;
  const range = salary_min === salary_max ? `${salary_min}` : `${salary_min ?? ''}-${salary_max ?? ''}`;
  return [range, currency, salary_interval && `per ${salary_interval}`].filter(Boolean).join(' ');
}

function whyNotClose(
  known: readonly KnownPosition[],
  found: number,
  outcome: ScrapeOutcome,
  history: CompanyHistory,
): ClosingRefused | null {
  if (outcome.mode === 'incremental') return 'incremental';
  if (outcome.status !== 'completed') return outcome.status;
  if (outcome.unreadable.some(({ id }) => id === null)) return 'unreadable_rows';
  const active = (outcome.stored?.found ?? 0) + known.filter((position) => position.active).length;
  const usual = history.length > 0 ? median(history) : active;
  if (usual === 0 || found > usual * SMALL_SHARE) return null;
  if (found === 0) return usual < MANY && isConfirmed(found, outcome) ? null : 'empty';
  return isConfirmed(found, outcome) ? null : 'suspiciously_small';
}

/** A list that shrank to half once more is no confirmation. */
function isConfirmed(found: number, { unconfirmed }: ScrapeOutcome): boolean {
  return unconfirmed !== null && (found === unconfirmed || found > unconfirmed * SMALL_SHARE);
}

/**
 * A small list that was confirmed is the usual from then on. One that answers with nothing where there were many never is, because that is what broken
 * boards do for weeks: its positions end by being stale.
 */
function nextMemory(
  history: CompanyHistory,
  found: number,
  outcome: ScrapeOutcome,
  refused: ClosingRefused | null,
): Pick<ScrapeVerdict, 'history' | 'unconfirmed'> {
  if (refused !== null) {
    const isDoubted = refused === 'empty' || refused === 'suspiciously_small';
    return { history: [...history], unconfirmed: isDoubted ? found : outcome.unconfirmed };
  }
  const before = outcome.unconfirmed !== null && isSmall(history, found) ? [] : history;
  return { history: (found > 0 ? [...before, found] : [...before]).slice(-HISTORY_LENGTH), unconfirmed: null };
}

const isSmall = (history: CompanyHistory, found: number): boolean => found <= median(history) * SMALL_SHARE;

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
