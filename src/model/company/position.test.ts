import { describe, expect, test } from 'vitest';
import { type Posting, type PostingDraft, toPosting } from '../posting/posting.ts';
import {
  type CompanyHistory,
  changesOf,
  contentOf,
  type KnownPosition,
  type ScrapeOutcome,
  staleChanges,
} from './position.ts';

const DAY_MS = 86_400_000;

function posting(id: string, said: Partial<PostingDraft> = {}): Posting {
  return toPosting({
    source: 'greenhouse',
    company_ref: 'aldermoor',
    external_id: id,
    title: `Post ${id}`,
    job_url: `https://jobs.example/${id}`,
    description_html: `<p>Text of ${id}</p>`,
    ...said,
  });
}

function known(id: string, active = true, said: Partial<PostingDraft> = {}): KnownPosition {
  const of = posting(id, said);
  return { key: of.job_hash, external_id: id, active, lastSeenMs: 0, content: contentOf(of) };
}

const full: ScrapeOutcome = { mode: 'full', status: 'completed', atMs: DAY_MS, unreadable: [], unconfirmed: null };
const ids = (n: number) => Array.from({ length: n }, (_, i) => String(i + 1));
const kinds = (verdict: ReturnType<typeof changesOf>) => verdict.changes.map((change) => change.kind);

test('a full scrape creates, updates, leaves unchanged and closes what is missing', () => {
  const verdict = changesOf(
    [known('1'), known('2'), known('3')],
    [posting('1'), posting('2', { title: 'Head of Post 2' }), posting('4')],
    full,
    [],
  );
  expect(verdict.changes).toMatchObject([
    { kind: 'unchanged', key: posting('1').job_hash },
    { kind: 'updated', changes: [{ field: 'title', before: 'Post 2', after: 'Head of Post 2' }] },
    { kind: 'created', posting: { external_id: '4' } },
    { kind: 'closed', key: posting('3').job_hash, reason: 'missing' },
  ]);
  expect(verdict.counts).toEqual({ found: 3, new: 1, updated: 1, unchanged: 1, deactivated: 1, errors: 0 });
  expect(verdict.closingRefused).toBeNull();
});

test('the history names each field that changed', () => {
  const salary = {
    min: 50_000,
    max: 60_000,
    currency: 'EUR',
    interval: 'year' as const,
    source: 'employer' as const,
    raw: null,
    is_ote: false,
    is_net: false,
    payments_per_year: null,
    zones: [],
    flags: [],
  };
  const changed = posting('1', {
    salary,
    location: 'Ghent',
    description_html: '<p>Other text</p>',
    department: 'Sales',
  });
  const [change] = changesOf([known('1')], [changed], full, []).changes;
  expect(change).toMatchObject({ kind: 'updated' });
  expect(change?.kind === 'updated' && change.changes.map(({ field }) => field)).toEqual([
    'location',
    'department',
    'salary',
    'description',
  ]);
  expect(change?.kind === 'updated' && change.changes[2]).toEqual({
    field: 'salary',
    before: null,
    after: '50000-60000 EUR per year',
  });
});

test('a closed position that is seen again is reopened, by any kind of scrape', () => {
  for (const outcome of [full, { ...full, mode: 'incremental' as const }, { ...full, status: 'partial' as const }]) {
    expect(kinds(changesOf([known('1', false)], [posting('1')], outcome, []))).toEqual(['reopened']);
  }
});

test('a closed position that stays away is left alone', () => {
  expect(changesOf([known('1', false)], [], full, []).changes).toEqual([]);
});

test('the same posting twice in one scrape counts once', () => {
  const verdict = changesOf([], [posting('1'), posting('1')], full, []);
  expect(verdict.counts).toMatchObject({ found: 1, new: 1 });
});

describe('what may close positions', () => {
  const cases: [
    name: string,
    outcome: Partial<ScrapeOutcome>,
    history: CompanyHistory,
    before: number,
    seen: number,
    refused: string | null,
  ][] = [
    ['a full and complete scrape', {}, [10, 10, 10], 10, 8, null],
    ['an incremental scrape never', { mode: 'incremental' }, [10], 10, 8, 'incremental'],
    ['a failed scrape never', { status: 'failed' }, [10], 10, 0, 'failed'],
    ['a partial scrape never', { status: 'partial' }, [10], 10, 8, 'partial'],
    ['a row without even an id never', { unreadable: [{ id: null }] }, [10], 10, 8, 'unreadable_rows'],
    ['nothing against a history of many never', {}, [12, 10, 11], 10, 0, 'empty'],
    ['nothing on the first scrape with many known never', {}, [], 10, 0, 'empty'],
    ['nothing twice against a history of many never', { unconfirmed: 0 }, [12, 10, 11], 10, 0, 'empty'],
    ['nothing against a history of few not at once', {}, [2, 1, 2], 2, 0, 'empty'],
    ['nothing against a history of few, the second time', { unconfirmed: 0 }, [2, 1, 2], 2, 0, null],
    ['nothing on the first scrape with few known not at once', {}, [], 4, 0, 'empty'],
    ['half of the usual not at once', {}, [10, 10, 10], 10, 5, 'suspiciously_small'],
    ['half of a few not at once', {}, [4, 4], 4, 2, 'suspiciously_small'],
    ['half of the usual, the second time', { unconfirmed: 5 }, [10, 10, 10], 10, 5, null],
    ['less than half, the second time', { unconfirmed: 4 }, [10, 10, 10], 10, 3, null],
    ['half of what was to be confirmed', { unconfirmed: 4 }, [10, 10, 10], 10, 2, 'suspiciously_small'],
    ['more than half of the usual', {}, [10, 10, 10], 10, 6, null],
    ['a board that has been small for a while', {}, [10, 10, 4, 4, 4], 10, 4, null],
    ['one outlier does not make the usual', {}, [10, 10, 10, 100, 10], 10, 6, null],
  ];
  test.each(cases)('%s', (_, outcome, history, before, seen, refused) => {
    const verdict = changesOf(
      ids(before).map((id) => known(id)),
      ids(seen).map((id) => posting(id)),
      { ...full, ...outcome },
      history,
    );
    expect(verdict.closingRefused).toBe(refused);
    expect(verdict.counts.deactivated).toBe(refused === null ? before - seen : 0);
  });
});

test('a row that could not be read but named itself was seen', () => {
  const verdict = changesOf(
    [known('1'), known('2'), known('3')],
    [posting('1')],
    { ...full, unreadable: [{ id: '2' }] },
    [],
  );
  expect(verdict.changes).toMatchObject([
    { kind: 'unchanged', key: posting('1').job_hash },
    { kind: 'unchanged', key: posting('2').job_hash },
    { kind: 'closed', key: posting('3').job_hash },
  ]);
  expect(verdict.counts).toMatchObject({ found: 2, errors: 1, deactivated: 1 });
});

test('a posting that says it is closed is closed by a full scrape and never created', () => {
  const closed = { is_closed: true };
  expect(changesOf([known('1')], [posting('1', closed)], full, []).changes).toMatchObject([
    { kind: 'closed', reason: 'said_closed' },
  ]);
  expect(kinds(changesOf([], [posting('1', closed)], full, []))).toEqual([]);
  expect(kinds(changesOf([known('1')], [posting('1', closed)], { ...full, mode: 'incremental' }, []))).toEqual([
    'unchanged',
  ]);
});

test('a posting whose page failed does not lose its text', () => {
  const listOnly = posting('1', { description_html: null, title: 'New title' });
  const [change] = changesOf([known('1')], [listOnly], full, []).changes;
  expect(change).toMatchObject({ kind: 'updated', changes: [{ field: 'title' }] });
  expect(change?.kind === 'updated' && change.content.description).toBe(contentOf(posting('1')).description);
});

test('a posting read from the list only is no change for what the list does not say', () => {
  const before = known('1', true, { department: 'Foundry' });
  before.content.remote_type = 'hybrid';
  const bare = posting('1', { description_html: null });
  expect(bare.remote_type).not.toBe('hybrid');
  expect(kinds(changesOf([before], [bare], full, []))).toEqual(['unchanged']);
  before.content.remote_type = contentOf(posting('1')).remote_type;
  // One that has its text and no department any more has lost it.
  expect(changesOf([before], [posting('1')], full, []).changes).toMatchObject([
    { kind: 'updated', changes: [{ field: 'department', before: 'Foundry', after: null }] },
  ]);
});

test('white space in a description is no change', () => {
  expect(kinds(changesOf([known('1')], [posting('1', { description_html: '<p>Text  of\n1</p>' })], full, []))).toEqual([
    'unchanged',
  ]);
});

test('the history keeps the last full, complete and believed scrapes', () => {
  const after = (outcome: Partial<ScrapeOutcome>, seen: number, history: number[]) => {
    const verdict = changesOf(
      [],
      ids(seen).map((id) => posting(id)),
      { ...full, ...outcome },
      history,
    );
    return [verdict.history, verdict.unconfirmed];
  };
  expect(after({}, 3, [1, 2])).toEqual([[1, 2, 3], null]);
  expect(after({}, 6, [1, 2, 3, 4, 5])).toEqual([[2, 3, 4, 5, 6], null]);
  expect(after({}, 0, [1, 2])).toEqual([[1, 2], 0]);
  expect(after({}, 4, [9, 9])).toEqual([[9, 9], 4]);
  // A scrape that proves nothing changes nothing.
  expect(after({ mode: 'incremental', unconfirmed: 4 }, 3, [9])).toEqual([[9], 4]);
  expect(after({ status: 'partial', unconfirmed: 4 }, 3, [9])).toEqual([[9], 4]);
  // What was confirmed is the usual from then on.
  expect(after({ unconfirmed: 4 }, 4, [9, 9])).toEqual([[4], null]);
  expect(after({ unconfirmed: 0 }, 0, [1, 2])).toEqual([[], null]);
  expect(after({ unconfirmed: 4 }, 8, [9, 9])).toEqual([[9, 9, 8], null]);
});

test('what nobody has seen for longer than the limit is stale', () => {
  const seen = (id: string, days: number, active = true) => ({ ...known(id, active), lastSeenMs: days * DAY_MS });
  const stale = staleChanges([seen('1', 0), seen('2', 3), seen('3', 0, false)], 10 * DAY_MS, 7 * DAY_MS);
  expect(stale).toEqual([{ kind: 'closed', key: posting('1').job_hash, reason: 'stale' }]);
});
