// Validators of requests. The one that runs on every request stops at the first error; only a request that failed is checked again for all errors,
// and then only a limited part of it: a body with a million wrong entries must not become a million error objects.
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { AppError, type FieldError, fieldSentence } from '../../model/errors.ts';
import { addressFormat, distinctPages } from '../articles/check.ts';
import { fieldErrors } from './field-errors.ts';
import type { JsonSchema } from './schema.ts';

const ENTRIES_MAX = 10_001;
const NAMES_MAX = 200;
const DEPTH_MAX = 6;
/** Deeper than anything a route takes: refused unread. */
const NUL_DEPTH_MAX = 100;

type Validate = (data: unknown) => true | { error: AppError };

export function createValidatorCompiler(): (route: { schema: unknown; httpPart?: string }) => Validate {
  // Query and path are text, so numbers are parsed from it; in a body "5" is a string and not a number.
  const body = ajvPair(false);
  const text = ajvPair('array');
  return ({ schema, httpPart }) => {
    const pair = httpPart === 'body' ? body : text;
    const check = pair.first.compile(schema as JsonSchema);
    let collect: ReturnType<Ajv['compile']> | undefined;
    const names = Object.keys((schema as { properties?: object }).properties ?? {});
    return (data) => {
      if (check(data)) return httpPart === 'body' ? true : sound(data as Record<string, unknown>, httpPart);
      collect ??= pair.all.compile(schema as JsonSchema);
      const isFine = collect(boundedCopy(data, 0));
      const found: ErrorObject[] = (isFine ? check.errors : collect.errors) ?? [];
      return { error: invalid(fieldErrors(found, names), httpPart) };
    };
  };
}

/**
 * A number that is read from text after its type was checked: `1e400` becomes Infinity, which Ajv compares with no maximum.  And PostgreSQL has no NUL
 * in a text: what is asked for in a query is looked for without.
 */
function sound(data: Record<string, unknown>, part: string | undefined): ReturnType<Validate> {
  for (const [name, value] of Object.entries(data)) {
    if (value === Infinity || value === -Infinity)
      return { error: invalid([{ pointer: `/${name}`, detail: 'is too large a number' }], part) };
    if (part === 'querystring' && typeof value === 'string' && value.includes('\0'))
      data[name] = value.replaceAll('\0', '');
  }
  return true;
}

/** 422 with every field that is wrong. */
export function invalid(errors: FieldError[], part = 'body'): AppError {
  const [first] = errors;
  const where = part === 'body' ? 'the request' : `the ${part === 'querystring' ? 'query' : part}`;
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = first ? `${fieldSentence(first)}${rest}.` : `There is an error in ${where}.`;
  return new AppError('invalid_params', detail, { errors });
}

/** PostgreSQL has no NUL in a text, and nobody means one. For bodies that have one somewhere. */
export function nulError(data: unknown): AppError | null {
  const pointer = nulPointer(data, 0);
  if (pointer === null) return null;
  return invalid([{ pointer, detail: 'contains a NUL character (\\u0000). Remove it' }]);
}

function nulPointer(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.includes('\0') ? '' : null;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > NUL_DEPTH_MAX) return '';
  for (const [name, one] of Object.entries(value)) {
    const below = name.includes('\0') ? '' : nulPointer(one, depth + 1);
    if (below !== null) return `/${name.replaceAll('\0', '')}${below}`;
  }
  return null;
}

function ajvPair(coerceTypes: false | 'array'): { first: Ajv; all: Ajv } {
  const options: Options = {
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    allowUnionTypes: true,
    formats: { uri: { type: 'string', validate: addressFormat } },
    keywords: [distinctPages],
  };
  // Verbose, so that a message can say what is wrong with the value.
  return { first: new Ajv(options), all: new Ajv({ ...options, allErrors: true, verbose: true }) };
}

export function boundedCopy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map((entry) => boundedCopy(entry, depth + 1));
  const copy: Record<string, unknown> = {};
  let count = 0;
  for (const name in value) {
    if (count++ >= NAMES_MAX) break;
    copy[name] = boundedCopy((value as Record<string, unknown>)[name], depth + 1);
  }
  return copy;
}
