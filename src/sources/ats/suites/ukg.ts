// UKG Pro Recruiting (UltiPro): a list by POST, newest first, and a page per posting whose script has the text. Pay is on the page, and counts only where the
// employer shows it.
// What a reader would get wrong: some boards answer at once, others only with the token of their page and its session.
import { z } from 'zod';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web, WebRequest } from '../../../web/port.ts';
import { valueAfter } from '../../careers/scripts/script-values.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getPinned, PLAIN_HTTP, readJson } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { idIn, nonEmptyText, statedRemote } from '../../postings/text.ts';
import { GUID } from '../addresses/address-rule.ts';
import { lenient } from '../reading/lenient.ts';
import { pagedRows } from '../reading/paged-rows.ts';

const PAGE_ROWS = 50;
const DETAILS_AT_ONCE = 2;
const { text, flag, list, part } = lenient;

const Named = part({ Code: text, Name: text });
const Row = z.object({
  Id: z.string().min(1),
  Title: z.string(),
  FullTime: flag,
  JobCategoryName: text,
  PostedDate: text,
  BriefDescription: text,
  JobLocationType: z.union([z.string(), z.number()]).nullish().catch(null),
  Locations: list(
    z.object({
      LocalizedName: text,
      LocalizedDescription: text,
      Address: part({ City: text, State: Named, Country: Named }),
    }),
  ),
});
type Row = z.infer<typeof Row>;

interface Detail {
  html: string | null;
  pay: Advert['pay'];
}

const ORIGINS = prefixed('api', {
  id: 'opportunities[].Id',
  title: 'opportunities[].Title',
  url: '=computed',
  places: 'opportunities[].Locations[]',
  remote: 'opportunities[].JobLocationType',
  types: 'opportunities[].FullTime',
  pay: 'opportunity.PayRangeMinimum | opportunity.PayRangeMaximum',
  html: 'opportunity.Description | opportunities[].BriefDescription',
  posted: 'opportunities[].PostedDate',
  department: 'opportunities[].JobCategoryName',
});

export const ukgRows = (site: string): RowReader<Row, Detail> => ({
  row: Row,
  idOf: (raw) => idIn(raw, 'Id'),
  toAdvert(row, raw, detail): Advert {
    const places = (row.Locations ?? []).map(({ Address, LocalizedName, LocalizedDescription }) => ({
      text: nonEmptyText(LocalizedDescription) ?? nonEmptyText(LocalizedName),
      city: nonEmptyText(Address?.City),
      region: nonEmptyText(Address?.State?.Code) ?? nonEmptyText(Address?.State?.Name),
      country: nonEmptyText(Address?.Country?.Code) ?? nonEmptyText(Address?.Country?.Name),
    }));
    return {
      id: row.Id,
      title: row.Title,
      url: `${site}/OpportunityDetail?opportunityId=${encodeURIComponent(row.Id)}`,
      places,
      remote: typeof row.JobLocationType === 'string' ? statedRemote(row.JobLocationType) : null,
      types: [row.FullTime === true ? 'full time' : row.FullTime === false ? 'part time' : null],
      pay: detail?.pay ?? null,
      html: detail?.html ?? row.BriefDescription,
      posted: row.PostedDate,
      department: nonEmptyText(row.JobCategoryName),
      raw,
      origins: ORIGINS,
    };
  },
});

/** The page's script holds the posting among much else, so its fields are read one by one. */
export function ukgDetail(page: string): Detail {
  const at = (name: string) => valueAfter(page, new RegExp(`"${name}"\\s{0,5}:\\s{0,5}`));
  const html = at('Description');
  const isShown = at('PayRangeVisible') === true;
  const [min, max, currency] = [at('PayRangeMinimum'), at('PayRangeMaximum'), at('PayRangeCurrencyCode')];
  const number = (value: unknown) => (typeof value === 'number' ? value : null);
  return {
    html: typeof html === 'string' ? nonEmptyText(html) : null,
    pay: isShown
      ? { min: number(min), max: number(max), currency: typeof currency === 'string' ? currency : null }
      : null,
  };
}

const Page = z.object({ opportunities: z.array(z.unknown()), totalCount: z.number().nullish().catch(null) });

const search = (offset: number): object => ({
  opportunitySearch: {
    Top: PAGE_ROWS,
    Skip: offset,
    QueryString: '',
    OrderBy: [{ Value: 'postedDateDesc', PropertyName: 'PostedDate', Ascending: false }],
    Filters: [],
  },
  matchCriteria: {
    PreferredJobs: [],
    Educations: [],
    LicenseAndCertifications: [],
    Skills: [],
    hasNoLicenses: false,
    SkippedSkills: [],
  },
});

/** Of the input that the page's script writes. */
function tokenOn(page: string): string | null {
  const at = page.indexOf('__RequestVerificationToken');
  return at < 0 ? null : (/value=["']([\w-]{10,500})["']/.exec(page.slice(at, at + 1_000))?.[1] ?? null);
}

/** A page of the list; asks for the token of the board's page where it is refused without. */
function asksFor(web: Web, site: string): (offset: number) => Promise<z.infer<typeof Page>> {
  let token: string | null = null;
  const post = (offset: number) => {
    const headers: Record<string, string> = { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' };
    if (token !== null) headers['x-requestverificationtoken'] = token;
    const request: WebRequest = { method: 'POST', body: search(offset), headers, accept: [400, 401, 403] };
    return getPinned(web, `${site}/JobBoardView/LoadSearchResults`, request);
  };
  return async (offset) => {
    let answer = await post(offset);
    if (answer.status >= 400 && token === null) {
      const page = await getPinned(web, `${site}/`);
      token = tokenOn(page.text);
      if (token !== null) answer = await post(offset);
    }
    if (answer.status >= 400) throw new AppError('blocked', `the board refuses its list (${answer.status})`);
    return readJson(answer.text, Page);
  };
}

export const ukg = defineSource({
  name: 'ukg',
  title: 'UKG Pro (UltiPro) job boards',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.ultipro.com', '*.ultipro.ca', '*.rec.pro.ukg.net'],
  pace: { concurrency: 2, delayMs: 400 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    host: z.string().regex(/^(?:recruiting\d?\.ultipro\.(?:com|ca)|[a-z0-9-]+\.rec\.pro\.ukg\.net)$/i),
    /** `ACM1000ACME` in `/ACM1000ACME/JobBoard/…`. */
    tenant: z.string().regex(/^\w{3,40}$/),
    board: z.string().regex(GUID),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const site = `https://${params.host.toLowerCase()}/${params.tenant}/JobBoard/${params.board}`;
    const reader = ukgRows(site);
    const board = openListing({ source: 'ukg', ref: `${params.tenant}/${params.board}`, params, web, notes });
    const list = asksFor(web, site);
    const { idOf } = reader;
    const pages = pagedRows({ board, notes, idOf, known: params.known, isNewestFirst: true }, async ({ offset }) => {
      const { opportunities, totalCount } = await list(offset);
      return { rows: opportunities, total: totalCount };
    });
    const ask = async (id: string) => {
      const page = await getPinned(web, `${site}/OpportunityDetail?opportunityId=${encodeURIComponent(id)}`);
      return ukgDetail(page.text);
    };
    yield* board.takeDetailed(pages.rows, reader, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish(pages.total());
  },
});
