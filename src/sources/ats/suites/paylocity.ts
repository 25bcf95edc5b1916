// Paylocity: a documented feed holds a board, texts included. Where a company has none, its career page states the list in a script, and each posting's
// page has the text.
import { getOuterHTML } from 'domutils';
import { z } from 'zod';
import { all, type Element, parse, text as textOfNode } from '../../../extract/html/html.ts';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web, WebResponse } from '../../../web/port.ts';
import { valueAfter } from '../../careers/scripts/script-values.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getPinned, PLAIN_HTTP, readJson } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { idIn, nonEmptyText, sections } from '../../postings/text.ts';
import { GUID } from '../addresses/address-rule.ts';
import { lenient, rowId } from '../reading/lenient.ts';

const HOST = 'https://recruiting.paylocity.com';
const DETAILS_AT_ONCE = 2;
const { text, flag, list, part } = lenient;

const FeedRow = z.object({
  jobId: rowId,
  title: z.string(),
  companyName: text,
  displayUrl: text,
  applyUrl: text,
  publishedDate: text,
  description: text,
  requirements: text,
  hiringDepartment: text,
  jobTypesArray: list(z.string()),
  jobTypes: text,
  salaryDescription: text,
  jobLocation: part({ name: text, city: text, state: text, country: text, isRemote: flag }),
});
type FeedRow = z.infer<typeof FeedRow>;

const FEED_ORIGINS = prefixed('api', {
  id: 'jobs[].jobId',
  title: 'jobs[].title',
  url: 'jobs[].displayUrl | =computed',
  applyUrl: 'jobs[].applyUrl',
  company: 'jobs[].companyName',
  places: 'jobs[].jobLocation',
  remote: 'jobs[].jobLocation.isRemote',
  types: 'jobs[].jobTypesArray | jobs[].jobTypes',
  payText: 'jobs[].salaryDescription',
  html: 'jobs[].description | jobs[].requirements',
  posted: 'jobs[].publishedDate',
  department: 'jobs[].hiringDepartment',
});

export const paylocityRows: RowReader<FeedRow> = {
  row: FeedRow,
  idOf: (raw) => idIn(raw, 'jobId'),
  toAdvert: (row, raw) => ({
    id: String(row.jobId),
    title: row.title,
    url: nonEmptyText(row.displayUrl) ?? `${HOST}/Recruiting/Jobs/Details/${row.jobId}`,
    applyUrl: row.applyUrl,
    company: row.companyName,
    places: [
      {
        text: nonEmptyText(row.jobLocation?.name),
        city: nonEmptyText(row.jobLocation?.city),
        region: nonEmptyText(row.jobLocation?.state),
        country: nonEmptyText(row.jobLocation?.country),
      },
    ],
    remote: row.jobLocation?.isRemote ? 'remote' : null,
    types: row.jobTypesArray?.length ? row.jobTypesArray : (row.jobTypes ?? '').split(','),
    payText: nonEmptyText(row.salaryDescription),
    html: sections([{ html: row.description }, { html: row.requirements }]),
    posted: row.publishedDate,
    department: nonEmptyText(row.hiringDepartment),
    raw,
    origins: FEED_ORIGINS,
  }),
};

const PageRow = z.object({
  JobId: rowId,
  JobTitle: z.string(),
  LocationName: text,
  HiringDepartment: text,
  PublishedDate: text,
  IsRemote: flag,
});
type PageRow = z.infer<typeof PageRow>;

const PAGE_ORIGINS = {
  ...prefixed('html', {
    id: 'pageData.Jobs[].JobId',
    title: 'pageData.Jobs[].JobTitle',
    url: '=computed',
    places: 'pageData.Jobs[].LocationName',
    remote: 'pageData.Jobs[].IsRemote',
    posted: 'pageData.Jobs[].PublishedDate',
    department: 'pageData.Jobs[].HiringDepartment',
  }),
  ...prefixed('selector', { html: '.job-listing-header', types: '.job-listing-header' }),
};

const pageRows: RowReader<PageRow, WebResponse> = {
  row: PageRow,
  idOf: (raw) => idIn(raw, 'JobId'),
  toAdvert(row, raw, page): Advert {
    const behind = (header: string) => page && behindHeader(page.text, header);
    const description = behind('Description');
    const types = behind('Job Type');
    return {
      id: String(row.JobId),
      title: row.JobTitle,
      url: `${HOST}/Recruiting/Jobs/Details/${row.JobId}`,
      places: [{ text: nonEmptyText(row.LocationName) }],
      remote: row.IsRemote ? 'remote' : null,
      types: [types && textOfNode(types)],
      html: description && getOuterHTML(description),
      posted: row.PublishedDate,
      department: nonEmptyText(row.HiringDepartment),
      raw,
      origins: PAGE_ORIGINS,
    };
  },
};

function behindHeader(page: string, header: string): Element | null {
  const found = all(parse(page), '.job-listing-header').find(
    (one) => textOfNode(one).trim().toLowerCase() === header.toLowerCase(),
  );
  for (let next = found?.next ?? null; next !== null; next = next.next) if ('attribs' in next) return next;
  return null;
}

export const paylocity = defineSource({
  name: 'paylocity',
  title: 'Paylocity job boards',
  kind: 'posting',
  lane: 'http',
  hosts: ['recruiting.paylocity.com'],
  pace: { concurrency: 2, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: z.object({ ...COMMON_PARAMS, board: z.string().regex(GUID), details: z.boolean().default(true) }),
  async *scrape(params, web, notes) {
    const board = openListing({ source: 'paylocity', ref: params.board, params, web, notes });
    const feed = await feedRows(web, params.board);
    if (feed !== null) yield* board.take(feed, paylocityRows);
    else {
      const ask = (id: string) => getPinned(web, `${HOST}/Recruiting/Jobs/Details/${id}`);
      const request = params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null;
      yield* board.takeDetailed(await rowsOfPage(web, params.board), pageRows, request);
    }
    board.finish();
  },
});

/** Null where the company's key opens no feed. */
async function feedRows(web: Web, board: string): Promise<unknown[] | null> {
  const url = `${HOST}/recruiting/v2/api/feed/jobs/${board}`;
  const page = await getPinned(web, url, { headers: { accept: 'application/json' }, accept: [400, 401, 403, 404] });
  if (page.status >= 400) return null;
  return readJson(page.text, z.object({ jobs: z.array(z.unknown()) })).jobs;
}

async function rowsOfPage(web: Web, board: string): Promise<unknown[]> {
  const page = await getPinned(web, `${HOST}/recruiting/jobs/All/${board}`);
  const data = valueAfter(page.text, /\bwindow\.pageData\s{0,10}=\s{0,10}/);
  const jobs = (data as { Jobs?: unknown } | null)?.Jobs;
  if (!Array.isArray(jobs)) throw new AppError('layout_changed', 'the career page has no pageData.Jobs');
  return jobs;
}
