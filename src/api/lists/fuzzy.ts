// Names with typos: `fuzzy=true` lets the filter for a company, an author or a seller find the names that are like it, and the response says which those are.
import { z } from 'zod';
import type { SimilarNames } from '../../store/names/names.ts';
import { nameSchemas } from '../validation/named.ts';
import { invalid } from '../validation/validators.ts';

export interface FuzzyName {
  /** The filter parameter. */
  field: string;
  find(asked: string): Promise<SimilarNames>;
}

export const FuzzyNames = z.object({
  using: z.enum(['pg_trgm', 'first_letters']).meta({
    description:
      '`pg_trgm`: all names were compared. `first_letters`: PostgreSQL has no pg_trgm, so names with the same first two letters were.',
  }),
  names: z.array(z.string()).meta({ description: 'The names that were found, at most 20, the most similar first.' }),
});
nameSchemas({ FuzzyNames });

export const fuzzyFilter = ({ field }: FuzzyName) => ({
  fuzzy: z
    .boolean()
    .default(false)
    .meta({ description: `\`${field}\` finds names that are like it. \`fuzzy_names\` says which.` }),
});

export async function fuzzyNamesOf({ field, find }: FuzzyName, query: object): Promise<SimilarNames> {
  const asked = (query as Record<string, unknown>)[field];
  if (typeof asked !== 'string')
    throw invalid([{ pointer: '/fuzzy', detail: `needs ${field}: the name that is looked for` }], 'querystring');
  return find(asked);
}
