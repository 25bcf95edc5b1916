// ADP Workforce Now: a list in pages of 20 and a call per posting for its text.
// What a reader would get wrong: it is disputed whether `$skip` counts from 0 or from 1, so the pages are asked in a way that is right for both, and the list
// ends where a page brings nothing new.
import { z } from 'zod';
import { prefixed } from '../../../model/provenance/origins.ts';
import { defineSource } from '../../define.ts';
import type { Advert, PaySaid } from '../../postings/advert.ts';
import { getJson, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { idIn, nonEmptyText } from '../../postings/text.ts';
import { GUID } from '../addresses/address-rule.ts';
import { lenient, rowId } from '../reading/lenient.ts';
import { pagedRows } from '../reading/paged-rows.ts';

const HOST = 'https://workforcenow.adp.com';
const PAGE_ROWS = 20;
const DETAILS_AT_ONCE = 2;
const { text, amount, list, part } = lenient;

const Rate = part({ amountValue: amount, currencyCode: text });
const FIELDS = {
  requisitionDescription: text,
  postDate: text,
  workLevelCode: part({ shortName: text }),
  requisitionLocations: list(
    z.object({
      nameCode: part({ shortName: text }),
      address: part({ cityName: text, countryCode: text, countrySubdivisionLevel1: part({ codeValue: text }) }),
    }),
  ),
  payGradeRange: part({ minimumRate: Rate, maximumRate: Rate }),
  customFieldGroup: part({
    codeFields: list(z.object({ nameCode: part({ codeValue: text }), shortName: text, codeValue: text })),
  }),
};
const Row = z.object({ itemID: rowId, requisitionTitle: z.string(), ...FIELDS });
type Row = z.infer<typeof Row>;
const Detail = z.object(FIELDS);
type Detail = z.infer<typeof Detail>;

const ORIGINS = prefixed('api', {
  id: 'jobRequisitions[].itemID',
  title: 'jobRequisitions[].requisitionTitle',
  url: '=computed',
  places: 'jobRequisitions[].requisitionLocations[]',
  types: 'jobRequisitions[].workLevelCode.shortName',
  pay: 'jobRequisition.payGradeRange',
  html: 'jobRequisition.requisitionDescription',
  posted: 'jobRequisitions[].postDate',
});

export const adpRows = (addressOf: (id: string) => string): RowReader<Row, Detail> => ({
  row: Row,
  idOf: (raw) => idIn(raw, 'itemID'),
  toAdvert(row, raw, detail): Advert {
    const places = row.requisitionLocations?.length ? row.requisitionLocations : (detail?.requisitionLocations ?? []);
    return {
      id: String(row.itemID),
      title: row.requisitionTitle,
      url: addressOf(String(row.itemID)),
      places: places.map(({ nameCode, address }) => ({
        text: nonEmptyText(nameCode?.shortName)?.replace(/\s{1,20},/g, ',') ?? null,
        city: nonEmptyText(address?.cityName),
        region: nonEmptyText(address?.countrySubdivisionLevel1?.codeValue),
        country: nonEmptyText(address?.countryCode),
      })),
      types: [row.workLevelCode?.shortName ?? detail?.workLevelCode?.shortName],
      pay: payOf(detail ?? row) ?? payOf(row),
      html: nonEmptyText(detail?.requisitionDescription) ?? nonEmptyText(row.requisitionDescription),
      posted: nonEmptyText(row.postDate) ?? detail?.postDate,
      raw: detail ?? raw,
      origins: ORIGINS,
    };
  },
});

function payOf({
  payGradeRange,
  customFieldGroup,
}: Pick<Detail, 'payGradeRange' | 'customFieldGroup'>): PaySaid | null {
  const { minimumRate: min, maximumRate: max } = payGradeRange ?? {};
  if (min?.amountValue == null && max?.amountValue == null) return null;
  const unit = customFieldGroup?.codeFields?.find(({ nameCode }) => nameCode?.codeValue === 'SalaryType');
  return {
    min: min?.amountValue,
    max: max?.amountValue,
    currency: nonEmptyText(min?.currencyCode) ?? nonEmptyText(max?.currencyCode),
    interval: nonEmptyText(unit?.shortName) ?? nonEmptyText(unit?.codeValue),
  };
}

const Page = z.object({ jobRequisitions: z.array(z.unknown()), meta: part({ totalNumber: lenient.number }) });

export const adp = defineSource({
  name: 'adp',
  title: 'ADP Workforce Now career centers',
  kind: 'posting',
  lane: 'http',
  hosts: ['workforcenow.adp.com'],
  pace: { concurrency: 2, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    /** `cid` and `ccId` of the address of the career center. */
    cid: z.string().regex(GUID),
    center: z
      .string()
      .regex(/^\d{1,32}_\d{1,12}$/)
      .default('19000101_000001'),
    locale: z
      .string()
      .regex(/^[a-z]{2}_[A-Z]{2}$/)
      .default('en_US'),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const { cid, center, locale } = params;
    const query = `cid=${cid}&ccId=${center}&lang=${locale}`;
    const api = `${HOST}/mascsr/default/careercenter/public/events/staffing/v1/job-requisitions`;
    const reader = adpRows(
      (id) =>
        `${HOST}/mascsr/default/mdf/recruitment/recruitment.html?${query}&selectedMenuKey=CareerCenter&jobId=${id}`,
    );
    const board = openListing({ source: 'adp', ref: `${cid}/${center}`, params, web, notes });
    let total: number | null = null;
    const pages = pagedRows({ board, notes, idOf: reader.idOf }, async ({ offset }) => {
      const url = `${api}?${query}&locale=${locale}&$top=${PAGE_ROWS}&$skip=${offset}`;
      const { jobRequisitions, meta } = await getJson(web, url, Page);
      total = Math.max(total ?? 0, meta?.totalNumber ?? 0) || null;
      return { rows: jobRequisitions };
    });
    const ask = (id: string) => getJson(web, `${api}/${encodeURIComponent(id)}?${query}&locale=${locale}`, Detail);
    yield* board.takeDetailed(pages.rows, reader, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish(total);
  },
});
