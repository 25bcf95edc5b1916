// JOIN: career pages whose script holds the list, five postings a page, and the posting on a page of its own.
// What a reader would get wrong: amounts are in the smallest unit of the currency, and a yen has none; descriptions are HTML in one field and Markdown in
// the other.
import { z } from 'zod';
import { parse } from '../../../extract/html/html.ts';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web } from '../../../web/port.ts';
import { valueBy } from '../../careers/scripts/script-values.ts';
import { defineSource } from '../../define.ts';
import type { Advert, PaySaid } from '../../postings/advert.ts';
import { getPinned, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { escapeHtml, idIn, nonEmptyText, statedRemote } from '../../postings/text.ts';
import { lenient, rowId } from '../reading/lenient.ts';
import { pagedRows } from '../reading/paged-rows.ts';

const DETAILS_AT_ONCE = 2;
const MAX_PAGES = 400;
const { text, number, part } = lenient;

const Amount = part({ amount: number, currency: text });
const Row = z.object({
  id: rowId,
  idParam: text,
  title: z.string(),
  city: part({ cityName: text, countryName: text }),
  country: part({ iso3166: text, name: text }),
  workplaceType: text,
  employmentType: part({ name: text }),
  category: part({ name: text }),
  createdAt: text,
  salaryAmountFrom: Amount,
  salaryAmountTo: Amount,
  salaryFrequency: text,
});
type Row = z.infer<typeof Row>;
const Detail = z.object({ schemaDescription: text, description: text });
type Detail = z.infer<typeof Detail>;

const ORIGINS = prefixed('html', {
  id: '__NEXT_DATA__.jobs.items[].id',
  title: '__NEXT_DATA__.jobs.items[].title',
  url: '=computed',
  company: '__NEXT_DATA__.company.name',
  places: '__NEXT_DATA__.jobs.items[].city | __NEXT_DATA__.jobs.items[].country',
  remote: '__NEXT_DATA__.jobs.items[].workplaceType',
  types: '__NEXT_DATA__.jobs.items[].employmentType.name',
  pay: '__NEXT_DATA__.jobs.items[].salaryAmountFrom | __NEXT_DATA__.jobs.items[].salaryAmountTo',
  html: '__NEXT_DATA__.job.schemaDescription | __NEXT_DATA__.job.description',
  posted: '__NEXT_DATA__.jobs.items[].createdAt',
  department: '__NEXT_DATA__.jobs.items[].category.name',
});

export const joinRows = (site: string, company: () => string | null): RowReader<Row, Detail> => ({
  row: Row,
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert(row, raw, detail): Advert {
    const written = nonEmptyText(detail?.description);
    return {
      id: String(row.id),
      title: row.title,
      url: `${site}/jobs/${encodeURIComponent(nonEmptyText(row.idParam) ?? String(row.id))}`,
      company: company(),
      places: [
        {
          city: nonEmptyText(row.city?.cityName),
          country: nonEmptyText(row.country?.iso3166) ?? nonEmptyText(row.city?.countryName),
        },
      ],
      remote: statedRemote(row.workplaceType?.toLowerCase()),
      types: [row.employmentType?.name],
      pay: payOf(row),
      html: nonEmptyText(detail?.schemaDescription) ?? (written && escapeHtml(written).replaceAll('\n', '<br>')),
      posted: row.createdAt,
      department: nonEmptyText(row.category?.name),
      raw: detail === null ? raw : { ...(raw as object), ...detail },
      origins: ORIGINS,
    };
  },
});

const WITHOUT_CENTS = /^(?:BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|MGA|PYG|RWF|UGX|VND|VUV|XAF|XOF|XPF)$/;

function payOf({ salaryAmountFrom: from, salaryAmountTo: to, salaryFrequency }: Row): PaySaid | null {
  if (from?.amount == null && to?.amount == null) return null;
  const currency = nonEmptyText(from?.currency) ?? nonEmptyText(to?.currency);
  const whole = (amount: number | null | undefined) =>
    amount == null ? null : WITHOUT_CENTS.test(currency ?? '') ? amount : amount / 100;
  return {
    min: whole(from?.amount),
    max: whole(to?.amount),
    currency,
    interval: salaryFrequency?.replace(/^PER_/i, '') ?? null,
  };
}

const State = z.object({
  props: z.object({ pageProps: z.object({ initialState: z.record(z.string(), z.unknown()) }) }),
});
const Jobs = z.object({
  items: z.array(z.unknown()),
  pagination: part({ pageCount: number, total: number }),
});

async function stateOf(web: Web, url: string): Promise<Record<string, unknown>> {
  const page = await getPinned(web, url);
  const state = State.safeParse(valueBy(parse(page.text), 'script#__NEXT_DATA__'));
  if (!state.success) throw new AppError('layout_changed', 'the page holds no state in __NEXT_DATA__');
  return state.data.props.pageProps.initialState;
}

export const join = defineSource({
  name: 'join',
  title: 'JOIN career pages',
  kind: 'posting',
  lane: 'http',
  hosts: ['join.com'],
  pace: { concurrency: 2, delayMs: 400 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    company: z.string().regex(/^[\w-]{1,100}$/),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const site = `https://join.com/companies/${params.company}`;
    const board = openListing({ source: 'join', ref: params.company, params, web, notes });
    let company: string | null = null;
    const reader = joinRows(site, () => company);
    const pages = pagedRows({ board, notes, idOf: reader.idOf, maxPages: MAX_PAGES }, async ({ page }) => {
      const state = await stateOf(web, page === 0 ? site : `${site}?page=${page + 1}`);
      const jobs = Jobs.safeParse(state.jobs);
      if (!jobs.success) throw new AppError('layout_changed', 'the page holds no list of jobs');
      company ??= nonEmptyText((state.company as { name?: unknown } | undefined)?.name);
      const { items, pagination } = jobs.data;
      return { rows: items, total: pagination?.total, isLast: page + 1 >= (pagination?.pageCount ?? 1) };
    });
    const ask = async (id: string, row: Row) => {
      const state = await stateOf(web, `${site}/jobs/${encodeURIComponent(nonEmptyText(row.idParam) ?? id)}`);
      return Detail.parse(state.job ?? {});
    };
    yield* board.takeDetailed(pages.rows, reader, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish(pages.total());
  },
});
