// iCIMS career sites of the newer kind (Jibe), under the company's own name: a JSON list, texts included.
// What a reader would get wrong: pages count from 1, and asking for more than 100 rows gives none.
import { z } from 'zod';
import { prefixed } from '../../../model/provenance/origins.ts';
import { defineSource } from '../../define.ts';
import type { Advert, PlaceSaid } from '../../postings/advert.ts';
import { getJson, PLAIN_HTTP } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { idIn, nonEmptyText, sections } from '../../postings/text.ts';
import { lenient, rowId } from '../reading/lenient.ts';
import { pagedRows } from '../reading/paged-rows.ts';

const PAGE_ROWS = 100;
const { text, amount, list, part } = lenient;

const Place = z.object({
  location_name: text,
  full_location: text,
  short_location: text,
  city: text,
  state: text,
  country: text,
  country_code: text,
  latitude: amount,
  longitude: amount,
});
const Row = z.object({
  data: z.object({
    slug: rowId.nullish().catch(null),
    req_id: rowId.nullish().catch(null),
    title: z.string(),
    language: text,
    description: text,
    responsibilities: text,
    qualifications: text,
    ...Place.shape,
    additional_locations: list(Place),
    categories: list(z.object({ name: text })),
    department: text,
    employment_type: text,
    hiring_organization: text,
    posted_date: text,
    posting_expiry_date: text,
    update_date: text,
    apply_url: text,
    meta_data: part({ canonical_url: text }),
    salary_min_value: amount,
    salary_max_value: amount,
  }),
});
type Row = z.infer<typeof Row>;

const ORIGINS = prefixed('api', {
  id: 'jobs[].data.slug | jobs[].data.req_id',
  title: 'jobs[].data.title',
  url: 'jobs[].data.meta_data.canonical_url | =computed',
  applyUrl: 'jobs[].data.apply_url',
  company: 'jobs[].data.hiring_organization',
  places: 'jobs[].data.city | jobs[].data.state | jobs[].data.country | jobs[].data.additional_locations[]',
  types: 'jobs[].data.employment_type',
  pay: 'jobs[].data.salary_min_value | jobs[].data.salary_max_value',
  html: 'jobs[].data.description | jobs[].data.responsibilities | jobs[].data.qualifications',
  posted: 'jobs[].data.posted_date',
  updated: 'jobs[].data.update_date',
  validThrough: 'jobs[].data.posting_expiry_date',
  department: 'jobs[].data.department | jobs[].data.categories[0].name',
  language: 'jobs[].data.language',
});

export const jibeRows = (site: string): RowReader<Row> => ({
  row: Row,
  idOf: (raw) => idIn((raw as { data?: unknown } | null)?.data ?? null, 'slug', 'req_id'),
  toAdvert({ data }, raw): Advert {
    const id = idIn(data, 'slug', 'req_id')!;
    const more = data.additional_locations ?? [];
    const places: PlaceSaid[] = [data, ...more].map((place) => ({
      text: shownOf(place, more.length > 0),
      city: nonEmptyText(place.city),
      region: nonEmptyText(place.state),
      country: nonEmptyText(place.country_code) ?? nonEmptyText(place.country),
      lat: place.latitude,
      lon: place.longitude,
    }));
    const [min, max] = [data.salary_min_value, data.salary_max_value];
    return {
      id,
      title: data.title,
      url: nonEmptyText(data.meta_data?.canonical_url) ?? pageOf(site, id, data.language),
      applyUrl: data.apply_url,
      company: data.hiring_organization,
      places,
      types: [data.employment_type],
      pay: Number(min) > 0 || Number(max) > 0 ? { min, max } : null,
      html: sections([{ html: data.description }, { html: data.responsibilities }, { html: data.qualifications }]),
      posted: data.posted_date,
      updated: data.update_date,
      validThrough: data.posting_expiry_date,
      department: nonEmptyText(data.department) ?? nonEmptyText(data.categories?.[0]?.name),
      language: data.language,
      raw,
      origins: ORIGINS,
    };
  },
});

/** Where the row does not say it; the address to apply at is a login. */
function pageOf(site: string, id: string, language: string | null | undefined): string {
  const page = `${site}/jobs/${encodeURIComponent(id)}`;
  return nonEmptyText(language) === null ? page : `${page}?lang=${encodeURIComponent(language!)}`;
}

/** Of a posting with several places the full location of the row names them all at once. The location's own name is a code of the company's. */
function shownOf(place: z.infer<typeof Place>, isOneOfSeveral: boolean): string | null {
  const shown = (isOneOfSeveral ? null : nonEmptyText(place.full_location)) ?? nonEmptyText(place.short_location);
  return shown ?? (nonEmptyText(place.city) === null ? nonEmptyText(place.location_name) : null);
}

const Page = z.object({ jobs: z.array(z.unknown()), totalCount: z.number().nullish().catch(null) });

export const jibe = defineSource({
  name: 'jibe',
  title: 'iCIMS career sites under a name of the company',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 2, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: z.object({ ...COMMON_PARAMS, host: z.hostname() }),
  async *scrape(params, web, notes) {
    const site = `https://${params.host.toLowerCase()}`;
    const reader = jibeRows(site);
    const board = openListing({ source: 'jibe', ref: params.host.toLowerCase(), params, web, notes });
    const pages = pagedRows({ board, notes, idOf: reader.idOf }, async ({ page }) => {
      const { jobs, totalCount } = await getJson(web, `${site}/api/jobs?page=${page + 1}&limit=${PAGE_ROWS}`, Page);
      return { rows: jobs, total: totalCount };
    });
    yield* board.takeDetailed(pages.rows, reader, null);
    board.finish(pages.total());
  },
});
