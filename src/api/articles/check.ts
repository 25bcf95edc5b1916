// What plain JSON Schema cannot say about submitted articles, as keywords of the validators: a URL that can be fetched at all (`format: uri`), and a
// list that names each page once (`x-distinct-pages`). As part of the schema they are reported together with all other errors.
import type { DataValidateFunction, FuncKeywordDefinition } from 'ajv/dist/types/index.js';
import { fieldName } from '../../model/errors.ts';
import { canonicalUrl, isPlain } from '../../model/url.ts';

/** Nobody reads more, and a caller could make us write without end. */
export const FIELD_ERRORS_MAX = 100;

/** What is wrong with a URL, or null. */
export function addressError(address: string): string | null {
  if (isPlain(address)) return null;
  const url = URL.parse(address.trim());
  if (!url) return 'is not an absolute URL such as https://example.com/article';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `has to start with http:// or https://, not ${url.protocol.slice(0, 20)}`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user name or password (the part before @)';
  }
  return null;
}

export const addressFormat = (address: string): boolean => addressError(address) === null;

const checkDistinct: DataValidateFunction = (list: unknown[], context) => {
  checkDistinct.errors = repeatedPages(list, context?.instancePath ?? '');
  return checkDistinct.errors.length === 0;
};

export const distinctPages: FuncKeywordDefinition = {
  keyword: 'x-distinct-pages',
  type: 'array',
  schema: false,
  errors: 'full',
  validate: checkDistinct,
};

function repeatedPages(list: unknown[], path: string) {
  const places = new Map<string, number>();
  const errors: { keyword: string; instancePath: string; message: string; params: object }[] = [];
  // Most requests have one entry: nothing to compare.
  if (list.length < 2) return errors;
  for (const [index, entry] of list.entries()) {
    const page = pageOf(entry);
    if (page === null) continue;
    const earlier = places.get(page);
    if (earlier === undefined) places.set(page, index);
    else {
      const message = `is the same page as ${fieldName(`${path}/${earlier}/url`)}`;
      errors.push({ keyword: 'x-distinct-pages', instancePath: `${path}/${index}/url`, message, params: {} });
      if (errors.length >= FIELD_ERRORS_MAX) break;
    }
  }
  return errors;
}

function pageOf(entry: unknown): string | null {
  const url = typeof entry === 'object' && entry !== null && 'url' in entry ? entry.url : null;
  return typeof url === 'string' && addressFormat(url) ? canonicalUrl(url) : null;
}
