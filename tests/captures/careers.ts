// How each folder of captures is read: with the parsers the sources use, from text to postings.

import type { Posting } from '../../src/model/posting/posting.ts';
import { ashbyRows } from '../../src/sources/ats/ashby.ts';
import { bamboohrRows } from '../../src/sources/ats/bamboohr.ts';
import { breezyRows } from '../../src/sources/ats/breezy.ts';
import { comeetPage, comeetRows } from '../../src/sources/ats/comeet.ts';
import { greenhouseRows } from '../../src/sources/ats/greenhouse.ts';
import { leverRows } from '../../src/sources/ats/lever.ts';
import { icimsRows } from '../../src/sources/ats/pages/icims.ts';
import { jobylonEmbedded, jobylonJobs } from '../../src/sources/ats/pages/jobylon.ts';
import { personioPositions, personioRows } from '../../src/sources/ats/personio.ts';
import { pinpointRows } from '../../src/sources/ats/pinpoint.ts';
import { recruiteeRows } from '../../src/sources/ats/recruitee.ts';
import { ripplingRows } from '../../src/sources/ats/rippling.ts';
import { smartrecruitersRows } from '../../src/sources/ats/smartrecruiters.ts';
import { jibeRows } from '../../src/sources/ats/suites/jibe.ts';
import { advertOf, requisitionOf, WorkdayDetail, workdayRows } from '../../src/sources/ats/suites/workday.ts';
import { rssItems, teamtailorItems, teamtailorJson } from '../../src/sources/ats/teamtailor.ts';
import { workableRows } from '../../src/sources/ats/workable.ts';
import { mappedReader } from '../../src/sources/careers/mapped-list.ts';
import { FixedValues, Mapping, valuesAt } from '../../src/sources/careers/mapping.ts';
import { feedEntries, feedReader } from '../../src/sources/careers/rss.ts';
import { staticPages } from '../../src/sources/careers/static.ts';
import { openListing, type RowReader } from '../../src/sources/postings/listing.ts';
import { CommonParams } from '../../src/sources/postings/params.ts';
import { diagnose } from '../../src/web/blocks/blocks.ts';
import type { Web } from '../../src/web/port.ts';
import mappings from './careers-mappings.json' with { type: 'json' };
import pages from './careers-pages.json' with { type: 'json' };
import { listOf } from './list-of.ts';

type Capture = (file: string, text: string, skipped: (reason: string) => void) => Posting[] | Promise<Posting[]>;

const NOW_MS = Date.UTC(2026, 10, 15);
/** Captures ask nothing of the web. */
const unused = { signal: new AbortController().signal, warn() {}, countPage() {} };

function postings<Row>(
  source: string,
  rows: Iterable<unknown>,
  reader: RowReader<Row>,
  skipped: (reason: string) => void,
): Promise<Posting[]> {
  const notes = {
    skipped: (row: { id: string | null; reason: string }) => skipped(`${row.id}: ${row.reason}`),
    incomplete: skipped,
  };
  const params = CommonParams.parse({});
  const board = openListing({ source, ref: 'capture', params, web: unused, notes, nowMs: NOW_MS });
  return listOf(board.take(rows, reader));
}

/** Answers hold their rows under a name, are a list, or are one row by themselves. */
const rowsIn = (text: string, ...names: string[]): unknown[] => {
  const value = JSON.parse(text) as Record<string, unknown> | unknown[];
  if (Array.isArray(value)) return value;
  for (const name of names) if (Array.isArray(value[name])) return value[name];
  return [value];
};

const jsonRows =
  <Row>(source: string, reader: RowReader<Row>, ...names: string[]): Capture =>
  (_, text, skipped) =>
    postings(source, rowsIn(text, ...names), reader, skipped);

/** As the source `static` reads it: by the selectors of careers-pages.json, or by what the page states. */
async function pagePostings(file: string, text: string, skipped: (reason: string) => void): Promise<Posting[]> {
  const selectors = (pages as Record<string, object>)[file.replace('.html', '')] ?? { details: false };
  const params = staticPages.params.parse({ url: 'https://capture.example/job', ...selectors });
  const notes = {
    skipped: (row: { id: string | null; reason: string }) => skipped(`${row.id}: ${row.reason}`),
    incomplete: skipped,
  };
  const get = async (url: string) => ({ url, status: 200, headers: {}, text });
  const web = { ...unused, get, diagnose } as unknown as Web;
  const found: Posting[] = [];
  for await (const posting of staticPages.scrape(params, web, notes)) found.push(posting);
  return found;
}

const atAddress = <Row>(reader: RowReader<Row>, url: (id: string) => string): RowReader<Row> => ({
  ...reader,
  toAdvert(row, raw) {
    const advert = reader.toAdvert(row, raw, null);
    return advert && { ...advert, url: advert.url ?? url(advert.id) };
  },
});

/** Captures of vendors with a source of their own, in folders of captures that are read by mappings and selectors. */
const OF_VENDORS: Record<string, Capture> = {
  'pinpoint.json': jsonRows('pinpoint', pinpointRows, 'data'),
  'breezy.json': jsonRows('breezy', breezyRows),
  'rippling_anonymised.json': jsonRows('rippling', ripplingRows),
  // Named for Phenom by its publisher; the rows are Jibe's.
  'phenom_pepsico.json': jsonRows('jibe', jibeRows('https://capture.example'), 'jobs'),
  'jobylon_mcdonalds_se.html': (_, text, skipped) =>
    postings('jobylon', jobylonJobs(text) as unknown[], jobylonEmbedded(NOW_MS), skipped),
  /** The page of a posting, behind a card that says nothing but its title. */
  'icims_susquehanna.html': (_, text, skipped) => {
    const url = 'https://capture.icims.com/jobs/1/job';
    const { toAdvert, ...rest } = icimsRows(NOW_MS);
    const page = { url: `${url}?in_iframe=1`, status: 200, headers: {}, text };
    const card = { id: '1', title: 'Its card', url, place: null };
    return postings('icims', [card], { ...rest, toAdvert: (row, raw) => toAdvert(row, raw, page) }, skipped);
  },
};

const READERS: Record<string, Capture> = {
  greenhouse(_, text, skipped) {
    const value = JSON.parse(text) as { departments?: { name: string; jobs?: object[] }[] };
    const rows = value.departments?.flatMap((node) =>
      (node.jobs ?? []).map((job) => ({ ...job, departments: [{ name: node.name }] })),
    );
    return postings(
      'greenhouse',
      rows?.length ? rows : rowsIn(text, 'jobs'),
      atAddress(greenhouseRows, (id) => `https://job-boards.greenhouse.io/capture/jobs/${id}`),
      skipped,
    );
  },
  lever: jsonRows('lever', leverRows),
  ashby: jsonRows('ashby', ashbyRows, 'jobs'),
  smartrecruiters: (_, text, skipped) => {
    // One capture is the text of a posting and nothing else.
    const rows = rowsIn(text, 'content').map((row) =>
      'id' in (row as object)
        ? row
        : { id: '1', name: 'Only its text', company: { identifier: 'capture' }, ...(row as object) },
    );
    return postings(
      'smartrecruiters',
      rows,
      atAddress(smartrecruitersRows, (id) => `https://jobs.smartrecruiters.com/capture/${id}`),
      skipped,
    );
  },
  workday(_, text, skipped) {
    const value = JSON.parse(text) as { jobPostingInfo?: { jobPostingId: string; title: string } };
    const site = 'https://capture.wd1.myworkdayjobs.com/capture';
    if (value.jobPostingInfo === undefined)
      return postings(
        'workday',
        rowsIn(text, 'jobPostings'),
        { ...workdayRows, toAdvert: (row, raw) => advertOf({ row, detail: null, raw, site }) },
        skipped,
      );
    const row = { title: value.jobPostingInfo.title, externalPath: `/job/x/${value.jobPostingInfo.jobPostingId}` };
    return postings(
      'workday',
      [row],
      {
        ...workdayRows,
        idOf: requisitionOf,
        toAdvert: (of, raw) => advertOf({ row: of, detail: WorkdayDetail.parse(value), raw, site }),
      },
      skipped,
    );
  },
  workable: jsonRows('workable', workableRows, 'jobs', 'results'),
  recruitee: jsonRows('recruitee', recruiteeRows, 'offers'),
  personio: (_, text, skipped) =>
    postings(
      'personio',
      personioPositions(text),
      atAddress(personioRows, (id) => `https://capture.jobs.personio.de/job/${id}`),
      skipped,
    ),
  teamtailor(file, text, skipped) {
    if (file.endsWith('.rss')) return postings('teamtailor', rssItems(text), teamtailorItems, skipped);
    if (file.endsWith('.json')) return postings('teamtailor', rowsIn(text, 'items'), teamtailorJson, skipped);
    return pagePostings(file, text, skipped);
  },
  bamboohr(_, text, skipped) {
    const value = JSON.parse(text) as { result: unknown[] | { jobOpening: unknown } };
    const rows = Array.isArray(value.result) ? value.result : [value.result.jobOpening];
    return postings(
      'bamboohr',
      rows,
      atAddress(bamboohrRows, (id) => `https://capture.bamboohr.com/careers/${id}`),
      skipped,
    );
  },
  comeet: (file, text, skipped) =>
    postings(
      'comeet',
      file.endsWith('.html') ? (comeetPage(text)?.positions ?? []) : rowsIn(text, 'positions'),
      comeetRows,
      skipped,
    ),
  rss: (file, text, skipped) =>
    postings(
      'rss',
      feedEntries(text, 'https://capture.example/feed'),
      feedReader({ companyInTitle: file.includes('weworkremotely') }),
      skipped,
    ),
  'json-api'(file, text, skipped) {
    const raw = (
      mappings as Record<string, { items?: string; fields: unknown; values?: unknown; skip_untitled?: boolean }>
    )[file.replace('.json', '')];
    if (raw === undefined) throw new Error('no mapping for it in careers-mappings.json');
    const reading = {
      fields: Mapping.parse(raw.fields),
      values: FixedValues.parse(raw.values ?? {}),
      baseUrl: 'https://capture.example/',
    };
    return postings(
      'api',
      valuesAt(JSON.parse(text), raw.items ?? '')[0] as unknown[],
      mappedReader(reading, raw.skip_untitled),
      skipped,
    );
  },
  jsonld: pagePostings,
};

/** Comments of a forum, and a page that only links to its list. */
const NOT_POSTINGS = new Set(['hn_who_is_hiring.json', 'graincorp_careers.html']);

const FIELDS: Record<string, (posting: Posting) => boolean> = {
  title: ({ title }) => title !== '',
  url: ({ job_url }) => job_url !== '',
  id: ({ external_id }) => external_id !== '',
  place: ({ location }) => location !== null,
  country: ({ locations }) => locations.some((place) => place.country !== null),
  remote: ({ remote_type }) => remote_type !== 'unknown',
  type: ({ job_types }) => job_types.length > 0,
  pay: ({ salary }) => salary !== null,
  text: ({ description }) => description !== null,
  date: ({ posted_at }) => posted_at !== null,
  department: ({ department }) => department !== null,
  company: ({ company }) => company !== null,
};

export function isCareerCapture(path: string): boolean {
  const [source, file, ...deeper] = path.split('/');
  return source! in READERS && file !== undefined && deeper.length === 0 && !NOT_POSTINGS.has(file);
}

/** How many postings, in how many of them each field is filled, and what could not be read. */
export async function readCareer(text: string, path: string) {
  const [source, file] = path.split('/') as [string, string];
  const unread: string[] = [];
  const found = await (OF_VENDORS[file] ?? READERS[source]!)(file, text, (reason) => unread.push(reason));
  const filled = Object.entries(FIELDS).map(([name, has]) => `${name} ${found.filter(has).length}`);
  return { postings: found.length, filled: filled.join(', '), first: found[0]?.title ?? null, unread };
}
