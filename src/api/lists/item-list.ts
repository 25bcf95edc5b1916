// Lists of items, the same for every kind: its own filters, `sort`, pages by cursor, and all matches as NDJSON or CSV, read a chunk at a time.
import { z } from 'zod';
import { within } from '../../observe/cached.ts';
import type { ListOrder, ListPlace, ListQuery } from '../../store/items/item-list.ts';
import { json, type Route, route } from '../http/route.ts';
import { timeOf } from '../validation/times.ts';
import { invalid } from '../validation/validators.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { exportLines, type Format, formatOf, pagesOrLines, startStream, typeOf } from './export.ts';

const LIMIT_MS = 10_000;
const PAGE = 50;
/** Maximum size of a page, and the rows that a stream reads from the store at a time. */
const SIZES = { page: 1_000, chunk: 200 };

const KEY = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** A position in a list as we returned it: only values that the store can compare. */
const PLACES: Record<ListOrder['type'], RegExp> = {
  timestamptz: new RegExp(`^(?:-infinity|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z) ${KEY}$`),
  numeric: new RegExp(`^-?\\d{1,20}(?:\\.\\d{1,20})? ${KEY}$`),
};

export interface ItemListSpec<
  S extends z.ZodRawShape,
  O extends string,
  T extends { at: ListPlace },
  V extends object,
> {
  /** Name of the path, of the field in the response, and of the cursor. */
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
  read(filters: z.output<z.ZodObject<S>>, listQuery: ListQuery<O>): Promise<T[]>;
  view(item: T): V;
  /** CSV: names and values of the columns. */
  columns: readonly string[];
  row(view: V): readonly unknown[];
}

interface Common {
  sort: string;
  format?: Format;
  limit?: number;
  cursor?: string;
}

export function itemList<S extends z.ZodRawShape, O extends string, T extends { at: ListPlace }, V extends object>(
  spec: ItemListSpec<S, O, T, V>,
): Route {
  const orders = Object.keys(spec.orders) as O[];
  const most = (spec.sizes ?? SIZES).page;
  const sorts = [spec.first, ...orders.filter((order) => order !== spec.first)].flatMap((order) => [
    `-${order}`,
    order,
  ]);
  return route({
    method: 'GET',
    path: `/${spec.name}`,
    operationId: spec.operationId,
    scope: 'read',
    tag: 'Data',
    summary: spec.summary,
    description: `${spec.description} \`format=ndjson\` and \`format=csv\` stream every match.`,
    query: z.strictObject({
      ...spec.filters,
      sort: z.enum(sorts).default(`-${spec.first}`).meta({ description: 'With `-`: descending.' }),
      ...pagesOrLines(PAGE, most),
      cursor: z.string().max(1_000).optional(),
    }),
    replies: {
      200: json(
        'A page of results.',
        z.object({ [spec.name]: z.array(spec.schema), next_cursor: z.string().nullable() }),
        { [spec.name]: [spec.example], next_cursor: null },
      ),
    },
    problems: ['invalid_params'],
    async handle(request, reply) {
      const { sort, format: asked, limit, cursor, ...rest } = request.query as unknown as Common;
      const filters = rest as z.output<z.ZodObject<S>>;
      const format = asked ?? formatOf(request.headers.accept);
      const list = `${spec.name} ${sort}`;
      const order = sort.replace('-', '') as O;
      const listQuery = {
        order,
        descending: sort.startsWith('-'),
        after: placeOf(decodeCursor(list, cursor, PLACES[spec.orders[order].type])),
      };
      reply.header('vary', 'accept');
      if (format !== 'json') {
        const chunks = exportLines(
          {
            ...spec,
            chunk: (spec.sizes ?? SIZES).chunk,
            read: (after, size) => spec.read(filters, { ...listQuery, after, limit: size }),
            placeOf: (item) => item.at,
          },
          format,
          { after: listQuery.after, limit: limit ?? Number.POSITIVE_INFINITY },
        );
        const stream = await within(startStream(chunks), LIMIT_MS, 'The database');
        return reply.type(typeOf(format)).send(stream);
      }
      const size = limit ?? PAGE;
      if (size > most)
        throw invalid(
          [{ pointer: '/limit', detail: `has to be at most ${most}. Use next_cursor for the next page` }],
          'querystring',
        );
      const found = await within(spec.read(filters, { ...listQuery, limit: size + 1 }), LIMIT_MS, 'The database');
      const page = found.slice(0, size);
      const last = found.length > size ? page.at(-1)!.at : null;
      return {
        [spec.name]: page.map(spec.view),
        next_cursor: last && encodeCursor(list, `${last.value} ${last.key}`),
      };
    },
  });
}

function placeOf(place: string | null): ListPlace | null {
  const at = place?.lastIndexOf(' ') ?? 0;
  return place === null ? null : { value: place.slice(0, at), key: place.slice(at + 1) };
}

/** Filters that several lists have. */
export const SourcesFilter = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_,-]{0,400}$/)
  .optional()
  .meta({ description: 'One source, or several separated by commas.' });
export const NameFilter = z.string().min(1).max(200).optional();
export const TimeFilter = z.string().max(40).optional();
export const TextFilter = z.string().min(1).max(500).optional();
export const CurrencyFilter = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .optional();

/** The given filters under their names in the store; absent ones are left out. */
export function given<T extends object>(filter: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as T;
}

export const namesOf = (list: string | undefined): string[] | undefined =>
  list?.split(',').filter((name) => name !== '');

export const timeFilter = (name: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : timeOf(name, text).toISOString();
