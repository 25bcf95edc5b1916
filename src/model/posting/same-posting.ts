// Which postings of several sources advertise the same job. Exact ids first (the address where the employer takes applications), then company and
// place together with title and text. It would rather leave two apart than join two jobs: a wrong join hides a job, a missed one only repeats it.
// What a reader would get wrong: postings of one source are never joined with each other. What a source lists twice under two ids is two postings.
import { hash } from 'node:crypto';
import { canonicalUrl } from '../url.ts';
import type { Posting } from './posting.ts';
import { companyKey, placeKey, titleKey } from './posting-keys.ts';
import { shinglesOf, similarity } from './text-similarity.ts';

export type Comparable = Pick<
  Posting,
  | 'job_hash'
  | 'source'
  | 'title'
  | 'company'
  | 'locations'
  | 'remote_type'
  | 'apply_url'
  | 'job_url'
  | 'description'
  | 'posted_at'
  | 'posted_precision'
  | 'salary_min'
  | 'salary_max'
  | 'salary_interval'
  | 'salary_source'
>;

export interface PostingGroup<P extends Comparable = Comparable> {
  /** Stays the same while its first member is in it. */
  id: string;
  /** In the order they were given: the first was seen first. */
  members: P[];
  /** Why each member but the first belongs: the same order. */
  reasons: Reason[];
}

export type Reason = 'apply_url' | 'text' | 'facts';

/** Keys by which candidates for the same job are found; two postings without a common key are never compared. */
export function meetingKeys(posting: Comparable): string[] {
  const company = companyKey(posting.company ?? '');
  const place = placeKey(posting.locations[0] ?? null, posting.remote_type);
  const applies = applyKey(posting);
  return [
    ...(applies === null ? [] : [`apply ${applies}`]),
    ...(company === '' || place === '' ? [] : [`job ${company} ${place}`]),
  ];
}

/** The address of the employer's own page of this job; null where it names no single job. */
export function applyKey({ apply_url, job_url }: Pick<Comparable, 'apply_url' | 'job_url'>): string | null {
  const address = apply_url ?? job_url;
  if (!URL.canParse(address)) return null;
  const url = new URL(canonicalUrl(address));
  const path = url.pathname.replace(/\/(?:apply|application)\/?$/, '').replace(/\/$/, '');
  const isOfOneJob = /\d{4,}|[0-9a-f]{8}-[0-9a-f]{4}/i.test(path + url.search);
  return isOfOneJob ? `${url.hostname.replace(/^www\./, '')}${path}${url.search}` : null;
}

interface Entry<P> {
  posting: P;
  at: number;
  title: string;
  shingles: Set<number> | null;
}

const SAME_TEXT = 0.6;
const OTHER_TEXT = 0.3;
const MIN_SHINGLES = 12;
const NEAR_DAYS = 2;
const DAY_MS = 86_400_000;
/** A block this large is a staffing agency's city; comparing all with all would cost more than it finds. */
const MAX_BLOCK = 2_000;

export function groupPostings<P extends Comparable>(postings: Iterable<P>): PostingGroup<P>[] {
  const entries = [...postings].map(
    (posting, at): Entry<P> => ({
      posting,
      at,
      title: titleKey(posting.title),
      shingles: shinglesOf(posting.description ?? ''),
    }),
  );
  const groups = new Groups(entries);
  const blocks = new Map<string, Entry<P>[]>();
  for (const entry of entries)
    for (const key of meetingKeys(entry.posting)) {
      const block = blocks.get(key);
      if (block) block.push(entry);
      else blocks.set(key, [entry]);
    }
  for (const [key, block] of blocks) if (key.startsWith('apply ')) joinExact(block, groups);
  for (const [key, block] of blocks) if (key.startsWith('job ') && block.length <= MAX_BLOCK) joinAlike(block, groups);
  return groups.list();
}

/** One address is one job, unless the titles have nothing in common: some employers use one address for all. */
function joinExact<P extends Comparable>(block: Entry<P>[], groups: Groups<P>): void {
  const [first, ...rest] = block;
  for (const entry of rest) if (titlesOverlap(first!.title, entry.title)) groups.join(first!, entry, 'apply_url');
}

function titlesOverlap(a: string, b: string): boolean {
  const words = new Set(a.split(' '));
  return b.split(' ').filter((word) => words.has(word)).length * 2 >= Math.min(words.size, b.split(' ').length);
}

interface Pair<P> {
  a: Entry<P>;
  b: Entry<P>;
  score: number;
  reason: Reason;
}

function joinAlike<P extends Comparable>(block: Entry<P>[], groups: Groups<P>): void {
  const pairs: Pair<P>[] = [];
  for (let i = 0; i < block.length; i++)
    for (let j = i + 1; j < block.length; j++) {
      const pair = compare(block[i]!, block[j]!);
      if (pair) pairs.push(pair);
    }
  pairs.sort((x, y) => y.score - x.score || x.a.at - y.a.at || x.b.at - y.b.at);
  for (const pair of pairs)
    if (pair.reason === 'text' || isOnlyChoice(pair, pairs)) groups.join(pair.a, pair.b, pair.reason);
}

/** Null when they are not, or may not be, the same job. */
function compare<P extends Comparable>(a: Entry<P>, b: Entry<P>): Pair<P> | null {
  if (a.posting.source === b.posting.source || a.title === '' || a.title !== b.title) return null;
  if (payDiffers(a.posting, b.posting)) return null;
  const isLong = (entry: Entry<P>) => entry.shingles !== null && entry.shingles.size >= MIN_SHINGLES;
  if (isLong(a) && isLong(b)) {
    const alike = similarity(a.shingles!, b.shingles!);
    if (alike >= SAME_TEXT) return { a, b, score: 10 + alike, reason: 'text' };
    if (alike < OTHER_TEXT) return null;
  }
  // Without texts to compare, the day and the pay have to agree, and nothing else may fit as well.
  const score = (isNearInTime(a.posting, b.posting) ? 1 : 0) + (payAgrees(a.posting, b.posting) ? 1 : 0);
  return score === 0 ? null : { a, b, score, reason: 'facts' };
}

function isOnlyChoice<P extends Comparable>(pair: Pair<P>, pairs: Pair<P>[]): boolean {
  const rival = (mine: Entry<P>, theirs: Entry<P>) =>
    pairs.some((other) => {
      const entry = other.a === mine ? other.b : other.b === mine ? other.a : null;
      return (
        entry !== null &&
        entry !== theirs &&
        entry.posting.source === theirs.posting.source &&
        other.score >= pair.score
      );
    });
  return !rival(pair.a, pair.b) && !rival(pair.b, pair.a);
}

function isNearInTime(a: Comparable, b: Comparable): boolean {
  const isKnown = (one: Comparable) => one.posted_at !== null && one.posted_precision !== 'unknown';
  return (
    isKnown(a) && isKnown(b) && Math.abs(Date.parse(a.posted_at!) - Date.parse(b.posted_at!)) <= NEAR_DAYS * DAY_MS
  );
}

const isStated = (one: Comparable) => one.salary_source !== null && one.salary_source !== 'estimated';

function payAgrees(a: Comparable, b: Comparable): boolean {
  return (
    isStated(a) &&
    isStated(b) &&
    a.salary_interval === b.salary_interval &&
    a.salary_min === b.salary_min &&
    a.salary_max === b.salary_max &&
    a.salary_min !== null
  );
}

/** Both state pay for the same interval, and the ranges do not even touch. */
function payDiffers(a: Comparable, b: Comparable): boolean {
  if (!isStated(a) || !isStated(b) || a.salary_interval !== b.salary_interval) return false;
  const [low, high] = [
    Math.max(a.salary_min ?? 0, b.salary_min ?? 0),
    Math.min(a.salary_max ?? Number.POSITIVE_INFINITY, b.salary_max ?? Number.POSITIVE_INFINITY),
  ];
  return low > high;
}

/** Sets that join, as long as no source is in them twice. */
class Groups<P extends Comparable> {
  readonly #of = new Map<Entry<P>, { entry: Entry<P>; reason: Reason | null }[]>();

  constructor(entries: Entry<P>[]) {
    for (const entry of entries) this.#of.set(entry, [{ entry, reason: null }]);
  }

  join(a: Entry<P>, b: Entry<P>, reason: Reason): void {
    const [mine, theirs] = [this.#of.get(a)!, this.#of.get(b)!];
    if (mine === theirs) return;
    const sources = new Set(mine.map(({ entry }) => entry.posting.source));
    if (theirs.some(({ entry }) => sources.has(entry.posting.source))) return;
    const [older, newer] = mine[0]!.entry.at < theirs[0]!.entry.at ? [mine, theirs] : [theirs, mine];
    older.push(...newer.map((member) => ({ ...member, reason: member.reason ?? reason })));
    for (const { entry } of newer) this.#of.set(entry, older);
  }

  list(): PostingGroup<P>[] {
    return [...new Set(this.#of.values())].map((members) => {
      const sorted = [...members].sort((x, y) => x.entry.at - y.entry.at);
      const first = sorted[0]!.entry.posting;
      return {
        id: hash('sha256', `group ${first.job_hash}`, 'hex'),
        members: sorted.map(({ entry }) => entry.posting),
        reasons: sorted.slice(1).map(({ reason }) => reason ?? 'facts'),
      };
    });
  }
}

/** What the sources of a group say about one field, the more trusted first; for showing who said what. */
export function statedValues<P extends Comparable, K extends keyof P>(
  group: PostingGroup<P>,
  field: K,
  rank: (source: string) => number = () => 0,
): { source: string; value: P[K] }[] {
  return group.members
    .map((member) => ({ source: member.source, value: member[field] }))
    .filter(({ value }) => value !== null && !(Array.isArray(value) && value.length === 0))
    .sort((a, b) => rank(a.source) - rank(b.source));
}
