// Gupy: the script of a career page holds the whole list, and each posting's page states its JobPosting.
import { z } from 'zod';
import { parse } from '../../../extract/html/html.ts';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { WebResponse } from '../../../web/port.ts';
import { valueBy } from '../../careers/scripts/script-values.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getPinned, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { HOST_LABEL, idIn, nonEmptyText, statedRemote } from '../../postings/text.ts';
import { statedAdvert, withStated } from '../../postings/with-stated.ts';
import { lenient, rowId } from '../reading/lenient.ts';

const DETAILS_AT_ONCE = 2;
const { text, part } = lenient;

const Row = z.object({
  id: rowId,
  title: text,
  name: text,
  department: text,
  type: text,
  workplace: part({
    workplaceType: text,
    address: part({ city: text, state: text, stateShortName: text, country: text }),
  }),
});
type Row = z.infer<typeof Row>;

const ORIGINS = prefixed('html', {
  id: '__NEXT_DATA__.jobs[].id',
  title: '__NEXT_DATA__.jobs[].title | __NEXT_DATA__.jobs[].name',
  url: '=computed',
  places: '__NEXT_DATA__.jobs[].workplace.address',
  remote: '__NEXT_DATA__.jobs[].workplace.workplaceType',
  types: '__NEXT_DATA__.jobs[].type',
  department: '__NEXT_DATA__.jobs[].department',
});

export const gupyRows = (site: string, nowMs: number): RowReader<Row, WebResponse> => ({
  row: Row.refine(({ title, name }) => nonEmptyText(title ?? name) !== null, 'row without a title'),
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert(row, raw, page): Advert {
    const address = row.workplace?.address;
    const listed: Advert = {
      id: String(row.id),
      title: nonEmptyText(row.title) ?? row.name,
      url: `${site}/jobs/${row.id}`,
      places: [
        {
          city: nonEmptyText(address?.city),
          region: nonEmptyText(address?.stateShortName) ?? nonEmptyText(address?.state),
          country: nonEmptyText(address?.country),
        },
      ],
      remote: statedRemote(row.workplace?.workplaceType),
      types: [row.type?.replace(/^vacancy_type_/, '')],
      department: nonEmptyText(row.department),
      raw,
      origins: ORIGINS,
    };
    return page === null ? listed : withStated(listed, statedAdvert(page, nowMs));
  },
});

const State = z.object({ props: z.object({ pageProps: z.object({ jobs: z.array(z.unknown()) }) }) });

export const gupy = defineSource({
  name: 'gupy',
  title: 'Gupy career pages',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.gupy.io'],
  pace: { concurrency: 2, delayMs: 400 },
  policy: PLAIN_HTTP,
  params: z.object({ ...COMMON_PARAMS, company: z.string().regex(HOST_LABEL), details: z.boolean().default(true) }),
  async *scrape(params, web, notes) {
    const site = `https://${params.company}.gupy.io`;
    const board = openListing({ source: 'gupy', ref: params.company, params, web, notes });
    const page = await getPinned(web, `${site}/`);
    const state = State.safeParse(valueBy(parse(page.text), 'script#__NEXT_DATA__'));
    if (!state.success) throw new AppError('layout_changed', 'the page holds no list of jobs in __NEXT_DATA__');
    const ask = (id: string) => getPinned(web, `${site}/jobs/${encodeURIComponent(id)}`);
    const request = params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null;
    yield* board.takeDetailed(state.data.props.pageProps.jobs, gupyRows(site, board.nowMs), request);
    board.finish();
  },
});
