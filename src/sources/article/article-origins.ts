// Where the fields of an article came from, as codes: what the extraction says of each, without what only this one page says.
import type { Origins } from '../../model/provenance/origins.ts';

const PREFIX: Record<string, string> = { opengraph: 'meta', heuristic: 'rule' };
const FIELDS = ['title', 'author', 'published_at', 'language', 'image'] as const;

export function articleOrigins(explained: Record<string, { from: string; detail: string }>): Origins {
  const origins: Record<string, string> = {
    url: 'request:url',
    content: 'rule:article-text',
    details: 'rule:article-details',
  };
  for (const field of FIELDS) {
    const found = explained[field];
    if (found) origins[field] = `${PREFIX[found.from] ?? found.from}:${placeOf(found.detail)}`;
  }
  return origins;
}

/** Names of classes are the page's own: with them there would be as many ways of reading as sites. They are in `details.explain`. */
const placeOf = (detail: string): string => (detail.startsWith('class ') ? 'class' : detail.replaceAll(' ', '-'));
