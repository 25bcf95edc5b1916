// `GET /<list>/facets`: how many items match, and how many of them have each value, with the filters of the list.
import { z } from 'zod';
import { createKept } from '../../observe/kept.ts';
import type { FacetOptions, Facets } from '../../store/items/facets.ts';
import { json, type Route, route } from '../http/route.ts';
import { createSemaphore } from '../http/semaphore.ts';
import { nameSchemas } from '../validation/named.ts';
import { invalid } from '../validation/validators.ts';
import { type FuzzyName, FuzzyNames, fuzzyFilter, fuzzyNamesOf } from './fuzzy.ts';

const LIMIT_MS = 8_000;
/** Counts of so many change little in a minute, and take long. */
const MANY = 20_000;

const FacetValue = z.object({ value: z.string(), count: z.int() });
nameSchemas({ FacetValue });

interface FacetSpec<S extends z.ZodRawShape, F> {
  name: string;
  filters: S;
  fuzzy: FuzzyName;
  facets: Readonly<Record<string, string>>;
  filterOf(filters: z.output<z.ZodObject<S>>, names?: string[]): F;
  count(filter: F, options: FacetOptions): Promise<Facets>;
}

export function facetRoute<S extends z.ZodRawShape, F>(spec: FacetSpec<S, F>): Route {
  const known = Object.keys(spec.facets);
  const semaphore = createSemaphore({ atOnce: 2, inLine: 20 });
  const kept = createKept<Facets>({ isKept: ({ total }) => total >= MANY });
  const [first = '', ...rest] = spec.name;
  return route({
    method: 'GET',
    path: `/${spec.name}/facets`,
    operationId: `count${first.toUpperCase()}${rest.join('')}ByValue`,
    scope: 'read',
    tag: 'Data',
    summary: `Count the ${spec.name} that match, in all and by value`,
    description: `The filters of \`GET /${spec.name}\`. Up to some 60,000 matches are counted one by one; of more a sample is, and \`exact\` is false: counts are then right to a few percent, and rare values may be absent. Counts of more than ${MANY.toLocaleString('en')} may be a few minutes old.`,
    query: z.strictObject({
      ...spec.filters,
      ...fuzzyFilter(spec.fuzzy),
      facets: z
        .string()
        .max(200)
        .default(known.join(','))
        .meta({ description: `Separated by commas: ${known.join(', ')}. Default: all.` }),
      limit: z.int().min(1).max(200).default(20).meta({ description: 'Values of each, the most frequent first.' }),
    }),
    replies: {
      200: json(
        'The counts.',
        z.object({
          total: z.int().meta({ description: 'Items that match.' }),
          exact: z.boolean().meta({ description: 'False: concluded from a sample.' }),
          facets: z.record(z.string(), z.array(FacetValue)),
          fuzzy_names: FuzzyNames.optional(),
        }),
        {
          total: 120,
          exact: true,
          facets: Object.fromEntries(known.map((name) => [name, [{ value: spec.facets[name], count: 80 }]])),
        },
      ),
    },
    problems: ['invalid_params', 'query_too_slow'],
    async handle(request) {
      const { facets, limit, fuzzy, ...rest } = request.query as { facets: string; limit: number; fuzzy: boolean };
      const wanted = wantedOf(facets, known);
      const names = fuzzy ? await fuzzyNamesOf(spec.fuzzy, rest) : undefined;
      const filter = spec.filterOf(rest as z.output<z.ZodObject<S>>, names?.names);
      const { total, isExact, values } = await kept(JSON.stringify([filter, wanted, limit]), () =>
        semaphore(() => spec.count(filter, { facets: wanted, limit, limitMs: LIMIT_MS })),
      );
      const found = Map.groupBy(values, ({ facet }) => facet);
      return {
        total,
        exact: isExact,
        facets: Object.fromEntries(
          wanted.map((name) => [name, (found.get(name) ?? []).map(({ value, count }) => ({ value, count }))]),
        ),
        ...(names ? { fuzzy_names: names } : {}),
      };
    },
  });
}

function wantedOf(text: string, known: readonly string[]): string[] {
  const wanted = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw invalid(
      [{ pointer: '/facets', detail: `has no ${unknown.join(', ').slice(0, 80)}. Known: ${known.join(', ')}` }],
      'querystring',
    );
  return wanted;
}
