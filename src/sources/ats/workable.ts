// Workable: the widget gives a whole account in one call. One host serves every customer and answers 429 readily, sometimes for hours, so it is
// asked seldom and one at a time. Accounts too large for one answer are read from the site's own list, ten at a time.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import type { Posting } from '../../model/posting/posting.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web } from '../../web/port.ts';
import { defineSource, type Notes } from '../define.ts';
import type { Advert, PlaceSaid } from '../postings/advert.ts';
import { getJson, PLAIN_HTTP } from '../postings/fetch.ts';
import { type Listing, openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { idIn, nonEmptyText, sections, statedRemote } from '../postings/text.ts';

const HOST = 'https://apply.workable.com';
const MAX_PAGES = 400;

const Location = z.object({
  country: z.string().nullish(),
  countryCode: z.string().nullish(),
  city: z.string().nullish(),
  region: z.string().nullish(),
  hidden: z.boolean().nullish(),
});

const Job = z.object({
  shortcode: z.string().min(1),
  title: z.string(),
  url: z.string().nullish(),
  application_url: z.string().nullish(),
  published_on: z.string().nullish(),
  published: z.string().nullish(),
  created_at: z.string().nullish(),
  country: z.string().nullish(),
  state: z.string().nullish(),
  city: z.string().nullish(),
  locations: z.array(Location).nullish(),
  telecommuting: z.boolean().nullish(),
  remote: z.boolean().nullish(),
  workplace: z.string().nullish(),
  employment_type: z.string().nullish(),
  type: z.string().nullish(),
  department: z.union([z.string(), z.array(z.string())]).nullish(),
  function: z.string().nullish(),
  industry: z.string().nullish(),
  experience: z.string().nullish(),
  language: z.string().nullish(),
  isInternal: z.boolean().nullish(),
  description: z.string().nullish(),
  requirements: z.string().nullish(),
  benefits: z.string().nullish(),
});
type Job = z.infer<typeof Job>;
const JobPart = Job.partial();

const ORIGINS = prefixed('api', {
  id: 'jobs[].shortcode',
  title: 'jobs[].title',
  url: 'jobs[].url | =computed',
  applyUrl: 'jobs[].application_url',
  places: 'jobs[].locations[] | jobs[].city',
  remote: 'jobs[].workplace | jobs[].telecommuting | jobs[].remote',
  types: 'jobs[].employment_type | jobs[].type',
  level: 'jobs[].experience',
  html: 'jobs[].description | jobs[].requirements | jobs[].benefits',
  posted: 'jobs[].published_on | jobs[].published | jobs[].created_at',
  department: 'jobs[].department',
  jobFunction: 'jobs[].function',
  industry: 'jobs[].industry',
  language: 'jobs[].language',
});

/** Rows of the widget and of the site's list alike; they name the same things differently. */
export const workableRows: RowReader<Job> = {
  row: Job,
  idOf: (raw) => idIn(raw, 'shortcode'),
  toAdvert: (job, raw) => jobAdvert(job, raw),
};

function jobAdvert(job: Job, raw: unknown, account?: string): Advert | null {
  if (job.isInternal === true) return null;
  const isRemote = job.telecommuting === true || job.remote === true;
  return {
    id: job.shortcode,
    title: job.title,
    url:
      account === undefined
        ? (nonEmptyText(job.url) ?? `${HOST}/j/${job.shortcode}`)
        : `${HOST}/${account}/j/${job.shortcode}/`,
    applyUrl: nonEmptyText(job.application_url),
    places: placesOf(job),
    remote: statedRemote(job.workplace) ?? (isRemote ? 'remote' : null),
    types: [nonEmptyText(job.employment_type) ?? nonEmptyText(job.type)],
    level: nonEmptyText(job.experience),
    html: sections([
      { html: job.description },
      { heading: 'Requirements', html: job.requirements },
      { heading: 'Benefits', html: job.benefits },
    ]),
    posted: nonEmptyText(job.published_on) ?? nonEmptyText(job.published) ?? nonEmptyText(job.created_at),
    department: nonEmptyText([job.department ?? ''].flat()[0]),
    jobFunction: nonEmptyText(job.function),
    industry: nonEmptyText(job.industry),
    language: nonEmptyText(job.language),
    raw,
    origins: ORIGINS,
  };
}

function placesOf(job: Job): PlaceSaid[] {
  // A hidden place is one the employer does not want shown; where nothing else is left, its country still holds.
  const shown = (job.locations ?? []).filter((place) => place.hidden !== true);
  if (shown.length > 0)
    return shown.map((place) => ({
      city: nonEmptyText(place.city),
      region: nonEmptyText(place.region),
      country: nonEmptyText(place.countryCode) ?? nonEmptyText(place.country),
    }));
  const hidden = job.locations?.[0];
  if (hidden !== undefined) return [{ country: nonEmptyText(hidden.countryCode) ?? nonEmptyText(hidden.country) }];
  const only = { city: nonEmptyText(job.city), region: nonEmptyText(job.state), country: nonEmptyText(job.country) };
  return only.city === null && only.region === null && only.country === null ? [] : [only];
}

export const workable = defineSource({
  name: 'workable',
  title: 'Workable career pages',
  kind: 'posting',
  lane: 'http',
  hosts: ['apply.workable.com'],
  pace: { concurrency: 1, delayMs: 1_000 },
  policy: PLAIN_HTTP,
  params: z.object({ ...COMMON_PARAMS, account: z.string().regex(/^[\w-]{1,100}$/) }),
  async *scrape(params, web, notes) {
    const board = openListing({ source: 'workable', ref: params.account, params, web, notes });
    const reader: RowReader<Job, object> = {
      ...workableRows,
      toAdvert: (job, raw, detail) =>
        jobAdvert({ ...job, ...JobPart.parse(detail ?? {}) }, detail ?? raw, params.account),
    };
    const url = `${HOST}/api/v1/widget/accounts/${params.account}?details=true`;
    try {
      const page = await getJson(web, url, z.object({ jobs: z.array(z.unknown()) }));
      yield* board.take(page.jobs, reader);
      board.finish();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_large') throw error;
      yield* listed(params.account, { board, reader, web, notes });
    }
  },
});

const ListPage = z.object({
  total: z.number().nullish(),
  results: z.array(z.unknown()),
  nextPage: z.string().nullish(),
});

const Place = z.object({ token: z.string().nullish(), total: z.number().nullish() });

interface Reading {
  board: Listing;
  reader: RowReader<Job, object>;
  web: Web;
  notes: Notes | undefined;
}

async function* listed(account: string, { board, reader, web, notes }: Reading): AsyncGenerator<Posting> {
  const filters = { query: '', location: [], department: [], worktype: [], remote: [] };
  const ask = (id: string) => getJson(web, `${HOST}/api/v2/accounts/${account}/jobs/${id}`, z.looseObject({}));
  const from = board.resumeAt(Place);
  let token: string | null | undefined = from?.token;
  let total: number | null | undefined = from?.total;
  for (let page = 0; page < MAX_PAGES; page++) {
    const body = token == null ? filters : { ...filters, token };
    const answer: z.infer<typeof ListPage> = await board.page(() =>
      getJson(web, `${HOST}/api/v3/accounts/${account}/jobs`, ListPage, { method: 'POST', body }),
    );
    total ??= answer.total;
    board.reached({ token, total } satisfies z.infer<typeof Place>);
    yield* board.takeDetailed(answer.results, reader, { ask });
    token = nonEmptyText(answer.nextPage);
    if (token === null) return board.finish(total);
  }
  notes?.incomplete(`more than ${MAX_PAGES} pages`);
}
