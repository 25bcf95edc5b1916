// Parses every saved capture of a board and compares with what a person sees in it: `node bench/postings/captures.ts [--show|--write]`; `--write` only after looking at
// what `--show` prints beside the captures.
// The captures are in ../shared/fixtures/jobs; without them there is nothing to compare and the command says so.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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
import expected from './captures-expected.json' with { type: 'json' };

const FIXTURES = resolve(import.meta.dirname, '../../../shared/fixtures/jobs');
const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const isShown = process.argv.includes('--show');
const isWritten = process.argv.includes('--write');
const read = (file: string) => readFileSync(join(FIXTURES, file), 'utf8');
const json = (file: string) => JSON.parse(read(file));

/** Parsing asks nothing of the web but what a page without rows is. */
const web = {
  warn() {},
  countPage() {},
  diagnose: () => 'layout_changed',
  signal: new AbortController().signal,
} as unknown as Web;
const page = (text: string) => ({ url: 'https://www.linkedin.com/jobs-guest/', status: 200, headers: {}, text });

function postings<Row, Detail>(source: string, rows: Iterable<unknown>, reader: RowReader<Row, Detail>): Posting[] {
  const params = BoardParams.parse({ search_term: 'x' });
  return [...openListing({ source, ref: null, params, web, nowMs: NOW_MS }).take(rows, reader)];
}

/** Adverts made beside the source's own reader. */
const asTheyAre: RowReader<Advert> = {
  row: z.custom<Advert>(),
  idOf: (raw) => (raw as Advert).id,
  toAdvert: (row) => row,
};

const linkedinList = (file: string) => () => postings('linkedin', cardsOf(page(read(file)), web), linkedinCards(false));
const linkedinDetail = (file: string) => () => {
  const detail = readDetail(read(file));
  const card = parse('<div class="base-search-card" data-entity-urn="urn:li:jobPosting:1"></div>').children;
  const { row, idOf, toAdvert } = linkedinCards(false);
  return postings('linkedin', detail ? card : [], { row, idOf, toAdvert: (one, raw) => toAdvert(one, raw, detail) });
};

const READERS: Record<string, () => Posting[]> = {
  'indeed/mosaic_jobcards_results.json': () =>
    postings('indeed', json('indeed/mosaic_jobcards_results.json'), indeedCards(marketOf('usa'))),
  'indeed/viewjob_page.html': () => {
    const html = jobPage(read('indeed/viewjob_page.html'));
    const url = 'https://www.indeed.com/viewjob?jk=1';
    return postings('indeed', [{ id: '1', title: 'the page of one job', url, html, raw: null }], asTheyAre);
  },
  'linkedin/guest_search_page.html': linkedinList('linkedin/guest_search_page.html'),
  'linkedin/guest_search_page_newdate.html': linkedinList('linkedin/guest_search_page_newdate.html'),
  'linkedin/guest_job_detail.html': linkedinDetail('linkedin/guest_job_detail.html'),
  'linkedin/guest_job_closed.html': linkedinDetail('linkedin/guest_job_closed.html'),
  'linkedin/full_job_view_page.html': linkedinDetail('linkedin/full_job_view_page.html'),
  'glassdoor/joblistings_toronto.json': () =>
    postings(
      'glassdoor',
      json('glassdoor/joblistings_toronto.json'),
      glassdoorRows({ base: 'https://www.glassdoor.ca', country: 'CA', nowMs: NOW_MS }),
    ),
  'google/job_info_arrays_synthetic.json': () => {
    const { first_page, second_page } = json('google/job_info_arrays_synthetic.json');
    return postings('google-jobs', [...first_page, ...second_page], googleJobRows('https://www.google.com/search'));
  },
  'google/parsed_python_sf.json': () =>
    postings(
      'google-jobs',
      json('google/parsed_python_sf.json').jobs.map((row: Record<string, string | null>, i: number) => {
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

if (!existsSync(FIXTURES)) console.log('no captures here: ../shared/fixtures/jobs is not there');
else {
  let wrong = 0;
  const seen: Record<string, unknown> = {};
  for (const [file, reader] of Object.entries(READERS)) {
    const rows = reader();
    const first = brief(rows[0]);
    seen[file] = { count: rows.length, first };
    if (isShown) {
      console.log(file, rows.length);
      for (const row of rows) console.log('  ', JSON.stringify(brief(row)));
      continue;
    }
    const wanted = (expected as Record<string, { count: number; first: unknown }>)[file];
    const isRight =
      wanted !== undefined && rows.length === wanted.count && JSON.stringify(first) === JSON.stringify(wanted.first);
    if (!isRight) wrong += 1;
    console.log(`${isRight ? 'ok   ' : 'WRONG'} ${file.padEnd(44)} ${rows.length} postings`);
    if (!isRight)
      console.log(
        `      found  ${JSON.stringify(first)}\n      wanted ${JSON.stringify(wanted?.first)} (${wanted?.count})`,
      );
  }
  if (isWritten)
    writeFileSync(join(import.meta.dirname, 'captures-expected.json'), `${JSON.stringify(seen, null, 2)}\n`);
  else if (wrong > 0) process.exitCode = 1;
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
