// Interfaces of the store for crawls.
import type { Pool } from 'pg';
import { bindAll } from '../postgres/bind.ts';
import { type Admitted, admitPages } from './admit.ts';
import { type Crawl, type CrawlPage, type CrawlPageQuery, crawlPages, getCrawl } from './crawl-pages.ts';

export interface CrawlStore {
  /** What it was asked for and how far it is; null when there is no such crawl. */
  getCrawl(runId: string): Promise<Crawl | null>;
  /** The addresses it has found. */
  crawlPages(options: CrawlPageQuery): Promise<CrawlPage[]>;
}

export interface CrawlAdmissionStore {
  /** Makes tasks of pages that were found, as far as there is room, and ends crawls whose time or bytes are used up. Any number of instances may do it. */
  admitPages(): Promise<Admitted>;
}

export const crawlStore = (pool: Pool): CrawlStore & CrawlAdmissionStore =>
  bindAll(pool, { getCrawl, crawlPages, admitPages });
