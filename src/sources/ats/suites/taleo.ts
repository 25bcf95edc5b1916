// Taleo (Enterprise): a list by POST in pages of 25 whose columns each company chooses, and a page per posting whose script has the text, spelled as a URL.
// What a reader would get wrong: without a `tz` header the list answers 500; a posting that is gone is answered by a page without text; the portal's number
// stands only in the page of the career section.
import { z } from 'zod';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web } from '../../../web/port.ts';
import { valueAfter } from '../../careers/scripts/script-values.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getJson, getPinned, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { decodeEntities, idIn, nonEmptyText } from '../../postings/text.ts';
import { lenient, rowId } from '../reading/lenient.ts';
import { pagedRows } from '../reading/paged-rows.ts';

const DETAILS_AT_ONCE = 2;
const { number, list, part } = lenient;

const Row = z
  .object({
    jobId: rowId.nullish().catch(null),
    contestNo: rowId.nullish().catch(null),
    column: z.array(z.union([z.string(), z.number(), z.null()]).catch(null)),
    linkedColumn: number,
    locationsColumns: list(z.number()),
  })
  .refine((row) => titleOf(row) !== null, 'row without a title');
type Row = z.infer<typeof Row>;

const cell = ({ column }: { column: (string | number | null)[] }, at: number | null | undefined): string | null =>
  at == null ? null : nonEmptyText(column[at]);
const titleOf = (row: {
  column: (string | number | null)[];
  linkedColumn?: number | null | undefined;
}): string | null => cell(row, row.linkedColumn ?? 0);

const ORIGINS = prefixed('api', {
  id: 'requisitionList[].jobId | requisitionList[].contestNo',
  title: 'requisitionList[].column[]',
  url: '=computed',
  places: 'requisitionList[].column[]',
  posted: 'requisitionList[].column[]',
  html: 'jobdetail.descRequisition',
});

export const taleoRows = (site: string): RowReader<Row, string> => ({
  row: Row,
  idOf: (raw) => idIn(raw, 'jobId', 'contestNo'),
  toAdvert(row, raw, html): Advert {
    const id = idIn(row, 'jobId', 'contestNo')!;
    const places = (row.locationsColumns ?? []).flatMap((at) => placesIn(cell(row, at)));
    const last = cell(row, row.column.length - 1);
    return {
      id,
      title: titleOf(row),
      url: `${site}/jobdetail.ftl?job=${encodeURIComponent(id)}&lang=en`,
      places: places.map((place) => ({ text: place })),
      posted: last !== null && /\d/.test(last) && last.length < 40 ? last : null,
      html,
      raw,
      origins: ORIGINS,
    };
  },
});

/** A column of places is a list written as JSON: `["US-TX-Richmond"]`. */
function placesIn(written: string | null): string[] {
  if (written === null || !written.startsWith('[')) return written === null ? [] : [written];
  const parsed = valueAfter(written, /^/);
  return Array.isArray(parsed) ? parsed.flatMap((place) => nonEmptyText(place) ?? []) : [];
}

/** Texts of a posting's page, each of which is there twice; null for a page without one. */
export function taleoText(page: string): string | null {
  const values = valueAfter(
    page,
    /api\.fillList\('requisitionDescriptionInterface',\s{0,10}'descRequisition',\s{0,10}/,
  );
  const texts = (Array.isArray(values) ? values : []).flatMap((value) => {
    if (typeof value !== 'string' || !value.startsWith('!*!')) return [];
    return nonEmptyText(decodeEntities(decoded(value.slice(3)))) ?? [];
  });
  return [...new Set(texts)].join('\n') || null;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // A stray percent sign: the text is its own spelling.
    return value;
  }
}

const Page = z.object({
  careerSectionUnAvailable: lenient.flag,
  requisitionList: z.array(z.unknown()).nullish(),
  pagingData: part({ pageSize: number, totalCount: number }),
});

const query = (pageNo: number): object => ({
  fieldData: { fields: {}, valid: true },
  filterSelectionParam: { searchFilterSelections: [] },
  sortingSelection: { sortBySelectionParam: '3', ascendingSortingOrder: 'false' },
  advancedSearchFiltersSelectionParam: { searchFilterSelections: [] },
  pageNo,
});

async function portalOf(web: Web, site: string): Promise<string> {
  const page = await getPinned(web, `${site}/jobsearch.ftl?lang=en`);
  const portal = /\bportal=(\d{1,20})/.exec(page.text)?.[1];
  if (portal === undefined)
    throw new AppError(
      'layout_changed',
      'The career section names no portal: it is of the older kind without a list for programs. Scrape it with scraper_type playwright',
    );
  return portal;
}

export const taleo = defineSource({
  name: 'taleo',
  title: 'Taleo career sections',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.taleo.net'],
  pace: { concurrency: 2, delayMs: 400 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    host: z.string().regex(/^[a-z0-9-]{1,63}\.taleo\.net$/i),
    /** `ex` in `/careersection/ex/jobsearch.ftl`. */
    section: z.string().regex(/^\w{1,60}$/),
    /** Found on the page of the section where it is left out. */
    portal: z
      .string()
      .regex(/^\d{1,20}$/)
      .optional(),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const host = `https://${params.host.toLowerCase()}`;
    const site = `${host}/careersection/${params.section}`;
    const board = openListing({ source: 'taleo', ref: `${params.host}/${params.section}`, params, web, notes });
    const reader = taleoRows(site);
    const portal = params.portal ?? (await portalOf(web, site));
    const pages = pagedRows({ board, notes, idOf: reader.idOf }, async ({ page }) => {
      const url = `${host}/careersection/rest/jobboard/searchjobs?lang=en&portal=${portal}`;
      const answer = await getJson(web, url, Page, {
        method: 'POST',
        body: query(page + 1),
        headers: { tz: 'GMT+00:00' },
      });
      if (answer.careerSectionUnAvailable) throw new AppError('not_found', 'the career section is not available');
      return { rows: answer.requisitionList ?? [], total: answer.pagingData?.totalCount };
    });
    const ask = async (id: string) => {
      const page = await getPinned(web, `${site}/jobdetail.ftl?job=${encodeURIComponent(id)}&lang=en`);
      const html = taleoText(page.text);
      if (html !== null) return html;
      const isGone = /no longer available/i.test(page.text);
      throw new AppError(
        isGone ? 'not_found' : 'layout_changed',
        isGone ? 'no longer posted' : 'a page without a text',
      );
    };
    yield* board.takeDetailed(pages.rows, reader, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish(pages.total());
  },
});
