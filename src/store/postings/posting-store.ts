// Interfaces of the store for postings.
import type { Pool } from 'pg';
import type { FacetOptions, Facets } from '../items/facets.ts';
import type { StreamQuery } from '../items/stream.ts';
import { bindAll } from '../postgres/bind.ts';
import type { Counted } from '../rollups/grouped.ts';
import {
  type AnalyticsOptions,
  type CompanyCount,
  countCompanies,
  countPostingsOver,
  type PayLine,
  type PostingCount,
  payOver,
} from './posting-analytics.ts';
import { type GroupRules, type Regrouped, type RegroupOptions, regroupPostings } from './posting-groups.ts';
import {
  type ListedPosting,
  listPostings,
  type PostingFilter,
  type PostingListOptions,
  type PostingOrder,
  postingFacets,
  streamPostings,
} from './posting-list.ts';

/** Postings as lists and in numbers. */
export interface PostingStore {
  /** A page of at most `limit`, each with the others of its group; each says its place, and the next page begins after the last one's. */
  listPostings(options: PostingListOptions): Promise<ListedPosting[]>;
  /** All that match, a chunk at a time, in the order of a list. */
  streamPostings(filter: PostingFilter, query: StreamQuery<PostingOrder>): AsyncGenerator<ListedPosting[]>;
  /** How many match, and how many of them have each value. */
  postingFacets(filter: PostingFilter, options: FacetOptions): Promise<Facets>;
  /** How many postings appeared, by time and group. */
  countPostingsOver(options: AnalyticsOptions): Promise<Counted<PostingCount>>;
  /** The first group has to be the company. */
  countCompanies(options: AnalyticsOptions): Promise<Counted<CompanyCount>>;
  /** Yearly pay, each currency by itself: amounts of different currencies are never put together. */
  payOver(options: AnalyticsOptions): Promise<Counted<PayLine>>;
}

/** Which postings advertise the same job. */
export interface PostingGroupStore {
  /** Takes up to `batch` postings that are new or changed and puts them into groups by the rules given. Looks at none while another process is at it. */
  regroupPostings(rules: GroupRules, options: RegroupOptions): Promise<Regrouped>;
}

export const postingStore = (pool: Pool): PostingStore & PostingGroupStore =>
  bindAll(pool, {
    listPostings,
    postingFacets,
    streamPostings,
    countPostingsOver,
    countCompanies,
    payOver,
    regroupPostings,
  });
