// Breezy: one answer holds a board, without texts; each posting's own page has them. A page that is gone sends its visitors to the board.

import { getOuterHTML } from 'domutils';
import { z } from 'zod';
import { all, parse } from '../../extract/html/html.ts';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { WebResponse } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import type { Advert } from '../postings/advert.ts';
import { getJson, getPinned, PLAIN_HTTP } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { HOST_LABEL, idIn, nonEmptyText } from '../postings/text.ts';
import { statedAdvert } from '../postings/with-stated.ts';
import { lenient, rowId } from './reading/lenient.ts';

const DETAILS_AT_ONCE = 3;
const { text, flag, part } = lenient;

const Place = part({
  name: text,
  city: text,
  is_remote: flag,
  country: part({ id: text, name: text }),
  state: part({ id: text, name: text }),
});
const Row = z.object({
  id: rowId,
  name: z.string(),
  friendly_id: text,
  url: text,
  published_date: text,
  type: part({ id: text, name: text }),
  location: Place,
  locations: lenient.list(Place),
  department: text,
  category: part({ name: text }),
  salary: text,
  description: text,
  company: part({ name: text, logo_url: text }),
});
type Row = z.infer<typeof Row>;

const ORIGINS = prefixed('api', {
  id: '[].id',
  title: '[].name',
  url: '[].url',
  company: '[].company.name',
  companyLogo: '[].company.logo_url',
  places: '[].location | [].locations[]',
  remote: '[].location.is_remote',
  types: '[].type.name',
  payText: '[].salary',
  html: '[].description',
  posted: '[].published_date',
  department: '[].department | [].category.name',
});

export const breezyRows: RowReader<Row, WebResponse> = {
  row: Row,
  idOf: (raw) => idIn(raw, 'id', '_id'),
  toAdvert(row, raw, page) {
    const places = row.locations?.length ? row.locations : [row.location];
    const advert: Advert = {
      id: String(row.id),
      title: row.name,
      url: nonEmptyText(row.url),
      company: row.company?.name,
      companyLogo: row.company?.logo_url,
      places: places.map((place) => ({
        text: nonEmptyText(place?.name),
        city: nonEmptyText(place?.city),
        region: nonEmptyText(place?.state?.name),
        country: nonEmptyText(place?.country?.id),
      })),
      remote: row.location?.is_remote ? 'remote' : null,
      types: [row.type?.name],
      payText: nonEmptyText(row.salary),
      html: row.description,
      posted: row.published_date,
      department: nonEmptyText(row.department) ?? nonEmptyText(row.category?.name),
      raw,
      origins: ORIGINS,
    };
    return page === null ? advert : withText(advert, page);
  },
};

/** The list is right about everything else. */
function withText(advert: Advert, page: WebResponse): Advert {
  const doc = parse(page.text);
  const shown = all(doc, '#description, .position-description, .description')[0];
  const html = statedAdvert(page, 0, doc)?.html ?? (shown === undefined ? null : getOuterHTML(shown));
  return html == null
    ? advert
    : { ...advert, html, origins: { ...ORIGINS, html: 'json-ld:description | selector:.description' } };
}

export const breezy = defineSource({
  name: 'breezy',
  title: 'Breezy HR career pages',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.breezy.hr'],
  pace: { concurrency: 3, delayMs: 250 },
  policy: PLAIN_HTTP,
  params: z.object({ ...COMMON_PARAMS, company: z.string().regex(HOST_LABEL), details: z.boolean().default(true) }),
  async *scrape(params, web, notes) {
    const base = `https://${params.company}.breezy.hr`;
    const board = openListing({ source: 'breezy', ref: params.company, params, web, notes });
    const rows = await getJson(web, `${base}/json`, z.array(z.unknown()));
    const ask = async (id: string, row: Row) => {
      const page = await getPinned(web, `${base}/p/${encodeURIComponent(nonEmptyText(row.friendly_id) ?? id)}`);
      if (!new URL(page.url).pathname.startsWith('/p/')) throw new AppError('not_found', 'no longer posted');
      return page;
    };
    yield* board.takeDetailed(rows, breezyRows, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish();
  },
});
