import { expect, test } from 'vitest';
import { type JobLocation, type PostingDraft, toPosting } from './posting.ts';
import { applyKey, groupPostings, meetingKeys, statedValues } from './same-posting.ts';

const austin: JobLocation = {
  raw: 'Austin, TX',
  city: 'Austin',
  region: 'TX',
  country: 'US',
  lat: null,
  lon: null,
  kind: 'city',
};
const TEXT =
  'We build ferries that cross the bay every day. You will plan the work of two docks, keep the tools in order, answer the questions of captains and write a weekly report for everybody who needs one.';
const OTHER =
  'Our bakery opens at five in the morning. You will knead and fold, watch four ovens, greet the regulars by name and teach one apprentice how a crust should sound when it is done.';

let next = 0;
const posting = (more: Partial<PostingDraft>) => {
  next += 1;
  return toPosting({
    source: 'indeed',
    external_id: String(next),
    title: 'Dock Planner',
    company: 'Harbour Works, Inc.',
    job_url: `https://boards.example/view/${next}`,
    locations: [austin],
    description: TEXT,
    ...more,
  });
};
const sizes = (all: ReturnType<typeof posting>[]) =>
  groupPostings(all)
    .map((group) => group.members.length)
    .sort();

test('the same job on two boards is one group, whoever spells the company how', () => {
  const groups = groupPostings([
    posting({}),
    posting({
      source: 'linkedin',
      company: 'Harbour Works',
      title: 'Dock Planner (m/f/d)',
      description: `${TEXT} Apply now.`,
    }),
  ]);
  expect(groups).toHaveLength(1);
  expect(groups[0]).toMatchObject({ reasons: ['text'] });
});

test('another text under the same title is another job', () => {
  expect(sizes([posting({}), posting({ source: 'linkedin', description: OTHER })])).toEqual([1, 1]);
});

test('two postings of one source are never joined, and a third joins the one it matches', () => {
  const groups = groupPostings([
    posting({}),
    posting({ description: OTHER }),
    posting({ source: 'glassdoor', description: OTHER }),
  ]);
  expect(groups.map((group) => group.members.map((one) => one.source))).toEqual([['indeed'], ['indeed', 'glassdoor']]);
});

test('the address for applications joins across different texts, unless it is of all jobs or the titles are strangers', () => {
  const apply = { apply_url: 'https://jobs.harbour.example/o/48151623?utm_source=indeed' };
  const same = { source: 'linkedin', apply_url: 'https://jobs.harbour.example/o/48151623/apply', description: null };
  expect(sizes([posting(apply), posting(same)])).toEqual([2]);
  expect(sizes([posting(apply), posting({ ...same, title: 'Night Baker' })])).toEqual([1, 1]);
  const generic = { apply_url: 'https://jobs.harbour.example/careers' };
  expect(sizes([posting(generic), posting({ ...generic, source: 'linkedin', description: OTHER })])).toEqual([1, 1]);
});

test('without texts the day and pay decide, and only where there is one choice', () => {
  const bare = { description: null, posted_at: '2026-11-10T00:00:00Z', posted_precision: 'day' as const };
  expect(sizes([posting(bare), posting({ ...bare, source: 'glassdoor' })])).toEqual([2]);
  expect(sizes([posting(bare), posting({ ...bare, source: 'glassdoor', posted_at: '2026-09-01T00:00:00Z' })])).toEqual([
    1, 1,
  ]);
  expect(
    sizes([posting(bare), posting({ ...bare, source: 'glassdoor' }), posting({ ...bare, source: 'glassdoor' })]),
  ).toEqual([1, 1, 1]);
});

test('pay that cannot be the same keeps postings apart', () => {
  const pay = (min: number) => ({
    min,
    max: min + 5_000,
    currency: 'USD',
    interval: 'year' as const,
    source: 'employer' as const,
    raw: null,
    is_ote: false,
    is_net: false,
    payments_per_year: null,
    zones: [],
    flags: [],
  });
  expect(sizes([posting({ salary: pay(50_000) }), posting({ source: 'linkedin', salary: pay(90_000) })])).toEqual([
    1, 1,
  ]);
});

test('a group tells who said what, the most trusted first', () => {
  const [group] = groupPostings([
    posting({ apply_url: null }),
    posting({ source: 'greenhouse', apply_url: 'https://x.example/1' }),
  ]);
  const rank = (source: string) => (source === 'greenhouse' ? 0 : 1);
  expect(statedValues(group!, 'company', rank).map(({ source }) => source)).toEqual(['greenhouse', 'indeed']);
  expect(statedValues(group!, 'apply_url', rank)).toEqual([{ source: 'greenhouse', value: 'https://x.example/1' }]);
});

test('postings without company or place meet nobody', () => {
  expect(meetingKeys(posting({ company: null }))).toEqual([]);
  expect(applyKey({ apply_url: null, job_url: 'not an address' })).toBeNull();
});
