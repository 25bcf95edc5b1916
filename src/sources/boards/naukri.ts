// Naukri (India): JSON by page number, with descriptions inside. It wants headers of its own web app; `nkparam` is configuration.

import { z } from 'zod';
import { yearsOfLabel } from '../../extract/posting/experience.ts';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { absoluteUrl } from '../../model/url.ts';
import type { WebResponse } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import type { Advert } from '../postings/advert.ts';
import type { RowReader } from '../postings/listing.ts';
import { idIn } from '../postings/text.ts';
import { BoardParams, warnIgnored } from './params.ts';
import { readJsonPage } from './read.ts';
import { openSearch } from './search.ts';

const SEARCH = 'https://www.naukri.com/jobapi/v3/search';
const PAGE_ROWS = 20;
const MAX_PAGES = 50;

const text = z.string().nullish();
const Row = z.object({
  jobId: z.union([z.string().min(1), z.number()]),
  title: z.string().min(1),
  companyName: text,
  staticUrl: text,
  jdURL: text,
  placeholders: z.array(z.object({ type: z.string(), label: text })).nullish(),
  footerPlaceholderLabel: text,
  createdDate: z.number().nullish(),
  experienceText: text,
  tagsAndSkills: text,
  vacancy: z.union([z.string(), z.number()]).nullish(),
  ambitionBoxData: z
    .object({
      AggregateRating: z.union([z.string(), z.number()]).nullish(),
      ReviewsCount: z.union([z.string(), z.number()]).nullish(),
    })
    .nullish(),
  logoPathV3: text,
  jobDescription: text,
});
type Row = z.infer<typeof Row>;
const Answer = z.object({ jobDetails: z.array(z.unknown()).nullish(), noOfJobs: z.number().nullish() });

export const naukri = defineSource({
  name: 'naukri',
  title: 'Naukri',
  kind: 'posting',
  lane: 'http',
  hosts: ['www.naukri.com'],
  countries: ['IN'],
  pace: { concurrency: 1, delayMs: 3_000 },
  policy: { identity: 'browser' },
  params: BoardParams,
  async *scrape(params, web, notes) {
    warnIgnored(params, 'Naukri', ['distance', 'job_type', 'country', 'easy_apply', 'company_ids'], web);
    const search = openSearch({
      source: 'naukri',
      params,
      web,
      notes,
      skip: params.offset % PAGE_ROWS,
      cap: PAGE_ROWS * MAX_PAGES,
    });
    const token = web.setting('nkparam');
    const headers = {
      accept: 'application/json',
      appid: '109',
      systemid: 'Naukri',
      ...(token === null ? {} : { nkparam: token }),
    };
    const first = search.resumeAt(z.int()) ?? 1 + Math.floor(params.offset / PAGE_ROWS);
    for (let page = first; page <= MAX_PAGES && !search.isFull; page++) {
      search.reached(page);
      const rows = await search.pageOrNull(async () => {
        const answer = await web.get(searchUrl(params, page), { headers, accept: [406] });
        refuseBlock(answer);
        const { jobDetails, noOfJobs } = readJsonPage(answer, Answer, web);
        if (jobDetails == null && noOfJobs == null) throw new AppError('layout_changed', 'an answer without jobs');
        return jobDetails ?? [];
      });
      if (rows === null) continue;
      if (rows.length === 0) break;
      yield* search.take(rows, naukriRows);
    }
    search.finish();
  },
});

/** It blocks with JSON: status 406, or 200, and "recaptcha required" where the jobs should be. */
function refuseBlock({ status, text: body }: WebResponse): void {
  if (/"message"\s{0,9}:\s{0,9}"[^"]{0,200}captcha/i.test(body))
    throw new AppError('captcha', 'Naukri wants a CAPTCHA to be solved');
  if (status === 406) throw new AppError('blocked', 'Naukri refuses: 406 Not Acceptable');
}

function searchUrl(params: BoardParams, page: number): string {
  const url = new URL(SEARCH);
  const set = (name: string, value: string | number | undefined) =>
    value !== undefined && url.searchParams.set(name, String(value));
  const seo = `${params.search_term
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}-jobs`;
  set('noOfResults', PAGE_ROWS);
  set('urlType', 'search_by_keyword');
  set('searchType', 'adv');
  set('keyword', params.search_term);
  set('k', params.search_term);
  set('pageNo', page);
  set('seoKey', seo);
  set('src', 'jobsearchDesk');
  set('latLong', '');
  set('location', params.location);
  set('remote', params.is_remote ? 'true' : undefined);
  set('days', params.hours_old === undefined ? undefined : Math.max(1, Math.ceil(params.hours_old / 24)));
  return url.href;
}

const naukriRows: RowReader<Row> = { row: Row, idOf: (raw) => idIn(raw, 'jobId'), toAdvert: fromRow };

const ORIGINS = prefixed('api', {
  id: 'jobDetails[].jobId',
  title: 'jobDetails[].title',
  url: 'jobDetails[].jdURL | =computed',
  company: 'jobDetails[].companyName',
  companyUrl: 'jobDetails[].staticUrl',
  companyLogo: 'jobDetails[].logoPathV3',
  places: 'jobDetails[].placeholders[location]',
  payText: 'jobDetails[].placeholders[salary]',
  html: 'jobDetails[].jobDescription',
  posted: 'jobDetails[].createdDate | jobDetails[].footerPlaceholderLabel',
  experienceYears: 'jobDetails[].experienceText | jobDetails[].placeholders[experience]',
  skills: 'jobDetails[].tagsAndSkills',
  vacancies: 'jobDetails[].vacancy',
  company_rating: 'jobDetails[].ambitionBoxData.AggregateRating',
  company_reviews_count: 'jobDetails[].ambitionBoxData.ReviewsCount',
});

function fromRow(row: Row, raw: unknown): Advert {
  const labelled = (type: string) => row.placeholders?.find((one) => one.type === type)?.label;
  const absolute = (path: string | null | undefined) => absoluteUrl(path, 'https://www.naukri.com');
  const number = (value: string | number | null | undefined) =>
    Number(String(value ?? '').replace(/[^\d.]/g, '')) || null;
  return {
    id: String(row.jobId),
    title: row.title,
    url: absolute(row.jdURL) ?? `https://www.naukri.com/job-listings-${row.jobId}`,
    company: row.companyName,
    companyUrl: absolute(row.staticUrl),
    companyLogo: row.logoPathV3,
    places: [{ text: labelled('location'), country: labelled('location') ? 'IN' : null }],
    payText: labelled('salary'),
    html: row.jobDescription,
    // The label rounds, the date does not.
    posted: row.createdDate ?? row.footerPlaceholderLabel,
    experienceYears: yearsOfLabel(row.experienceText ?? labelled('experience') ?? ''),
    skills: row.tagsAndSkills?.split(',') ?? [],
    vacancies: number(row.vacancy),
    raw,
    origins: ORIGINS,
    more: {
      company_rating: number(row.ambitionBoxData?.AggregateRating),
      company_reviews_count: number(row.ambitionBoxData?.ReviewsCount),
    },
  };
}
