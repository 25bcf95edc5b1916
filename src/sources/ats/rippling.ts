// Rippling: one answer lists a board, a row for each place of a posting; text, pay and dates are in a call per posting. Pay is stated for each place or
// level, and ranges in other currencies are not mixed.
import { z } from 'zod';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import type { Advert, PaySaid } from '../postings/advert.ts';
import { getJson, PLAIN_HTTP } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { idIn, nonEmptyText, sections } from '../postings/text.ts';
import { lenient } from './reading/lenient.ts';

const DETAILS_AT_ONCE = 3;
const { text, number, list, part } = lenient;

const Row = z.object({
  uuid: z.string().min(1),
  name: z.string(),
  url: text,
  department: part({ label: text, name: text }),
  workLocation: z
    .union([part({ label: text }), z.string()])
    .nullish()
    .catch(null),
});
type Row = z.infer<typeof Row>;

const Range = z.object({ currency: text, frequency: text, rangeStart: number, rangeEnd: number, location: text });
const Detail = z.object({
  name: text,
  companyName: text,
  description: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .nullish()
    .catch(null),
  workLocations: list(z.string()),
  employmentType: part({ id: text, label: text }),
  department: part({ name: text, label: text }),
  createdOn: text,
  payRangeDetails: list(Range),
});
type Detail = z.infer<typeof Detail>;

const ORIGINS = prefixed('api', {
  id: '[].uuid',
  title: '[].name',
  url: '[].url',
  company: 'job.companyName',
  places: 'job.workLocations[] | [].workLocation.label',
  types: 'job.employmentType',
  pay: 'job.payRangeDetails[]',
  html: 'job.description',
  posted: 'job.createdOn',
  department: '[].department.label',
});

export const ripplingRows: RowReader<Row, Detail> = {
  row: Row,
  idOf: (raw) => idIn(raw, 'uuid'),
  toAdvert(row, raw, detail): Advert {
    const shown = typeof row.workLocation === 'string' ? row.workLocation : row.workLocation?.label;
    const places = detail?.workLocations?.length ? detail.workLocations : [shown];
    return {
      id: row.uuid,
      title: row.name,
      url: nonEmptyText(row.url),
      company: detail?.companyName,
      places: places.map((place) => ({ text: nonEmptyText(place) })),
      types: [nonEmptyText(detail?.employmentType?.id) ?? nonEmptyText(detail?.employmentType?.label)],
      pay: payOf(detail?.payRangeDetails ?? []),
      html: textOf(detail?.description),
      posted: detail?.createdOn,
      department: nonEmptyText(row.department?.label) ?? nonEmptyText(detail?.department?.name),
      raw: detail ?? raw,
      origins: ORIGINS,
    };
  },
};

/** What is about the job comes before what is about the company. */
function textOf(description: Detail['description']): string | null {
  if (typeof description === 'string') return nonEmptyText(description);
  const parts = Object.entries(description ?? {}).sort(([a], [b]) => Number(a === 'company') - Number(b === 'company'));
  return sections(parts.map(([, html]) => ({ html })));
}

function payOf(ranges: readonly z.infer<typeof Range>[]): PaySaid | null {
  const usable = ranges.filter(({ rangeStart, rangeEnd }) => rangeStart != null || rangeEnd != null);
  const [first] = usable;
  if (first === undefined) return null;
  const same = usable.filter(({ currency, frequency }) => currency === first.currency && frequency === first.frequency);
  const zones = same.map(({ location, rangeStart, rangeEnd }) => ({
    label: nonEmptyText(location),
    min: rangeStart ?? null,
    max: rangeEnd ?? null,
  }));
  const ends = (end: 'min' | 'max') => zones.flatMap((zone) => zone[end] ?? []);
  return {
    min: ends('min').length > 0 ? Math.min(...ends('min')) : null,
    max: ends('max').length > 0 ? Math.max(...ends('max')) : null,
    currency: first.currency,
    interval: first.frequency,
    ...(zones.length > 1 && { zones }),
  };
}

export const rippling = defineSource({
  name: 'rippling',
  title: 'Rippling job boards',
  kind: 'posting',
  lane: 'http',
  hosts: ['api.rippling.com'],
  pace: { concurrency: 3, delayMs: 250 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    board: z.string().regex(/^[\w-]{1,100}$/),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const base = `https://api.rippling.com/platform/api/ats/v1/board/${params.board}/jobs`;
    const board = openListing({ source: 'rippling', ref: params.board, params, web, notes });
    const rows = await getJson(web, base, z.array(z.unknown()));
    const ask = (id: string) => getJson(web, `${base}/${encodeURIComponent(id)}`, Detail);
    yield* board.takeDetailed(rows, ripplingRows, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish();
  },
});
