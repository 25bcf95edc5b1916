// What plain JSON Schema cannot say about submitted articles, as words that the validators understand: an address that can be fetched at all (`format:
// uri`), and a list that names each page once (`x-distinct-pages`). Being part of the schema, they are reported together with everything else.
import type { DataValidateFunction, FuncKeywordDefinition } from 'ajv/dist/types/index.js';
import { canonicalUrl, isPlain } from '../../model/url.ts';

/** More would not be read, and every one is text that a caller makes us write. */
export const FIELD_ERRORS_MAX = 100;

/** What is wrong with an address, or null. */
export function addressError(address: string): string | null {
  if (isPlain(address)) return null;
  const url = URL.parse(address.trim());
  if (!url) return 'is not an absolute address; write it in full, like https://example.com/article';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `has to begin with http:// or https://, not ${url.protocol.slice(0, 20)}`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not carry a user name or password; remove what stands before the @';
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
  // With one entry there is nothing to compare it with, and most requests have one.
  if (list.length < 2) return errors;
  for (const [index, entry] of list.entries()) {
    const page = pageOf(entry);
    if (page === null) continue;
    const earlier = places.get(page);
    if (earlier === undefined) places.set(page, index);
    else {
      const message = `is the same page as ${path}/${earlier}/url; send it once`;
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
