// Postings of all runs and sources, each with its group: which other sources show the same job, and since when.
import { z } from 'zod';
import { Posting, REMOTE_TYPES } from '../../model/posting/posting.ts';
import { POSTING_COLUMNS } from '../../model/posting/posting-columns.ts';
import { type ListedPosting, POSTING_ORDERS, type PostingFilter } from '../../store/postings/posting-list.ts';
import type { PostingStore } from '../../store/postings/posting-store.ts';
import type { Needs } from '../deps.ts';
import type { Route } from '../http/route.ts';
import {
  CurrencyFilter,
  given,
  itemList,
  NameFilter,
  namesOf,
  SourcesFilter,
  TextFilter,
  TimeFilter,
  timeFilter,
} from '../lists/item-list.ts';
import { POSTING_EXAMPLE } from '../searches/schemas.ts';
import { nameItem } from '../validation/named.ts';

/** Also the search of an alert. */
export const POSTING_FILTERS = {
  source: SourcesFilter,
  company: NameFilter.meta({ description: 'Words in the company name.' }),
  location: NameFilter.meta({ description: 'Words in the location as shown by the source.' }),
  remote_type: z.enum(REMOTE_TYPES).optional(),
  posted_after: TimeFilter.meta({ description: 'A day or a time. Postings without a date are left out.' }),
  first_seen_after: TimeFilter.meta({ description: 'First seen after this day or time, whenever it was posted.' }),
  q: TextFilter.meta({
    description: 'Full text search in title, company, location and description: words, "a phrase", or, -excluded.',
  }),
  min_salary: z
    .number()
    .min(0)
    .max(1e12)
    .optional()
    .meta({ description: 'Minimum annual salary, in the currency of the posting.' }),
  currency: CurrencyFilter,
  group: z
    .string()
    .regex(/^grp_[0-9a-f]{32}$/)
    .optional()
    .meta({ description: 'Only the postings of one group.' }),
};

const Listed = z.looseObject({
  title: z.string(),
  job_url: z.string(),
  job_hash: z.string(),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
  group: z.object({
    id: z.string().nullable(),
    sources: z.array(z.object({ source: z.string(), job_url: z.string(), first_seen_at: z.string() })),
  }),
});
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

export const postings = ({ store }: Needs<PostingStore>): Route[] => [
  itemList({
    name: 'postings',
    operationId: 'listPostings',
    summary: 'List postings of all runs, each with the group of postings for the same job',
    description: 'New postings have `group.id: null` for a few seconds, until they are compared.',
    filters: POSTING_FILTERS,
    orders: POSTING_ORDERS,
    first: 'first_seen_at',
    schema: Listed,
    example: LISTED_EXAMPLE,
    read: (filters, listQuery) => store.listPostings({ ...postingFilter(filters), ...listQuery }),
    view,
    columns: [...POSTING_COLUMNS, 'first_seen_at', 'group_id', 'group_sources'],
    row: (shown) => [
      ...POSTING_COLUMNS.map((column) => shown[column]),
      shown.first_seen_at,
      shown.group.id,
      shown.group.sources.map((one) => one.source).join(' '),
    ],
  }),
];

export function postingFilter(query: z.output<z.ZodObject<typeof POSTING_FILTERS>>): PostingFilter {
  const { source, company, location, remote_type, q, min_salary, currency, group } = query;
  return given<PostingFilter>({
    sources: namesOf(source),
    company,
    location,
    remoteType: remote_type,
    postedAfter: timeFilter('posted_after', query.posted_after),
    seenAfter: timeFilter('first_seen_after', query.first_seen_after),
    q,
    minSalary: min_salary,
    currency,
    groupId: group?.slice(4),
  });
}

const view = ({ posting, firstSeenAt, lastSeenAt, group }: ListedPosting) => ({
  ...posting,
  first_seen_at: firstSeenAt.toISOString(),
  last_seen_at: lastSeenAt.toISOString(),
  group: { id: group.id && `grp_${group.id.replaceAll('-', '')}`, sources: group.sources },
});
