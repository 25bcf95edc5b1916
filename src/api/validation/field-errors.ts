// What a validator found, as sentences: which field (as a JSON Pointer, `/articles/3/url`), what is wrong, what is allowed.
import type { ErrorObject } from 'ajv';
import type { FieldError } from '../../model/errors.ts';
import { addressError, FIELD_ERRORS_MAX } from '../articles/check.ts';

export function fieldErrors(errors: ErrorObject[], knownNames: string[]): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of withoutAlternatives(errors)) {
    if (found.size >= FIELD_ERRORS_MAX) break;
    const one = fieldError(error, knownNames);
    const name = `${one.pointer} ${one.detail}`;
    if (!found.has(name)) found.set(name, one);
  }
  return [...found.values()];
}

/**
 * Of a field with alternatives (anyOf) the validator reports every alternative. A value with the type of one alternative gets only the errors of that
 * one, and any other value gets one error with all allowed types.
 */
function withoutAlternatives(errors: ErrorObject[]): ErrorObject[] {
  let left = errors;
  for (const choice of errors.filter((error) => error.keyword === 'anyOf').slice(0, FIELD_ERRORS_MAX)) {
    const isOwn = ({ schemaPath, instancePath }: ErrorObject) =>
      schemaPath.startsWith(`${choice.schemaPath}/`) && `${instancePath}/`.startsWith(`${choice.instancePath}/`);
    const own = left.filter(isOwn);
    const isType = (error: ErrorObject) => error.keyword === 'type' && error.instancePath === choice.instancePath;
    const inside = own.filter((error) => !isType(error));
    const types = own.filter(isType).map((error) => String((error.params as { type: unknown }).type));
    const told = inside.length > 0 ? inside : [{ ...choice, keyword: 'type', params: { type: types } }];
    left = [...left.filter((error) => error !== choice && !isOwn(error)), ...(own.length > 0 ? told : [choice])];
  }
  return left;
}

function fieldError(error: ErrorObject, knownNames: string[]): FieldError {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return {
        pointer: `${error.instancePath}/${pointerPart(params.missingProperty)}`,
        detail: 'is required',
      };
    case 'additionalProperties':
      return {
        pointer: `${error.instancePath}/${pointerPart(params.additionalProperty)}`,
        detail: unknownWords(error, knownNames),
      };
    default:
      return { pointer: error.instancePath, detail: sentence(error, params) };
  }
}

/** The fields of the object that has the error; all names of the body if its schema is not at hand. */
function unknownWords(error: ErrorObject, knownNames: string[]): string {
  const schema = error.parentSchema as { properties?: object } | undefined;
  const names = schema ? Object.keys(schema.properties ?? {}) : knownNames;
  return names.length === 0
    ? 'is not a known field. No fields are allowed here'
    : `is not a known field. Known fields: ${names.join(', ')}`;
}

function sentence(error: ErrorObject, params: Record<string, unknown>): string {
  const limit = String(params.limit);
  switch (error.keyword) {
    case 'type':
      return `has to be ${typeWords(params.type)}`;
    case 'enum':
      return `has to be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'const':
      return `has to be ${JSON.stringify(params.allowedValue)}`;
    case 'minimum':
      return `has to be at least ${limit}`;
    case 'maximum':
      return `has to be at most ${limit}`;
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `needs at least ${limit} characters`;
    case 'maxLength':
      return `may have at most ${limit} characters`;
    case 'minItems':
      return limit === '1' ? 'must not be empty' : `needs at least ${limit} entries`;
    case 'maxItems':
      return `may have at most ${limit} entries. Send the others in another request`;
    case 'format':
      return (typeof error.data === 'string' && addressError(error.data)) || 'is not a URL';
    case 'pattern':
      return FORMS[String(params.pattern)] ?? `does not match the pattern ${String(params.pattern)}`;
    default:
      return error.message ?? 'is not valid';
  }
}

/** Patterns in words: a regular expression says little to a caller. */
const FORMS: Record<string, string> = {
  '\\S': 'must not be empty',
  '^\\d{5}$': 'has to be a US ZIP code of five digits, like 10001',
  '^\\d{5}(-\\d{4})?$': 'has to be a US ZIP code, like 10001 or 10001-1234',
  '^[A-Z]{2}$': 'has to be a country code of two capital letters, like US',
  '^[A-Z]{3}$': 'has to be a currency code of three capital letters, like USD',
  '^[a-z0-9][a-z0-9_-]{0,63}$': 'has to be the name of a source. See GET /sources',
  '^[a-z0-9][a-z0-9_,-]{0,400}$': 'has to be a source, or several separated by commas. See GET /sources',
  '^grp_[0-9a-f]{32}$': 'has to be the id of a group of postings: grp_ and 32 hex digits',
};

const TYPE_WORDS: Record<string, string> = {
  object: 'a JSON object',
  array: 'an array',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? type : String(type).split(',');
  return types.map((one) => TYPE_WORDS[String(one)] ?? String(one)).join(' or ');
}

/** A name inside a JSON Pointer; a caller's own names are cut, since they may be as long as the body. */
function pointerPart(name: unknown): string {
  return String(name).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
