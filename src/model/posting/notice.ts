// A notice: what an announcement says of a posting, the same in events, feeds, files and lists. Short and bounded whatever a page said: the whole posting
// is read with its job_hash.
import type { Interval, RemoteType } from './posting.ts';

export interface Notice {
  job_hash: string;
  source: string;
  title: string;
  company: string | null;
  location: string | null;
  remote_type: RemoteType | null;
  salary_min: number | null;
  salary_max: number | null;
  currency: string | null;
  salary_interval: Interval | null;
  /** Null where it is longer than any address people use: a part of one leads nowhere. */
  job_url: string | null;
  posted_date: string | null;
  first_seen_at: string;
  /** Which job: the same for each of its postings. */
  group_id: string | null;
}

/** In the order in which a table has them. */
export const NOTICE_COLUMNS = [
  'job_hash',
  'source',
  'title',
  'company',
  'location',
  'remote_type',
  'salary_min',
  'salary_max',
  'currency',
  'salary_interval',
  'job_url',
  'posted_date',
  'first_seen_at',
  'group_id',
] as const satisfies readonly (keyof Notice)[];

const TEXT_MAX = 300;
const URL_MAX = 2_000;

const cut = (text: string): string =>
  (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text).toWellFormed();

export function toNotice(said: Notice): Notice {
  return {
    ...said,
    title: cut(said.title),
    company: said.company === null ? null : cut(said.company),
    location: said.location === null ? null : cut(said.location),
    job_url: said.job_url === null || said.job_url.length > URL_MAX ? null : said.job_url,
  };
}

/** Lists of at most so many bytes of JSON; one that is larger by itself stands alone. */
export function chunksOf<T>(all: readonly T[], maxBytes: number): T[][] {
  const chunks: T[][] = [];
  let bytes = maxBytes;
  for (const one of all) {
    const size = Buffer.byteLength(JSON.stringify(one)) + 1;
    if (bytes + size > maxBytes) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)!.push(one);
    bytes += size;
  }
  return chunks;
}
