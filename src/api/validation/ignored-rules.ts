// Finds what a zod schema says and JSON Schema cannot: functions (refine, transform, preprocess), changes of the value (trim, toLowerCase, coerce, catch) and
// types that JSON does not have. The list names the kinds that work, so that a kind that zod adds later is refused until somebody has checked it.
import type { z } from 'zod';

const TYPES = new Set([
  'any',
  'array',
  'boolean',
  'default',
  'enum',
  'intersection',
  'lazy',
  'literal',
  'never',
  'nonoptional',
  'null',
  'nullable',
  'number',
  'object',
  'optional',
  'prefault',
  'readonly',
  'record',
  'string',
  'tuple',
  'union',
  'unknown',
]);

const CHECKS = new Set([
  'greater_than',
  'length_equals',
  'less_than',
  'max_length',
  'min_length',
  'multiple_of',
  'number_format',
  'string_format',
]);

/** As it is written in a schema; others by zod's own name. */
const WRITTEN: Record<string, string> = {
  custom: '.refine()',
  overwrite: '.trim() or another change of the text',
  pipe: '.transform(), .preprocess() or .pipe()',
  catch: '.catch()',
};

interface Definition {
  type: string;
  coerce?: boolean;
  checks?: { _zod: { def: { check: string } } }[];
}

export interface RuleCheck {
  /** For every part of a schema, with its place in the JSON Schema. */
  see(schema: z.core.$ZodType, path: (string | number)[]): void;
  /** One text a rule, with its field: `.refine() of /items/*`. */
  ignored(): string[];
}

export function createRuleCheck(): RuleCheck {
  const found = new Set<string>();
  return {
    see(schema, path) {
      const { type, coerce, checks = [] } = schema._zod.def as Definition;
      const add = (rule: string) => found.add(`${rule} of ${fieldOf(path)}`);
      // A transform is one half of a pipe, which is reported already.
      if (!TYPES.has(type) && type !== 'transform') add(WRITTEN[type] ?? `z.${type}()`);
      if (coerce) add('z.coerce');
      for (const { _zod } of checks) {
        const { check } = _zod.def;
        if (!CHECKS.has(check)) add(WRITTEN[check] ?? check);
      }
    },
    ignored: () => [...found],
  };
}

// `properties/items/items/properties/name` is `/items/*/name`. The branches of a union have no name of their own.
function fieldOf(path: (string | number)[]): string {
  let field = '';
  for (let at = 0; at < path.length; at++) {
    if (path[at] === 'properties') field += `/${path[++at]}`;
    else if (path[at] === 'items' || path[at] === 'additionalProperties') field += '/*';
  }
  return field === '' ? 'the whole' : field;
}
