// SmartRecruiters: a list in pages of 100 and a call per posting for text, pay and addresses. Labels are in the posting's language; ids are not.
import { z } from 'zod';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import type { Advert } from '../postings/advert.ts';
import { DOCUMENTED_API, getJson } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { idIn, nonEmptyText, sections } from '../postings/text.ts';
import { pagedRows } from './reading/paged-rows.ts';

const HOST = 'https://api.smartrecruiters.com';
const PAGE_ROWS = 100;
const DETAILS_AT_ONCE = 4;

const Page = z.object({ totalFound: z.number(), content: z.array(z.unknown()) });

// `{}` stands for "none".
const Label = z.object({ id: z.string().nullish(), label: z.string().nullish() }).nullish();

const LIST_FIELDS = {
  id: z.string().min(1),
  name: z.string(),
  company: z.object({ identifier: z.string().nullish(), name: z.string().nullish() }).nullish(),
  releasedDate: z.string().nullish(),
  location: z
    .object({
      city: z.string().nullish(),
      region: z.string().nullish(),
      country: z.string().nullish(),
      remote: z.boolean().nullish(),
      hybrid: z.boolean().nullish(),
      latitude: z.string().nullish(),
      longitude: z.string().nullish(),
      fullLocation: z.string().nullish(),
    })
    .nullish(),
  typeOfEmployment: Label,
  experienceLevel: Label,
  function: Label,
  industry: Label,
  department: Label,
  language: z.object({ code: z.string().nullish() }).nullish(),
};
const Section = z.object({ title: z.string().nullish(), text: z.string().nullish() }).nullish();
const DETAIL_FIELDS = {
  active: z.boolean().nullish(),
  postingUrl: z.string().nullish(),
  applyUrl: z.string().nullish(),
  jobAd: z
    .object({
      sections: z
        .object({
          companyDescription: Section,
          jobDescription: Section,
          qualifications: Section,
          additionalInformation: Section,
        })
        .nullish(),
    })
    .nullish(),
  compensation: z
    .object({
      min: z.number().nullish(),
      max: z.number().nullish(),
      currency: z.string().nullish(),
      period: z.string().nullish(),
    })
    .nullish(),
};

const Row = z.object(LIST_FIELDS);
type Row = z.infer<typeof Row>;
const Detail = z.object(DETAIL_FIELDS);
type Detail = z.infer<typeof Detail>;

/** A list row or a whole detail: whatever of it is there. */
export const smartrecruitersRows: RowReader<Row & Partial<Detail>> = {
  row: z.object({ ...LIST_FIELDS, ...DETAIL_FIELDS }),
  idOf: (raw) => idIn(raw, 'id', 'uuid'),
  toAdvert: (row, raw) => advertOf(row, row, raw),
};

const ORIGINS = prefixed('api', {
  id: 'content[].id',
  title: 'content[].name',
  url: 'detail.postingUrl | =computed',
  applyUrl: 'detail.applyUrl',
  company: 'content[].company.name',
  places: 'content[].location',
  remote: 'content[].location.remote | content[].location.hybrid',
  types: 'content[].typeOfEmployment',
  level: 'content[].experienceLevel.id',
  pay: 'detail.compensation',
  html: 'detail.jobAd.sections',
  posted: 'content[].releasedDate',
  department: 'content[].department.label',
  jobFunction: 'content[].function.label',
  industry: 'content[].industry.label',
  language: 'content[].language.code',
});

function advertOf(row: Row, detail: Partial<Detail> | null, raw: unknown): Advert | null {
  if (detail?.active === false) return null;
  const { location } = row;
  const parts = detail?.jobAd?.sections;
  const pay = detail?.compensation;
  return {
    id: row.id,
    title: row.name,
    url: nonEmptyText(detail?.postingUrl) ?? publicUrl(row),
    applyUrl: detail?.applyUrl,
    company: row.company?.name,
    places:
      location == null
        ? []
        : [
            {
              text: nonEmptyText(location.fullLocation?.replace(/,(?:\s*,)+/g, ',')),
              city: nonEmptyText(location.city),
              region: nonEmptyText(location.region),
              country: nonEmptyText(location.country),
              lat: location.latitude,
              lon: location.longitude,
            },
          ],
    remote: location == null ? null : location.remote ? 'remote' : location.hybrid ? 'hybrid' : 'onsite',
    types: [row.typeOfEmployment?.id ?? row.typeOfEmployment?.label],
    level: row.experienceLevel?.id === 'not_applicable' ? null : row.experienceLevel?.id,
    pay: pay == null ? null : { min: pay.min, max: pay.max, currency: pay.currency, interval: pay.period },
    html: sections(
      [parts?.companyDescription, parts?.jobDescription, parts?.qualifications, parts?.additionalInformation].map(
        (part) => ({
          heading: part?.title,
          html: part?.text,
        }),
      ),
    ),
    posted: row.releasedDate,
    department: nonEmptyText(row.department?.label),
    jobFunction: nonEmptyText(row.function?.label),
    industry: nonEmptyText(row.industry?.label),
    language: row.language?.code,
    raw,
    origins: ORIGINS,
  };
}

function publicUrl(row: Row): string | null {
  const company = nonEmptyText(row.company?.identifier);
  return company && `https://jobs.smartrecruiters.com/${encodeURIComponent(company)}/${row.id}`;
}

export const smartrecruiters = defineSource({
  name: 'smartrecruiters',
  title: 'SmartRecruiters job boards',
  kind: 'posting',
  lane: 'http',
  hosts: ['api.smartrecruiters.com'],
  pace: { concurrency: 4, delayMs: 150 },
  policy: DOCUMENTED_API,
  params: z.object({
    ...COMMON_PARAMS,
    company: z.string().regex(/^[\w.-]{1,100}$/),
    /** Off: the list only, without texts. */
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const base = `${HOST}/v1/companies/${params.company}/postings`;
    const board = openListing({ source: 'smartrecruiters', ref: params.company, params, web, notes });
    const list = pagedRows({ board, notes, idOf: smartrecruitersRows.idOf }, async ({ offset }) => {
      const url = `${base}?limit=${PAGE_ROWS}&offset=${offset}`;
      const { totalFound, content } = await getJson(web, url, Page);
      return { rows: content, total: totalFound };
    });
    const reader: RowReader<Row, Detail> = {
      row: Row,
      idOf: smartrecruitersRows.idOf,
      toAdvert: (row, raw, detail) => {
        const company = { ...row.company, identifier: row.company?.identifier ?? params.company };
        return advertOf({ ...row, company }, detail, raw);
      },
    };
    const ask = (id: string) => getJson(web, `${base}/${id}`, Detail);
    const request = params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null;
    yield* board.takeDetailed(list.rows, reader, request);
    board.finish(list.total());
  },
});
