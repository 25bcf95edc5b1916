// What vendors really send, in the small: each case is a row of the facts about applicant-tracking systems.
import { expect, test } from 'vitest';
import type { Posting } from '../../model/posting/posting.ts';
import { jobPostingAdvert, jobPostingsIn } from '../postings/job-posting.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { CommonParams } from '../postings/params.ts';
import { ashbyRows } from './ashby.ts';
import { bamboohrRows } from './bamboohr.ts';
import { comeetPage } from './comeet.ts';
import { greenhouseRows } from './greenhouse.ts';
import { leverRows } from './lever.ts';
import { jobylonEmbedded } from './pages/jobylon.ts';
import { recruiteeRows } from './recruitee.ts';
import { smartrecruitersRows } from './smartrecruiters.ts';
import { jibeRows } from './suites/jibe.ts';
import { advertOf, requisitionOf } from './suites/workday.ts';
import { workableRows } from './workable.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 12);
const web = { signal: new AbortController().signal, warn() {}, countPage() {} };

function read<Row, Detail>(reader: RowReader<Row, Detail>, row: object): Posting {
  const board = openListing({ source: 'test', ref: 'acme', params: CommonParams.parse({}), web, nowMs: NOW_MS });
  const found = board.read(row, reader);
  const posting = found && board.posting(found.id, () => reader.toAdvert(found.row, row, null));
  if (posting === null) throw new Error('not read');
  return posting;
}

const job = {
  id: 4679941006,
  title: '  Data  Analyst ',
  absolute_url: 'https://jobs.example/x?gh_jid=4679941006&gh_src=abc&utm_source=y',
  location: { name: 'San Francisco, CA | New York City, NY' },
};

test('greenhouse: cents, zones, escaped text, several places, tracking', () => {
  const posting = read(greenhouseRows, {
    ...job,
    content: '&lt;p&gt;Research &amp;amp; more&lt;/p&gt;',
    first_published: '2026-05-07T14:53:31-04:00',
    updated_at: '2026-11-01T00:00:00Z',
    pay_input_ranges: [
      { min_cents: 5_000_000, max_cents: 7_500_000, currency_type: 'USD', title: 'NYC Salary Range' },
      { min_cents: 4_500_000, max_cents: 7_000_000, currency_type: 'USD', title: 'Elsewhere Salary Range' },
    ],
  });
  expect(posting).toMatchObject({
    external_id: '4679941006',
    title: 'Data Analyst',
    job_url: 'https://jobs.example/x?gh_jid=4679941006',
    description: 'Research & more',
    posted_date: '2026-05-07',
    salary: {
      min: 45_000,
      max: 75_000,
      currency: 'USD',
      interval: 'year',
      source: 'employer',
      zones: [{ min: 50_000 }, { min: 45_000 }],
    },
  });
  expect(posting.locations.map((place) => place.city)).toEqual(['San Francisco', 'New York City']);
  expect(
    read(greenhouseRows, {
      ...job,
      pay_input_ranges: [{ min_cents: 2_500, max_cents: 3_250, currency_type: 'USD', title: 'Hourly' }],
    }),
  ).toMatchObject({
    salary_min: 25,
    salary_max: 32.5,
    salary_interval: 'hour',
  });
});

test('greenhouse: the fields a company names itself', () => {
  const metadata = [
    { name: 'Employment Type', value: 'Part-time', value_type: 'single_select' },
    { name: 'Location Type', value: 'Hybrid', value_type: 'single_select' },
    { name: 'Team', value: null, value_type: 'single_select' },
  ];
  expect(read(greenhouseRows, { ...job, metadata })).toMatchObject({ job_types: ['part_time'], remote_type: 'hybrid' });
});

const posting = { id: 'a-b', text: 'Account Executive', hostedUrl: 'https://jobs.lever.co/acme/a-b' };

test('lever: parts of the text in order, on-target earnings, an unspecified workplace', () => {
  const found = read(leverRows, {
    ...posting,
    categories: {
      location: 'New York',
      allLocations: ['New York', 'London'],
      commitment: 'Regular Full Time (Salary)',
    },
    country: 'US',
    workplaceType: 'unspecified',
    createdAt: 1_767_914_803_825,
    description: '<div>First</div>',
    lists: [{ text: 'Then', content: '<li>second</li>' }],
    additional: '<div>Last</div>',
    salaryRange: { min: 240_000, max: 240_000, currency: 'USD', interval: 'per-year-salary' },
    salaryDescriptionPlain: 'The on-target earnings (OTE) for this position is $240,000/year.',
  });
  expect(found).toMatchObject({
    remote_type: 'unknown',
    job_types: ['full_time'],
    posted_date: '2026-01-08',
    salary: { min: 240_000, interval: 'year', is_ote: true },
  });
  expect(found.description?.replace(/\s+/g, ' ')).toMatch(/First.*Then.*second.*Last/);
  expect(found.locations.map((place) => [place.city, place.country])).toEqual([
    ['New York', 'US'],
    ['London', 'GB'],
  ]);
});

test('lever: pay that stands only in the text', () => {
  const found = read(leverRows, { ...posting, additional: '<p>The salary range is $120,000 - $150,000 a year.</p>' });
  expect(found).toMatchObject({ salary_min: 120_000, salary_max: 150_000, salary_source: 'description' });
});

const ashbyJob = { id: 'u', title: 'Consultant', jobUrl: 'https://jobs.ashbyhq.com/acme/u' };
const tier = (title: string, min: number, max: number) => ({
  title,
  components: [
    {
      compensationType: 'Salary',
      interval: '1 YEAR',
      currencyCode: 'USD',
      minValue: min,
      maxValue: max,
      summary: `OTE $${min}`,
    },
  ],
});

test('ashby: zones and on-target earnings; hybrid although isRemote; a dirty address', () => {
  const found = read(ashbyRows, {
    ...ashbyJob,
    isRemote: true,
    workplaceType: 'Hybrid',
    employmentType: 'FullTime',
    location: 'SF office',
    address: {
      postalAddress: { addressLocality: 'San Fransisco', addressRegion: 'California ', addressCountry: 'USA' },
    },
    compensation: {
      compensationTierSummary: '$151K – $231K',
      compensationTiers: [tier('SF/NY', 168_000, 231_000), tier('Nationwide', 151_000, 207_000)],
      summaryComponents: [
        { compensationType: 'EquityCashValue' },
        { compensationType: 'Salary', interval: '1 YEAR', currencyCode: 'USD', minValue: 151_000, maxValue: 231_000 },
      ],
    },
  });
  expect(found).toMatchObject({
    remote_type: 'hybrid',
    job_types: ['full_time'],
    salary: { min: 151_000, max: 231_000, is_ote: true },
    locations: [{ raw: 'SF office', city: 'San Francisco', country: 'US' }],
  });
  expect(found.salary?.zones).toHaveLength(2);
});

test('ashby: equity alone is no pay, and hidden pay stays hidden', () => {
  const equity = {
    compensationTiers: [],
    summaryComponents: [{ compensationType: 'EquityPercentage', interval: 'NONE', minValue: 0.1, maxValue: 0.2 }],
  };
  expect(read(ashbyRows, { ...ashbyJob, compensation: equity }).salary).toBeNull();
  const hidden = { compensationTiers: [tier('x', 100_000, 120_000)], summaryComponents: [] };
  expect(
    read(ashbyRows, { ...ashbyJob, shouldDisplayCompensationOnJobPostings: false, compensation: hidden }).salary,
  ).toBeNull();
});

test('smartrecruiters: ids instead of localised labels, pay by the hour, an empty department', () => {
  const found = read(smartrecruitersRows, {
    id: '744000140949875',
    name: 'Tester',
    company: { identifier: 'Tieto2', name: 'Tieto' },
    location: {
      city: 'Szczecin',
      country: 'pl',
      remote: false,
      hybrid: true,
      fullLocation: 'Szczecin, , Poland',
      latitude: '53.4',
      longitude: '14.5',
    },
    typeOfEmployment: { id: 'permanent', label: 'Pełny etat' },
    experienceLevel: { id: 'not_applicable', label: 'x' },
    department: {},
    compensation: { min: 34, max: 47, currency: 'USD', period: 'HOURLY' },
  });
  expect(found).toMatchObject({
    job_url: 'https://jobs.smartrecruiters.com/Tieto2/744000140949875',
    job_types: ['full_time'],
    remote_type: 'hybrid',
    department: null,
    salary_min: 34,
    salary_interval: 'hour',
    locations: [{ raw: 'Szczecin, Poland', city: 'Szczecin', country: 'PL', lat: 53.4, lon: 14.5 }],
  });
});

test('workday: the posting’s own country, places from its page, relative dates', () => {
  const row = {
    title: 'Nurse',
    externalPath: '/job/Munich/Nurse_JR-7309-1',
    locationsText: '2 Locations',
    postedOn: 'Posted 3 Days Ago',
  };
  expect(requisitionOf(row)).toBe('JR-7309-1');
  expect(requisitionOf({ bulletFields: ['R-2034394'] })).toBe('R-2034394');
  const listed = advertOf({ row, detail: null, raw: row, site: 'https://acme.wd5.myworkdayjobs.com/External' });
  expect(listed).toMatchObject({
    url: 'https://acme.wd5.myworkdayjobs.com/External/job/Munich/Nurse_JR-7309-1',
    places: [{ text: null, country: null }],
    posted: 'Posted 3 Days Ago',
  });
  const info = {
    location: 'Germany - Munich',
    additionalLocations: ['Dublin'],
    country: { descriptor: 'Germany' },
    jobRequisitionLocation: { country: { descriptor: 'Ireland', alpha2Code: 'IE' } },
    startDate: '2026-11-10',
    timeType: 'Full time',
    remoteType: 'Office - Based',
  };
  const detailed = advertOf({ row, detail: { jobPostingInfo: info }, raw: row, site: null });
  expect(detailed).toMatchObject({
    places: [{ text: 'Germany - Munich', country: 'Germany' }, { text: 'Dublin' }],
    posted: '2026-11-10',
    remote: 'onsite',
  });
});

test('workable: a hidden place gives its country only', () => {
  const found = read(workableRows, {
    shortcode: 'F4',
    title: 'Engineer',
    telecommuting: true,
    locations: [{ country: 'France', countryCode: 'FR', city: 'Paris', region: 'Île-de-France', hidden: true }],
    published_on: '2026-07-30',
  });
  expect(found).toMatchObject({
    remote_type: 'remote',
    locations: [{ city: null, country: 'FR' }],
    posted_precision: 'day',
  });
});

test('recruitee: strings for amounts, both remote and hybrid, a date of its own kind', () => {
  const offer = {
    id: 7,
    title: 'Accountant (f/m/d)',
    careers_url: 'https://acme.recruitee.com/o/x',
    position: 243,
    status: 'published',
    remote: true,
    hybrid: true,
    employment_type_code: 'fulltime_fixed_term',
    published_at: '2026-08-05 10:10:39 UTC',
    salary: { min: '60000', max: '75000', period: 'year', currency: 'EUR' },
  };
  expect(read(recruiteeRows, offer)).toMatchObject({
    title: 'Accountant (f/m/d)',
    remote_type: 'remote',
    posted_at: '2026-08-05T10:10:39Z',
    salary_min: 60_000,
    currency: 'EUR',
  });
  expect(
    read(recruiteeRows, { ...offer, salary: { min: null, max: null, period: null, currency: null } }).salary,
  ).toBeNull();
  const odd = read(recruiteeRows, {
    ...offer,
    salary: { min: '75.00', max: '95.00', period: 'year', currency: 'EUR' },
  }).salary;
  expect(odd?.min === 75).toBe(false);
});

test('bamboohr: two objects tell the place, a label tells the pay', () => {
  const found = read(bamboohrRows, {
    jobOpeningShareUrl: 'https://acme.bamboohr.com/careers/82',
    jobOpeningName: 'Analyst',
    location: { city: null, state: null },
    atsLocation: { country: 'Canada', province: 'Ontario', city: 'Ottawa' },
    locationType: '2',
    isRemote: 1,
    compensation: '$110,000 - $150,000',
  });
  expect(found).toMatchObject({
    external_id: '82',
    remote_type: 'hybrid',
    locations: [{ city: 'Ottawa', country: 'CA' }],
    salary_min: 110_000,
    currency: 'CAD',
    salary_source: 'employer',
  });
});

test('comeet: what a hosted page embeds, whatever its titles hold', () => {
  const page =
    '<script>var COMPANY_DATA = {"company_uid": "98.008", "token": "AB12"};\nvar COMPANY_POSITIONS_DATA = [{"uid":"AC.001","name":"Lead [R&D]; \\"x\\""}];</script>';
  expect(comeetPage(page)).toEqual({
    uid: '98.008',
    token: 'AB12',
    positions: [{ uid: 'AC.001', name: 'Lead [R&D]; "x"' }],
  });
  expect(comeetPage('<title>nothing</title>')).toBeNull();
});

const ld = (node: object) => jobPostingsIn(`<script type="application/ld+json">${JSON.stringify(node)}</script>`)[0];
const facts = { url: 'https://jobs.example/1', nowMs: NOW_MS };

test('schema.org: keys in capitals, placeholders, an address as text, a graph', () => {
  const node = ld({
    '@graph': [
      {
        '@type': ['JobPosting'],
        Title: 'Cook',
        jobLocation: {
          name: 'Acme',
          address: { addressLocality: 'Hong Kong', addressRegion: 'UNAVAILABLE', addressCountry: { name: 'HK' } },
        },
        hiringOrganization: 'Acme',
      },
    ],
  });
  expect(jobPostingAdvert(node, facts)).toMatchObject({
    title: 'Cook',
    company: 'Acme',
    url: facts.url,
    places: [{ text: null, city: 'Hong Kong', region: null, country: 'HK' }],
  });
  expect(
    jobPostingAdvert(ld({ '@type': 'JobPosting', jobLocation: { address: 'Ghent, Belgium' } }), facts).places,
  ).toEqual([{ text: 'Ghent, Belgium' }]);
});

test.each([
  [
    { baseSalary: { currency: 'AUD', value: { minValue: 130_000, maxValue: 160_000, unitText: 'YEAR' } } },
    { min: '130000', max: '160000', currency: 'AUD', interval: 'YEAR' },
  ],
  [
    { baseSalary: { value: 25, unitText: 'HOUR', currency: 'USD' } },
    { min: '25', max: '25', currency: 'USD', interval: 'HOUR' },
  ],
  [
    { baseSalary: '50000', salaryCurrency: 'GBP' },
    { min: '50000', max: '50000', currency: 'GBP' },
  ],
  [
    { baseSalary: { minValue: 10, maxValue: 12, currency: 'EUR', unitText: 'HOUR' } },
    { min: '10', max: '12', currency: 'EUR', interval: 'HOUR' },
  ],
])('schema.org: pay in the shapes it comes in (%j)', (salary, pay) => {
  expect(jobPostingAdvert(ld({ '@type': 'JobPosting', ...salary }), facts).pay).toMatchObject(pay);
});

test('schema.org: past its last day it is closed, on that day it is not', () => {
  const until = (validThrough: string) =>
    jobPostingAdvert(ld({ '@type': 'JobPosting', title: 'x', validThrough }), facts).isClosed;
  expect([until('2026-11-14'), until('2026-11-15'), until('2026-11-15T11:00:00Z'), until('2027-01-01')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('schema.org: microdata where there is no JSON-LD', () => {
  const [node] = jobPostingsIn(
    '<div itemscope itemtype="https://schema.org/JobPosting"><h1 itemprop="title">Cook</h1><span itemprop="jobLocation" itemscope itemtype="https://schema.org/Place"><span itemprop="address">Ghent</span></span></div>',
  );
  expect(jobPostingAdvert(node, facts)).toMatchObject({ title: 'Cook', places: [{ text: 'Ghent' }] });
});

test('jobylon: the words of a Swedish page', () => {
  const posting = read(jobylonEmbedded(NOW_MS), {
    id: '1',
    title: 'Acme i Västerås, Växjö söker medarbetare',
    company: 'Acme',
    logo: 'https://media.example/acme.jpg',
    locations: ['Vä'],
    workspace: 'Arbete på plats',
    experience: 'Mycket erfaren',
    employment_type: 'Säsong',
    language: 'Swedish',
    published_date: '21 april 2026',
    to_date: '',
  });
  expect(posting).toMatchObject({
    company_logo: 'https://media.example/acme.jpg',
    remote_type: 'onsite',
    seniority: 'senior',
    job_types: ['temporary'],
    language: 'sv',
    posted_date: '2026-04-21',
    valid_through: null,
  });
  expect(posting.locations).toMatchObject([{ raw: 'Vä', country: null }]);
});

test("jibe: a posting stands on the site, not behind its login, and places are not the company's codes", () => {
  const place = { location_name: 'HUB-IND-7', city: 'Pune', state: 'Maharashtra', country_code: 'IN' };
  const data = {
    slug: '77',
    title: 'Planner',
    language: 'en-us',
    location_name: 'TX-Plano-7701a',
    short_location: 'Plano, Texas',
    full_location: 'Plano, Texas; Pune, India',
    city: 'Plano',
    state: 'Texas',
    country_code: 'US',
    additional_locations: [place],
    apply_url: 'https://acme.icims.com/jobs/77/login',
  };
  const reader = jibeRows('https://careers.acme.example');
  expect(read(reader, { data })).toMatchObject({
    job_url: 'https://careers.acme.example/jobs/77?lang=en-us',
    apply_url: 'https://acme.icims.com/jobs/77/login',
    location: 'Plano, Texas | Pune, Maharashtra, IN',
    locations: [{ city: 'Plano' }, { city: 'Pune', country: 'IN' }],
  });
  const stated = 'https://careers.acme.example/main/jobs/77';
  const more = { ...data, meta_data: { canonical_url: stated } };
  expect(read(reader, { data: more }).job_url).toBe(stated);
});

test('a board of which no row can be read is an error, not an empty board', () => {
  const board = openListing({ source: 'test', ref: 'acme', params: CommonParams.parse({}), web, nowMs: NOW_MS });
  for (const row of [{ id: 1 }, { id: 2 }]) expect(board.read(row, greenhouseRows)).toBeNull();
  expect(() => board.finish()).toThrow(/none of the 2 rows/);
});
