import { expect, expectTypeOf, test } from 'vitest';
import { type Posting, toPosting } from '../../model/posting/posting.ts';
import { type Job, toJob } from './job.ts';

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
/** These two have the names that people look for. */
type Renamed = { source: 'site'; external_id: 'id' };
type Expected = { [K in keyof Posting]: K extends keyof Renamed ? Renamed[K] : Camel<K> }[keyof Posting];

test('every field of a posting is a field of a job, and no other', () => {
  expectTypeOf<keyof Job>().toEqualTypeOf<Expected>();
});

test('a posting becomes a job with the same values', () => {
  const posting = toPosting({
    source: 'indeed',
    external_id: '42',
    title: 'Nurse',
    job_url: 'https://www.indeed.com/viewjob?jk=42',
    company: 'Acme',
    salary: {
      min: 30,
      max: 40,
      currency: 'USD',
      interval: 'hour',
      source: 'employer',
      raw: '$30–40 an hour',
      is_ote: true,
      is_net: false,
      payments_per_year: null,
      zones: [],
      flags: ['interval_inferred'],
    },
    posted_at: '2026-03-04T00:00:00.000Z',
    raw: { any: 'thing' },
  });
  const job = toJob(posting);
  expect(job).toMatchObject({
    site: 'indeed',
    id: '42',
    title: 'Nurse',
    company: 'Acme',
    salaryMin: 30,
    salaryMax: 40,
    salaryInterval: 'hour',
    salaryAnnual: { min: 62_400, max: 83_200 },
    salary: { isOte: true, isNet: false, paymentsPerYear: null, flags: ['interval_inferred'] },
    postedDate: '2026-03-04',
    jobHash: posting.job_hash,
    raw: { any: 'thing' },
  });
  expect(Object.keys(job)).toHaveLength(Object.keys(posting).length);
});
