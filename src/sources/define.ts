// What a source is: a pure description of a place on the web. It never sees queues, proxies, retries or databases.
import type { z } from 'zod';
import type { PageFindings } from '../model/crawl/crawl.ts';
import type { ItemOf, Kind } from '../model/item/item.ts';
import type { Yields } from '../model/quality/yields.ts';
import type { Web, WebPolicy } from '../web/port.ts';

/** What a source says about its work besides the items. It decides whether what was not seen may be taken for gone. */
export interface Notes {
  /** A row that was there and could not be read (or read only in part); `id` is its external id where at least that was clear. */
  skipped(row: { id: string | null; reason: string }): void;
  /** There is more than was seen: a vendor's cap, a part that could not be asked for. */
  incomplete(reason: string): void;
  /** How many rows each selector or path that settings declare found something in, by name (model/quality/yields.ts). Added up. */
  matched?(yields: Yields): void;
  /**
   * How far it has come with the items given so far, in the source's own words (JSON, at most 200,000 characters). If this attempt fails, the next one finds
   * it in `resumeAt` and need not give those items again.
   */
  reached?(place: unknown): void;
  /** What a page of a crawl is, and where its links lead. */
  crawled?(findings: PageFindings): void;
  /** What an earlier attempt at the same task has reached; undefined if this is the first, or if none was said. */
  readonly resumeAt?: unknown;
}

export interface Source<P = unknown, K extends Kind = Kind> {
  name: string;
  title: string;
  /** Counts up when it reads a field from another place than before; 1 unless it says otherwise. Stored with its items. */
  version?: number;
  kind: K;
  /** Which workers may take its tasks: `http`, `browser`, or a lane of its own. */
  lane: string;
  /** Hosts it talks to; empty for sources that fetch any URL. */
  hosts: string[];
  pace: { concurrency: number; delayMs: number };
  /** ISO codes of the countries it has a market for; left out where it is one site for all. */
  countries?: readonly string[];
  /** How it wants to be seen; most sources say nothing. */
  policy?: WebPolicy;
  params: z.ZodType<P>;
  /**
   * For sources of companies' career pages: the parameters that this address leads to, or null when it is none of this source's. Makes
   * `POST /companies/detect` find it.
   */
  detect?(address: URL): Record<string, string> | null;
  scrape(params: P, web: Web, notes?: Notes): AsyncIterable<ItemOf[K]>;
}

export function defineSource<P, K extends Kind>(source: Source<P, K>): Source<P, K> {
  return source;
}
