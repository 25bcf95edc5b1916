// Postings of all runs and sources, each with its group: which other sources show the same job, and since when.
import { z } from 'zod';
import {
  CONTRACT_KINDS,
  DEGREES,
  INTERVALS,
  JOB_TYPES,
  Posting,
  REMOTE_TYPES,
  SENIORITIES,
} from '../../model/posting/posting.ts';
import { POSTING_COLUMNS, POSTING_TYPES } from '../../model/posting/posting-columns.ts';
import type { ProvenanceStore } from '../../store/items/origins.ts';
import type { NameStore } from '../../store/names/name-store.ts';
import { type ListedPosting, POSTING_ORDERS, type PostingFilter } from '../../store/postings/posting-list.ts';
import type { PostingStore } from '../../store/postings/posting-store.ts';
import type { Needs } from '../deps.ts';
import type { Route } from '../http/route.ts';
import {
  AmountFilter,
  CountryFilter,
  CurrencyFilter,
  given,
  NameFilter,
  namesOf,
  SourcesFilter,
  TextFilter,
  TimeFilter,
  timeFilter,
} from '../lists/filters.ts';
import { itemRoutes, withMarks } from '../lists/item-list.ts';
import { POSTING_EXAMPLE } from '../searches/schemas.ts';
import { nameItem } from '../validation/named.ts';

/** Those that saved searches have too. */
export const SEARCH_FILTERS = {
  source: SourcesFilter,
  company: NameFilter.meta({ description: 'Words in the company name.' }),
  location: NameFilter.meta({ description: 'Words in the location as shown by the source.' }),
  remote_type: z.enum(REMOTE_TYPES).optional(),
  posted_after: TimeFilter.meta({ description: 'A day or a time. Postings without a date are left out.' }),
  q: TextFilter.meta({
    description: 'Full text search in title, company, location and description: words, "a phrase", or, -excluded.',
  }),
  min_salary: AmountFilter.meta({ description: 'Minimum annual salary, in the currency of the posting.' }),
  currency: CurrencyFilter,
};

const POSTING_FILTERS = {
  ...SEARCH_FILTERS,
  country: CountryFilter.meta({ description: 'ISO 3166-1 code of any of its places, such as `US`.' }),
  seniority: z.enum(SENIORITIES).optional(),
  job_type: z.enum(JOB_TYPES).optional(),
  degree: z
    .enum(DEGREES)
    .optional()
    .meta({ description: 'The lowest degree that is enough; `none`: the posting says that none is needed.' }),
  visa_sponsorship: z.boolean().optional().meta({
    description: 'Whether the employer sponsors visas. Postings that do not say are left out either way.',
  }),
  contract_kind: z.enum(CONTRACT_KINDS).optional(),
  max_experience: AmountFilter.meta({
    description: 'Asks for so many years of experience at most. Postings that do not say are left out.',
  }),
  skill: NameFilter.meta({
    description: 'One skill, or several separated by commas: all of them are required. Case does not matter.',
  }),
  max_salary: AmountFilter.meta({ description: 'Maximum annual salary. Postings without a salary are left out.' }),
  salary_interval: z.enum(INTERVALS).optional().meta({ description: 'How the salary is stated: per hour, …, year.' }),
  posted_before: TimeFilter.meta({ description: 'A day or a time. Postings without a date are left out.' }),
  first_seen_after: TimeFilter.meta({ description: 'First seen after this day or time, whenever it was posted.' }),
  first_seen_before: TimeFilter,
  group: z
    .string()
    .regex(/^grp_[0-9a-f]{32}$/)
    .optional()
    .meta({ description: 'Only the postings of one group.' }),
};

const Listed = withMarks(
  z.looseObject({
    title: z.string(),
    job_url: z.string(),
    job_hash: z.string(),
    first_seen_at: z.string(),
    last_seen_at: z.string(),
    group: z.object({
      id: z.string().nullable(),
      sources: z.array(z.object({ source: z.string(), job_url: z.string(), first_seen_at: z.string() })),
    }),
  }),
);
nameItem('ListedPosting', Listed, z.looseObject({ ...Posting.shape, ...Listed.shape }));
const LISTED_EXAMPLE = {
  ...POSTING_EXAMPLE,
  first_seen_at: '2024-01-01T00:00:10.000Z',
  last_seen_at: '2024-01-02T00:00:11.000Z',
  group: {
    id: 'grp_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
    sources: [
      { source: 'indeed', job_url: 'https://example.com/jobs/1', first_seen_at: '2024-01-01T00:00:10.000Z' },
      { source: 'linkedin', job_url: 'https://example.org/view/7', first_seen_at: '2024-01-01T06:00:00.000Z' },
    ],
  },
};

const REQUIREMENT_COLUMNS = [
  'experience_years_min',
  'experience_years_max',
  'degree',
  'visa_sponsorship',
  'contract_kinds',
] as const;

export const postings = ({ store }: Needs<PostingStore & NameStore & ProvenanceStore>): Route[] =>
  itemRoutes({
    name: 'postings',
    operationId: 'listPostings',
    summary: 'List postings of all runs, each with the group of postings for the same job',
    description: 'New postings have `group.id: null` for a few seconds, until they are compared.',
    filters: POSTING_FILTERS,
    orders: POSTING_ORDERS,
    first: 'first_seen_at',
    schema: Listed,
    example: LISTED_EXAMPLE,
    fuzzy: { field: 'company', find: (asked) => store.similarNames('company', asked) },
    facets: {
      source: 'indeed',
      company: 'Example Corp',
      country: 'US',
      remote_type: 'remote',
      seniority: 'senior',
      job_type: 'full_time',
      degree: 'bachelor',
      visa_sponsorship: 'true',
      contract_kind: 'permanent',
      skill: 'python',
      currency: 'USD',
      salary_interval: 'year',
    },
    filterOf: postingFilter,
    read: (filter, listQuery) => store.listPostings({ ...filter, ...listQuery }),
    count: store.postingFacets,
    provenance: { read: store.provenanceOf, kind: 'posting', fieldsOf: ({ posting }) => posting },
    stream: store.streamPostings,
    types: { ...POSTING_TYPES, first_seen_at: 'time', experience_years_min: 'number', experience_years_max: 'number' },
    view,
    columns: [...POSTING_COLUMNS, 'first_seen_at', 'group_id', 'group_sources', ...REQUIREMENT_COLUMNS],
    row: (shown) => [
      ...POSTING_COLUMNS.map((column) => shown[column]),
      shown.first_seen_at,
      shown.group.id,
      shown.group.sources.map((one) => one.source).join(' '),
      shown.experience_years?.min ?? null,
      shown.experience_years?.max ?? null,
      shown.degree,
      shown.visa_sponsorship,
      shown.contract_kinds.join(' '),
    ],
  });

/** `names` replace the words of a company. */
export function postingFilter(
  query: Partial<z.output<z.ZodObject<typeof POSTING_FILTERS>>>,
  names?: string[],
): PostingFilter {
  return given<PostingFilter>({
    sources: namesOf(query.source),
    company: names ? undefined : query.company,
    companies: names,
    location: query.location,
    remoteType: query.remote_type,
    country: query.country,
    seniority: query.seniority,
    jobType: query.job_type,
    degree: query.degree,
    visaSponsorship: query.visa_sponsorship,
    contractKind: query.contract_kind,
    maxExperience: query.max_experience,
    skills: namesOf(query.skill),
    postedAfter: timeFilter('posted_after', query.posted_after),
    postedBefore: timeFilter('posted_before', query.posted_before),
    seenAfter: timeFilter('first_seen_after', query.first_seen_after),
    seenBefore: timeFilter('first_seen_before', query.first_seen_before),
    q: query.q,
    minSalary: query.min_salary,
    maxSalary: query.max_salary,
    salaryInterval: query.salary_interval,
    currency: query.currency,
    groupId: query.group?.slice(4),
  });
}

const view = ({ posting, firstSeenAt, lastSeenAt, group }: ListedPosting) => ({
  ...posting,
  first_seen_at: firstSeenAt.toISOString(),
  last_seen_at: lastSeenAt.toISOString(),
  group: { id: group.id && `grp_${group.id.replaceAll('-', '')}`, sources: group.sources },
});
