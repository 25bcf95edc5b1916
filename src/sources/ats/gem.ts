// Gem: a documented API in the manner of Greenhouse's. One answer holds a board, texts included.
import { z } from 'zod';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import { DOCUMENTED_API, getJson } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { idIn, nonEmptyText, statedRemote, unescapeHtml } from '../postings/text.ts';
import { PayRange, payOfRanges } from './greenhouse.ts';
import { lenient, rowId } from './reading/lenient.ts';

const { text, list, part } = lenient;

const Row = z.object({
  id: rowId,
  title: z.string(),
  absolute_url: text,
  content: text,
  content_plain: text,
  departments: list(z.object({ name: text })),
  location: part({ name: text }),
  offices: list(z.object({ name: text, location: part({ name: text }) })),
  employment_type: text,
  location_type: text,
  first_published_at: text,
  created_at: text,
  updated_at: text,
  pay_input_ranges: list(PayRange),
});
type Row = z.infer<typeof Row>;

const ORIGINS = prefixed('api', {
  id: '[].id',
  title: '[].title',
  url: '[].absolute_url',
  places: '[].location.name | [].offices[]',
  remote: '[].location_type',
  types: '[].employment_type',
  pay: '[].pay_input_ranges[]',
  html: '[].content | [].content_plain',
  posted: '[].first_published_at | [].created_at',
  updated: '[].updated_at',
  department: '[].departments[0].name',
});

export const gemRows: RowReader<Row> = {
  row: Row,
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert(row, raw) {
    const shown = nonEmptyText(row.location?.name);
    const offices = (row.offices ?? []).map(
      (office) => nonEmptyText(office.location?.name) ?? nonEmptyText(office.name),
    );
    return {
      id: String(row.id),
      title: row.title,
      url: nonEmptyText(row.absolute_url),
      places: (shown === null ? offices : [shown]).map((place) => ({ text: place })),
      remote: /^in_?office$/i.test(row.location_type ?? '') ? 'onsite' : statedRemote(row.location_type),
      types: [row.employment_type],
      pay: payOfRanges(row.pay_input_ranges ?? []),
      html: unescapeHtml(nonEmptyText(row.content) ?? nonEmptyText(row.content_plain) ?? '') || null,
      posted: nonEmptyText(row.first_published_at) ?? nonEmptyText(row.created_at),
      updated: row.updated_at,
      department: nonEmptyText(row.departments?.[0]?.name),
      raw,
      origins: ORIGINS,
    };
  },
};

export const gem = defineSource({
  name: 'gem',
  title: 'Gem job boards',
  kind: 'posting',
  lane: 'http',
  hosts: ['api.gem.com'],
  pace: { concurrency: 3, delayMs: 250 },
  policy: DOCUMENTED_API,
  params: z.object({ ...COMMON_PARAMS, board: z.string().regex(/^[\w-]{1,100}$/) }),
  async *scrape(params, web, notes) {
    const board = openListing({ source: 'gem', ref: params.board, params, web, notes });
    const url = `https://api.gem.com/job_board/v0/${params.board}/job_posts/`;
    yield* board.take(await getJson(web, url, z.array(z.unknown())), gemRows);
    board.finish();
  },
});
