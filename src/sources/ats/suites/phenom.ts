// Phenom: career sites under the company's own name that ask `/widgets` for everything: `refineSearch` is the list, `jobDetail` a posting.
// What a reader would get wrong: behind Phenom there is mostly another system, where one applies; and the list answers without postings unless it is asked
// with `jobs`.
import { z } from 'zod';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getJson, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { idIn, nonEmptyText, statedRemote } from '../../postings/text.ts';
import { lenient, rowId } from '../reading/lenient.ts';
import { pagedRows } from '../reading/paged-rows.ts';

const PAGE_ROWS = 100;
const DETAILS_AT_ONCE = 3;
const { text, list, part } = lenient;

const Row = z.object({
  jobSeqNo: rowId,
  jobId: rowId.nullish().catch(null),
  title: z.string(),
  city: text,
  state: text,
  country: text,
  cityStateCountry: text,
  location: text,
  multi_location: list(z.string()),
  category: text,
  type: text,
  postedDate: text,
  dateCreated: text,
  descriptionTeaser: text,
  applyUrl: text,
  checkRemote: text,
  companyName: text,
  locale: text,
});
type Row = z.infer<typeof Row>;
const Detail = z.object({ description: z.string().min(1), department: text, jobDescription: text });
type Detail = z.infer<typeof Detail>;

const Page = z.object({
  refineSearch: z.object({ totalHits: z.number(), data: z.object({ jobs: z.array(z.unknown()) }) }),
});
const DetailPage = z.object({ jobDetail: z.object({ data: part({ job: z.unknown() }) }) });

const ORIGINS = prefixed('api', {
  id: 'jobs[].jobSeqNo',
  title: 'jobs[].title',
  url: '=computed',
  applyUrl: 'jobs[].applyUrl',
  company: 'jobs[].companyName',
  places: 'jobs[].city | jobs[].state | jobs[].country | jobs[].cityStateCountry | jobs[].multi_location[]',
  remote: 'jobs[].checkRemote',
  types: 'jobs[].type',
  html: 'jobDetail.job.description | jobs[].descriptionTeaser',
  posted: 'jobs[].postedDate | jobs[].dateCreated',
  department: 'jobs[].category',
});

export const phenomRows = (site: string): RowReader<Row, Detail> => ({
  row: Row,
  idOf: (raw) => idIn(raw, 'jobSeqNo'),
  toAdvert(row, raw, detail): Advert {
    const own = {
      text: nonEmptyText(row.cityStateCountry) ?? nonEmptyText(row.location),
      city: nonEmptyText(row.city),
      region: nonEmptyText(row.state),
      country: nonEmptyText(row.country),
    };
    const several = (row.multi_location ?? []).map((place) => ({ text: nonEmptyText(place) }));
    return {
      id: String(row.jobSeqNo),
      title: row.title,
      url: `${site}${folderOf(row.locale)}/job/${encodeURIComponent(row.jobSeqNo)}`,
      applyUrl: row.applyUrl,
      company: row.companyName,
      places: several.length > 1 ? several : [own],
      remote: statedRemote(row.checkRemote),
      types: [row.type],
      html: detail?.description ?? row.descriptionTeaser,
      posted: nonEmptyText(row.postedDate) ?? row.dateCreated,
      department: nonEmptyText(row.category),
      raw: detail ?? raw,
      origins: ORIGINS,
    };
  },
});

/** `en_US` is served from `/us/en`. */
function folderOf(locale: string | null | undefined): string {
  const [, language, country] = /^([a-z]{2})_([a-z]{2,6})$/i.exec(locale ?? '') ?? [];
  return language === undefined ? '' : `/${country!.toLowerCase()}/${language.toLowerCase()}`;
}

export const phenom = defineSource({
  name: 'phenom',
  title: 'Phenom career sites',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 2, delayMs: 300 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    /** Of the company's career site. */
    host: z.hostname(),
    /** As the site has them: `en_us`, `us`. Many sites need neither. */
    lang: z
      .string()
      .regex(/^[a-z]{2}_[a-z]{2,6}$/i)
      .optional(),
    country: z
      .string()
      .regex(/^[a-z]{2,6}$/i)
      .optional(),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const site = `https://${params.host.toLowerCase()}`;
    const reader = phenomRows(site);
    const board = openListing({ source: 'phenom', ref: params.host.toLowerCase(), params, web, notes });
    const shared = { deviceType: 'desktop', siteType: 'external', lang: params.lang, country: params.country };
    const widget = <T>(schema: z.ZodType<T>, body: object) =>
      getJson(web, `${site}/widgets`, schema, {
        method: 'POST',
        body: { ...shared, ...body },
        headers: { origin: site, referer: `${site}/` },
      });
    const pages = pagedRows({ board, notes, idOf: reader.idOf }, async ({ offset }) => {
      const { refineSearch } = await widget(Page, {
        ddoKey: 'refineSearch',
        pageName: 'search-results',
        jobs: true,
        from: offset,
        size: PAGE_ROWS,
      });
      return { rows: refineSearch.data.jobs, total: refineSearch.totalHits };
    });
    const ask = async (id: string, row: Row) => {
      const body = { ddoKey: 'jobDetail', pageName: 'job-details', jobSeqNo: id, jobId: row.jobId };
      const detail = Detail.safeParse((await widget(DetailPage, body)).jobDetail.data?.job);
      // What is unknown is answered like what is empty.
      if (!detail.success) throw new AppError('layout_changed', 'no details');
      return detail.data;
    };
    yield* board.takeDetailed(pages.rows, reader, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish(pages.total());
  },
});
