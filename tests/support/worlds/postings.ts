// Made-up postings and a way to put them into a database as a recorder does.
import type pg from 'pg';
import { type Posting, type PostingDraft, type Salary, toPosting } from '../../../src/model/posting/posting.ts';
import { transaction } from '../../../src/store/postgres/pool.ts';
import { savePostings } from '../../../src/store/postings/postings.ts';

export type Draft = Partial<PostingDraft> & { source: string; external_id: string };

export const place = (city: string, country = 'US') => ({
  raw: city,
  city,
  region: null,
  country,
  lat: null,
  lon: null,
  kind: 'city' as const,
});

export const pay = (min: number, max: number, more: Partial<Salary> = {}): Salary => ({
  min,
  max,
  currency: 'USD',
  interval: 'year',
  source: 'employer',
  raw: null,
  is_ote: false,
  is_net: false,
  payments_per_year: null,
  zones: [],
  flags: [],
  ...more,
});

/** A description long enough to be compared, all its own. */
export const prose = (about: string): string =>
  Array.from(
    { length: 60 },
    (_, i) => `${about} ${['builds', 'runs', 'tests', 'plans'][i % 4]} thing${i} of ${about}`,
  ).join('. ');

export const posting = (draft: Draft): Posting =>
  toPosting({
    title: 'Software Engineer',
    company: 'Acme Inc.',
    location: 'Austin',
    locations: [place(draft.location ?? 'Austin')],
    job_url: `https://${draft.source}.example/jobs/${draft.external_id}`,
    posted_at: '2026-11-10T00:00:00.000Z',
    posted_precision: 'day',
    ...draft,
  });

export const save = (pool: pg.Pool, ...items: Posting[]): Promise<void> =>
  transaction(pool, (client) =>
    savePostings(client, [
      {
        kind: 'posting',
        key: crypto.randomUUID(),
        taskId: crypto.randomUUID(),
        source: items[0]?.source ?? '',
        attempt: 1,
        part: 1,
        items,
      },
    ]),
  );
