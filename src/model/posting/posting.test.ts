import { expect, test } from 'vitest';
import { annualSalary, Posting, type Salary, toPosting } from './posting.ts';

const draft = {
  source: 'indeed',
  external_id: '4f0c',
  title: 'Welder',
  job_url: 'https://www.indeed.com/viewjob?jk=4f0c',
};
const salary: Salary = {
  min: 45.5,
  max: 62.75,
  currency: 'USD',
  interval: 'hour',
  source: 'employer',
  raw: '$45.50 - $62.75/hr',
  is_ote: false,
  is_net: false,
  payments_per_year: null,
  zones: [],
  flags: [],
};
const berlin = {
  raw: 'Berlin',
  city: 'Berlin',
  region: null,
  country: 'DE',
  lat: null,
  lon: null,
  kind: 'city' as const,
};

test('a draft with only its identity is a complete posting', () => {
  const posting = toPosting(draft);
  expect(Posting.parse(posting)).toEqual(posting);
  expect(posting.job_hash).toMatch(/^[0-9a-f]{64}$/);
});

test('the hash stays when anything but the identity changes', () => {
  const later = toPosting({ ...draft, title: 'Welder (m/f/d)', salary, description: 'new text' });
  expect(later.job_hash).toBe(toPosting(draft).job_hash);
  expect(toPosting({ ...draft, company_ref: 'acme' }).job_hash).not.toBe(later.job_hash);
  expect(toPosting({ ...draft, source: 'linkedin' }).job_hash).not.toBe(later.job_hash);
});

test('the hash is the same in every release', () => {
  expect(toPosting(draft).job_hash).toBe('ee5cd5b1703a806b9c77ebf03eff8f7cee5911c5d99e9a93067673b1a152f602');
});

test('salary and date are also there flat', () => {
  const posting = toPosting({ ...draft, salary, posted_at: '2026-11-10T06:00:00Z' });
  expect(posting).toMatchObject({
    salary_min: 45.5,
    salary_max: 62.75,
    currency: 'USD',
    salary_interval: 'hour',
    salary_source: 'employer',
    salary_annual: { min: 94640, max: 130520 },
    posted_date: '2026-11-10',
  });
});

test('fourteen payments a year are fourteen', () => {
  expect(annualSalary({ min: 3930, max: 3930, interval: 'month', payments_per_year: 14 })).toEqual({
    min: 55020,
    max: 55020,
  });
  expect(annualSalary({ min: 3930, max: null, interval: null, payments_per_year: null })).toBeNull();
});

test('the fingerprint sees through legal forms, accents and gender tags', () => {
  const one = toPosting({
    ...draft,
    title: 'Sr. Entwickler (m/w/d)',
    company: 'Société Émile GmbH',
    locations: [berlin],
  });
  const two = toPosting({ ...draft, title: 'Senior Entwickler', company: 'Societe Emile', locations: [berlin] });
  const other = toPosting({ ...draft, title: 'Senior Entwickler C++', company: 'Societe Emile', locations: [berlin] });
  expect(one.fingerprint).toBe(two.fingerprint);
  expect(other.fingerprint).not.toBe(two.fingerprint);
});
