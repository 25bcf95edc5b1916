// Pinpoint: one answer holds a board, texts in four parts. It says neither when a posting was published nor in which country it is; pay counts where the
// employer shows it.
import { z } from 'zod';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import { getJson, PLAIN_HTTP } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { HOST_LABEL, idIn, nonEmptyText, sections, statedRemote } from '../postings/text.ts';
import { lenient, rowId } from './reading/lenient.ts';

const { text, amount, flag, part } = lenient;

const Row = z.object({
  id: rowId,
  title: z.string(),
  url: text,
  description: text,
  key_responsibilities: text,
  key_responsibilities_header: text,
  skills_knowledge_expertise: text,
  skills_knowledge_expertise_header: text,
  benefits: text,
  benefits_header: text,
  employment_type: text,
  employment_type_text: text,
  workplace_type: text,
  deadline_at: text,
  compensation_visible: flag,
  compensation: text,
  compensation_minimum: amount,
  compensation_maximum: amount,
  compensation_currency: text,
  compensation_frequency: text,
  job: part({ department: part({ name: text }), division: part({ name: text }) }),
  location: part({ name: text, city: text, province: text }),
});
type Row = z.infer<typeof Row>;

const ORIGINS = prefixed('api', {
  id: 'data[].id',
  title: 'data[].title',
  url: 'data[].url',
  places: 'data[].location',
  remote: 'data[].workplace_type',
  types: 'data[].employment_type',
  pay: 'data[].compensation_minimum | data[].compensation_maximum',
  html: 'data[].description | data[].key_responsibilities | data[].skills_knowledge_expertise | data[].benefits',
  validThrough: 'data[].deadline_at',
  department: 'data[].job.department.name',
});

export const pinpointRows: RowReader<Row> = {
  row: Row,
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert: (row, raw) => ({
    id: String(row.id),
    title: row.title,
    url: nonEmptyText(row.url),
    places: [
      {
        text: nonEmptyText(row.location?.name),
        city: nonEmptyText(row.location?.city),
        region: nonEmptyText(row.location?.province),
      },
    ],
    remote: statedRemote(row.workplace_type),
    types: [nonEmptyText(row.employment_type) ?? nonEmptyText(row.employment_type_text)],
    pay: row.compensation_visible
      ? {
          min: row.compensation_minimum,
          max: row.compensation_maximum,
          currency: row.compensation_currency,
          interval: row.compensation_frequency,
          raw: row.compensation,
        }
      : null,
    html: sections([
      { html: row.description },
      { heading: row.key_responsibilities_header, html: row.key_responsibilities },
      { heading: row.skills_knowledge_expertise_header, html: row.skills_knowledge_expertise },
      { heading: row.benefits_header, html: row.benefits },
    ]),
    validThrough: row.deadline_at,
    department: nonEmptyText(row.job?.department?.name),
    team: nonEmptyText(row.job?.division?.name),
    raw,
    origins: ORIGINS,
  }),
};

export const pinpoint = defineSource({
  name: 'pinpoint',
  title: 'Pinpoint career sites',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.pinpointhq.com'],
  pace: { concurrency: 2, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: z
    .object({
      ...COMMON_PARAMS,
      company: z.string().regex(HOST_LABEL).optional(),
      /** A site under the company's own name. */
      host: z.hostname().optional(),
    })
    .refine((params) => (params.company === undefined) !== (params.host === undefined), 'needs either company or host'),
  async *scrape(params, web, notes) {
    const host = params.host ?? `${params.company}.pinpointhq.com`;
    const board = openListing({ source: 'pinpoint', ref: params.company ?? host, params, web, notes });
    const { data } = await getJson(web, `https://${host}/postings.json`, z.object({ data: z.array(z.unknown()) }));
    yield* board.take(data, pinpointRows);
    board.finish();
  },
});
