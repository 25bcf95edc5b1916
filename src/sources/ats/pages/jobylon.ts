// Jobylon: a feed that a company's page names, or the page that is embedded in it; both hold a whole board. The feed has texts; behind the embedded list each
// posting's page states its JobPosting.
import { z } from 'zod';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { WebResponse } from '../../../web/port.ts';
import { valueAfter } from '../../careers/scripts/script-values.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getJson, getPinned, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { idIn, nonEmptyText, sections, statedRemote } from '../../postings/text.ts';
import { statedAdvert, withStated } from '../../postings/with-stated.ts';
import { lenient, rowId } from '../reading/lenient.ts';

const SITE = 'https://emp.jobylon.com';
const DETAILS_AT_ONCE = 2;
const { text, flag, list, part } = lenient;

const Named = part({ name: text, text });
const FeedRow = z.object({
  id: rowId,
  title: z.string(),
  descr: text,
  skills: text,
  company: part({ name: text, website: text, logo: text, industry: text }),
  departments: list(z.object({ department: Named })),
  employment_type: text,
  experience: text,
  function: text,
  from_date: text,
  to_date: text,
  locations: list(z.object({ location: part({ text, city: text, area_1: text, country: text, country_short: text }) })),
  urls: part({ ad: text, apply: text }),
  workplaceTypes: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
});
type FeedRow = z.infer<typeof FeedRow>;

const FEED_ORIGINS = prefixed('api', {
  id: '[].id',
  title: '[].title',
  url: '[].urls.ad | =computed',
  applyUrl: '[].urls.apply',
  company: '[].company.name',
  companyUrl: '[].company.website',
  companyLogo: '[].company.logo',
  industry: '[].company.industry',
  places: '[].locations[].location',
  remote: '[].workplaceTypes',
  types: '[].employment_type',
  level: '[].experience',
  html: '[].descr | [].skills',
  posted: '[].from_date',
  validThrough: '[].to_date',
  department: '[].departments[0].department.name',
  jobFunction: '[].function',
});

export const jobylonFeed: RowReader<FeedRow> = {
  row: FeedRow,
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert: (row, raw) => ({
    id: String(row.id),
    title: row.title,
    url: nonEmptyText(row.urls?.ad) ?? `${SITE}/jobs/${row.id}/`,
    applyUrl: row.urls?.apply,
    company: row.company?.name,
    companyUrl: row.company?.website,
    companyLogo: row.company?.logo,
    industry: row.company?.industry,
    places: (row.locations ?? []).map(({ location }) => ({
      text: nonEmptyText(location?.text),
      city: nonEmptyText(location?.city),
      region: nonEmptyText(location?.area_1),
      country: nonEmptyText(location?.country_short) ?? nonEmptyText(location?.country),
    })),
    remote: statedRemote([row.workplaceTypes].flat()[0]),
    types: [row.employment_type],
    level: row.experience,
    html: sections([{ html: row.descr }, { html: row.skills }]),
    posted: row.from_date,
    validThrough: row.to_date,
    department: nonEmptyText(row.departments?.[0]?.department?.name),
    jobFunction: nonEmptyText(row.function),
    raw,
    origins: FEED_ORIGINS,
  }),
};

const EmbeddedRow = z.object({
  id: rowId,
  title: z.string(),
  url: text,
  company: text,
  logo: text,
  language: text,
  locations: list(z.string()),
  locations_text: text,
  departments: list(z.string()),
  workspace: text,
  experience: text,
  employment_type: text,
  function: text,
  to_date: text,
  published_date: text,
  is_internal: flag,
});
type EmbeddedRow = z.infer<typeof EmbeddedRow>;

const EMBEDDED_ORIGINS = prefixed('html', {
  id: 'JBL.embed_v2.jobs[].id',
  title: 'JBL.embed_v2.jobs[].title',
  url: 'JBL.embed_v2.jobs[].url',
  company: 'JBL.embed_v2.jobs[].company',
  companyLogo: 'JBL.embed_v2.jobs[].logo',
  places: 'JBL.embed_v2.jobs[].locations[]',
  remote: 'JBL.embed_v2.jobs[].workspace',
  types: 'JBL.embed_v2.jobs[].employment_type',
  level: 'JBL.embed_v2.jobs[].experience',
  posted: 'JBL.embed_v2.jobs[].published_date',
  validThrough: 'JBL.embed_v2.jobs[].to_date',
  department: 'JBL.embed_v2.jobs[].departments[0]',
  jobFunction: 'JBL.embed_v2.jobs[].function',
  language: 'JBL.embed_v2.jobs[].language',
});

export const jobylonEmbedded = (nowMs: number): RowReader<EmbeddedRow, WebResponse> => ({
  row: EmbeddedRow,
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert(row, raw, page): Advert | null {
    if (row.is_internal) return null;
    const places = row.locations?.length ? row.locations : [row.locations_text];
    const listed: Advert = {
      id: String(row.id),
      title: row.title,
      url: URL.parse(row.url ?? `/jobs/${row.id}/`, SITE)?.href ?? null,
      company: row.company,
      companyLogo: row.logo,
      places: places.map((place) => ({ text: nonEmptyText(place) })),
      remote: statedRemote(row.workspace),
      types: [row.employment_type],
      level: row.experience,
      posted: row.published_date,
      validThrough: row.to_date,
      department: nonEmptyText(row.departments?.[0]),
      jobFunction: nonEmptyText(row.function),
      language: row.language,
      raw,
      origins: EMBEDDED_ORIGINS,
    };
    return page === null ? listed : withStated(listed, statedAdvert(page, nowMs));
  },
});

export const jobylonJobs = (page: string): unknown => valueAfter(page, /JBL\.embed_v2\['jobs'\]\s{0,10}=\s{0,10}/);

export const jobylon = defineSource({
  name: 'jobylon',
  title: 'Jobylon feeds and embedded lists',
  kind: 'posting',
  lane: 'http',
  hosts: ['feed.jobylon.com', 'cdn.jobylon.com', 'emp.jobylon.com'],
  pace: { concurrency: 2, delayMs: 400 },
  policy: PLAIN_HTTP,
  params: z
    .object({
      ...COMMON_PARAMS,
      /** Numbers in the address of the embedded list: `/jobs/companies/1955/embed/v2/`. */
      company: z
        .string()
        .regex(/^\d{1,10}$/)
        .optional(),
      group: z
        .string()
        .regex(/^\d{1,10}$/)
        .optional(),
      /** Key of the feed: `feed.jobylon.com/feeds/<key>/`. */
      feed: z
        .string()
        .regex(/^[\da-f-]{8,40}$/i)
        .optional(),
      details: z.boolean().default(true),
    })
    .refine(
      ({ company, group, feed }) => [company, group, feed].filter((one) => one !== undefined).length === 1,
      'needs one of company, group and feed',
    ),
  async *scrape(params, web, notes) {
    const { company, group, feed } = params;
    const board = openListing({ source: 'jobylon', ref: feed ?? group ?? company!, params, web, notes });
    if (feed !== undefined) {
      const rows = await getJson(web, `https://feed.jobylon.com/feeds/${feed}/?format=json`, z.array(z.unknown()));
      yield* board.take(rows, jobylonFeed);
    } else {
      const folder = group === undefined ? `companies/${company}` : `company-groups/${group}`;
      const page = await getPinned(web, `https://cdn.jobylon.com/jobs/${folder}/embed/v2/`);
      const rows = jobylonJobs(page.text);
      if (!Array.isArray(rows)) throw new AppError('layout_changed', 'the embedded page holds no list of jobs');
      const ask = (_: string, row: EmbeddedRow) => getPinned(web, URL.parse(row.url ?? `/jobs/${row.id}/`, SITE)!.href);
      const request = params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null;
      yield* board.takeDetailed(rows, jobylonEmbedded(board.nowMs), request);
    }
    board.finish();
  },
});
