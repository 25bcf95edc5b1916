// Oracle Recruiting Cloud (Candidate Experience): a list in pages of 200 and a call per posting for its text. Pay is in the text only.
// What a reader would get wrong: without `expand` the list says how many there are and shows none; the paging stands inside `finder`; a site shows no more
// than 10,000.
import { z } from 'zod';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getJson, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { idIn, nonEmptyText, sections } from '../../postings/text.ts';
import { lenient, rowId } from '../reading/lenient.ts';
import { pagedRows } from '../reading/paged-rows.ts';

const PAGE_ROWS = 200;
const DETAILS_AT_ONCE = 3;
const { text, number, list } = lenient;

const Place = z.object({ Name: text, CountryCode: text });
const Row = z.object({
  Id: rowId,
  Title: z.string(),
  PostedDate: text,
  PostingEndDate: text,
  PrimaryLocation: text,
  PrimaryLocationCountry: text,
  secondaryLocations: list(Place),
  WorkplaceTypeCode: text,
  WorkplaceType: text,
  JobSchedule: text,
  ContractType: text,
  JobFamily: text,
  JobFunction: text,
  Department: text,
  Organization: text,
  ManagerLevel: text,
  ShortDescriptionStr: text,
});
type Row = z.infer<typeof Row>;

const Detail = z.object({
  ExternalDescriptionStr: text,
  ExternalResponsibilitiesStr: text,
  ExternalQualificationsStr: text,
  CorporateDescriptionStr: text,
  ExternalPostedStartDate: text,
  ExternalPostedEndDate: text,
  NumberOfOpenings: number,
});
type Detail = z.infer<typeof Detail>;

/** Some tenants wrap the list once more. */
const Rows = z.union([z.array(z.unknown()), z.object({ items: z.array(z.unknown()) }).transform(({ items }) => items)]);
const Page = z.object({
  items: z.array(z.object({ TotalJobsCount: z.number(), requisitionList: Rows.nullish() })).min(1),
});
const Details = z.object({ items: z.array(Detail) });

const REMOTE: Record<string, Advert['remote']> = {
  ORA_REMOTE: 'remote',
  ORA_HYBRID: 'hybrid',
  ORA_ON_SITE: 'onsite',
  ORA_ONSITE: 'onsite',
};

const ORIGINS = prefixed('api', {
  id: 'requisitionList[].Id',
  title: 'requisitionList[].Title',
  url: '=computed',
  places: 'requisitionList[].PrimaryLocation | requisitionList[].secondaryLocations[]',
  remote: 'requisitionList[].WorkplaceTypeCode',
  types: 'requisitionList[].JobSchedule | requisitionList[].ContractType',
  level: 'requisitionList[].ManagerLevel',
  html: 'details.ExternalDescriptionStr | details.ExternalResponsibilitiesStr | details.ExternalQualificationsStr | requisitionList[].ShortDescriptionStr',
  posted: 'requisitionList[].PostedDate | details.ExternalPostedStartDate',
  validThrough: 'requisitionList[].PostingEndDate | details.ExternalPostedEndDate',
  department: 'requisitionList[].Department | requisitionList[].Organization | requisitionList[].JobFamily',
  jobFunction: 'requisitionList[].JobFunction | requisitionList[].JobFamily',
  vacancies: 'details.NumberOfOpenings',
});

export const oracleRows = (site: string): RowReader<Row, Detail> => ({
  row: Row,
  idOf: (raw) => idIn(raw, 'Id'),
  toAdvert(row, raw, detail): Advert {
    const country = nonEmptyText(row.PrimaryLocationCountry);
    const others = (row.secondaryLocations ?? []).map(({ Name, CountryCode }) => ({
      text: nonEmptyText(Name),
      country: nonEmptyText(CountryCode),
    }));
    return {
      id: String(row.Id),
      title: row.Title,
      url: `${site}/job/${encodeURIComponent(row.Id)}`,
      places: [{ text: nonEmptyText(row.PrimaryLocation), country }, ...others],
      remote: REMOTE[nonEmptyText(row.WorkplaceTypeCode) ?? ''] ?? null,
      types: [row.JobSchedule, row.ContractType],
      level: nonEmptyText(row.ManagerLevel),
      html:
        sections([
          { html: detail?.ExternalDescriptionStr },
          { heading: 'Responsibilities', html: detail?.ExternalResponsibilitiesStr },
          { heading: 'Qualifications', html: detail?.ExternalQualificationsStr },
          { html: detail?.CorporateDescriptionStr },
        ]) ?? nonEmptyText(row.ShortDescriptionStr),
      posted: nonEmptyText(row.PostedDate) ?? detail?.ExternalPostedStartDate,
      validThrough: nonEmptyText(row.PostingEndDate) ?? detail?.ExternalPostedEndDate,
      department: nonEmptyText(row.Department) ?? nonEmptyText(row.Organization) ?? nonEmptyText(row.JobFamily),
      jobFunction: nonEmptyText(row.JobFunction) ?? nonEmptyText(row.JobFamily),
      vacancies: detail?.NumberOfOpenings,
      raw: detail === null ? raw : { ...(raw as object), ...detail },
      origins: ORIGINS,
    };
  },
});

export const oracle = defineSource({
  name: 'oracle',
  title: 'Oracle Recruiting Cloud career sites',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.oraclecloud.com'],
  pace: { concurrency: 3, delayMs: 250 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    /** Of the tenant, `acme.fa.us2.oraclecloud.com`; some companies have the API under a name of their own. */
    host: z.hostname(),
    /** `CX_1` in `/sites/CX_1/jobs`. */
    site: z.string().regex(/^[\w-]{1,100}$/),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const host = params.host.toLowerCase();
    const api = `https://${host}/hcmRestApi/resources/latest`;
    const reader = oracleRows(`https://${host}/hcmUI/CandidateExperience/en/sites/${params.site}`);
    const board = openListing({ source: 'oracle', ref: `${host}/${params.site}`, params, web, notes });
    const { idOf } = reader;
    const pages = pagedRows({ board, notes, idOf, known: params.known, isNewestFirst: true }, async ({ offset }) => {
      const finder = `findReqs;siteNumber=${params.site},limit=${PAGE_ROWS},offset=${offset},sortBy=POSTING_DATES_DESC`;
      const expand = 'requisitionList.workLocation,requisitionList.secondaryLocations';
      const url = `${api}/recruitingCEJobRequisitions?onlyData=true&expand=${expand}&finder=${finder}`;
      const [page] = (await getJson(web, url, Page)).items;
      const { TotalJobsCount: total, requisitionList: rows } = page!;
      if (!rows && total > 0)
        throw new AppError('layout_changed', 'the list says how many postings there are and shows none');
      return { rows: rows ?? [], total };
    });
    const ask = async (id: string) => {
      const finder = `ById;Id=%22${encodeURIComponent(id)}%22,siteNumber=${params.site}`;
      const url = `${api}/recruitingCEJobRequisitionDetails?expand=all&onlyData=true&finder=${finder}`;
      const [detail] = (await getJson(web, url, Details)).items;
      if (detail === undefined) throw new AppError('layout_changed', 'no details');
      return detail;
    };
    yield* board.takeDetailed(pages.rows, reader, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish(pages.total());
  },
});
