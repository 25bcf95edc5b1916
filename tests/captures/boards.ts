// A saved answer of a job board, from text to postings: how many, and the first of them.
import { z } from 'zod';
import { parse } from '../../src/extract/html/html.ts';
import type { Posting } from '../../src/model/posting/posting.ts';
import { glassdoorRows } from '../../src/sources/boards/glassdoor/glassdoor.ts';
import { fromJob, googleJobRows } from '../../src/sources/boards/google-jobs/google-jobs.ts';
import { indeedCards, jobPage } from '../../src/sources/boards/indeed/indeed-pages.ts';
import { cardsOf, linkedinCards } from '../../src/sources/boards/linkedin/linkedin.ts';
import { readDetail } from '../../src/sources/boards/linkedin/linkedin-detail.ts';
import { marketOf } from '../../src/sources/boards/market.ts';
import { BoardParams } from '../../src/sources/boards/params.ts';
import type { Advert } from '../../src/sources/postings/advert.ts';
import { openListing, type RowReader } from '../../src/sources/postings/listing.ts';
import type { Web } from '../../src/web/port.ts';
import { listOf } from './list-of.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');

/** Parsing asks nothing of the web but what a page without rows is. */
const web = {
  warn() {},
  countPage() {},
  diagnose: () => 'layout_changed',
  signal: new AbortController().signal,
} as unknown as Web;
const page = (text: string) => ({ url: 'https://www.linkedin.com/jobs-guest/', status: 200, headers: {}, text });

type Reader = (text: string) => Promise<Posting[]>;

function postings<Row, Detail>(
  source: string,
  rows: Iterable<unknown>,
  reader: RowReader<Row, Detail>,
): Promise<Posting[]> {
  const params = BoardParams.parse({ search_term: 'x' });
  return listOf(openListing({ source, ref: null, params, web, nowMs: NOW_MS }).take(rows, reader));
}

/** Adverts made beside the source's own reader. */
const asTheyAre: RowReader<Advert> = {
  row: z.custom<Advert>(),
  idOf: (raw) => (raw as Advert).id,
  toAdvert: (row) => row,
};

const linkedinList: Reader = (text) => postings('linkedin', cardsOf(page(text), web), linkedinCards(false));
const linkedinDetail: Reader = (text) => {
  const detail = readDetail(text);
  const card = parse('<div class="base-search-card" data-entity-urn="urn:li:jobPosting:1"></div>').children;
  const { row, idOf, toAdvert } = linkedinCards(false);
  return postings('linkedin', detail ? card : [], { row, idOf, toAdvert: (one, raw) => toAdvert(one, raw, detail) });
};

const READERS: Record<string, Reader> = {
  'indeed/mosaic_jobcards_results.json': (text) => postings('indeed', JSON.parse(text), indeedCards(marketOf('usa'))),
  'indeed/viewjob_page.html': (text) => {
    const html = jobPage(text);
    const url = 'https://www.indeed.com/viewjob?jk=1';
    return postings('indeed', [{ id: '1', title: 'the page of one job', url, html, raw: null }], asTheyAre);
  },
  'linkedin/guest_search_page.html': linkedinList,
  'linkedin/guest_search_page_newdate.html': linkedinList,
  'linkedin/guest_job_detail.html': linkedinDetail,
  'linkedin/guest_job_closed.html': linkedinDetail,
  'linkedin/full_job_view_page.html': linkedinDetail,
  'glassdoor/joblistings_toronto.json': (text) =>
    postings(
      'glassdoor',
      JSON.parse(text),
      glassdoorRows({ base: 'https://www.glassdoor.ca', country: 'CA', nowMs: NOW_MS }),
    ),
  'google/job_info_arrays_synthetic.json': (text) => {
    const { first_page, second_page } = JSON.parse(text);
    return postings('google-jobs', [...first_page, ...second_page], googleJobRows('https://www.google.com/search'));
  },
  'google/parsed_python_sf.json': (text) =>
    postings(
      'google-jobs',
      JSON.parse(text).jobs.map((row: Record<string, string | null>, i: number) => {
        const job = {
          id: String(i),
          title: row.title!,
          url: null,
          company: row.company ?? null,
          location: row.location ?? null,
          age: row.posted_date ?? null,
          description: row.description ?? null,
          pay: row.salary_range ?? null,
          schedule: row.schedule_type ?? null,
        };
        return fromJob(job, row, 'https://www.google.com/search');
      }),
      asTheyAre,
    ),
};

export const isBoardCapture = (file: string): boolean => file in READERS;

export async function readBoard(text: string, file: string) {
  const rows = await READERS[file]!(text);
  return { count: rows.length, first: brief(rows[0]) };
}

function brief(posting: Posting | undefined) {
  if (!posting) return null;
  const { title, company, job_url, remote_type, job_types, posted_date, posted_not_after, seniority, is_closed } =
    posting;
  const places = posting.locations
    .map((place) => [place.city, place.region, place.country].map((part) => part ?? '-').join('/'))
    .join(' + ');
  const pay =
    posting.salary &&
    `${posting.salary_min ?? '-'}-${posting.salary_max ?? '-'} ${posting.currency} ${posting.salary_interval} ${posting.salary_source}`;
  return {
    title,
    company,
    job_url,
    places,
    remote_type,
    job_types,
    pay,
    posted: posted_date ?? (posted_not_after && `before ${posted_not_after}`),
    seniority,
    is_closed,
    chars: posting.description?.length ?? 0,
  };
}
