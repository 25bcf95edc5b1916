// BambooHR: a list without texts and a call per opening. Two objects hold the location and either may be empty, so both are merged.
import { z } from 'zod';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import type { Advert } from '../postings/advert.ts';
import { getJson, PLAIN_HTTP } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { HOST_LABEL, idIn, nonEmptyText } from '../postings/text.ts';

const DETAILS_AT_ONCE = 3;

const Location = z
  .object({
    city: z.string().nullish(),
    state: z.string().nullish(),
    province: z.string().nullish(),
    country: z.string().nullish(),
    addressCountry: z.string().nullish(),
  })
  .nullish();

const Opening = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  jobOpeningName: z.string(),
  departmentLabel: z.string().nullish(),
  employmentStatusLabel: z.string().nullish(),
  location: Location,
  atsLocation: Location,
  isRemote: z.union([z.boolean(), z.number(), z.string()]).nullish(),
  locationType: z.union([z.string(), z.number()]).nullish(),
  // Only on the opening's own page.
  jobOpeningShareUrl: z.string().nullish(),
  jobOpeningStatus: z.string().nullish(),
  description: z.string().nullish(),
  compensation: z.string().nullish(),
  datePosted: z.string().nullish(),
  minimumExperience: z.string().nullish(),
});
type Opening = z.infer<typeof Opening>;
const Part = Opening.partial();

const LOCATION_TYPES: Record<string, Advert['remote']> = { '0': 'onsite', '1': 'remote', '2': 'hybrid' };

const ORIGINS = prefixed('api', {
  id: 'result[].id',
  title: 'result[].jobOpeningName',
  url: 'jobOpening.jobOpeningShareUrl | =computed',
  places: 'result[].location | result[].atsLocation',
  remote: 'result[].locationType | result[].isRemote',
  types: 'result[].employmentStatusLabel',
  level: 'jobOpening.minimumExperience',
  payText: 'jobOpening.compensation',
  html: 'jobOpening.description',
  posted: 'jobOpening.datePosted',
  isClosed: 'jobOpening.jobOpeningStatus',
  department: 'result[].departmentLabel',
});

/** Rows of the list; an opening's own page is the same with more in it, and names itself only by its address. */
export const bamboohrRows: RowReader<Opening> = {
  row: Opening,
  idOf: (raw) => idIn(raw, 'id') ?? /\/careers\/(\d+)/.exec(idIn(raw, 'jobOpeningShareUrl') ?? '')?.[1] ?? null,
  toAdvert: (opening, raw) => openingAdvert(opening, raw),
};

function openingAdvert(opening: Opening, raw: unknown, company?: string): Advert {
  const id = bamboohrRows.idOf(opening) as string;
  const { location, atsLocation } = opening;
  return {
    id,
    title: opening.jobOpeningName,
    url:
      nonEmptyText(opening.jobOpeningShareUrl) ??
      (company === undefined ? null : `https://${company}.bamboohr.com/careers/${id}`),
    places: [
      {
        city: nonEmptyText(location?.city) ?? nonEmptyText(atsLocation?.city),
        region:
          nonEmptyText(location?.state) ?? nonEmptyText(atsLocation?.state) ?? nonEmptyText(atsLocation?.province),
        country:
          nonEmptyText(location?.addressCountry) ??
          nonEmptyText(location?.country) ??
          nonEmptyText(atsLocation?.country),
      },
    ],
    remote: LOCATION_TYPES[String(opening.locationType ?? '')] ?? (opening.isRemote ? 'remote' : null),
    types: [opening.employmentStatusLabel],
    level: nonEmptyText(opening.minimumExperience),
    payText: nonEmptyText(opening.compensation),
    html: opening.description,
    posted: opening.datePosted,
    isClosed: opening.jobOpeningStatus != null && opening.jobOpeningStatus !== 'Open',
    department: nonEmptyText(opening.departmentLabel),
    raw,
    origins: ORIGINS,
  };
}

const List = z.object({ meta: z.object({ totalCount: z.number().nullish() }).nullish(), result: z.array(z.unknown()) });
export const BamboohrDetail = z.object({ result: z.object({ jobOpening: z.looseObject({}) }) });

export const bamboohr = defineSource({
  name: 'bamboohr',
  title: 'BambooHR career pages',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.bamboohr.com'],
  pace: { concurrency: 3, delayMs: 250 },
  policy: PLAIN_HTTP,
  params: z.object({ ...COMMON_PARAMS, company: z.string().regex(HOST_LABEL), details: z.boolean().default(true) }),
  async *scrape(params, web, notes) {
    const base = `https://${params.company}.bamboohr.com/careers`;
    const board = openListing({ source: 'bamboohr', ref: params.company, params, web, notes });
    const list = await getJson(web, `${base}/list`, List);
    const reader: RowReader<Opening, object> = {
      ...bamboohrRows,
      toAdvert: (row, raw, detail) => {
        const more = Part.parse(detail ?? {});
        return openingAdvert(merged(row, more), detail ?? raw, params.company);
      },
    };
    const ask = async (id: string) => (await getJson(web, `${base}/${id}/detail`, BamboohrDetail)).result.jobOpening;
    yield* board.takeDetailed(list.result, reader, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish(list.meta?.totalCount);
  },
});

/** The page's own word, and the list's where the page has none. */
function merged(row: Opening, detail: Partial<Opening>): Opening {
  const place = (a: Opening['location'], b: Opening['location']) =>
    Object.fromEntries(
      [...Object.entries(b ?? {}), ...Object.entries(a ?? {})].filter(([, value]) => nonEmptyText(value) !== null),
    );
  return {
    ...row,
    ...Object.fromEntries(Object.entries(detail).filter(([, value]) => value != null)),
    id: row.id,
    location: place(detail.location, row.location),
    atsLocation: place(detail.atsLocation, row.atsLocation),
  };
}
