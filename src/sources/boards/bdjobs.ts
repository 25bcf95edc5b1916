// BDJobs (Bangladesh): JSON by page number, descriptions on a page each.
// What a reader would get wrong: the date beside a posting on the site is the deadline, not the day it was published.
import { z } from 'zod';
import { one, parse } from '../../extract/html/html.ts';
import { jsonLd, ofType } from '../../extract/html/structured.ts';
import { markup } from '../../extract/posting/markup.ts';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import type { Advert } from '../postings/advert.ts';
import type { RowReader } from '../postings/listing.ts';
import { idIn } from '../postings/text.ts';
import { BoardParams, warnIgnored } from './params.ts';
import { readJsonPage } from './read.ts';
import { openSearch } from './search.ts';

const SEARCH = 'https://api.bdjobs.com/Jobs/api/JobSearch/GetJobSearch';
const SITE = 'https://bdjobs.com';
const MAX_PAGES = 200;

const text = z.string().nullish();
const Row = z.object({
  Jobid: z.union([z.string().min(1), z.number()]),
  jobTitle: z.string().min(1),
  companyName: text,
  location: text,
  publishDate: text,
  deadline: text,
  experience: text,
  salary: text,
  logo: text,
});
type Row = z.infer<typeof Row>;
const Answer = z.object({
  statuscode: z.union([z.string(), z.number()]).nullish(),
  data: z.array(z.unknown()).nullish(),
  premiumData: z.array(z.unknown()).nullish(),
});

export const bdjobs = defineSource({
  name: 'bdjobs',
  title: 'BDJobs',
  kind: 'posting',
  lane: 'http',
  hosts: ['api.bdjobs.com', 'bdjobs.com'],
  countries: ['BD'],
  pace: { concurrency: 1, delayMs: 1_000 },
  policy: { identity: 'browser' },
  params: BoardParams,
  async *scrape(params, web, notes) {
    warnIgnored(
      params,
      'BDJobs',
      ['location', 'is_remote', 'distance', 'job_type', 'hours_old', 'country', 'easy_apply', 'company_ids'],
      web,
    );
    const search = openSearch({ source: 'bdjobs', params, web, notes, skip: params.offset });
    const headers = { accept: 'application/json', referer: `${SITE}/h/jobs/`, origin: SITE };
    const ask = async (id: string) => descriptionOf((await web.get(jobUrl(id))).text);
    for (let page = search.resumeAt(z.int()) ?? 1; page <= MAX_PAGES && !search.isFull; page++) {
      search.reached(page);
      const url = `${SEARCH}?txtsearch=${encodeURIComponent(params.search_term)}&pg=${page}`;
      const rows = await search.pageOrNull(async () => {
        const answer = readJsonPage(await web.get(url, { headers }), Answer, web);
        if (answer.statuscode != null && String(answer.statuscode) !== '1')
          throw new AppError('layout_changed', `the board answered with status code ${answer.statuscode}`);
        // Premium rows are repeated above every page; they count once.
        return [...(answer.premiumData ?? []), ...(answer.data ?? [])];
      });
      if (rows === null) continue;
      const before = search.readable;
      yield* search.takeDetailed(rows, bdjobsRows, params.fetch_description ? { ask } : null);
      if (search.readable === before) break;
    }
    search.finish();
  },
});

const jobUrl = (id: string) => `${SITE}/h/details/${id}`;

function descriptionOf(html: string): string | null {
  const doc = parse(html);
  const [posting] = ofType(jsonLd(doc), 'JobPosting');
  if (typeof posting?.description === 'string' && posting.description !== '') return posting.description;
  const box = one(doc, '.jobcontent, #job-preview, .job-details, main');
  return box && markup(box);
}

const bdjobsRows: RowReader<Row, string | null> = {
  row: Row,
  idOf: (raw) => idIn(raw, 'Jobid'),
  toAdvert: fromRow,
};

const ORIGINS = prefixed('api', {
  id: 'data[].Jobid',
  title: 'data[].jobTitle',
  url: '=computed',
  company: 'data[].companyName',
  companyLogo: 'data[].logo',
  places: 'data[].location',
  payText: 'data[].salary',
  html: '=json-ld:description | =selector:.jobcontent, #job-preview, .job-details, main',
  posted: 'data[].publishDate',
  validThrough: 'data[].deadline',
});

function fromRow(row: Row, raw: unknown, html: string | null): Advert {
  const id = String(row.Jobid);
  return {
    id,
    title: row.jobTitle,
    url: jobUrl(id),
    company: row.companyName,
    companyLogo: row.logo,
    places: [{ text: row.location, country: row.location ? 'BD' : null }],
    payText: row.salary,
    html,
    posted: row.publishDate,
    validThrough: row.deadline,
    raw,
    origins: ORIGINS,
  };
}
