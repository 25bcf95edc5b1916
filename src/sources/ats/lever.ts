// Lever: one call gives a whole site, with the text in parts. EU accounts live on a host of their own, and the same name can exist on both.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web } from '../../web/port.ts';
import { defineSource, type Notes } from '../define.ts';
import { DOCUMENTED_API, getJson } from '../postings/fetch.ts';
import { type Listing, openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { escapeHtml, idIn, nonEmptyText, sections, statedRemote } from '../postings/text.ts';

const PAGE_ROWS = 100;
const MAX_PAGES = 200;

const Categories = z.object({
  location: z.string().nullish(),
  allLocations: z.array(z.string().nullable()).nullish(),
  commitment: z.string().nullish(),
  team: z.string().nullish(),
  department: z.string().nullish(),
  level: z.string().nullish(),
});

const Row = z.object({
  id: z.string().min(1),
  text: z.string(),
  hostedUrl: z.string().nullish(),
  applyUrl: z.string().nullish(),
  categories: Categories.nullish(),
  country: z.string().nullish(),
  workplaceType: z.string().nullish(),
  createdAt: z.number().nullish(),
  description: z.string().nullish(),
  descriptionPlain: z.string().nullish(),
  lists: z.array(z.object({ text: z.string().nullish(), content: z.string().nullish() })).nullish(),
  additional: z.string().nullish(),
  additionalPlain: z.string().nullish(),
  salaryRange: z
    .object({
      min: z.number().nullish(),
      max: z.number().nullish(),
      currency: z.string().nullish(),
      interval: z.string().nullish(),
    })
    .nullish(),
  salaryDescription: z.string().nullish(),
  salaryDescriptionPlain: z.string().nullish(),
});
type Row = z.infer<typeof Row>;

const ORIGINS = prefixed('api', {
  id: '[].id',
  title: '[].text',
  url: '[].hostedUrl',
  applyUrl: '[].applyUrl',
  places: '[].categories.location | [].categories.allLocations[]',
  remote: '[].workplaceType',
  types: '[].categories.commitment',
  pay: '[].salaryRange',
  payText: '[].salaryDescriptionPlain | [].salaryDescription',
  html: '[].description | [].lists[] | [].additional',
  posted: '[].createdAt',
  department: '[].categories.department',
  team: '[].categories.team',
  level: '[].categories.level',
});

export const leverRows: RowReader<Row> = {
  row: Row,
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert(row, raw) {
    const { categories = null, salaryRange } = row;
    const names = [categories?.location, ...(categories?.allLocations ?? [])].flatMap(
      (name) => nonEmptyText(name) ?? [],
    );
    const prose = nonEmptyText(row.salaryDescriptionPlain) ?? nonEmptyText(row.salaryDescription);
    return {
      id: row.id,
      title: row.text,
      url: row.hostedUrl,
      applyUrl: row.applyUrl,
      // The country is that of the first place.
      places: [...new Set(names)].map((text, i) => (i === 0 ? { text, country: row.country } : { text })),
      remote: statedRemote(row.workplaceType),
      types: [categories?.commitment],
      pay:
        salaryRange == null
          ? null
          : {
              ...salaryRange,
              min: salaryRange.min,
              max: salaryRange.max,
              raw: prose,
              isOte: /\bOTE\b|on-target earnings/i.test(prose ?? ''),
            },
      payText: prose,
      html: sections([
        { html: nonEmptyText(row.description) ?? plainAsHtml(row.descriptionPlain) },
        ...(row.lists ?? []).map((list) => ({
          heading: list.text,
          html: list.content == null ? null : `<ul>${list.content}</ul>`,
        })),
        { html: nonEmptyText(row.additional) ?? plainAsHtml(row.additionalPlain) },
        { html: row.salaryDescription },
      ]),
      // Creation, which can be long before the day it was published; there is no other date.
      posted: row.createdAt,
      department: nonEmptyText(categories?.department),
      team: nonEmptyText(categories?.team),
      level: nonEmptyText(categories?.level),
      raw,
      origins: ORIGINS,
    };
  },
};

function plainAsHtml(text: string | null | undefined): string | null {
  const paragraphs = nonEmptyText(text)?.split(/\n{2,}/) ?? [];
  return paragraphs.map((part) => `<p>${escapeHtml(part).replace(/\n/g, '<br>')}</p>`).join('\n') || null;
}

export const lever = defineSource({
  name: 'lever',
  title: 'Lever job sites',
  kind: 'posting',
  lane: 'http',
  hosts: ['api.lever.co', 'api.eu.lever.co'],
  pace: { concurrency: 2, delayMs: 500 },
  policy: DOCUMENTED_API,
  params: z.object({
    ...COMMON_PARAMS,
    site: z.string().regex(/^[\w.-]{1,100}$/),
    region: z.enum(['global', 'eu']).default('global'),
  }),
  async *scrape(params, web, notes) {
    const base = `https://${params.region === 'eu' ? 'api.eu.lever.co' : 'api.lever.co'}/v0/postings/${params.site}?mode=json`;
    const ref = params.region === 'eu' ? `eu:${params.site}` : params.site;
    const board = openListing({ source: 'lever', ref, params, web, notes });
    for await (const rows of pages(base, board, web, notes)) yield* board.take(rows, leverRows);
    board.finish();
  },
});

/** Everything at once; in pages only where that is more than one answer may hold. */
async function* pages(base: string, board: Listing, web: Web, notes: Notes | undefined): AsyncGenerator<unknown[]> {
  const List = z.array(z.unknown());
  try {
    yield await getJson(web, base, List);
    return;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_large') throw error;
  }
  // Pages overlap by one row: if that row is another one, the list moved meanwhile and something may have slipped through.
  let last: string | null = null;
  for (let skip = 0, page = 0; page < MAX_PAGES; page++, skip += PAGE_ROWS - 1) {
    const rows: unknown[] = await board.page(() => getJson(web, `${base}&skip=${skip}&limit=${PAGE_ROWS}`, List));
    if (last !== null && idIn(rows[0], 'id') !== last) notes?.incomplete('the list changed while it was read');
    yield rows;
    if (rows.length < PAGE_ROWS) return;
    last = idIn(rows.at(-1), 'id');
  }
  notes?.incomplete(`more than ${MAX_PAGES * (PAGE_ROWS - 1)} postings`);
}
