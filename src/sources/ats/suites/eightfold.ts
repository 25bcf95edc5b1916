// Eightfold: two generations of career sites. The older one lists by `apply/v2`, the newer by `pcsx`, in other words and ten at a time; texts come by `apply/v2`
// from both.
// What a reader would get wrong: a site is asked by the company's domain, which is not the site's; `num` is not obeyed; and the newer one shows 2,000 at most.
import { z } from 'zod';
import { AppError } from '../../../model/errors.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import type { Web } from '../../../web/port.ts';
import { defineSource } from '../../define.ts';
import type { Advert } from '../../postings/advert.ts';
import { getJson, getPinned, PLAIN_HTTP, readJson } from '../../postings/fetch.ts';
import { openListing, type RowReader } from '../../postings/listing.ts';
import { COMMON_PARAMS } from '../../postings/params.ts';
import { idIn, nonEmptyText, statedRemote } from '../../postings/text.ts';
import { lenient, rowId } from '../reading/lenient.ts';
import { pagedRows, type RowsPage } from '../reading/paged-rows.ts';

const PAGE_ROWS = 50;
const DETAILS_AT_ONCE = 3;
const { text, number, list } = lenient;

const Row = z.object({
  id: rowId,
  name: z.string(),
  location: text,
  locations: list(z.string()),
  standardizedLocations: list(z.string()),
  department: text,
  business_unit: text,
  t_create: number,
  t_update: number,
  postedTs: number,
  work_location_option: text,
  workLocationOption: text,
  canonicalPositionUrl: text,
  positionUrl: text,
});
type Row = z.infer<typeof Row>;
const Detail = z.object({ job_description: text, location: text, locations: list(z.string()) });
type Detail = z.infer<typeof Detail>;

const ORIGINS = prefixed('api', {
  id: 'positions[].id',
  title: 'positions[].name',
  url: 'positions[].canonicalPositionUrl | positions[].positionUrl | =computed',
  places: 'positions[].standardizedLocations[] | positions[].locations[] | positions[].location | job.location',
  remote: 'positions[].work_location_option | positions[].workLocationOption',
  html: 'job.job_description',
  posted: 'positions[].t_create | positions[].postedTs',
  updated: 'positions[].t_update',
  department: 'positions[].department',
  team: 'positions[].business_unit',
});

export const eightfoldRows = (site: string): RowReader<Row, Detail> => ({
  row: Row,
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert(row, raw, detail): Advert {
    const named = nonEmptyText(row.canonicalPositionUrl) ?? nonEmptyText(row.positionUrl) ?? `/careers/job/${row.id}`;
    const places = [row.standardizedLocations, row.locations, [row.location], detail?.locations, [detail?.location]];
    const said = places.find((texts) => texts?.some((place) => nonEmptyText(place) !== null)) ?? [];
    const seconds = (value: number | null | undefined) => (value == null ? null : value * 1_000);
    return {
      id: String(row.id),
      title: row.name,
      url: URL.parse(named, site)?.href ?? null,
      places: said.map((place) => ({ text: nonEmptyText(place) })),
      remote: statedRemote(nonEmptyText(row.work_location_option) ?? nonEmptyText(row.workLocationOption)),
      html: detail?.job_description,
      posted: seconds(row.t_create ?? row.postedTs),
      updated: seconds(row.t_update),
      department: nonEmptyText(row.department),
      team: nonEmptyText(row.business_unit),
      raw: detail ?? raw,
      origins: ORIGINS,
    };
  },
});

const Positions = z.object({ positions: z.array(z.unknown()), count: z.number().nullish().catch(null) });

/** Which generation answers, and by which domain. */
interface Site {
  page(offset: number): Promise<RowsPage>;
  domain: string;
}

async function siteOf(web: Web, origin: string, given: string | undefined): Promise<Site> {
  const json = { headers: { accept: 'application/json' }, accept: [400, 403] };
  const config = await getPinned(web, `${origin}/api/apply/v2/jobs${given ? `?domain=${given}&num=1` : ''}`, json);
  const isOpen =
    config.status < 400 && z.object({ positions: z.array(z.unknown()) }).safeParse(parsed(config.text)).success;
  const said = z.object({ domain: z.string().min(1) }).safeParse(parsed(config.text)).data?.domain;
  const { hostname } = new URL(origin);
  const domain = given ?? said ?? (hostname.endsWith('.eightfold.ai') ? `${hostname.split('.')[0]}.com` : null);
  if (domain === null)
    throw new AppError(
      'invalid_params',
      'The site does not say by which domain it is asked: set `domain`, as in domain: acme.com',
    );
  const query = (offset: number) => `domain=${encodeURIComponent(domain)}&start=${offset}&num=${PAGE_ROWS}`;
  if (isOpen || said !== undefined)
    return {
      domain,
      async page(offset) {
        const { positions, count } = await getJson(web, `${origin}/api/apply/v2/jobs?${query(offset)}`, Positions);
        return { rows: positions, total: count };
      },
    };
  return {
    domain,
    async page(offset) {
      const url = `${origin}/api/pcsx/search?${query(offset)}&query=&location=`;
      const answer = await getPinned(web, url, { headers: json.headers, accept: [403] });
      if (answer.status === 403) throw new AppError('blocked', 'the site lets no one read its list (403)');
      const { positions, count } = readJson(answer.text, z.object({ data: Positions })).data;
      return { rows: positions, total: count };
    },
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // A page where JSON was asked for: it says nothing.
    return null;
  }
}

export const eightfold = defineSource({
  name: 'eightfold',
  title: 'Eightfold career sites',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.eightfold.ai'],
  pace: { concurrency: 2, delayMs: 300 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    /** `acme.eightfold.ai`, or the company's own career site. */
    host: z.hostname(),
    /** The company's, where the site does not say it: `acme.com`. */
    domain: z.hostname().optional(),
    details: z.boolean().default(true),
  }),
  async *scrape(params, web, notes) {
    const origin = `https://${params.host.toLowerCase()}`;
    const reader = eightfoldRows(origin);
    const board = openListing({ source: 'eightfold', ref: params.host.toLowerCase(), params, web, notes });
    const site = await siteOf(web, origin, params.domain);
    const pages = pagedRows({ board, notes, idOf: reader.idOf }, ({ offset }) => site.page(offset));
    const ask = (id: string) =>
      getJson(
        web,
        `${origin}/api/apply/v2/jobs/${encodeURIComponent(id)}?domain=${encodeURIComponent(site.domain)}`,
        Detail,
      );
    yield* board.takeDetailed(pages.rows, reader, params.details ? { ask, atOnce: DETAILS_AT_ONCE } : null);
    board.finish(pages.total());
  },
});
