// Lists of items, the same for every kind: its own filters, `sort`, full text search with marks, names with typos, pages by cursor, facets, and all matches as NDJSON or
// CSV, read a chunk at a time.
import { z } from 'zod';
import { within } from '../../observe/cached.ts';
import type { FacetOptions, Facets } from '../../store/items/facets.ts';
import type { Marks } from '../../store/items/highlights.ts';
import type { ListOrder, ListPlace, ListQuery } from '../../store/items/item-list.ts';
import type { StreamQuery } from '../../store/items/stream.ts';
import { type ExportTable, sendExport } from '../export/export.ts';
import { anyFormatOf, type ExportFormat, type Format, pagesOrFile } from '../export/formats.ts';
import { json, type Route, route } from '../http/route.ts';
import { createSemaphore } from '../http/semaphore.ts';
import { invalid } from '../validation/validators.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { facetRoute } from './facets.ts';
import { type FuzzyName, FuzzyNames, fuzzyFilter, fuzzyNamesOf } from './fuzzy.ts';
import { ProvenanceFilter, type ProvenanceSpec, ProvenanceView, provenanceReader } from './provenance.ts';

export const LIMIT_MS = 10_000;
const PAGE = 50;
/** Maximum size of a page, and the rows that an export reads from the store at a time. */
const SIZES = { page: 1_000, chunk: 1_000 };
/** Exports that read from the store at the same time, of all lists; others wait for them. */
const exportSlots = createSemaphore({ atOnce: 3, inLine: 50 });

const KEY = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const TIME = '(?:-infinity|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z)';
/** A position in a list as we returned it: only values that the store can compare. */
const PLACES: Record<ListOrder['type'], RegExp> = {
  timestamptz: new RegExp(`^${TIME} ${KEY}$`),
  numeric: new RegExp(`^-?\\d{1,20}(?:\\.\\d{1,20})? ${KEY}$`),
};
const RELEVANCE = 'relevance';
/** Of the last item, and the range of items that are ranked. */
const RANKED_PLACE = new RegExp(`^[\\d.e+-]{1,30} ${TIME} ${TIME} ${KEY} ${KEY}$`);

export interface ItemListSpec<
  S extends z.ZodRawShape,
  O extends string,
  F,
  T extends { at: ListPlace; marks?: Marks },
  V extends object,
> extends ExportTable<T, V> {
  /** Name of the path, of the field in the response, of the file, and of the cursor. */
  name: string;
  operationId: string;
  summary: string;
  description: string;
  /** Filter parameters. */
  filters: S;
  orders: Record<O, ListOrder>;
  /** The default order, descending. */
  first: O;
  schema: z.ZodType;
  example: object;
  /** For items that are large. */
  sizes?: { page: number; chunk: number };
  /** The filter of names that may have typos. */
  fuzzy: FuzzyName;
  /** What can be counted by, with a value of each as an example. */
  facets: Readonly<Record<string, string>>;
  /** As the store takes them, with the names that `fuzzy` has found. */
  filterOf(filters: z.output<z.ZodObject<S>>, names?: string[]): F;
  read(filter: F, listQuery: ListQuery<O | typeof RELEVANCE>): Promise<T[]>;
  count(filter: F, options: FacetOptions): Promise<Facets>;
  provenance: ProvenanceSpec<T>;
  stream(filter: F, query: StreamQuery<O>): AsyncIterable<T[]>;
}

interface Common {
  sort: string;
  highlight: boolean;
  fuzzy: boolean;
  provenance?: string;
  format?: Format | ExportFormat;
  limit?: number;
  cursor?: string;
}

const MarksView = z.record(z.string(), z.string()).optional().meta({
  description:
    'With `highlight`: what of the texts is near the words of `q`, as HTML with `<mark>` around them. Everything else is escaped. Fields without a word of `q` are absent.',
});

/** The list and its facets. */
export function itemRoutes<
  S extends z.ZodRawShape,
  O extends string,
  F,
  T extends { at: ListPlace; marks?: Marks },
  V extends object,
>(spec: ItemListSpec<S, O, F, T, V>): Route[] {
  return [listRoute(spec), facetRoute(spec)];
}

function listRoute<
  S extends z.ZodRawShape,
  O extends string,
  F,
  T extends { at: ListPlace; marks?: Marks },
  V extends object,
>(spec: ItemListSpec<S, O, F, T, V>): Route {
  const orders = Object.keys(spec.orders) as O[];
  const most = (spec.sizes ?? SIZES).page;
  const sorts = [spec.first, ...orders.filter((order) => order !== spec.first)].flatMap((order) => [
    `-${order}`,
    order,
  ]);
  const viewed = (item: T): V & { highlights?: Marks } =>
    item.marks ? { ...spec.view(item), highlights: item.marks } : spec.view(item);
  return route({
    method: 'GET',
    path: `/${spec.name}`,
    operationId: spec.operationId,
    scope: 'read',
    tag: 'Data',
    summary: spec.summary,
    description: `${spec.description} \`format=ndjson\`, \`csv\`, \`parquet\` and \`xlsx\` stream every match.`,
    query: z.strictObject({
      ...spec.filters,
      ...fuzzyFilter(spec.fuzzy),
      sort: z
        .enum([...sorts, RELEVANCE])
        .default(`-${spec.first}`)
        .meta({
          description:
            'With `-`: descending. `relevance`: best matches of `q` first, of the newest 1,000 matches; `next_cursor` ends with these.',
        }),
      highlight: z
        .boolean()
        .default(false)
        .meta({ description: 'With `q`: adds `highlights` to each item of a page.' }),
      provenance: ProvenanceFilter,
      ...pagesOrFile(PAGE, most),
      cursor: z.string().max(1_000).optional(),
    }),
    replies: {
      200: json(
        'A page of results.',
        z.object({
          [spec.name]: z.array(spec.schema),
          next_cursor: z.string().nullable(),
          fuzzy_names: FuzzyNames.optional(),
        }),
        { [spec.name]: [spec.example], next_cursor: null },
      ),
    },
    problems: ['invalid_params'],
    async handle(request, reply) {
      const {
        sort,
        highlight,
        fuzzy,
        provenance,
        format: asked,
        limit,
        cursor,
        ...rest
      } = request.query as unknown as Common;
      const format = asked ?? anyFormatOf(request.headers.accept);
      const isRanked = sort === RELEVANCE;
      checkSearch(rest as { q?: string }, { isRanked, highlight, format });
      const list = `${spec.name} ${sort}`;
      const order = sort.replace('-', '') as O | typeof RELEVANCE;
      const form = isRanked ? RANKED_PLACE : PLACES[spec.orders[order as O].type];
      const after = placeOf(decodeCursor(list, cursor, form));
      const names = fuzzy ? await fuzzyNamesOf(spec.fuzzy, rest) : undefined;
      const filter = spec.filterOf(rest as z.output<z.ZodObject<S>>, names?.names);
      const listQuery = { order, descending: sort.startsWith('-'), after, isHighlighted: highlight };
      reply.header('vary', 'accept');
      const from = ['1', 'true'].includes(provenance ?? '') ? provenanceReader(spec.provenance) : null;
      const read = async (place: ListPlace | null, rows: number): Promise<T[]> => {
        const items = await spec.read(filter, { ...listQuery, after: place, limit: rows });
        return from ? from.reading(items) : items;
      };
      const shown = (item: T) => (from ? { ...viewed(item), provenance: from.of(item) } : viewed(item));
      if (format !== 'json') {
        const chunks = spec.stream(filter, {
          order: order as O,
          descending: listQuery.descending,
          after,
          limit: limit ?? Number.POSITIVE_INFINITY,
          chunk: (spec.sizes ?? SIZES).chunk,
          slots: exportSlots,
        });
        return sendExport(
          reply,
          { ...spec, view: shown },
          format,
          from ? withProvenance(chunks, from.reading) : chunks,
        );
      }
      const size = limit ?? PAGE;
      if (size > most)
        throw invalid(
          [{ pointer: '/limit', detail: `has to be at most ${most}. Use next_cursor for the next page` }],
          'querystring',
        );
      const found = await within(read(after, size + 1), LIMIT_MS, 'The database');
      const page = found.slice(0, size);
      const last = found.length > size ? page.at(-1)!.at : null;
      return {
        [spec.name]: page.map(shown),
        next_cursor: last && encodeCursor(list, `${last.value} ${last.key}`),
        ...(names ? { fuzzy_names: names } : {}),
      };
    },
  });
}

async function* withProvenance<T>(
  chunks: AsyncIterable<T[]>,
  reading: (items: T[]) => Promise<T[]>,
): AsyncGenerator<T[]> {
  for await (const items of chunks) yield await reading(items);
}

function checkSearch(
  { q }: { q?: string },
  { isRanked, highlight, format }: { isRanked: boolean; highlight: boolean; format: Format | ExportFormat },
): void {
  const wrong = (pointer: string, detail: string) => invalid([{ pointer, detail }], 'querystring');
  if (isRanked && q === undefined) throw wrong('/sort', 'relevance needs q: what is searched for');
  if (isRanked && format !== 'json')
    throw wrong('/sort', `relevance is for pages: ${format} holds all matches. Sort by time, or use format=json`);
  if (highlight && q === undefined) throw wrong('/highlight', 'needs q: what is searched for');
  if (highlight && format !== 'json') throw wrong('/highlight', 'is for pages: use format=json');
}

function placeOf(place: string | null): ListPlace | null {
  const at = place?.lastIndexOf(' ') ?? 0;
  return place === null ? null : { value: place.slice(0, at), key: place.slice(at + 1) };
}

/** The schema of an item with what a search and `provenance` add to it. */
export const withMarks = <S extends z.ZodRawShape>(schema: z.ZodObject<S>) =>
  schema.extend({ highlights: MarksView, provenance: ProvenanceView });
