// What a schema cannot say about submitted articles: addresses that can be fetched at all, each of them once.
import type { FieldError } from '../model/errors.ts';
import { canonicalUrl } from '../model/url.ts';
import { FIELD_ERRORS_MAX } from './field-errors.ts';

export function articleErrors(articles: { url: string }[]): FieldError[] {
  const errors: FieldError[] = [];
  // With one article there is nothing to compare it with, and most requests have one.
  const places = articles.length > 1 ? new Map<string, number>() : null;
  for (const [index, { url }] of articles.entries()) {
    const detail = urlError(url) ?? (places && repeated(places, url, index));
    if (detail === null) continue;
    errors.push({ pointer: `/articles/${index}/url`, detail });
    if (errors.length >= FIELD_ERRORS_MAX) break;
  }
  return errors;
}

function urlError(address: string): string | null {
  const url = URL.parse(address.trim());
  if (!url) return 'is not an absolute address; write it in full, like https://example.com/article';
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `has to begin with http:// or https://, not ${url.protocol.slice(0, 20)}`;
  if (url.username !== '' || url.password !== '')
    return 'must not carry a user name or password; remove what stands before the @';
  return null;
}

function repeated(places: Map<string, number>, url: string, index: number): string | null {
  const canonical = canonicalUrl(url);
  const earlier = places.get(canonical);
  if (earlier !== undefined) return `is the same page as /articles/${earlier}/url; send it once`;
  places.set(canonical, index);
  return null;
}
